"""Settings of the property tests: a slow machine is no failure."""

from __future__ import annotations

from hypothesis import settings

settings.register_profile("condition", deadline=None)
settings.load_profile("condition")

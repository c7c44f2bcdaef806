"""Exit statuses, in one place; they are a contract (README.md, "Exit status")."""

from __future__ import annotations

SUCCESS = 0
"""The work is done and nothing at or above `--fail-on` was found."""

FINDINGS = 1
"""The work is done and something was found."""

FAILURE = 2
"""The work could not be done: usage, unreadable manifest, wrong configuration, a defect of cfglint."""

INTERRUPTED = 130
"""Stopped by Ctrl-C, as shells count it (128 + SIGINT)."""

"""The builds of a derived matrix show, on random packages, all that rustc shows in any build.

Fifteen seeds keep the suite quick; `python -m bench.matrix --packages 300` is the long run, with the other strategies.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from bench.matrix import examine
from tests.oracle.cargo_oracle import require_cargo

SEEDS = range(100, 115)


@pytest.mark.cargo
@pytest.mark.parametrize("seed", SEEDS)
def test_the_derived_matrix_shows_what_all_builds_show(seed: int, tmp_path: Path) -> None:
    require_cargo()
    outcome = examine(seed, tmp_path)
    assert outcome.problem == ""
    assert outcome.shown is not None
    derived, full = outcome.shown["derived"], outcome.shown["full"]
    assert (derived.missed_findings, derived.missed_lines) == (0, 0)
    assert derived.builds <= full.builds

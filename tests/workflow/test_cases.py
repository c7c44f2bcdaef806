"""Every CI case: what it says must be found is found, at its line, and nothing else."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from cfglint.rulebook import rulebook
from tests.ci_driver import discover, load, run_ci, shown, update, write


@pytest.mark.parametrize("path", discover(), ids=lambda path: path.stem)
def test_findings_are_the_expected_ones(path: Path, tmp_path: Path) -> None:
    case = load(path)
    found = shown(run_ci(write(case, tmp_path / "repository"), *case.options))
    if os.environ.get("CFGLINT_UPDATE") == "1" and found != case.expected:
        update(case, found)
        return
    assert found == case.expected, "run with CFGLINT_UPDATE=1 and read the difference"


def test_every_rule_of_ci_has_a_case() -> None:
    expected = "".join(load(path).expected for path in discover())
    for rule in rulebook():
        if rule.code.startswith("CFG3"):
            assert rule.code in expected, rule.code

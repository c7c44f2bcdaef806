"""Every fixture is checked by every rule: what it marks is found, with the right condition, and nothing else is.

`test_fixture_oracle` holds the same marks against rustc, so here cfglint is compared with rustc's word.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.fixture_driver import FIXTURES, differences, discover, load, parse_marks, run_cfglint


@pytest.mark.parametrize("path", discover(), ids=lambda path: path.relative_to(FIXTURES).as_posix())
def test_findings_are_the_marks(path: Path) -> None:
    problems = differences(load(path), run_cfglint(path)["findings"])
    assert not problems, "\n".join(problems)


def test_fixtures_are_found() -> None:
    names = [path.relative_to(FIXTURES).as_posix() for path in discover()]
    assert len(names) == len(set(names))
    assert "seed-workspace" in names
    assert not [name for name in names if name.count("/") > 1]


def test_a_mark_counts_its_carets() -> None:
    text = 'f();\ng();\n//~^^ CFG001 cfg(not(feature = "x"))\n//~^^ FUTURE CFG002\nh(); //~ FOLLOWS cfg(true)\n'
    marks = list(parse_marks(text, "src/lib.rs"))
    assert [(mark.line, mark.code, mark.future, mark.text) for mark in marks] == [
        (1, "CFG001", False, 'not(feature = "x")'),
        (2, "CFG002", True, ""),
        (5, "FOLLOWS", False, "true"),
    ]


@pytest.mark.parametrize("line", ["//~^ CFG1", "//~^CFG001", "//~ LATER CFG001", "//~^ CFG001 not(unix)"])
def test_a_sloppy_mark_is_refused(line: str) -> None:
    with pytest.raises(ValueError, match="not an expectation"):
        list(parse_marks(line, "src/lib.rs"))

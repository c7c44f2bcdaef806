"""rustc is the judge of the fixtures: every expectation is what it says, and nothing else is said.

Each package of each fixture is compiled in every closed feature set. A line with a mark must be rejected exactly in the
builds of its `cfg(..)`, with an error that the rule can mean; every other line must be accepted in every build.
"""

from __future__ import annotations

from pathlib import Path

import pytest
import tomli

from tests.fixture_cfg import evaluate
from tests.fixture_driver import FIXTURES, TARGETS, Build, Fixture, Mark, Package, counts, discover, load
from tests.fixture_rustc import CODES, Verdict, target_options, verdicts
from tests.oracle.cargo_oracle import require_cargo

pytestmark = pytest.mark.cargo

LINTS = frozenset({"CFG101", "CFG102"})
UNJUDGED = frozenset({"CFG900"})
"""Rules about cfglint's own comments, of which rustc knows nothing."""
WHOLE_FILE = frozenset({"CFG011"})
"""Rules with one mark for all that fails in a file: some line of it is rejected, the others are marked FOLLOWS."""


@pytest.mark.parametrize("path", discover(), ids=lambda path: path.relative_to(FIXTURES).as_posix())
def test_rustc_agrees_with_every_mark(path: Path, tmp_path: Path) -> None:
    require_cargo()
    fixture = load(path)
    packages = [p for p in fixture.packages if _is_judged(fixture, p)]
    assert packages, "no package to judge"
    problems: list[str] = []
    for package in packages:
        scratch = tmp_path / package.name
        scratch.mkdir()
        seen = list(verdicts(fixture, package, scratch))
        assert not all(verdict.masked for verdict in seen), f"{package.name} was never compiled"
        for verdict in seen:
            problems += (f"[{verdict.build}] {problem}" for problem in _disagreements(fixture, package, verdict))
        problems += _lints(fixture, package, seen)
    assert not problems, "\n".join(problems)


@pytest.mark.parametrize("target", sorted(TARGETS))
def test_the_target_rows_are_those_of_rustc(target: str) -> None:
    require_cargo()
    printed = target_options(target)
    keys = {key for options in TARGETS.values() for key, _ in options}
    assert {(key, value) for key, value in printed if key in keys} == TARGETS[target]


def _is_judged(fixture: Fixture, package: Package) -> bool:
    """The root, workspace members, and dependencies that carry marks; other dependencies are judged as they are used."""
    workspace = tomli.loads((fixture.path / "Cargo.toml").read_text("utf-8")).get("workspace", {})
    if any(package.folder.startswith(f"{excluded}/") for excluded in workspace.get("exclude", ())):
        return False
    members = {member for p in fixture.packages for member in p.manifest.get("workspace", {}).get("members", ())}
    marked = any(fixture.package_of(mark.file) == package for mark in fixture.marks)
    return not package.folder or package.folder in members or marked or not any(not p.folder for p in fixture.packages)


def _disagreements(fixture: Fixture, package: Package, verdict: Verdict) -> list[str]:
    """Where rustc and the marks differ in one build."""
    guards = {(c.file, c.line) for c in verdict.complaints if c.guard}
    errors = [c for c in verdict.complaints if not c.guard and c.code != "unexpected_cfgs"]
    marks = [m for m in fixture.marks if m.code not in LINTS | UNJUDGED and fixture.package_of(m.file) == package]
    marks = [m for m in marks if verdict.covers(m.file)]
    expected = {(m.file, m.line) for m in marks if m.code == "INVALID" and _holds(m, verdict.build)}
    if guards != expected:
        return [f"guards fire at {sorted(guards)}, marked {sorted(expected)}"]
    if guards or verdict.masked:
        return []
    problems: list[str] = []
    matched: set[tuple[str, int]] = set()
    lines = {(m.file, m.line) for m in marks}
    for error in errors:
        here = [m for m in marks if (m.file, m.line) == (error.file, error.line)]
        if here and not counts(verdict.build, here):
            continue
        live = [m for m in here if _holds(m, verdict.build)]
        if not any(error.code in CODES[m.code] for m in live):
            problems.append(f"rustc says {error}; marks there: {[(m.code, m.text) for m in here]}")
        matched.add((error.file, error.line))
    whole = [m for m in marks if m.code in WHOLE_FILE]
    parts = [m for m in marks if m.code in WHOLE_FILE | {"FOLLOWS"} and (m.file, m.line) in matched]
    problems += (
        f"rustc rejects {m.file}, where {m.code} does not hold"
        for m in whole
        if counts(verdict.build, [m]) and not _holds(m, verdict.build) and any(m.file == part.file for part in parts)
    )
    for file, line in sorted(lines - matched):
        here = [m for m in marks if (m.file, m.line) == (file, line) and m.code != "INVALID"]
        if any(m in whole for m in here) and any(part.file == file for part in parts):
            continue
        if here and counts(verdict.build, here) and any(_holds(m, verdict.build) for m in here):
            problems.append(f"rustc accepts {file}:{line}: {[(m.code, m.text) for m in here]}")
    return problems


def _holds(mark: Mark, build: Build) -> bool:
    return mark.when is None or evaluate(mark.when, build.holds)


def _lints(fixture: Fixture, package: Package, seen: list[Verdict]) -> list[str]:
    """`unexpected_cfgs` must be warned of in some build at each mark of a lint, and nowhere else."""
    warned = {(c.file, c.line) for verdict in seen for c in verdict.complaints if c.code == "unexpected_cfgs"}
    marked = {(m.file, m.line) for m in fixture.marks if m.code in LINTS and fixture.package_of(m.file) == package}
    return [f"unexpected_cfgs: warned {sorted(warned)}, marked {sorted(marked)}"] if warned != marked else []

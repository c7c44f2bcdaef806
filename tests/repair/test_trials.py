"""A trial in memory, which looks again only at what the edits can matter to, says what a check of the edited tree says."""

from __future__ import annotations

import difflib
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from cfglint import pipeline
from cfglint.condition.diagram import FALSE, Condition
from cfglint.config import Config
from cfglint.finding import Finding, Severity
from cfglint.graph.derivation import derive
from cfglint.graph.parsed import condition_of
from cfglint.manifest.solver import satisfiable
from cfglint.mending import laboratory
from cfglint.nameres.analysis import Analysis
from cfglint.repair.candidate import Candidate, Case
from cfglint.repair.edits import OverlappingEditsError, applied
from cfglint.repair.propose import candidates, found_of, root_of

FIXTURES = Path(__file__).parents[2] / "fixtures_rust"

Where = tuple[str, str, str, str, str, int]


def where(finding: Finding, line: int) -> Where:
    """What stays of a finding when lines move; one finding may stand for a whole file, or for two definitions."""
    path, line = {"CFG011": ("", 0), "CFG010": (f"two of {finding.path}", line)}.get(finding.rule, (finding.path, line))
    return finding.package, finding.target.kind, finding.target.name, finding.location.file, path, line


def moved(old: Path, new: Path, line: int) -> int | None:
    """Where a line of the new file stood in the old one; None where it was edited."""
    one, other = (file.read_text("utf-8").splitlines() for file in (old, new))
    for block in difflib.SequenceMatcher(None, one, other, autojunk=False).get_matching_blocks():
        if block.b < line <= block.b + block.size:
            return line - block.b + block.a
    return None


def checked(root: Path) -> tuple[Analysis, list[Finding]]:
    """The tree analysed, and what is found."""
    analysis = pipeline.analyze(Config(root, jobs=1))
    return analysis, list(pipeline.run(analysis).findings)


def created(before: Sequence[Finding], old: Path, new: Path) -> tuple[set[Finding], set[Finding]]:
    """What fails in the new tree where it did not in the old one, and what stands on an edited line."""
    analysis, after = checked(new)
    laboratory(analysis, after)
    failing: dict[Where, Condition] = {}
    for finding in before:
        key = where(finding, finding.location.line)
        failing[key] = failing.get(key, FALSE) | condition_of(finding.fails_when)
    more, unclear = set(), set()
    for finding in after:
        name = finding.location.file
        line = moved(old / name, new / name, finding.location.line)
        root = root_of(analysis, finding)
        assert root is not None
        if line is None and finding.rule != "CFG011":
            unclear.add(finding)
            continue
        condition = condition_of(finding.fails_when) & ~failing.get(where(finding, line or 0), FALSE)
        if condition is not FALSE and satisfiable(condition, root.space):
            more.add(finding)
    return more, unclear


def proposed(analysis: Analysis, finding: Finding) -> Iterator[Candidate]:
    """Every candidate of a finding, the bad ones too."""
    found = found_of(analysis, finding)
    if found is not None:
        yield from candidates(Case(analysis, derive(found)))


def assert_trials_are_true(root: Path, package: str, scratch: Path) -> int:
    """Every candidate of the errors of one package, tried where nothing else has been examined, and on a copy."""
    _, before = checked(root)
    seen = set()
    for finding in [each for each in before if each.package == package and each.severity is Severity.ERROR]:
        analysis = pipeline.analyze(Config(root, packages=(package,), jobs=1))
        tried = laboratory(analysis, [finding])
        for candidate in proposed(analysis, finding):
            if candidate.edits in seen:
                continue
            seen.add(candidate.edits)
            try:
                outcome = tried.run(candidate.edits, [finding])
            except OverlappingEditsError:
                continue
            copy = scratch / f"{package}-{len(seen)}"
            shutil.copytree(root, copy)
            for file, content in applied(candidate.edits, tried.read).items():
                (copy / Path(file).relative_to(analysis.workspace_root)).write_bytes(content)
            more, unclear = ({where(e, e.location.line) for e in some} for some in created(before, root, copy))
            # A check leaves names to rustc that no configuration knows.
            told = {where(e.finding, e.finding.location.line) for e in outcome.created}
            sure = {where(e.finding, e.finding.location.line) for e in outcome.created if e.finding.rule != "CFG012"}
            assert more <= told, (candidate, told, more)
            assert sure <= more | unclear, (candidate, told, more)
    return len(seen)


@pytest.mark.parametrize("package", ["gdn2", "kda", "rope", "mhc"])
def test_a_trial_says_what_a_check_of_the_edited_tree_says(package: str, tmp_path: Path) -> None:
    assert assert_trials_are_true(FIXTURES / "seed-workspace", package, tmp_path)


@pytest.mark.parametrize(
    "name",
    [
        "missing-dependency-feature/renamed",
        "missing-dependency-feature/inherited",
        "missing-dependency-feature/vendored",
        "missing-dependency-feature/target-tables",
        "missing-required-features/ways-in",
    ],
)
def test_it_does_so_in_other_worlds(name: str, tmp_path: Path) -> None:
    root = FIXTURES / name
    packages = {finding.package for finding in checked(root)[1]}
    assert sum(assert_trials_are_true(root, package, tmp_path) for package in sorted(packages))

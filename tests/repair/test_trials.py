"""A trial in memory, which looks again only at what the edits can matter to, says what a check of the edited tree says."""

from __future__ import annotations

import shutil
from collections import Counter
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

Where = tuple[str, str, str, str, str]


def where(finding: Finding) -> Where:
    """What stays of a finding when lines move; where one finding stands for a file, the path does not."""
    path = "" if finding.rule == "CFG011" else finding.path
    return finding.package, finding.target.kind, finding.target.name, finding.location.file, path


def failing(findings: Sequence[Finding]) -> dict[Where, Condition]:
    """In which combinations references of that path fail in that file."""
    found: dict[Where, Condition] = {}
    for finding in findings:
        found[where(finding)] = found.get(where(finding), FALSE) | condition_of(finding.fails_when)
    return found


def fails_in_more(analysis: Analysis, findings: Sequence[Finding], before: dict[Where, Condition]) -> set[Where]:
    """The references that fail in a combination in which they did not."""
    laboratory(analysis, findings)
    found = set()
    for finding in findings:
        root = root_of(analysis, finding)
        more = condition_of(finding.fails_when) & ~before.get(where(finding), FALSE)
        assert root is not None
        if more is not FALSE and satisfiable(more, root.space):
            found.add(where(finding))
    return found


def checked(root: Path) -> tuple[Analysis, list[Finding]]:
    """The tree analysed, and its errors."""
    analysis = pipeline.analyze(Config(root, jobs=1))
    return analysis, [each for each in pipeline.run(analysis).findings if each.severity is Severity.ERROR]


def proposed(analysis: Analysis, finding: Finding) -> Iterator[Candidate]:
    """Every candidate of a finding, the bad ones too."""
    found = found_of(analysis, finding)
    if found is not None:
        yield from candidates(Case(analysis, derive(found)))


def assert_trials_are_true(root: Path, package: str, scratch: Path) -> int:
    """Every candidate of the findings of one package, tried where nothing else has been examined, and on a copy."""
    _, everything = checked(root)
    before, number = failing(everything), Counter(map(where, everything))
    seen = set()
    for finding in [each for each in everything if each.package == package]:
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
            again, remaining = checked(copy)
            more = fails_in_more(again, remaining, before)
            created = {where(each.finding) for each in outcome.created if each.finding.rule != "CFG012"}
            # Of several references of one path in one file only their sum is compared.
            assert more <= created <= {*more, *(at for at in number if number[at] > 1)}, (candidate, created, more)
            if number[where(finding)] == 1:
                assert bool(outcome.left) == (where(finding) in failing(remaining)), (candidate, outcome.left, remaining)
    return len(seen)


@pytest.mark.parametrize("package", ["gdn2", "kda", "rope", "mhc"])
def test_a_trial_says_what_a_check_of_the_edited_tree_says(package: str, tmp_path: Path) -> None:
    assert assert_trials_are_true(FIXTURES / "seed-workspace", package, tmp_path)

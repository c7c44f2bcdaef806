"""Findings with their repairs, and the set of repairs that can be applied together.

Every repair is tried in memory; so is the set. Nothing is written here and nothing of the workspace is run.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from cfglint import pipeline
from cfglint.crate_roots import root_of
from cfglint.finding import Finding, Repair
from cfglint.nameres.analysis import Analysis
from cfglint.repair.edits import Edit, OverlappingEditsError, applied, patch
from cfglint.repair.propose import edits_of, repairs_of
from cfglint.repair.trial import Laboratory, UntriableError


@dataclass(frozen=True, slots=True)
class Mended:
    """The contents of the files after the repairs of `mended` have been applied; the others were left alone."""

    contents: dict[str, bytes]
    mended: tuple[Finding, ...]
    left: tuple[Finding, ...]
    patch: str


def laboratory(analysis: Analysis, findings: Iterable[Finding]) -> Laboratory:
    """A laboratory that knows the crate roots of these findings; those that have not been examined here are."""
    wanted = {(f.package, f.target.kind, f.target.name) for f in findings}
    present = {(r.package.name, r.target.kind.value, r.target.name) for r in analysis.roots}
    if not wanted <= present:
        numbers = [
            number
            for number, (package, target) in enumerate(analysis.tasks)
            if (package.name, target.kind.value, target.name) in wanted
        ]
        pipeline.examine(analysis, numbers)
    return Laboratory(analysis, root_of)


def with_repairs(analysis: Analysis, findings: Sequence[Finding], *, most: int) -> tuple[Finding, ...]:
    """The findings, each with up to `most` repairs, the best first."""
    if not findings:
        return ()
    tried = laboratory(analysis, findings)
    done: list[Finding] = []
    for number, finding in enumerate(findings):
        done.append(replace(finding, repairs=repairs_of(tried, finding, most=most)))
        analysis.config.progress("mending", number + 1, len(findings))
    return tuple(done)


def mend(analysis: Analysis, findings: Sequence[Finding], *, guesses: bool) -> Mended:
    """The first repairs of as many findings as go together, without those that need a look unless `guesses`.

    `findings` have their repairs. The set as a whole leaves none of what it is to mend and breaks nothing.
    """
    tried = laboratory(analysis, findings)
    edits: tuple[Edit, ...] = ()
    mended: list[Finding] = []
    for finding in findings:
        repair = _first(finding, guesses=guesses)
        if repair is None:
            continue
        more = edits_of(analysis, repair)
        together = tuple(dict.fromkeys((*edits, *more)))
        if together == edits or _holds(tried, together, [*mended, finding]):
            edits = together
            mended.append(finding)
    contents = applied(edits, tried.read)
    left = tuple(finding for finding in findings if finding not in mended)
    return Mended(contents, tuple(mended), left, patch(contents, tried.read, analysis.display_path))


def _first(finding: Finding, *, guesses: bool) -> Repair | None:
    """The best repair, if it is right and may be applied."""
    if not finding.repairs:
        return None
    repair = finding.repairs[0]
    if repair.leaves or repair.creates:
        return None
    return repair if guesses or repair.applicability == "machine-applicable" else None


def _holds(tried: Laboratory, edits: Sequence[Edit], about: Sequence[Finding]) -> bool:
    try:
        outcome = tried.run(edits, about)
    except (OverlappingEditsError, UntriableError):
        return False
    return not outcome.created and not outcome.left and not outcome.undecided

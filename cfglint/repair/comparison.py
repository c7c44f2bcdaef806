"""The findings of two analyses compared: what an edit mended, what it left, what it made.

A finding keeps its identity when lines move. One that fails in more configurations than before counts as made.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from cfglint.checks import CHECKS
from cfglint.condition.diagram import FALSE, Condition
from cfglint.finding import Finding
from cfglint.graph.evidence import Words, container, from_absence
from cfglint.graph.parsed import condition_of
from cfglint.manifest.solver import GaveUpError, satisfiable
from cfglint.nameres.analysis import Analysis, Root
from cfglint.nameres.verdicts import Doubt, Kind
from cfglint.repair.edits import Edit


@dataclass(frozen=True, slots=True)
class Remaining:
    """A finding after the edits, and where it fails."""

    finding: Finding
    failing: Condition
    root: Root


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a trial came to.

    `created` are findings that were not there, or fail in more configurations than before; `left` is what remains of
    those asked about, `undecided` how many of these can no longer be decided.
    """

    created: tuple[Remaining, ...]
    left: tuple[Remaining, ...]
    undecided: int
    analysis: Analysis


def findings_of(analysis: Analysis, roots: Sequence[Root]) -> tuple[list[Remaining], list[tuple[str, int, Doubt]]]:
    """What the checks say of these roots, and what they could not decide."""
    seen = replace(analysis, roots=list(roots))
    by_target = {(r.package.name, r.target.kind.value, r.target.name): r for r in roots}
    found = []
    for check in CHECKS:
        for finding in check(seen):
            root = by_target[finding.package, finding.target.kind, finding.target.name]
            found.append(Remaining(finding, condition_of(finding.fails_when), root))
    told = {(r.finding.location.file, r.finding.location.line, r.finding.path) for r in found}
    for root in roots:
        found += [r for r in _nowhere(seen, root) if _line_of(r.finding) not in told]
    doubts = [(root.crate.d.mounts[d.mount].file, d.start, d) for root in roots for d in root.doubts]
    return found, doubts


def _nowhere(analysis: Analysis, root: Root) -> list[Remaining]:
    """Names that no configuration knows, which are rustc's to report and which no repair may make."""
    found = []
    for absence in root.absences:
        if absence.kind is Kind.NEVER:
            name = absence.path[absence.segment]
            say = Words(f"cannot find `{name}` in {container(absence)}, in any configuration")
            finding = from_absence(analysis, root, absence, "CFG012", "never-resolved-name", say)
            if finding is not None:
                found.append(Remaining(finding, absence.failing, root))
    return found


def _line_of(finding: Finding) -> tuple[str, int, str]:
    return finding.location.file, finding.location.line, finding.path


_Identity = tuple[str, str, str, str, str]


def _identity(finding: Finding) -> _Identity:
    """What stays of a finding when lines move; where one finding stands for a file, the path does not count."""
    path = "" if _is_of_file(finding) else finding.path
    return (finding.package, finding.target.kind, finding.target.name, finding.location.file, path)


def _is_of_file(finding: Finding) -> bool:
    """Whether the finding stands for its whole file, at the first place that fails."""
    return finding.rule == "CFG011"


def compared(
    before_analysis: Analysis,
    after_analysis: Analysis,
    edits: Sequence[Edit],
    before: Sequence[Remaining],
    after: Sequence[Remaining],
    doubts: Sequence[tuple[str, int, Doubt]],
    about: Sequence[Finding],
) -> Outcome:
    """Match the findings of both sides, by where they stand as far as the edits leave that alone."""
    pool: dict[_Identity, list[Remaining]] = {}
    for each in after:
        pool.setdefault(_identity(each.finding), []).append(each)
    left: list[Remaining] = []
    created: list[Remaining] = []
    asked = {(_identity(finding), finding.location) for finding in about}
    undecided = 0
    placed = [(_moved(before_analysis, after_analysis, edits, each.finding), each) for each in before]
    # What has been replaced may be anywhere: it is looked for among what the others leave.
    for place, each in sorted(placed, key=lambda one: (one[0] is None, one[1].finding.sort_key())):
        finding = each.finding
        candidates = pool.get(_identity(finding), [])
        match = _nearest(candidates, place)
        is_asked = (_identity(finding), finding.location) in asked
        if match is None and (place is None or _is_of_file(finding)) and candidates:
            match = candidates[0]
        if match is not None:
            candidates.remove(match)
            if is_asked:
                left.append(match)
            if _fails_in_more(match, each):
                created.append(match)
        elif is_asked and place is not None:
            undecided += any(_stands_at(after_analysis, d, finding, place) for d in doubts)
    created += [each for candidates in pool.values() for each in candidates]
    created.sort(key=lambda remaining: remaining.finding.sort_key())
    return Outcome(tuple(created), tuple(left), undecided, after_analysis)


def _nearest(candidates: Sequence[Remaining], place: tuple[int, int] | None) -> Remaining | None:
    """The finding at that place, else one on that line: which segment of a path is absent may have changed."""
    if place is None:
        return None
    on_line = [each for each in candidates if each.finding.location.line == place[0]]
    exact = [each for each in on_line if each.finding.location.column == place[1]]
    return next(iter(exact or on_line), None)


def _fails_in_more(after: Remaining, before: Remaining) -> bool:
    more = after.failing & ~before.failing
    try:
        return more is not FALSE and satisfiable(more, after.root.space)
    except GaveUpError:
        return True


def _stands_at(analysis: Analysis, doubt: tuple[str, int, Doubt], finding: Finding, place: tuple[int, int]) -> bool:
    file, start, _ = doubt
    if analysis.display_path(file) != finding.location.file:
        return False
    line, column = analysis.position(file, start)
    return line == place[0] and column <= place[1]


def _moved(before: Analysis, after: Analysis, edits: Sequence[Edit], finding: Finding) -> tuple[int, int] | None:
    """Line and column of a finding after the edits; None where an edit has replaced the text there."""
    file = str(before.workspace_root / finding.location.file)
    own = sorted(edit for edit in edits if edit.file == file)
    if not own:
        return finding.location.line, finding.location.column
    before.position(file, 0)
    _, starts = before.lines[file]
    offset = starts[finding.location.line - 1] + finding.location.column - 1
    shift = 0
    for edit in own:
        if edit.end <= offset:
            shift += len(edit.text.encode()) - (edit.end - edit.start)
        elif edit.start <= offset:
            return None
    return after.position(file, offset + shift)

"""What to propose for a reference that fails, in which order, each proposal tried.

The order is by what the code says. A reference that a feature compiles wants its item: the gates on the item are widened,
for to silence the caller would be a silent failure. Code that one of several features compiles, and that only one of
these can serve, wants a gate of its own. What only a platform or a dependency can give is not widened. The trial decides
in the end: a repair that leaves or creates a failing combination comes last and says which.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from cfglint.condition.atom import AtomKind
from cfglint.condition.diagram import TRUE, literal
from cfglint.finding import Finding, Repair, Replacement
from cfglint.graph.derivation import derive
from cfglint.graph.parsed import condition_of
from cfglint.graph.places import Found, place_of
from cfglint.manifest.space import TEST
from cfglint.nameres.analysis import Analysis, Root
from cfglint.nameres.verdicts import Absence, Kind
from cfglint.repair.candidate import Candidate, Case
from cfglint.repair.comparison import Outcome
from cfglint.repair.edits import Edit, OverlappingEditsError, applied, patch
from cfglint.repair.exclusion import excluding, exclusions
from cfglint.repair.guard import guards, removals
from cfglint.repair.manifest_repairs import dependencies, forwards, implications, requirements
from cfglint.repair.missing_import import imports
from cfglint.repair.overlaps import overlaps
from cfglint.repair.overlay import UntriableError
from cfglint.repair.predicates import is_of_platform, occurs, own_features
from cfglint.repair.std_paths import in_core
from cfglint.repair.trial import Laboratory
from cfglint.repair.widen import widenings

MOST_TRIED = 10
MOST_SHOWN = 5
MOST_ROUNDS = 4
MOST_EDITS = 16

_IN_TESTS = literal(TEST)


@dataclass(frozen=True, slots=True)
class Tried:
    """A candidate with what its trial found; `edits` are those of the candidate and of what had to follow.

    `created` are findings that it makes, `left` what remains of the one that it is to mend.
    """

    candidate: Candidate
    edits: tuple[Edit, ...]
    created: tuple[Finding, ...]
    left: tuple[Finding, ...]
    undecided: int

    @property
    def leaves(self) -> int:
        """Failing combinations of the finding that remain."""
        return sum(finding.failing_count or 1 for finding in self.left) + self.undecided

    @property
    def is_right(self) -> bool:
        """Whether it leaves nothing and breaks nothing."""
        return not self.leaves and not self.created


def repairs_of(laboratory: Laboratory, finding: Finding, *, most: int = MOST_SHOWN) -> tuple[Repair, ...]:
    """The repairs of one finding, the best first, each tried in memory; none where it is not about a reference."""
    tried: list[Tried] = []
    seen: set[tuple[Edit, ...]] = set()
    for candidate in sorted(_candidates_for(laboratory.analysis, finding), key=lambda each: each.rank)[:MOST_TRIED]:
        attempt = attempted(laboratory, candidate, finding)
        if attempt is not None and attempt.edits not in seen:
            seen.add(attempt.edits)
            tried.append(attempt)
            if most == 1 and attempt.is_right:
                break
    tried.sort(key=lambda attempt: (not attempt.is_right, bool(attempt.leaves), attempt.candidate.rank))
    right = [attempt for attempt in tried if attempt.is_right]
    shown = right[:most] if right else tried[: min(most, 2)]
    return tuple(as_repair(laboratory, attempt) for attempt in shown)


def _candidates_for(analysis: Analysis, finding: Finding) -> Iterator[Candidate]:
    root = root_of(analysis, finding)
    if root is not None and finding.rule == "CFG010":
        yield from overlaps(analysis, root, finding)
        yield from excluding(analysis, root, condition_of(finding.fails_when), rank=90.0)
        return
    found = found_of(analysis, finding)
    if found is not None:
        yield from candidates(Case(analysis, derive(found)))


def candidates(case: Case) -> Iterator[Candidate]:
    """Every candidate with its rank."""
    absence = case.derived.found.absence
    assert absence is not None, "only what fails is mended"
    wide = widenings(case)
    close = guards(case)
    yield from (replace(each, rank=_widen_rank(case) + place) for place, each in enumerate(wide))
    yield from _ranked_guards(close)
    yield from (replace(each, rank=_manifest_rank(case) + place) for place, each in enumerate(dependencies(case)))
    yield from (replace(each, rank=_manifest_rank(case) + place) for place, each in enumerate(forwards(case)))
    yield from (replace(each, rank=40 + place) for place, each in enumerate(implications(case)))
    if absence.kind is Kind.OWN_LIBRARY or case.derived.found.root.target.kind.value in ("test", "example", "bench"):
        rank = 0.0 if absence.kind is Kind.OWN_LIBRARY else 15.0
        yield from (replace(each, rank=rank + each.rank) for each in requirements(case))
    yield from (replace(each, rank=0.0 + place) for place, each in enumerate(imports(case)))
    yield from (replace(each, rank=1.0) for each in in_core(case))
    yield from (replace(each, rank=70 + place) for place, each in enumerate(removals(case)))
    yield from exclusions(case, rank=90.0)


def attempted(laboratory: Laboratory, candidate: Candidate, finding: Finding) -> Tried | None:
    """The candidate tried, and extended in its own way to what it breaks, a few times; None where it cannot be tried."""
    edits = candidate.edits
    best: Tried | None = None
    for _ in range(MOST_ROUNDS):
        try:
            outcome = laboratory.run(edits, [finding])
        except (OverlappingEditsError, UntriableError):
            return best
        created, left = ([each.finding for each in some] for some in (outcome.created, outcome.left))
        tried = Tried(candidate, edits, tuple(created), tuple(left), outcome.undecided)
        if best is None or _score(tried) < _score(best):
            best = tried
        if tried.is_right or not outcome.created:
            break
        more = _following(laboratory, outcome, candidate, edits)
        if not more or len(edits) + len(more) > MOST_EDITS:
            break
        edits = (*edits, *more)
    return best


def as_repair(laboratory: Laboratory, tried: Tried) -> Repair:
    """A tried candidate as the report shows it."""
    analysis = laboratory.analysis
    contents = applied(tried.edits, laboratory.read)
    edits = tuple(_replacement(analysis, edit) for edit in sorted(tried.edits))
    candidate = tried.candidate
    extra = len(tried.edits) - len(candidate.edits)
    title = candidate.title
    if extra:
        title += f", and {'the same for' if candidate.silences or candidate.kind.startswith('gate') else 'also mend'} what then fails ({extra} more)"
    return Repair(
        kind=candidate.kind,
        file=edits[0].file,
        line=edits[0].line,
        replacement=edits[0].text.strip("\n"),
        leaves=tried.leaves,
        title=title,
        edits=edits,
        applicability="machine-applicable"
        if tried.is_right and not candidate.silences and not candidate.is_guess
        else "maybe-incorrect",
        creates=tuple(_said(finding) for finding in tried.created),
        remains=tuple(finding.fails_when for finding in tried.left),
        patch=patch(contents, laboratory.read, analysis.display_path),
    )


# The order


def _widen_rank(case: Case) -> float:
    """Early where a feature compiles the reference; late where only a platform or nothing does."""
    derived = case.derived
    if is_of_platform(derived.failing):
        return 35.0
    if derived.context.implies(_IN_TESTS):
        # An item that is there for tests alone would show them what nobody else is given.
        return 30.0
    if _kind(case) is Kind.CRATE:
        return 60.0
    if _comes_from_features(case) or _other_callers(case):
        return 10.0
    return 30.0


def _ranked_guards(close: Sequence[Candidate]) -> Iterator[Candidate]:
    """The item around the reference before the statement in it: a call that is left out is a silent failure."""
    loud = [each for each in close if not each.silences]
    silent = [each for each in close if each.silences]
    base = 20.0
    for place, each in enumerate(loud):
        yield replace(each, rank=4.0 if each.is_of_use else base + place + (15 if each.kind == "gate-call" else 0))
    for place, each in enumerate(silent):
        yield replace(each, rank=base + 5 + place)


def _manifest_rank(case: Case) -> float:
    """Before the guards where nothing but the one feature compiles the code: then it is useless without."""
    derived = case.derived
    kind = _kind(case)
    if kind is Kind.FOREIGN:
        return 15.0 if _widen_rank(case) < 15 and _shares_feature(case) else 5.0
    if kind is Kind.CRATE and derived.context is not TRUE and not _has_own_half(case):
        return 12.0
    return 32.0


def _kind(case: Case) -> Kind | None:
    absence = case.derived.found.absence
    return None if absence is None else absence.kind


def _comes_from_features(case: Case) -> bool:
    """Whether some feature has to be on for the reference to fail."""
    derived = case.derived
    named = [atom for atom in derived.context.atoms() if atom.kind is AtomKind.FEATURE]
    return any(not occurs(derived.failing & ~literal(atom), derived.space) for atom in named)


def _has_own_half(case: Case) -> bool:
    """Whether the code around serves several features, and what is missing belongs to one of them."""
    derived = case.derived
    return any(
        derived.resolved.implies(gate.condition) and occurs(gate.condition & ~derived.resolved, derived.space)
        for step in derived.trail
        for gate in step.gates
        if len(gate.condition.atoms()) > 1
    )


def _other_callers(case: Case) -> bool:
    """Whether the same name is used elsewhere under another feature."""
    derived = case.derived
    found = derived.found
    c = found.root.crate
    name = found.question.path[-1]
    for mount, data in enumerate(c.d.mounts):
        for reference in data.tree.references:
            if reference.path[-1] == name and reference.spans[0][0] != found.start:
                context = c.final(c.context(mount, reference.gate))
                if context is not derived.context and context is not TRUE:
                    return True
    return False


def _shares_feature(case: Case) -> bool:
    """Whether the reference already turns on some feature of the crate that hides the item."""
    derived = case.derived
    view = derived.found.root.crate
    owners = {
        gate.crate for way in derived.ways for step in way.steps for gate in step.gates if derived.is_missing(gate)
    }
    return any(
        own_features(case.analysis, view, view.program.crates[number], derived.failing, derived.space)
        for number in owners
        if number >= 0 and number != view.d.crate
    )


# What has to follow


def _following(
    laboratory: Laboratory, outcome: Outcome, candidate: Candidate, edits: Sequence[Edit]
) -> tuple[Edit, ...]:
    """Edits of the original files that do to what has newly failed as the candidate does; none where one cannot."""
    found: dict[Edit, None] = {}
    for created in outcome.created:
        absence = _absence_of(outcome.analysis, created.root, created.finding)
        if absence is None:
            return ()
        place = Found(created.root, absence.start, absence.end, place_of(created.root, absence), absence)
        case = Case(outcome.analysis, derive(place))
        made = _same_way(case, candidate)
        if made is None:
            return ()
        back = [_back(laboratory, edits, edit) for edit in made.edits]
        if any(edit is None for edit in back):
            return ()
        found.update(dict.fromkeys(edit for edit in back if edit is not None))
    return tuple(edit for edit in found if edit not in edits)


def _same_way(case: Case, candidate: Candidate) -> Candidate | None:
    if candidate.kind == "widen-gate":
        return next(iter(widenings(case)), None)
    if candidate.kind.startswith("gate-"):
        return next(iter(_ranked_guards(guards(case))), None)
    if candidate.kind.startswith("remove-"):
        return next(iter(removals(case)), None)
    return None


def _absence_of(analysis: Analysis, root: Root, finding: Finding) -> Absence | None:
    for absence in root.absences:
        file = root.crate.d.mounts[absence.mount].file
        if analysis.display_path(file) == finding.location.file and "::".join(absence.path) == finding.path:
            first = analysis.position(file, absence.start)
            last = analysis.position(file, absence.end)
            if first <= (finding.location.line, finding.location.column) <= last:
                return absence
    return None


def _back(laboratory: Laboratory, edits: Sequence[Edit], edit: Edit) -> Edit | None:
    """An edit of the edited file as one of the original; None where it lies in what was edited."""
    del laboratory
    shift = 0
    for before in sorted(other for other in edits if other.file == edit.file):
        grown = len(before.text.encode()) - (before.end - before.start)
        start = before.start + shift
        if edit.start >= start + len(before.text.encode()):
            shift += grown
        elif edit.end > start:
            return None
    return replace(edit, start=edit.start - shift, end=edit.end - shift)


def _score(tried: Tried) -> tuple[int, int, int]:
    return (tried.leaves, len(tried.created), len(tried.edits))


def _replacement(analysis: Analysis, edit: Edit) -> Replacement:
    line, column = analysis.position(edit.file, edit.start)
    end_line, end_column = analysis.position(edit.file, edit.end)
    return Replacement(analysis.display_path(edit.file), line, column, end_line, end_column, edit.text)


def _said(finding: Finding) -> str:
    where = finding.location
    return f"{where.file}:{where.line}: {finding.message}"


def root_of(analysis: Analysis, finding: Finding) -> Root | None:
    """The crate root that a finding is in, if it has been examined."""
    wanted = (finding.package, finding.target.kind, finding.target.name)
    named = (root for root in analysis.roots if (root.package.name, root.target.kind.value, root.target.name) == wanted)
    return next(named, None)


def found_of(analysis: Analysis, finding: Finding) -> Found | None:
    """The reference that a finding is about, in its crate root."""
    root = root_of(analysis, finding)
    absence = None if root is None else _absence_of(analysis, root, finding)
    if root is None or absence is None:
        return None
    return Found(root, absence.start, absence.end, place_of(root, absence), absence)


def edits_of(analysis: Analysis, repair: Repair) -> tuple[Edit, ...]:
    """The edits of a repair as they are tried and written."""
    return tuple(
        Edit(
            file := str(analysis.workspace_root / each.file),
            offset_of(analysis, file, each.line, each.column),
            offset_of(analysis, file, each.end_line, each.end_column),
            each.text,
        )
        for each in repair.edits
    )


def offset_of(analysis: Analysis, file: str, line: int, column: int) -> int:
    """The byte offset of a position."""
    analysis.position(file, 0)
    return analysis.lines[file][1][line - 1] + column - 1

"""Absences that are one defect: the same crate missing from all over one file of a test, example or bench."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from cfglint.condition.diagram import conjunction, disjunction
from cfglint.manifest.targets import TargetKind
from cfglint.nameres.analysis import Root
from cfglint.nameres.verdicts import Absence

_MERGED = frozenset({TargetKind.TEST, TargetKind.EXAMPLE, TargetKind.BENCH})


def missing_crates(root: Root, absences: Iterable[Absence]) -> Iterator[Absence]:
    """Absences of crates; in tests, examples and benches one for each file and crate, at its first place."""
    if root.target.kind not in _MERGED:
        yield from absences
        return
    groups: dict[tuple[str, str], list[Absence]] = {}
    for absence in absences:
        file = root.crate.d.mounts[absence.mount].file
        groups.setdefault((file, absence.path[absence.segment]), []).append(absence)
    for _, group in sorted(groups.items()):
        group.sort(key=lambda absence: (absence.start, absence.path))
        yield joined(group)


def joined(group: list[Absence]) -> Absence:
    """One absence that fails wherever one of the group does, placed at the first."""
    return replace(
        group[0],
        failing=disjunction(absence.failing for absence in group),
        context=disjunction(absence.context for absence in group),
        resolved=conjunction(absence.resolved | ~absence.context for absence in group),
        suppliers=tuple(dict.fromkeys(s for absence in group for s in absence.suppliers)),
        is_foreign_platform=all(absence.is_foreign_platform for absence in group),
    )

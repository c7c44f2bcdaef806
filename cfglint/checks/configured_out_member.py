"""CFG006 configured-out-member: `Type::f`, `Self::f` or `Enum::Variant` names a member that is configured out.

Only where the path itself names the type; methods and fields of values need types.
"""

from __future__ import annotations

from collections.abc import Iterator

from cfglint.finding import Finding
from cfglint.graph.evidence import Words, container, from_absence, words
from cfglint.nameres.analysis import Analysis, Root
from cfglint.nameres.verdicts import Absence, Kind


def configured_out_member(analysis: Analysis) -> Iterator[Finding]:
    """One finding a place."""
    for root in analysis.roots:
        for absence in root.absences:
            if absence.kind is Kind.MEMBER:
                finding = from_absence(
                    analysis, root, absence, "CFG006", "configured-out-member", _words(root, absence)
                )
                if finding is not None:
                    yield finding


def _words(root: Root, absence: Absence) -> Words:
    kinds = sorted({s.kind for s in absence.suppliers}) or ["member"]
    name = absence.path[absence.segment]
    return Words(f"no {kinds[0]} `{name}` in {container(absence)} when {words(absence.failing, root)}")

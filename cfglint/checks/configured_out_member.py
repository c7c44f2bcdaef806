"""CFG006 configured-out-member: `Type::f`, `Self::f` or `Enum::Variant` names a member that is configured out.

Only where the path itself names the type; methods and fields of values need types.
"""

from __future__ import annotations

from collections.abc import Iterator

from cfglint.finding import Finding
from cfglint.graph.evidence import Words, container, from_absence, when
from cfglint.graph.foreign import advice
from cfglint.graph.masks import masks
from cfglint.nameres.analysis import Analysis, Root
from cfglint.nameres.verdicts import Absence, Kind


def configured_out_member(analysis: Analysis) -> Iterator[Finding]:
    """One finding a place."""
    for root in analysis.roots:
        for absence in root.absences:
            if absence.kind is Kind.MEMBER:
                say = _words(analysis, root, absence)
                finding = from_absence(analysis, root, absence, "CFG006", "configured-out-member", say)
                if finding is not None:
                    yield finding


def _words(analysis: Analysis, root: Root, absence: Absence) -> Words:
    kinds = sorted({s.kind for s in absence.suppliers}) or ["member"]
    name = absence.path[absence.segment]
    return Words(
        f"no {kinds[0]} `{name}` in {container(absence)}{when(absence.failing, root)}",
        notes=masks(analysis, root, absence),
        helps=advice(analysis, root, absence),
    )

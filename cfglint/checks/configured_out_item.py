"""CFG001 configured-out-item: a path, import or call names an item that is configured out.

Members, macros, crates and std have rules of their own.
"""

from __future__ import annotations

from collections.abc import Iterator

from cfglint.finding import Finding
from cfglint.graph.evidence import Words, container, from_absence, show, when
from cfglint.nameres.analysis import Analysis, Root
from cfglint.nameres.verdicts import Absence, Kind


def configured_out_item(analysis: Analysis) -> Iterator[Finding]:
    """One finding a place."""
    for root in analysis.roots:
        for absence in root.absences:
            if absence.kind is Kind.ITEM:
                finding = from_absence(analysis, root, absence, "CFG001", "configured-out-item", _words(root, absence))
                if finding is not None:
                    yield finding


def _words(root: Root, absence: Absence) -> Words:
    name = absence.path[absence.segment]
    kinds = sorted({s.kind for s in absence.suppliers})
    what = f"{kinds[0]} `{name}`" if len(kinds) == 1 and kinds[0] != "import" else f"`{name}`"
    message = f"cannot find {what} in {container(absence)}{when(absence.failing, root)}"
    helps = [f"gate the reference with `#[cfg({show(absence.resolved, root)})]`"]
    if len(absence.suppliers) == 1:
        supplier = absence.suppliers[0]
        wanted = show(supplier.condition | absence.context, root)
        what = f"the gate of the {supplier.kind} `{supplier.name}`"
        helps.append(f"or remove {what}" if wanted == "true" else f"or widen {what} to `#[cfg({wanted})]`")
    return Words(message, helps=tuple(helps))

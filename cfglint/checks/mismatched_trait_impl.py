"""CFG008 mismatched-trait-impl: an impl and its trait disagree about an item under some configuration (E0046, E0407)."""

from __future__ import annotations

from collections.abc import Iterator

from cfglint.finding import Finding
from cfglint.graph.evidence import Words, from_absence, listed, when
from cfglint.nameres.analysis import Analysis, Root
from cfglint.nameres.verdicts import Absence, Kind


def mismatched_trait_impl(analysis: Analysis) -> Iterator[Finding]:
    """One finding for each item too many, and one for each impl that lacks some."""
    for root in analysis.roots:
        for absence in root.absences:
            if absence.kind in (Kind.NOT_IN_TRAIT, Kind.NOT_IN_IMPL):
                finding = from_absence(
                    analysis, root, absence, "CFG008", "mismatched-trait-impl", _words(root, absence)
                )
                if finding is not None:
                    yield finding


def _words(root: Root, absence: Absence) -> Words:
    trait = "::".join(absence.path[:-1])
    kinds = sorted({supplier.kind for supplier in absence.suppliers})
    kind = kinds[0] if len(kinds) == 1 else "item"
    if absence.kind is Kind.NOT_IN_TRAIT:
        message = f"{kind} `{absence.path[-1]}` is not a member of trait `{trait}`"
    else:
        message = f"this impl of trait `{trait}` lacks {listed(absence)}"
    return Words(
        f"{message}{when(absence.failing, root)}", helps=("gate the item in the impl like the one in the trait",)
    )

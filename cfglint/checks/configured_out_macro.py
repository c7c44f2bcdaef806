"""CFG002 configured-out-macro: a bang, attribute or derive macro that is not in scope in some configuration.

A macro of an external crate is known only by the import that brings it, and the helper attribute of a derive by the
derives on the item.
"""

from __future__ import annotations

from collections.abc import Iterator

from cfglint.finding import Finding
from cfglint.graph.evidence import Words, from_absence, show, when
from cfglint.items.model import Space
from cfglint.nameres.analysis import Analysis, Root
from cfglint.nameres.verdicts import Absence, Kind

_WORDS = {Space.DERIVE: "derive macro", Space.ATTRIBUTE: "attribute", Space.MACRO: "macro"}


def configured_out_macro(analysis: Analysis) -> Iterator[Finding]:
    """One finding a place."""
    for root in analysis.roots:
        for absence in root.absences:
            if absence.kind is Kind.MACRO:
                finding = from_absence(analysis, root, absence, "CFG002", "configured-out-macro", _words(root, absence))
                if finding is not None:
                    yield finding


def _words(root: Root, absence: Absence) -> Words:
    kind = "macro" if absence.space is None else _WORDS.get(absence.space, "macro")
    message = f"cannot find {kind} `{absence.path[-1]}` in this scope{when(absence.failing, root)}"
    if absence.space is Space.ATTRIBUTE and not absence.suppliers:
        helps = (f"put it under the same condition as the derive: `#[cfg_attr({show(absence.resolved, root)}, ..)]`",)
        return Words(message, notes=("a derive macro that may own this attribute is configured out",), helps=helps)
    return Words(message)

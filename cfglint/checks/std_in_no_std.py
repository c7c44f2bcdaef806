"""CFG009 std-in-no-std: a `std::` path or a name of std's prelude where the crate is `no_std`.

`alloc` without its `extern crate` belongs here too. What std itself contains is not looked at.
"""

from __future__ import annotations

from collections.abc import Iterator

from cfglint.finding import Finding
from cfglint.graph.evidence import Words, from_absence, words
from cfglint.nameres.analysis import Analysis, Root
from cfglint.nameres.verdicts import Absence, Kind


def std_in_no_std(analysis: Analysis) -> Iterator[Finding]:
    """One finding a place."""
    for root in analysis.roots:
        for absence in root.absences:
            if absence.kind is Kind.STD:
                finding = from_absence(analysis, root, absence, "CFG009", "std-in-no-std", _words(root, absence))
                if finding is not None:
                    yield finding


def _words(root: Root, absence: Absence) -> Words:
    name = absence.path[absence.segment]
    return Words(
        f"cannot find `{name}` in this scope when {words(absence.failing, root)}: the crate is `no_std` there",
        (),
        (),
        (f"use the item from `core` or `alloc`, or gate the reference with `#[cfg({_gate(root, absence)})]`",),
    )


def _gate(root: Root, absence: Absence) -> str:
    from cfglint.graph.evidence import show

    return show(absence.resolved, root)

"""CFG007 mismatched-members: arms, struct expressions and patterns that do not fit gated variants or fields.

E0004, E0063, E0026 and E0027. A field that a struct expression gives and the struct has not is CFG006.
"""

from __future__ import annotations

from collections.abc import Iterator

from cfglint.finding import Finding
from cfglint.graph.evidence import Words, from_absence, listed, when
from cfglint.nameres.analysis import Analysis, Root
from cfglint.nameres.verdicts import Absence, Kind

_KINDS = frozenset({Kind.FIELD_GIVEN, Kind.FIELD_MISSING, Kind.FIELD_UNMATCHED, Kind.VARIANT_UNMATCHED})


def mismatched_members(analysis: Analysis) -> Iterator[Finding]:
    """One finding for each match, and for each struct expression or pattern."""
    for root in analysis.roots:
        for absence in root.absences:
            if absence.kind in _KINDS:
                finding = from_absence(analysis, root, absence, "CFG007", "mismatched-members", _words(root, absence))
                if finding is not None:
                    yield finding


def _words(root: Root, absence: Absence) -> Words:
    names = listed(absence)
    several = "s" if "," in names or " and " in names else ""
    of = "::".join(absence.path[:-1])
    if absence.kind is Kind.VARIANT_UNMATCHED:
        message, help_ = f"variant{several} {names} of `{of}` not covered", "gate the arm like the variant"
    elif absence.kind is Kind.FIELD_MISSING:
        message, help_ = f"missing field{several} {names} in `{of}`", "gate the field here as where it is declared"
    elif absence.kind is Kind.FIELD_UNMATCHED:
        message, help_ = f"pattern does not mention field{several} {names} of `{of}`", "end the pattern with `..`"
    else:
        message, help_ = f"`{of}` has no field {names}", "gate the field here as where it is declared"
    return Words(f"{message}{when(absence.failing, root)}", helps=(help_,))

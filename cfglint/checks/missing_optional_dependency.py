"""CFG003 missing-optional-dependency: the crate of an optional or target-specific dependency that is not enabled.

A crate that only tests can see is CFG005.
"""

from __future__ import annotations

from collections.abc import Iterator

from cfglint.finding import Finding
from cfglint.graph.evidence import Words, dependency_items, from_absence, show, words
from cfglint.graph.merging import missing_crates
from cfglint.nameres.analysis import Analysis, Root
from cfglint.nameres.verdicts import Absence, Kind


def missing_optional_dependency(analysis: Analysis) -> Iterator[Finding]:
    """One finding a place."""
    for root in analysis.roots:
        crates = [absence for absence in root.absences if absence.kind is Kind.CRATE]
        wanted = [a for a in crates if root.crate.config.extern[a.path[a.segment]].reason in ("optional", "target")]
        for absence in missing_crates(root, wanted):
            crate = root.crate.config.extern[absence.path[absence.segment]]
            say = _words(analysis, root, absence, crate.key, crate.reason)
            finding = from_absence(analysis, root, absence, "CFG003", "missing-optional-dependency", say)
            if finding is not None:
                yield finding


def _words(analysis: Analysis, root: Root, absence: Absence, key: str, reason: str) -> Words:
    name = absence.path[absence.segment]
    when = show(root.model.dependency_condition(key), root)
    kind = "an optional dependency" if reason == "optional" else "a dependency of some targets"
    note = (
        f"`{key}` is {kind}, enabled by `{when}`" if when != "false" else f"`{key}` is {kind} that no feature enables"
    )
    return Words(
        f"cannot find module or crate `{name}` in this scope when {words(absence.failing, root)}",
        dependency_items(analysis, root, key),
        (note,),
        (f"gate the reference with `#[cfg({when})]`, or let the features that compile it enable `dep:{key}`",),
    )

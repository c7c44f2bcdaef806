"""CFG005 dev-dependency-in-build: code outside tests names a crate that is only a dev-dependency (or only a build-dependency)."""

from __future__ import annotations

from collections.abc import Iterator

from cfglint.finding import Finding
from cfglint.graph.evidence import Words, dependency_items, from_absence, words
from cfglint.graph.merging import missing_crates
from cfglint.nameres.analysis import Analysis, Root
from cfglint.nameres.verdicts import Absence, Kind


def dev_dependency_in_build(analysis: Analysis) -> Iterator[Finding]:
    """One finding a place."""
    for root in analysis.roots:
        crates = [absence for absence in root.absences if absence.kind is Kind.CRATE]
        wanted = [a for a in crates if root.crate.config.extern[a.path[a.segment]].reason in ("dev", "build")]
        for absence in missing_crates(root, wanted):
            crate = root.crate.config.extern[absence.path[absence.segment]]
            say = _words(analysis, root, absence, crate.key, crate.reason)
            finding = from_absence(analysis, root, absence, "CFG005", "dev-dependency-in-build", say)
            if finding is not None:
                yield finding


def _words(analysis: Analysis, root: Root, absence: Absence, key: str, reason: str) -> Words:
    name = absence.path[absence.segment]
    when = "" if str(absence.failing) == "TRUE" else f" when {words(absence.failing, root)}"
    return Words(
        f"cannot find module or crate `{name}` in this scope{when}",
        dependency_items(analysis, root, key),
        (f"`{key}` is only a {reason}-dependency",),
        (f"move `{key}` to `[dependencies]`, or gate the reference with `#[cfg(test)]`",),
    )

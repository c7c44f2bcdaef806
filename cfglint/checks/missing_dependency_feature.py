"""CFG004 missing-dependency-feature: an item of another package behind a feature that this manifest does not enable.

Only packages whose source is read. In the workspace build another member may turn the feature on; the note says who.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from cfglint.finding import Finding
from cfglint.graph.evidence import Words, container, from_absence, words
from cfglint.graph.masks import holds_in_workspace, masks
from cfglint.nameres.analysis import Analysis, Root
from cfglint.nameres.verdicts import Absence, Kind


def missing_dependency_feature(analysis: Analysis) -> Iterator[Finding]:
    """One finding a place."""
    for root in analysis.roots:
        for absence in root.absences:
            if absence.kind is not Kind.FOREIGN:
                continue
            say = _words(analysis, root, absence)
            finding = from_absence(analysis, root, absence, "CFG004", "missing-dependency-feature", say)
            if finding is None:
                continue
            if not holds_in_workspace(analysis, root, absence):
                finding = replace(finding, worlds=("standalone",))
            yield finding


def _words(analysis: Analysis, root: Root, absence: Absence) -> Words:
    name = absence.path[absence.segment]
    who = masks(analysis, root, absence)
    notes = tuple(
        f"compiles in the workspace because `{owner}` turns on `{package}/{feature}`" for owner, package, feature in who
    )
    return Words(
        f"cannot find `{name}` in {container(absence)} when {words(absence.failing, root)}",
        notes=notes,
        helps=(
            "enable the feature where the manifest names the dependency, or forward it from the feature that compiles this",
        ),
    )

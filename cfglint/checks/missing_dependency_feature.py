"""CFG004 missing-dependency-feature: an item of another package behind a feature that this manifest does not enable.

Only packages whose source is read. In the workspace build another member may turn the feature on; the note says who.
"""

from __future__ import annotations

from collections.abc import Iterator

from cfglint.finding import Finding
from cfglint.graph.evidence import Words, container, from_absence, show, when
from cfglint.graph.foreign import advice, is_far_off
from cfglint.graph.masks import masks
from cfglint.nameres.analysis import Analysis, Root
from cfglint.nameres.verdicts import Absence, Kind


def missing_dependency_feature(analysis: Analysis) -> Iterator[Finding]:
    """One finding a place."""
    for root in analysis.roots:
        for absence in root.absences:
            if absence.kind is not Kind.FOREIGN or is_far_off(analysis, absence):
                continue
            say = _words(analysis, root, absence)
            finding = from_absence(analysis, root, absence, "CFG004", "missing-dependency-feature", say)
            if finding is not None:
                yield finding


def _words(analysis: Analysis, root: Root, absence: Absence) -> Words:
    name = absence.path[absence.segment]
    notes = masks(analysis, root, absence)
    if absence.macro:
        notes = (f"`{'::'.join(absence.path)}` is named in the body of the macro `{absence.macro}!`", *notes)
    helps = advice(analysis, root, absence)
    gate = show(absence.resolved, root)
    if gate != "false":
        either = "or gate" if helps else "gate"
        helps = (*helps, f"{either} the reference with `#[cfg({gate})]`")
    return Words(f"cannot find `{name}` in {container(absence)}{when(absence.failing, root)}", notes=notes, helps=helps)

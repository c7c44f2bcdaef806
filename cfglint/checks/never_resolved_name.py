"""CFG012 never-resolved-name: a name in gated code that resolves in no configuration although its scope is fully known.

In code that is always compiled this would be an ordinary compile error, seen by everyone; it is rustc's business.
"""

from __future__ import annotations

from collections.abc import Iterator

from cfglint.condition.diagram import TRUE
from cfglint.finding import Finding
from cfglint.graph.evidence import Words, container, from_absence, words
from cfglint.manifest.solver import GaveUpError, satisfiable
from cfglint.nameres.analysis import Analysis, Root
from cfglint.nameres.verdicts import Absence, Kind


def never_resolved_name(analysis: Analysis) -> Iterator[Finding]:
    """One finding a place."""
    for root in analysis.roots:
        for absence in root.absences:
            if absence.kind is Kind.NEVER and _is_gated(root, absence):
                finding = from_absence(analysis, root, absence, "CFG012", "never-resolved-name", _words(root, absence))
                if finding is not None:
                    yield finding


def _is_gated(root: Root, absence: Absence) -> bool:
    """Whether some build of this very root does not compile the reference."""
    if absence.context is TRUE:
        return False
    try:
        return satisfiable(root.crate.config.condition & ~absence.context, root.space)
    except GaveUpError:
        return False


def _words(root: Root, absence: Absence) -> Words:
    name = absence.path[absence.segment]
    return Words(
        f"cannot find `{name}` in {container(absence)} when {words(absence.failing, root)}, nor in any other configuration",
        (),
        ("nothing in scope declares or imports this name",),
        (f"import `{name}` where it is used, under the same gate",),
    )

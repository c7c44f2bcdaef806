"""What the workspace build hides: references that fail when a package is built alone and hold in the company of others."""

from __future__ import annotations

from cfglint.condition.atom import AtomKind
from cfglint.condition.diagram import FALSE
from cfglint.manifest.solver import GaveUpError, satisfiable
from cfglint.manifest.worlds import World, formulas_in, masked_by
from cfglint.nameres.analysis import Analysis, Root
from cfglint.nameres.crate import QUALIFIER, certainly
from cfglint.nameres.verdicts import Absence


def holds_in_workspace(analysis: Analysis, root: Root, absence: Absence) -> bool:
    """Whether the reference fails in the workspace build too."""
    linked = analysis.linked
    if linked is None:
        return True
    formulas = formulas_in(World.WORKSPACE, root.package, linked.setting)
    words = {}
    for atom in absence.raw.atoms():
        if atom.kind is AtomKind.FEATURE and QUALIFIER in atom.key:
            number, _, name = atom.key.partition(QUALIFIER)
            words[atom] = formulas.of(linked.owners[int(number)]).feature(name)
    failing = certainly(absence.context & ~absence.raw.substitute(words))
    try:
        return failing is not FALSE and satisfiable(failing, root.space)
    except GaveUpError:
        return True


def masks(analysis: Analysis, root: Root, absence: Absence) -> tuple[tuple[str, str, str], ...]:
    """Who turns on, in the workspace build, a feature that the reference lacks alone: (member, package, feature)."""
    linked = analysis.linked
    if linked is None:
        return ()
    alone = formulas_in(World.STANDALONE, root.package, linked.setting)
    wide = formulas_in(World.WORKSPACE, root.package, linked.setting)
    found = set()
    for atom in absence.raw.atoms():
        if atom.kind is AtomKind.FEATURE and QUALIFIER in atom.key:
            number, _, name = atom.key.partition(QUALIFIER)
            package = linked.owners[int(number)]
            for mask in masked_by(alone, wide, package, name):
                if mask.owner is not root.package:
                    found.add((mask.owner.name, mask.package.name, mask.feature or name))
    return tuple(sorted(found)[:3])

"""What company hides: references that fail when a package is built alone and hold in a wider world, and who sees to that."""

from __future__ import annotations

from cfglint.condition.atom import Atom
from cfglint.condition.diagram import FALSE, TRUE, Condition
from cfglint.manifest.package import Package
from cfglint.manifest.solver import GaveUpError, satisfiable
from cfglint.manifest.targets import TargetKind
from cfglint.manifest.unification import Formulas
from cfglint.manifest.worlds import Mask, World, formulas_in, masked_by
from cfglint.nameres.analysis import Analysis, Root
from cfglint.nameres.crate import certainly, is_qualified
from cfglint.nameres.linking import owner_of, side_in
from cfglint.nameres.roots import dev_units
from cfglint.nameres.verdicts import Absence

ALL_WORLDS = tuple(world.value for world in (World.STANDALONE, World.WORKSPACE, World.DEV))
_MOST_MASKS = 3


def worlds_of(analysis: Analysis, root: Root, absence: Absence) -> tuple[str, ...]:
    """The worlds in which a reference fails in some configuration; that of the package alone is always one."""
    if analysis.linked is None or not any(map(is_qualified, absence.raw.atoms())):
        return ALL_WORLDS
    if root.target.kind is TargetKind.BUILD_SCRIPT:
        return ALL_WORLDS
    wider = (world for world in (World.WORKSPACE, World.DEV) if _fails_in(analysis, root, absence, world))
    return (World.STANDALONE.value, *(world.value for world in wider))


def masks(analysis: Analysis, root: Root, absence: Absence) -> tuple[str, ...]:
    """Notes on who turns on, in wider worlds, a feature that the reference lacks when the package is built alone."""
    if analysis.linked is None or root.target.kind is TargetKind.BUILD_SCRIPT:
        return ()
    notes: dict[str, None] = {}
    for world in (World.WORKSPACE, World.DEV):
        for atom in sorted(filter(is_qualified, absence.raw.atoms())):
            package, name = owner_of(analysis.linked, atom)
            wide = _formulas(analysis, root, world, package)
            alone = _formulas(analysis, root, World.STANDALONE, package)
            for mask in masked_by(alone, wide, package, name, side_in(package)):
                note = _note(root, mask, name)
                if note and (world is World.WORKSPACE or mask.owner is root.package):
                    notes[note] = None
    return tuple(sorted(notes)[:_MOST_MASKS])


def _note(root: Root, mask: Mask, name: str) -> str:
    feature = f"`{mask.package.name}/{mask.feature or name}`"
    if mask.owner is not root.package:
        return f"compiles in the workspace because `{mask.owner.name}` turns on {feature}"
    return f"compiles with `--all-targets` because the dev-dependency `{mask.dependency.key}` turns on {feature}"


def _fails_in(analysis: Analysis, root: Root, absence: Absence, world: World) -> bool:
    assert analysis.linked is not None, "asked by worlds_of"
    words: dict[Atom, Condition] = {}
    for atom in filter(is_qualified, absence.raw.atoms()):
        package, name = owner_of(analysis.linked, atom)
        words[atom] = _formulas(analysis, root, world, package).of(package, side_in(package)).feature(name)
    failing = certainly(absence.context & ~absence.raw.substitute(words))
    try:
        return failing is not FALSE and satisfiable(failing, root.space)
    except GaveUpError:
        return True


def _formulas(analysis: Analysis, root: Root, world: World, of: Package) -> Formulas:
    assert analysis.linked is not None, "asked by those who have looked"
    dev = TRUE if world is World.DEV else dev_units(root.target)
    return formulas_in(world, root.package, analysis.linked.setting_of(of), dev_units=dev)

"""Predicates for gates that move: as short as the place allows, in the words of the crate that they stand in.

A gate only has to be right where the code around it is compiled at all, and in configurations that exist.
"""

from __future__ import annotations

from cfglint.condition.atom import Atom, AtomKind, feature
from cfglint.condition.diagram import FALSE, TRUE, Condition, literal
from cfglint.condition.display import shortest
from cfglint.graph.evidence import feature_order
from cfglint.manifest.solver import GaveUpError, care_set, satisfiable
from cfglint.manifest.space import ConfigSpace
from cfglint.nameres.analysis import Analysis, Root
from cfglint.nameres.crate import QUALIFIER, Crate, opaque_atoms


def within(condition: Condition, around: Condition, root: Root, space: ConfigSpace) -> str | None:
    """The shortest predicate that is `condition` wherever `around` holds; None where it cannot be written."""
    if not _is_writable(condition) or opaque_atoms(around):
        return None
    care = care_set(condition & around, space) & around
    return shortest(condition, care=care, order=feature_order(root))


def between(lower: Condition, upper: Condition, around: Condition, root: Root, space: ConfigSpace) -> str | None:
    """The shortest predicate from `lower` to `upper`, wherever `around` holds."""
    if not _is_writable(lower) or opaque_atoms(upper) or opaque_atoms(around):
        return None
    free = upper & ~lower
    care = care_set(lower & around & ~free, space) & around & ~free
    return shortest(lower, care=care, order=feature_order(root))


def occurs(condition: Condition, space: ConfigSpace) -> bool:
    """Whether the condition holds in some configuration; taken to be so where that is too much work."""
    try:
        return condition is not FALSE and satisfiable(condition, space)
    except GaveUpError:
        return True


def own_features(analysis: Analysis, view: Crate, owner: Crate, where: Condition, space: ConfigSpace) -> list[str]:
    """The features of another crate that are on wherever `where` holds, those that bring the others first.

    `where` is in the words of the root `view`.
    """
    linked = analysis.linked
    assert linked is not None, "made by analyze"
    model = linked.setting.model(linked.owners[owner.d.crate])
    on = []
    for name in model.names:
        meaning = view.final(literal(feature(f"{owner.d.crate}{QUALIFIER}{name}")))
        if name != "default" and not occurs(where & ~meaning, space):
            on.append(name)
    return sorted(on, key=lambda name: (-len(model.closure((name,)) & set(on)), model.names.index(name)))


def is_of_platform(condition: Condition) -> bool:
    """Whether the condition speaks of anything but features and `test`."""
    return any(_is_of_platform(atom) for atom in condition.atoms())


def _is_of_platform(atom: Atom) -> bool:
    return atom.kind is not AtomKind.FEATURE and atom.key != "test"


def _is_writable(condition: Condition) -> bool:
    return not opaque_atoms(condition) and not any(
        atom.kind is AtomKind.FEATURE and QUALIFIER in atom.key for atom in condition.atoms()
    )


def always(condition: Condition, space: ConfigSpace) -> bool:
    """Whether the condition holds in every configuration."""
    return condition is TRUE or not occurs(~condition, space)

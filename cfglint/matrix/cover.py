"""Few configurations in which each of many conditions holds at least once.

Greedy: a configuration takes in one condition after the other as long as they can hold together, then the next one
begins with what is left. Several orders are tried, and configurations that turn out to be superfluous are taken out
again. That need not be the smallest answer (it is a set cover over configurations that nobody lists), but small
packages are compared with the smallest in the tests.

What any developer can build comes first: no flags, the development profile, the host. Only for what is left are there
configurations with flags or in release, and then of other targets, which need a toolchain of their own.

What this deliberately does not do: enumerate configurations. Work grows with conditions times configurations.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from cfglint.condition.atom import Atom, AtomKind
from cfglint.condition.diagram import FALSE, Condition
from cfglint.manifest.configuration import Configuration
from cfglint.manifest.solver import GaveUpError, least, satisfiable
from cfglint.manifest.space import DEBUG_ASSERTIONS, ConfigSpace, Sort, fixing

ORDERS_UP_TO = 1_500
"""Conditions beyond which only one order is tried."""

ATOMS_CAP = 400
"""Options that a conjunction may grow to before it is settled on one configuration."""


def possible(condition: Condition, space: ConfigSpace) -> bool:
    """Whether the condition holds in some configuration; one that is too large to decide does not count."""
    return bool(decided(condition, space))


def decided(condition: Condition, space: ConfigSpace) -> bool | None:
    """Whether the condition holds in some configuration; None where that is too large to decide."""
    if condition is FALSE:
        return False
    try:
        return satisfiable(condition, space)
    except GaveUpError:
        return None


def cover(conditions: Sequence[Condition], space: ConfigSpace) -> tuple[Configuration, ...]:
    """Configurations of `space` that fulfil every condition; all of these must be possible in it.

    Deterministic: the answer depends on the conditions, their order, and the space.
    """
    found: list[Configuration] = []
    rest = list(dict.fromkeys(conditions))
    flags = [atom for condition in rest for atom in condition.atoms() if atom.kind is not AtomKind.FEATURE]
    for layer in _layers(space, flags):
        found += _cover([condition for condition in rest if possible(condition, layer)], layer)
        rest = [condition for condition in rest if not any(map(condition.evaluate, (one.holds for one in found)))]
    return tuple(found)


def _layers(space: ConfigSpace, atoms: Iterable[Atom]) -> Iterator[ConfigSpace]:
    """The space, narrowed to what is built most easily, then wider and wider."""
    first = replace(space, rows=space.rows & -space.rows)
    unset = {
        atom: atom == DEBUG_ASSERTIONS
        for atom in sorted({*atoms, DEBUG_ASSERTIONS})
        if atom not in space.fixed and space.compiled.meaning(atom).sort in (Sort.FLAG, Sort.TARGET_FEATURE)
    }
    yield fixing(first, unset)
    yield first
    yield space


def _cover(wanted: Sequence[Condition], space: ConfigSpace) -> Sequence[Configuration]:
    if not wanted:
        return ()
    orders = [sorted(range(len(wanted)), key=lambda index: -len(wanted[index].atoms()))]
    if len(wanted) <= ORDERS_UP_TO:
        orders += [list(range(len(wanted))), list(reversed(range(len(wanted))))]
    answers = [_without_superfluous(_greedy([wanted[index] for index in order], space), wanted) for order in orders]
    return min(answers, key=lambda answer: (len(answer), sum(len(one.features) for one in answer)))


def _greedy(wanted: Sequence[Condition], space: ConfigSpace) -> list[Configuration]:
    found: list[Configuration] = []
    pending = list(wanted)
    while pending:
        configuration = _most(pending, space)
        left = [condition for condition in pending if not configuration.satisfies(condition)]
        assert len(left) < len(pending), "the first condition is possible and holds"
        found.append(configuration)
        pending = left
    return found


def _most(pending: Sequence[Condition], space: ConfigSpace) -> Configuration:
    """A configuration in which the first of the conditions holds, and as many of the others as fit in turn."""
    together = pending[0]
    for condition in pending[1:]:
        if together.implies(condition):
            continue
        both = together & condition
        if both is FALSE or _is_overgrown(both) or not possible(both, space):
            continue
        together = both
    try:
        configuration = least(together, space)
    except GaveUpError:
        configuration = least(pending[0], space)
    assert configuration is not None, "possible, as has been asked"
    return configuration


def _is_overgrown(condition: Condition) -> bool:
    """Whether a conjunction has become too large to go on with, or an unknown by growing beyond the diagram's cap."""
    atoms = condition.atoms()
    return len(atoms) > ATOMS_CAP or any(atom.kind is AtomKind.OPAQUE for atom in atoms)


def _without_superfluous(configurations: list[Configuration], wanted: Sequence[Condition]) -> list[Configuration]:
    """The configurations without those whose conditions all hold in others, the last found looked at first."""
    holds = [frozenset(i for i, condition in enumerate(wanted) if one.satisfies(condition)) for one in configurations]
    kept = list(range(len(configurations)))
    for index in reversed(range(len(configurations))):
        others = frozenset[int]().union(*(holds[other] for other in kept if other != index))
        if holds[index] <= others and len(kept) > 1:
            kept.remove(index)
    return [configurations[index] for index in kept]

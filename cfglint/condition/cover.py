"""From a condition back to a small formula: irredundant covers, factored.

A cover of an interval (`lower` to `upper`) is a list of cubes, conjunctions of literals, whose disjunction lies between
the two: everything in `lower` must be true, everything outside `upper` false, the rest is free. Covers come from the
Minato-Morreale recursion. Both the condition and its complement are covered, so that conjunctions of disjunctions are
found as well, and what cubes share is factored out.

What this deliberately does not do: exact minimisation. The result is irredundant, and shortest for what code contains.
"""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from cfglint.condition.atom import Atom
from cfglint.condition.diagram import FALSE, TRUE, Condition, disjunction, literal

LITERAL_CAP = 5_000
"""Literals beyond which a cover is given up: nobody reads such a formula."""

SORTED_CAP = 40
"""Atoms up to which the recursion splits in the caller's order, which costs cofactors away from the root.

Beyond, it splits in the diagram's order, which gives the same cover unless an atom occurs both plain and negated.
"""

NESTING_CAP = 20
"""Groups within groups beyond which nothing is factored out: rustc and the parser here have limits too."""

_CALL_CAP = 20_000


@dataclass(frozen=True, slots=True)
class Signed:
    """An atom, or its negation."""

    atom: Atom
    holds: bool


@dataclass(frozen=True, slots=True)
class Group:
    """All or any of at least two formulas."""

    operator: Literal["all", "any"]
    args: tuple[Formula, ...]


Formula: TypeAlias = Signed | Group


def formulas(lower: Condition, upper: Condition, atoms: Sequence[Atom]) -> Iterator[Formula]:
    """Small formulas between `lower` and `upper`, candidates for the shortest; none if all are too large to print.

    `lower` implies `upper`, is not `FALSE`, and `upper` is not `TRUE`. `atoms` holds those of both; its order breaks ties
    and is the only thing but the meaning that the result depends on (see `SORTED_CAP`).
    """
    position = {atom: index for index, atom in enumerate(atoms)}
    orders: list[Mapping[Atom, int] | None] = [None]
    if len(atoms) <= SORTED_CAP:
        orders = [position, {atom: -index for atom, index in position.items()}]
    for order in orders:
        for low, high, finish in ((lower, upper, _same), (~upper, ~lower, dual)):
            cubes = _cover(low, high, order)
            if cubes is not None:
                yield finish(_sum(cubes, position))


def dual(formula: Formula) -> Formula:
    """The negation, pushed down to the literals."""
    if isinstance(formula, Signed):
        return Signed(formula.atom, not formula.holds)
    return Group("any" if formula.operator == "all" else "all", tuple(dual(arg) for arg in formula.args))


def _same(formula: Formula) -> Formula:
    return formula


_Cube: TypeAlias = frozenset[Signed]
_Interval: TypeAlias = tuple[Condition, Condition]
_Covered: TypeAlias = tuple[Condition, tuple[_Cube, ...]]
"""What a cover means, and its cubes."""


def _cover(lower: Condition, upper: Condition, order: Mapping[Atom, int] | None) -> tuple[_Cube, ...] | None:
    """An irredundant cover; None beyond the caps. Drives `_steps` on an explicit stack, as deep as there are atoms."""
    done: dict[_Interval, _Covered] = {}
    root = (lower, upper)
    running: list[tuple[_Interval, Generator[_Interval, _Covered, _Covered]]] = [(root, _steps(root, order))]
    answer: _Covered | None = None
    calls = 0
    while running:
        interval, steps = running[-1]
        try:
            wanted = next(steps) if answer is None else steps.send(answer)
        except StopIteration as stop:
            running.pop()
            answer = done[interval] = stop.value
            if sum(map(len, answer[1])) > LITERAL_CAP:
                return None
            continue
        answer = _trivial(*wanted) or done.get(wanted)
        if answer is None:
            calls += 1
            if calls > _CALL_CAP:
                return None
            running.append((wanted, _steps(wanted, order)))
    return done[root][1]


def _trivial(lower: Condition, upper: Condition) -> _Covered | None:
    if lower is FALSE:
        return FALSE, ()
    if upper is TRUE:
        return TRUE, (frozenset(),)
    return None


def _steps(interval: _Interval, order: Mapping[Atom, int] | None) -> Generator[_Interval, _Covered, _Covered]:
    """One level of the recursion; yields the intervals it needs covered, one after the other.

    Splits at an atom: what can only be true without it, what can only be true with it, and what is left, which needs no
    literal of it. In the second and third part everything that is covered already is free.
    """
    lower, upper = interval
    atom = _top(lower, upper) if order is None else min(lower.atoms() | upper.atoms(), key=order.__getitem__)
    cofactors = _at_root if order is None else _anywhere
    lower_on, lower_off = cofactors(lower, atom)
    upper_on, upper_off = cofactors(upper, atom)
    off, off_cubes = yield lower_off - upper_on, upper_off
    on, on_cubes = yield lower_on - upper_off, upper_on
    both, both_cubes = yield (lower_off - off) | (lower_on - on), upper_on & upper_off
    at = literal(atom)
    cubes = (
        *(cube | {Signed(atom, True)} for cube in on_cubes),
        *(cube | {Signed(atom, False)} for cube in off_cubes),
        *both_cubes,
    )
    return disjunction((at & on, off - at, both)), cubes


def _top(lower: Condition, upper: Condition) -> Atom:
    """The first atom of the two in the diagram's order: the root that stays when both are combined."""
    if lower.atom is None or upper.atom is None or lower.atom == upper.atom:
        atom = lower.atom or upper.atom
    else:
        atom = lower.atom if lower.above(upper) else upper.atom
    assert atom is not None, "an interval between constants is trivial"
    return atom


def _at_root(condition: Condition, atom: Atom) -> _Interval:
    return (condition.high, condition.low) if condition.atom == atom else (condition, condition)


@functools.lru_cache(maxsize=1 << 16)
def _anywhere(condition: Condition, atom: Atom) -> _Interval:
    if condition.atom == atom:
        return condition.high, condition.low
    return condition.restrict({atom: True}), condition.restrict({atom: False})


def _sum(cubes: Sequence[_Cube], position: Mapping[Atom, int], nesting: int = 0) -> Formula:
    """The disjunction of the cubes, with the literal that most of them share taken out first."""
    terms: list[Formula] = []
    while cubes:
        counts = Counter(each for cube in cubes for each in cube)
        best = min(counts, key=lambda each: (-counts[each], position[each.atom], not each.holds))
        if counts[best] == 1 or nesting == NESTING_CAP:
            terms.extend(_product(cube, position) for cube in cubes)
            break
        sharing = [cube for cube in cubes if best in cube]
        cubes = [cube for cube in cubes if best not in cube]
        common = frozenset.intersection(*sharing)
        rest = _sum([cube - common for cube in sharing], position, nesting + 1)
        terms.append(_flat("all", [_product(common, position), rest], position))
    return _flat("any", terms, position)


def _product(cube: _Cube, position: Mapping[Atom, int]) -> Formula:
    return _flat("all", list(cube), position)


def _flat(operator: Literal["all", "any"], args: Sequence[Formula], position: Mapping[Atom, int]) -> Formula:
    """The group of `args`, literals first, with groups of the same operator dissolved and a single argument alone."""
    flat: list[Formula] = []
    for arg in args:
        flat.extend(arg.args if isinstance(arg, Group) and arg.operator == operator else (arg,))
    flat.sort(key=lambda arg: (isinstance(arg, Group), _places(arg, position)))
    return flat[0] if len(flat) == 1 else Group(operator, tuple(flat))


def _places(formula: Formula, position: Mapping[Atom, int]) -> list[tuple[int, bool]]:
    """Where the literals of a formula stand: a sort key."""
    if isinstance(formula, Signed):
        return [(position[formula.atom], not formula.holds)]
    return [place for arg in formula.args for place in _places(arg, position)]

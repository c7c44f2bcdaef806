"""The slow, obvious model: a condition is the set of assignments under which it is true.

Assignments are numbered 0 to 2^n - 1, bit i being the truth of the i-th atom. Formulas are drawn as predicates, so that
parser, lowering, operators and display are all held against the same truth table.
"""

from __future__ import annotations

import functools

from hypothesis import strategies as st

from cfglint.condition.atom import Atom, feature, flag, key_value
from cfglint.condition.diagram import FALSE, Condition, literal
from cfglint.condition.predicate import All, Any, Invalid, Literal, MacroGate, Not, Option, Predicate, lower

ATOMS: tuple[Atom, ...] = (
    feature("gpu"),
    feature("grad"),
    feature("std"),
    flag("unix"),
    flag("windows"),
    key_value("target_os", "linux"),
)
OPTIONS: tuple[Option, ...] = (
    Option("feature", "gpu"),
    Option("feature", "grad"),
    Option("feature", "std"),
    Option("unix"),
    Option("windows"),
    Option("target_os", "linux"),
)
ASSIGNMENTS = range(1 << len(ATOMS))


def holds(assignment: int, atom: Atom) -> bool:
    return bool(assignment >> ATOMS.index(atom) & 1)


def meaning(predicate: Predicate, assignment: int) -> bool:
    """The Reference, read aloud."""
    match predicate:
        case Option():
            return bool(assignment >> OPTIONS.index(predicate) & 1)
        case Literal(value):
            return value
        case All(args):
            return all(meaning(arg, assignment) for arg in args)
        case Any(args):
            return any(meaning(arg, assignment) for arg in args)
        case Not(arg):
            return not meaning(arg, assignment)
        case Invalid() | MacroGate():
            raise AssertionError(predicate)


def truths(predicate: Predicate) -> frozenset[int]:
    return frozenset(a for a in ASSIGNMENTS if meaning(predicate, a))


def table(condition: Condition) -> frozenset[int]:
    """The assignments of `ATOMS` under which `condition` is true, by walking it."""
    return frozenset(a for a in ASSIGNMENTS if condition.evaluate(functools.partial(holds, a)))


def leaf(predicate: Option | Invalid | MacroGate) -> Condition:
    assert isinstance(predicate, Option), predicate
    return literal(ATOMS[OPTIONS.index(predicate)])


def build(predicate: Predicate) -> Condition:
    return lower(predicate, leaf)


def from_truths(assignments: frozenset[int]) -> Condition:
    """The sum of minterms: the second way to the same condition."""
    result = FALSE
    for assignment in sorted(assignments):
        term = ~FALSE
        for atom in ATOMS:
            term &= literal(atom) if holds(assignment, atom) else ~literal(atom)
        result |= term
    return result


def _nested(inner: st.SearchStrategy[Predicate]) -> st.SearchStrategy[Predicate]:
    args = st.lists(inner, max_size=4).map(tuple)
    return args.map(All) | args.map(Any) | inner.map(Not)


PREDICATES: st.SearchStrategy[Predicate] = st.recursive(
    st.sampled_from(OPTIONS) | st.booleans().map(Literal), _nested, max_leaves=14
)
"""Any predicate over `OPTIONS`."""

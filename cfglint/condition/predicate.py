"""`cfg(...)` predicates as written: a small serializable tree.

A predicate says what the source says. Turning it into a condition (a canonical diagram) is `lower`, which takes the
meaning of each option from its caller: the same text means different things in different crates (a feature of a
dependency is a formula over the root's features).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import msgspec

from cfglint.condition import diagram
from cfglint.condition.diagram import FALSE, TRUE, Condition


class Option(msgspec.Struct, frozen=True, tag="o", array_like=True):
    """`key` or `key = "value"`: a configuration option (Reference, conditional compilation)."""

    key: str
    value: str | None = None


class Literal(msgspec.Struct, frozen=True, tag="l", array_like=True):
    """`true` or `false` (stable since 1.88)."""

    value: bool


class All(msgspec.Struct, frozen=True, tag="a", array_like=True):
    """`all(...)`; empty is true."""

    args: tuple[Predicate, ...]


class Any(msgspec.Struct, frozen=True, tag="y", array_like=True):
    """`any(...)`; empty is false."""

    args: tuple[Predicate, ...]


class Not(msgspec.Struct, frozen=True, tag="n", array_like=True):
    """`not(...)`."""

    arg: Predicate


class Invalid(msgspec.Struct, frozen=True, tag="i", array_like=True):
    """Something rustc rejects or that we do not understand; its meaning is unknown."""

    text: str


class MacroGate(msgspec.Struct, frozen=True, tag="m", array_like=True):
    """The gate that the macro call with this index (in its file) puts around the part of its argument at `start`."""

    call: int
    start: int = 0


Predicate: TypeAlias = Option | Literal | All | Any | Not | Invalid | MacroGate


def lower(predicate: Predicate, leaf: Callable[[Option | Invalid | MacroGate], Condition]) -> Condition:
    """The condition of `predicate`, with `leaf` giving the meaning of options and of what only the caller can know."""
    match predicate:
        case Literal(value):
            return TRUE if value else FALSE
        case All(args):
            return diagram.conjunction([lower(arg, leaf) for arg in args])
        case Any(args):
            return diagram.disjunction([lower(arg, leaf) for arg in args])
        case Not(arg):
            return ~lower(arg, leaf)
        case Option() | Invalid() | MacroGate():
            return leaf(predicate)


def conjunction(predicates: tuple[Predicate, ...]) -> Predicate:
    """All of them, flattened where that is trivial."""
    if not predicates:
        return Literal(True)
    if len(predicates) == 1:
        return predicates[0]
    return All(predicates)

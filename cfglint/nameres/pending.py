"""Imports and names in the middle of being decided: what simulation.py works on. Values and what follows from them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NamedTuple, TypeAlias

from cfglint.condition.diagram import FALSE, Condition, disjunction
from cfglint.items import model as m
from cfglint.nameres.crate import merge
from cfglint.nameres.model import NOTHING, Found, Hit, Namespace
from cfglint.nameres.order import Order

Key: TypeAlias = tuple[int, str, Namespace]
"""A name in a scope."""


class Answer(NamedTuple):
    """What a name means by now: hits, where nobody knows yet and nothing may be looked for further out, and where one may.

    Elsewhere it is decided that there is nothing.
    """

    hits: tuple[Hit, ...]
    waiting: Condition
    open: Condition

    @property
    def undecided(self) -> Condition:
        """Where it is not known."""
        return self.waiting | self.open


@dataclass(slots=True, eq=False)
class Import:
    """A named import or a glob: what it imports from, `reached` where that is known, and what is decided about its name.

    `decided` tells when it was in all namespaces, as (number, condition); smaller numbers were earlier.
    """

    scope: int
    index: int
    data: m.Import
    gate: Condition
    visibility: int
    module: int
    start: tuple[Found | None, m.Path]
    order: Order
    is_there: bool = True
    containers: Found = NOTHING
    reached: Condition = FALSE
    lost: Condition = FALSE
    found: dict[Namespace, Found] = field(default_factory=dict)
    absent: dict[Namespace, Condition] = field(default_factory=dict)
    decided: list[tuple[int, Condition]] = field(default_factory=list)

    def pending(self, space: Namespace) -> Condition:
        """Where it is not decided what it names in a namespace."""
        return self.holds(space) - self.lost

    def holds(self, space: Namespace) -> Condition:
        """Where it keeps globs from handing its name on: while it waits, and for good if its module cannot be found."""
        if space not in self.found or not self.is_there:
            return FALSE
        return self.gate - self.found[space].covered - self.absent[space]

    @property
    def stuck(self) -> Condition:
        """Where some namespace is never decided, or the module of a glob."""
        if self.data.is_glob:
            return self.unreached
        return disjunction(self.pending(space) for space in self.found)

    @property
    def unreached(self) -> Condition:
        """Where it is not known which module it imports from."""
        return self.gate - self.reached - self.lost


def given_up(one: Import) -> Condition:
    """Where an import is never decided and so names nothing."""
    return one.stuck - disjunction(found.covered for found in one.found.values())


@dataclass(slots=True, eq=False)
class Node:
    """A name in its scope: what is declared, by now or later, and what imports and globs bring.

    `has_late_parts`: anything may yet be declared here while macros are not expanded. `handed` is what its globs had for
    it when they were last asked, before it was joined to `by_glob`.
    """

    key: Key
    declared: list[Hit]
    late: list[tuple[Order, list[Hit]]]
    imports: list[Import]
    globs: list[Import]
    has_late_parts: bool
    by_glob: Found = NOTHING
    handed: list[Hit] = field(default_factory=list)

    def firm(self) -> list[Hit]:
        """Declarations and named imports that are decided."""
        space = self.key[2]
        return [
            *self.declared,
            *(Hit(h.target, h.condition, i.visibility) for i in self.imports for h in i.found[space].hits),
        ]

    def meaning(self) -> Found:
        """What the name means by now, to those who ask for it by a path."""
        firm = self.firm()
        return merge([*firm, *within(self.by_glob.hits, ~covered_by(firm))])


def within(hits: Iterable[Hit], condition: Condition) -> list[Hit]:
    """The hits as far as the condition holds."""
    return [Hit(h.target, here, h.visibility) for h in hits if (here := h.condition & condition) is not FALSE]


def covered_by(hits: Iterable[Hit]) -> Condition:
    """Where there is any of the hits."""
    return disjunction(h.condition for h in hits)

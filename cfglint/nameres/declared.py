"""Members that types and traits declare, each with its condition, for those who compare uses with declarations.

Conditions are in the words of the crate that asks. A declaration that a macro may have changed has no members here.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from cfglint.condition.diagram import FALSE, Condition
from cfglint.items import model as m
from cfglint.nameres.brought import brought_into
from cfglint.nameres.causes import supplier_at
from cfglint.nameres.crate import Crate
from cfglint.nameres.model import Def, DefKind
from cfglint.nameres.verdicts import Kind, Supplier


@dataclass(frozen=True, slots=True)
class Disagreement:
    """A use and its declaration that do not fit where `failing` holds. `path` ends in the member that is at fault.

    `gate` and the offsets are of the use, in the file `mount`.
    """

    kind: Kind
    mount: int
    scope: int
    gate: int
    start: int
    end: int
    path: m.Path
    failing: Condition
    declared: tuple[Declared, ...]


class Declared(NamedTuple):
    """The parts of one declaration, and the gate that they all are under. `index` is that of an item, or -1 - an impl's."""

    owner: Crate
    mount: int
    index: int  # type: ignore[assignment]
    gate: int
    parts: tuple[m.Member, ...]

    def is_gated(self) -> bool:
        """Whether some part is not there whenever the declaration is."""
        return any(part.gate != self.gate for part in self.parts)

    def names(self) -> tuple[str, ...]:
        """Each name once, in order."""
        return tuple(dict.fromkeys(part.name for part in self.parts))

    def named(self, name: str) -> Declared:
        """The parts of that name: alternatives of one another."""
        return self._replace(parts=tuple(part for part in self.parts if part.name == name))


def item_of(c: Crate, target: Def) -> m.Item:
    """The row of an item or of the enum of a variant."""
    return c.program.crates[target.crate].d.mounts[target.at].tree.items[target.index]


def declared_by(c: Crate, target: Def, kinds: Iterable[str]) -> Declared | None:
    """The members of an item of one of these kinds; None for anything else, and where macros have a hand in it."""
    if target.kind is not DefKind.ITEM:
        return None
    item = item_of(c, target)
    if item.kind not in kinds or item.is_rewritten or any(part.kind == "macro" for part in item.members):
        return None
    owner = c.program.crates[target.crate]
    if item.kind == "trait" and brings_more(owner, target.at, item.inner):
        return None
    return Declared(owner, target.at, target.index, item.gate, item.members)


def brings_more(owner: Crate, mount: int, inner: int) -> bool:
    """Whether a macro call in an impl or trait may declare something beside the items that it is given."""
    return brought_into(owner, owner.d.mounts[mount].first_scope + inner) != frozenset()


def present(c: Crate, declared: Declared) -> Condition:
    """Where one of the parts is there, given that the declaration is."""
    condition = FALSE
    for part in declared.parts:
        condition |= declared.owner.gate(declared.mount, part.gate, declared.gate)
    return condition if declared.owner is c else declared.owner.qualified(condition)


def suppliers(c: Crate, declared: Declared) -> tuple[Supplier, ...]:
    """The parts, as reports point at them."""
    owner = declared.owner
    file = owner.d.mounts[declared.mount].file
    return tuple(
        supplier_at(c, owner, file, part.start, part.kind, part.name, owner.context(declared.mount, part.gate))
        for part in declared.parts
    )


def definitions(declared: Declared) -> tuple[Def, ...]:
    """The parts, as name resolution knows them."""
    crate, mount, index = declared.owner.d.crate, declared.mount, declared.index
    return tuple(Def(DefKind.MEMBER, crate, mount, index, name) for name in declared.names())

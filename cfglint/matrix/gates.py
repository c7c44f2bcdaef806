"""Gates as a matrix and a coverage table see them: each with the condition of its code and of its absence.

A gate is the `#[cfg]` itself, an arm of a gate macro, or an attribute that takes an item away; both sides of it are
conditions on whole builds, for what stands around the gate must be there as well. Around a `#![cfg]` at the top of a file
stands what declares the file: a crate root is there with nothing in it, a module is not.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from cfglint.condition.diagram import FALSE, TRUE, Condition
from cfglint.items.model import ItemTree
from cfglint.nameres.analysis import Root


@dataclass(frozen=True, slots=True)
class Gate:
    """A gate of one crate root. `start` is an offset in `file`; `predicate` what it adds to what stands around it.

    `takes_all` tells that nothing at all is left of the crate on the other side, so that there is nothing to compile.
    """

    file: str
    start: int
    predicate: Condition
    on: Condition
    off: Condition
    takes_all: bool = False


def gates(root: Root) -> Iterator[Gate]:
    """Every gate of the root that decides anything, in the order of the source."""
    c = root.crate
    for mount, data in enumerate(c.d.mounts):
        own = set(_of_file(data.tree))
        for index, link in enumerate(data.tree.gates):
            if index == 0:
                continue
            outside = c.around_file(mount) if index in own else c.mount_condition(mount)
            around = c.final(outside & c.gate(mount, link.parent))
            predicate = c.final(c.lower(mount, link.predicate))
            if around is FALSE or predicate is TRUE or predicate is FALSE:
                continue
            takes_all = index in own and data.by is None and c.d.modules[data.module].declaration is None
            yield Gate(data.file, link.start, predicate, around & predicate, around & ~predicate, takes_all)


def _of_file(tree: ItemTree) -> Iterator[int]:
    """The gates that a file puts on itself."""
    gate = tree.scopes[0].gate
    while gate > 0:
        yield gate
        gate = tree.gates[gate].parent

"""Gates as a matrix and a coverage table see them: each with the condition of its code and of its absence.

A gate is the `#[cfg]` itself, an arm of a gate macro, or an attribute that takes an item away; both sides of it are
conditions on whole builds, for what stands around the gate must be there as well.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from cfglint.condition.diagram import FALSE, TRUE, Condition
from cfglint.nameres.analysis import Root


@dataclass(frozen=True, slots=True)
class Gate:
    """A gate of one crate root. `start` is an offset in `file`; `predicate` what it adds to what stands around it."""

    file: str
    start: int
    predicate: Condition
    on: Condition
    off: Condition


def gates(root: Root) -> Iterator[Gate]:
    """Every gate of the root that decides anything, in the order of the source."""
    c = root.crate
    for mount, data in enumerate(c.d.mounts):
        for index, link in enumerate(data.tree.gates):
            if index == 0:
                continue
            around = c.final(c.context(mount, link.parent))
            predicate = c.final(c.lower(mount, link.predicate))
            if around is FALSE or predicate is TRUE or predicate is FALSE:
                continue
            yield Gate(data.file, link.start, predicate, around & predicate, around & ~predicate)

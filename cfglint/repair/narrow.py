"""Narrowing: code is compiled wherever it was, except in the configurations in which it fails.

The gate is as short as the place allows; a gate that stands there already is replaced rather than joined by another.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from cfglint.condition.diagram import FALSE, TRUE, Condition
from cfglint.manifest.space import ConfigSpace
from cfglint.nameres.analysis import Root
from cfglint.repair.edits import Edit
from cfglint.repair.gate_edits import gate_attributes, gated, regated
from cfglint.repair.predicates import within
from cfglint.repair.use_edits import split
from cfglint.syntax.carriers import Carrier, UseLeaf, use_at

_NO_GATE = ("true", "false")


@dataclass(frozen=True, slots=True)
class Spot:
    """A piece of code: its crate root, the mount and gate that it stands under, its file and offset."""

    root: Root
    space: ConfigSpace
    mount: int
    gate: int
    file: str
    source: bytes
    offset: int


def narrowed(spot: Spot, carrier: Carrier, failing: Condition) -> tuple[list[Edit], str] | None:
    """The edits that keep the carrier out of where it fails, and the predicate that says so; None where none can."""
    around = _around(spot, carrier)
    guard = within(~failing, around, spot.root, spot.space)
    if guard is None or guard in _NO_GATE:
        return None
    own = _own_gate(spot, carrier)
    attributes = gate_attributes(spot.source, carrier.start) if carrier.start < carrier.code_start else []
    if own is None or not attributes:
        return gated(spot.file, spot.source, carrier, guard), guard
    both = within(own & ~failing, around, spot.root, spot.space)
    if both is None or both in _NO_GATE:
        return None
    return regated(spot.file, spot.source, attributes, both), guard


def narrowed_names(spot: Spot, carrier: Carrier, failing: Condition) -> tuple[list[Edit], str] | None:
    """The same for some names of a `use`: the one that stands at the spot, or those behind the prefix that does.

    The others are left as they are.
    """
    use = use_at(spot.source, spot.offset)
    if use is None:
        return None
    moved = {leaf.start for leaf in use.leaves if _is_meant(spot, leaf)}
    if len(moved) == len(use.leaves):
        return narrowed(spot, carrier, failing)
    own = _own_gate(spot, carrier)
    if own is None or not moved:
        return None
    predicate = within(own & ~failing, _around(spot, carrier), spot.root, spot.space)
    if predicate is None or predicate in _NO_GATE:
        return None
    edits = split(spot.file, spot.source, carrier, use, moved, predicate)
    return None if edits is None else (edits, predicate)


def _is_meant(spot: Spot, leaf: UseLeaf) -> bool:
    """Whether the spot is the name itself, or the beginning of a path in whose braces the name stands."""
    if leaf.start <= spot.offset < leaf.start + len(leaf.text.encode()):
        return True
    if spot.offset >= leaf.start:
        return False
    # Braces that open before the name and are not closed before it hold it.
    between = spot.source[spot.offset : leaf.start]
    return between.count(b"{") > between.count(b"}")


def _around(spot: Spot, carrier: Carrier) -> Condition:
    """Where the code around the carrier is compiled: without the gates that stand on the carrier or in it."""
    c = spot.root.crate
    gates = c.d.mounts[spot.mount].tree.gates
    gate = spot.gate
    while gate > 0 and gates[gate].start >= carrier.start:
        gate = gates[gate].parent
    return c.final(c.context(spot.mount, gate))


def _own_gate(spot: Spot, carrier: Carrier) -> Condition | None:
    """What the gates on the carrier itself demand; None where it has some that cannot be told."""
    c = spot.root.crate
    gates = c.d.mounts[spot.mount].tree.gates
    here = [link for link in _chain(spot) if carrier.start <= gates[link].start <= carrier.code_start]
    if not here:
        return TRUE if not gate_attributes(spot.source, carrier.start) else None
    result = TRUE
    for link in here:
        result &= c.final(c.lower(spot.mount, gates[link].predicate))
    return None if result is FALSE else result


def _chain(spot: Spot) -> Iterator[int]:
    gates = spot.root.crate.d.mounts[spot.mount].tree.gates
    gate = spot.gate
    while gate > 0:
        yield gate
        gate = gates[gate].parent

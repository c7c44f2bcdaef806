"""Imports that go round in a circle: where the queries of crate.py say more than rustc does.

They find what names could mean. But while a named import may still declare a name, no glob hands that name on, so an
import that reaches its name only by way of its own module's globs is never decided, and rustc gives it up (E0432).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from cfglint.condition.diagram import FALSE
from cfglint.nameres.crate import Crate, Query
from cfglint.nameres.model import EntryKind
from cfglint.nameres.pending import Key
from cfglint.nameres.simulation import Simulation, TooLongError


def settle(c: Crate, cycle: Sequence[Query]) -> None:
    """Correct the answers to a cycle of queries that has just been settled, where imports of it are given up."""
    keys = [cast(Key, key[1:]) for key in cycle if key[0] == "n"]
    if not any(e.kind is EntryKind.IMPORT for scope, name, _ in keys for e in c.d.scopes[scope].names.get(name, ())):
        return
    lowest = c.lowest
    simulation = Simulation(c)
    try:
        for key in keys:
            simulation.add(key)
        simulation.solve()
    except TooLongError:
        return
    finally:
        c.lowest = lowest
    if all(one.stuck is FALSE for one in simulation.imports.values()):
        return
    for asked in cycle:  # what rests on these answers is asked again
        c.memo.pop(asked, None)
    for key, node in simulation.nodes.items():
        meaning, given = node.meaning(), simulation.handed_on(node)
        query: Query = ("n", *key)
        c.memo[query] = meaning
        if given != meaning:
            c.withheld[key] = given

"""Imports that go round in a circle: where the queries of crate.py say more than rustc does.

While a named import may still declare a name, no glob hands that name on, so an import that reaches its name only by way
of its own module's globs is never decided, and rustc gives it up (E0432), as it does what waits for that one. Then the
globs hand the name on after all, and other references find it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from cfglint.condition.diagram import FALSE, TRUE, Condition
from cfglint.nameres.crate import Crate, Query, possibly
from cfglint.nameres.imports import import_covered
from cfglint.nameres.model import EntryKind
from cfglint.nameres.pending import Import, Key, given_up
from cfglint.nameres.simulation import Simulation, TooLongError, order_of


def note_waiting(c: Crate, cycle: Sequence[Query], unsteady: Sequence[Query]) -> None:
    """Remember the imports of a cycle of queries that wait for themselves in some configuration, and answer without them.

    `unsteady` are queries of the cycle whose answers have never settled: there the order of decisions counts.
    """
    keys = [cast(Key, key[1:]) for key in dict.fromkeys((*cycle, *unsteady)) if key[0] == "n"]
    if not unsteady and not any(_may_hold_back(c, scope, name) for scope, name, _ in keys):
        return
    lowest = c.lowest
    simulation = Simulation(c)
    try:
        pending = list(keys)
        while pending:  # and where the names come from, as far as that has been asked
            key = pending.pop()
            if key not in simulation.nodes:
                pending += (k for k in simulation.behind(simulation.add(key)) if ("n", *k) in c.memo)
        simulation.solve()
        waiting = {place for place, one in simulation.imports.items() if _is_held_up(c, one, is_settled=not unsteady)}
        if waiting:
            simulation.release()
    except TooLongError:
        return
    finally:
        c.lowest = lowest
    if waiting or unsteady:
        c.waiting |= waiting
        for asked in cycle:
            if asked[0] != "n":  # it rests on the names: it is found out again when it is asked
                c.memo.pop(asked, None)
        for key in keys:
            query: Query = ("n", *key)
            c.memo[query] = simulation.nodes[key].meaning()


def _is_held_up(c: Crate, one: Import, *, is_settled: bool) -> bool:
    """Whether an import is given up somewhere though its path leads to something: elsewhere it fails in any order.

    What that rests on something unknown for would never be the ground of a finding.
    """
    if one.data.is_glob or one.stuck is FALSE:
        return False
    if not is_settled:
        return True
    well = ~(given_up(one) & import_covered(c, one.scope, one.index))
    return possibly(well) is not TRUE


def _may_hold_back(c: Crate, scope: int, name: str) -> bool:
    """Whether a named import and a glob of this scope may both bring the name."""
    data = c.d.scopes[scope]
    return bool(data.globs) and any(entry.kind is EntryKind.IMPORT for entry in data.names.get(name, ()))


def import_decided(c: Crate, scope: int, index: int) -> Condition:
    """Where an import names something, to rustc's knowledge. Asked when all names have been resolved."""
    covered = import_covered(c, scope, index)
    if not c.waiting or covered is FALSE:
        return covered
    known = c.decided.get((scope, index))
    if known is None:
        order = order_of(c, scope, index, c.waiting)
        known = covered if order is None else covered - given_up(order.of(scope, index))
        c.decided[scope, index] = known
    return known

"""The order in which rustc comes upon the imports of a crate: that of the source, what macros are given after the rest."""

from __future__ import annotations

from typing import TypeAlias

from cfglint.nameres.def_map import DefMap

Order: TypeAlias = tuple[int, tuple[int, ...]]


def source_order(d: DefMap, scope: int, index: int) -> Order:
    """How deep in macro calls an import stands, and its place: its offset after those of the `mod`s that lead to its file."""
    mount = d.scopes[scope].mount
    start = d.mounts[mount].tree.imports[index].start
    depth, places = _depth(d, mount, start), [start]
    while (declared := d.modules[d.mounts[mount].module].declaration) is not None:
        mount = declared.mount
        start = d.mounts[mount].tree.modules[declared.index].start
        depth += _depth(d, mount, start)
        places.append(start)
    return depth, tuple(reversed(places))


def _depth(d: DefMap, mount: int, offset: int) -> int:
    tree = d.mounts[mount].tree
    calls = sum(call.start <= offset < call.end for call in tree.calls)
    return calls + sum(select.start <= offset < select.end for select in tree.selects)

"""The order in which rustc comes upon what a crate declares.

That of the source, but what stands in a macro call, or below an attribute that is one, comes after all the rest: imports
are resolved once before macros are expanded, and again afterwards (rustc_expand, `fully_expand_fragment`).
"""

from __future__ import annotations

from typing import TypeAlias

from cfglint.nameres.def_map import DefMap
from cfglint.nameres.model import Entry, EntryKind

Order: TypeAlias = tuple[bool, tuple[int, ...]]
"""Whether it is late, and its place: its offset after those of the `mod`s that lead to its file."""


def order_of_import(d: DefMap, scope: int, index: int) -> Order:
    """When an import is come upon."""
    mount = d.scopes[scope].mount
    return _order(d, mount, d.mounts[mount].tree.imports[index].start, is_late=False)


def order_of_entry(d: DefMap, scope: int, entry: Entry) -> Order:
    """When a declaration is."""
    mount = d.scopes[scope].mount
    tree = d.mounts[mount].tree
    if entry.kind is EntryKind.IMPORT:
        return order_of_import(d, scope, entry.index)
    if entry.kind is EntryKind.MODULE_FILE:
        return _order(d, mount, tree.modules[entry.index].start, is_late=False)
    item = tree.items[entry.index]
    return _order(d, mount, item.start, is_late=item.is_expanded)


def has_late_parts(d: DefMap, scope: int) -> bool:
    """Whether something of a scope is come upon late."""
    data = d.scopes[scope]
    tree = d.mounts[data.mount].tree
    return (
        bool(data.calls)
        or any(select.scope == data.tree_scope for select in tree.selects)
        or any(
            entry.kind is EntryKind.ITEM and tree.items[entry.index].is_expanded
            for entries in data.names.values()
            for entry in entries
        )
    )


def _order(d: DefMap, mount: int, start: int, *, is_late: bool) -> Order:
    late, places = is_late or _is_in_macro(d, mount, start), [start]
    while (declared := d.modules[d.mounts[mount].module].declaration) is not None:
        mount = declared.mount
        start = d.mounts[mount].tree.modules[declared.index].start
        late = late or _is_in_macro(d, mount, start)
        places.append(start)
    return late, tuple(reversed(places))


def _is_in_macro(d: DefMap, mount: int, offset: int) -> bool:
    tree = d.mounts[mount].tree
    return any(call.start <= offset < call.end for call in tree.calls) or any(
        select.start <= offset < select.end for select in tree.selects
    )

"""Whether everything that could give a type a member is known, so that a member which nothing declares is not there.

Without types that is only certain in a crate that is closed: no foreign macro, derive or attribute that could write
impls, no trait of another crate in scope that could be implemented for every type. Anything else is taken for granted.
Looks at what is written alone: it may be asked while names are still being resolved.
"""

from __future__ import annotations

from cfglint.items import model as m
from cfglint.nameres import preludes
from cfglint.nameres.brought import brought_by
from cfglint.nameres.crate import Crate
from cfglint.nameres.scope import all_names
from cfglint.nameres.unknown import HARMLESS

_KEYWORDS = frozenset({"crate", "self", "super", "$crate"})


def is_closed(c: Crate) -> bool:
    """Whether no macro, derive or trait from outside can add members to the types of this crate."""
    if c.closed is None:
        c.closed = _is_understood(c) and not any(
            _brings_traits(c, imported) for mount in c.d.mounts for imported in mount.tree.imports
        )
    return c.closed


def may_be_written(c: Crate, name: str) -> bool:
    """Whether `name` stands in a macro of the crate's own or in a call of one, so that it may be declared there."""
    if c.written is None:
        names: set[str] = set()
        for macro in c.d.macro_names:
            names |= brought_by(c, macro).names
        for mount in c.d.mounts:
            for call in mount.tree.calls:
                if call.names and call.path[-1] in c.d.macro_names:
                    if not call.parsed or _takes_names(c, call.path[-1]):
                        names.update(call.names)
        c.written = frozenset(names)
    return name in c.written


def _is_understood(c: Crate) -> bool:
    return not any(brought_by(c, macro).invents for macro in c.d.macro_names) and not any(
        mount.tree.gaps or mount.tree.stems or any(_is_foreign(c, call) for call in mount.tree.calls)
        for mount in c.d.mounts
    )


def _is_foreign(c: Crate, call: m.Call) -> bool:
    """Whether a call may write impls that cannot be looked for: of a foreign macro, or where its argument is not kept."""
    name = call.path[-1]
    if name not in c.d.macro_names:
        return name not in HARMLESS
    return not call.in_items and _takes_names(c, name)


def _takes_names(c: Crate, macro: str) -> bool:
    """Whether names that stand in a call of the macro may be declared."""
    brought = brought_by(c, macro)
    return brought.binds or brought.is_open


def _brings_traits(c: Crate, imported: m.Import) -> bool:
    """Whether an import leads into another crate that may have a trait; what it may lead to in this one is imported too."""
    first = imported.path[0] or (imported.path[1] if len(imported.path) > 1 else "")
    if first in _KEYWORDS or first in preludes.SYSROOT:
        return False
    known = c.config.extern.get(first)
    if known is None:
        return first not in all_names(c)
    other = c.program.crates[known.crate] if known.crate >= 0 else None
    return other is None or not _has_no_traits(other)


def _has_no_traits(c: Crate) -> bool:
    trees = [mount.tree for mount in c.d.mounts]
    return (
        _is_understood(c)
        and not any(item.kind == "trait" for tree in trees for item in tree.items)
        and all(imported.path[0] in _KEYWORDS for tree in trees for imported in tree.imports)
    )

"""Where a path leads through an import that has failed.

rustc reports the import and binds a dummy, so that uses of the name are not reported again. A glob that fails brings
nothing, not even a dummy (rustc 1.95).

Asked only of references that fail, after name resolution has settled: while imports are still being found out, a
failure is no fact.
"""

from __future__ import annotations

from cfglint.condition.diagram import FALSE, TRUE, Condition
from cfglint.items import model as m
from cfglint.nameres import preludes
from cfglint.nameres.crate import Crate
from cfglint.nameres.imports import glob_target, import_covered
from cfglint.nameres.model import DefKind, EntryKind, Namespace
from cfglint.nameres.paths import resolve_import_path
from cfglint.nameres.scope import MODULES, NAMING, crate_hits, naming_scope

MAX_STEPS = 20_000

Self = tuple[int, int]
"""Scope and index of the import that is itself being judged."""


class _Search:
    """One question: what has been asked on the way, and how much more may be."""

    def __init__(self, skip: Self | None) -> None:
        self.skip = skip
        self.asked: set[tuple[int, str]] = set()
        self.steps = 0


def failed_on_the_way(c: Crate, scope: int, path: m.Path, skip: Self | None = None) -> Condition:
    """Where some name along `path` is the dummy of a failed import (`skip`, the import being judged, aside)."""
    return _path(c, scope, path, _Search(skip))


def _path(c: Crate, scope: int, path: m.Path, search: _Search) -> Condition:
    scope = naming_scope(c, scope)
    result = FALSE
    first = path[0]
    start = 0
    if first not in ("crate", "self", "super", "Self", "$crate", ""):
        result |= _lexically(c, scope, first, search)
        start = 1
    for position in range(max(start, 1), len(path)):
        if path[position] in ("super", "self"):
            continue
        for target, condition, _ in (
            resolve_import_path(c, scope, path[:position], Namespace.TYPE).hits if path[0] else ()
        ):
            if target.kind is DefKind.MODULE and target.crate == c.d.crate:
                result |= condition & _named(c, c.d.modules[target.at].scope, path[position], search)
    return result


def _lexically(c: Crate, scope: int, name: str, search: _Search) -> Condition:
    result = FALSE
    while True:
        data = c.d.scopes[scope]
        if data.kind in NAMING:
            result |= _named(c, scope, name, search)
        if data.kind in MODULES or data.parent == -1:
            break
        scope = data.parent
    return result | _named(c, c.d.root_scope, name, search, only_crates=True)


def _named(c: Crate, scope: int, name: str, search: _Search, *, only_crates: bool = False) -> Condition:
    """Where `name` in this scope is a dummy."""
    key = (scope, name)
    search.steps += 1
    if (key in search.asked and not only_crates) or search.steps > MAX_STEPS:
        return FALSE
    search.asked.add(key)
    data = c.d.scopes[scope]
    tree = c.d.mounts[data.mount].tree
    result = FALSE
    for entry in data.names.get(name, ()):
        if entry.kind is not EntryKind.IMPORT or (scope, entry.index) == search.skip:
            continue
        imported = tree.imports[entry.index]
        gate = c.gate(data.mount, imported.gate, data.gate)
        if imported.is_crate:
            result |= gate & ~_crate_condition(c, imported)
        elif not only_crates:
            covered = import_covered(c, scope, entry.index)
            if covered is not TRUE:
                result |= gate & ~covered
    if only_crates:
        return result
    for index in data.globs:
        if (scope, index) == search.skip:
            continue
        gate = c.gate(data.mount, tree.imports[index].gate, data.gate)
        target = glob_target(c, scope, index)
        for container, condition, _ in target.hits:
            if container.kind is DefKind.MODULE and container.crate == c.d.crate:
                here = condition & gate
                if here is not FALSE:
                    result |= here & _named(c, c.d.modules[container.at].scope, name, search)
    return result


def _crate_condition(c: Crate, imported: m.Import) -> Condition:
    name = imported.path[0]
    if name == "self" or name in preludes.SYSROOT or name not in c.config.extern:
        return TRUE
    result = FALSE
    for hit in crate_hits(c, name):
        result |= hit.condition
    return result

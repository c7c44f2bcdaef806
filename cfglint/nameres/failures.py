"""Where a path leads through an import that has failed.

rustc reports the import and binds a dummy where nothing real has the name, so that uses of it are not reported again. A
glob that fails brings nothing, not even a dummy. Imports are reported one by one: a dummy counts only for those that come
later, first the decided ones in the order in which they were, then those that never were (rustc 1.95). What rustc adds
where it has found no import to be unresolved, that every import is which it has not decided, is not said here.

Asked only of references that fail, after name resolution has settled: while imports are still being found out, a
failure is no fact.
"""

from __future__ import annotations

from typing import TypeAlias

from cfglint.condition.diagram import FALSE, TRUE, Condition, disjunction
from cfglint.items import model as m
from cfglint.nameres import preludes
from cfglint.nameres.crate import Crate
from cfglint.nameres.cycles import import_decided
from cfglint.nameres.imports import glob_target
from cfglint.nameres.model import DefKind, EntryKind, Namespace
from cfglint.nameres.paths import resolve, resolve_import_path
from cfglint.nameres.scope import MODULES, NAMING, crate_hits, is_visible, naming_scope, visibility_of
from cfglint.nameres.simulation import Simulation, order_of

Import: TypeAlias = tuple[int, int]
"""Scope and index of an import."""


class _Search:
    """One question: the import that is being judged, if any, the order of imports, and what has been found."""

    def __init__(self, judged: Import | None, order: Simulation | None) -> None:
        self.judged = judged
        self.order = order
        self.known: dict[tuple[int, str, int], Condition] = {}


def failed_on_the_way(c: Crate, scope: int, path: m.Path, judged: Import | None = None) -> Condition:
    """Where some name along `path` is the dummy of a failed import that rustc has come to before `judged`, an import."""
    failed = _path(c, scope, path, _Search(judged, None))
    if judged is None or failed is FALSE:
        return failed
    order = order_of(c, *judged)
    if order is None:
        return failed
    return _path(c, scope, path, _Search(judged, order))


def _path(c: Crate, scope: int, path: m.Path, search: _Search) -> Condition:
    scope = naming_scope(c, scope)
    viewer = c.d.scopes[scope].module
    meaning = resolve if search.judged is None else resolve_import_path
    result = FALSE
    start = 1
    if path[0] not in ("crate", "self", "super", "Self", "$crate"):
        start = 2 if path[0] == "" else 1
        if len(path) < start:
            return FALSE
        name = path[start - 1]
        if c.config.edition == "2015" and (start == 2 or search.judged is not None):
            result = _named(c, c.d.root_scope, name, viewer, search)
        else:
            result = _missing_crate(c, name) if start == 2 else _lexically(c, scope, name, search)
        if len(path) > start and result is not FALSE:
            result -= meaning(c, scope, path[:start], Namespace.TYPE).covered
    for position in range(start, len(path)):
        if path[position] in ("super", "self"):
            continue
        for target, condition, _ in meaning(c, scope, path[:position], Namespace.TYPE).hits:
            if target.kind is DefKind.MODULE and target.crate == c.d.crate:
                failed = condition & _named(c, c.d.modules[target.at].scope, path[position], viewer, search)
                if position < len(path) - 1 and failed is not FALSE:
                    failed -= meaning(c, scope, path[: position + 1], Namespace.TYPE).covered
                result |= failed
    return result


def _lexically(c: Crate, scope: int, name: str, search: _Search) -> Condition:
    result = FALSE
    while True:
        data = c.d.scopes[scope]
        if data.kind in NAMING:
            result |= _named(c, scope, name, data.module, search)
        if data.kind in MODULES or data.parent == -1:
            break
        scope = data.parent
    return result | _missing_crate(c, name)


def _named(c: Crate, scope: int, name: str, viewer: int, search: _Search) -> Condition:
    """Where `name` in this scope, as `viewer` sees it, is a dummy, of its own or through globs."""
    known = search.known.get((scope, name, viewer))
    if known is not None:
        return known
    result = FALSE
    reached = {(scope, frozenset({viewer})): TRUE}
    pending = list(reached)
    while pending:
        current, viewers = pending.pop()
        data = c.d.scopes[current]
        here = reached[current, viewers]
        result |= here & _declared(c, current, name, viewers, search)
        for index in data.globs:
            imported = c.d.mounts[data.mount].tree.imports[index]
            if (current, index) == search.judged or not _is_seen(c, current, imported, viewers):
                continue
            gate = here & c.gate(data.mount, imported.gate, data.gate)
            for container, condition, _ in glob_target(c, current, index).hits:
                if container.kind is DefKind.MODULE and container.crate == c.d.crate:
                    inner = (c.d.modules[container.at].scope, viewers | {data.module})
                    before = reached.get(inner, FALSE)
                    after = before | (condition & gate)
                    if after is not before:
                        reached[inner] = after
                        pending.append(inner)
    search.known[scope, name, viewer] = result
    return result


def _is_seen(c: Crate, scope: int, imported: m.Import, viewers: frozenset[int]) -> bool:
    visibility = visibility_of(c, scope, imported.visibility)
    return all(is_visible(c, visibility, viewer) for viewer in viewers)


def _declared(c: Crate, scope: int, name: str, viewers: frozenset[int], search: _Search) -> Condition:
    """Where an import of `name` in this very scope fails, so that a dummy stands for it."""
    data = c.d.scopes[scope]
    tree = c.d.mounts[data.mount].tree
    result = FALSE
    for entry in data.names.get(name, ()):
        if entry.kind is not EntryKind.IMPORT or (scope, entry.index) == search.judged:
            continue
        imported = tree.imports[entry.index]
        if not _is_seen(c, scope, imported, viewers):
            continue
        gate = c.gate(data.mount, imported.gate, data.gate)
        if imported.is_crate:
            result |= gate & ~_crate_condition(c, imported)
        else:
            covered = import_decided(c, scope, entry.index)
            if covered is not TRUE:
                failed = gate & ~covered
                result |= (
                    failed if search.order is None else failed & _before(search.order, (scope, entry.index), search)
                )
    return result


def _before(order: Simulation, one: Import, search: _Search) -> Condition:
    """Where rustc puts a dummy in the place of `one` before it looks at the import that is being judged."""
    assert search.judged is not None
    first, second = order.imports.get(one), order.of(*search.judged)
    if first is None:
        return TRUE
    result = second.stuck - first.stuck
    if order.is_earlier(first, second):
        result |= first.stuck & second.stuck
    for number, here in first.decided:
        result |= here & disjunction(condition for other, condition in second.decided if number < other)
    return result


def _missing_crate(c: Crate, name: str) -> Condition:
    """Where an `extern crate` of the root that gives the whole crate this name fails."""
    data = c.d.scopes[c.d.root_scope]
    result = FALSE
    for entry in data.names.get(name, ()):
        imported = c.d.mounts[data.mount].tree.imports[entry.index] if entry.kind is EntryKind.IMPORT else None
        if imported is not None and imported.is_crate:
            result |= c.gate(data.mount, imported.gate, data.gate) & ~_crate_condition(c, imported)
    return result


def _crate_condition(c: Crate, imported: m.Import) -> Condition:
    name = imported.path[0]
    if name == "self" or name in preludes.SYSROOT or name not in c.config.extern:
        return TRUE
    result = FALSE
    for hit in crate_hits(c, name):
        result |= hit.condition
    return result

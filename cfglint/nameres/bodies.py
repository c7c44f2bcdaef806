"""Paths that macros of the project write themselves: resolved at every call, reported at their place in the macro."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from cfglint.condition.diagram import FALSE, TRUE, Condition, disjunction
from cfglint.items import model as m
from cfglint.items.expansion import BodyPath
from cfglint.nameres.crate import Crate, certainly
from cfglint.nameres.imports import SPACES
from cfglint.nameres.macros import expansion_of, imported_names, macro_of_path, meanings
from cfglint.nameres.model import DefKind, Found, Namespace
from cfglint.nameres.paths import resolve


class BodyReference(NamedTuple):
    """A path in a macro's body as one call compiles it: `prefixes` are what its segments mean there."""

    home: int
    scope: int
    path: m.Path
    start: int
    end: int
    kind: m.Space
    context: Condition
    prefixes: list[Found]


def body_references(c: Crate) -> Iterator[BodyReference]:
    """Every such path at every call, where its context is not covered at once.

    Source: Reference, macros by example, hygiene: `$crate` is the crate of the macro; everything else is the caller's.
    """
    writing = {
        macro.name
        for mount in c.d.mounts
        for macro in mount.tree.macros
        if any(path[-1] != "!" or path[0] in c.d.macro_names for path, _, _ in macro.crate_paths)
    }
    if not writing:
        return
    safe: dict[tuple[int, int], Condition] = {}
    for mount, data in enumerate(c.d.mounts):
        for index, call in enumerate(data.tree.calls):
            name = call.path[-1]
            if name not in writing and (name in c.d.macro_names or name not in imported_names(c)):
                continue
            for target, condition, _ in meanings(c, mount, index).hits:
                if target.kind is not DefKind.MACRO or target.crate != c.d.crate:
                    continue
                key = (target.at, target.index)
                if key not in safe:
                    safe[key] = _safe(c, c.d.mounts[target.at].tree.macros[target.index])
                if c.outer_context(mount, call.gate).implies(safe[key]):
                    continue
                expansion = expansion_of(c, mount, index, target)
                if expansion is None or not expansion.complete:
                    continue
                for body in expansion.paths:
                    where = c.context(mount, call.gate) & condition & c.lower(mount, body.predicate)
                    yield _reference(c, mount, call, target.at, body, c.final(where))


def _safe(c: Crate, macro: m.Macro) -> Condition:
    """Where everything that a macro's rules name is there: calls that are only there need not be expanded."""
    result = TRUE
    for path, _, _ in macro.crate_paths:
        if path[-1] == "!":
            for number, mount in enumerate(c.d.mounts):
                for other in mount.tree.macros:
                    if other.name == path[0]:
                        result &= c.context(number, other.gate)
        else:
            found = [resolve(c, c.d.root_scope, path, namespace) for namespace in SPACES]
            result &= disjunction(f.covered for f in found)
    return certainly(result)


def _reference(c: Crate, mount: int, call: m.Call, home: int, body: BodyPath, context: Condition) -> BodyReference:
    scope = c.d.mounts[mount].first_scope + call.scope  # it also decides what `$crate::a::b` may see
    kind = m.Space.MACRO if body.is_macro else m.Space.ANY
    found = _find(c, scope, call.start, body, body.path)
    prefixes: list[Found] = []
    if context & ~c.final(found.covered) is not FALSE:
        prefixes = [_find(c, scope, call.start, body, body.path[: n + 1]) for n in range(len(body.path) - 1)]
    prefixes.append(Found(found.hits, c.final(found.covered)))
    return BodyReference(home, scope, body.path, body.start, body.end, kind, context, prefixes)


def _find(c: Crate, scope: int, position: int, body: BodyPath, path: m.Path) -> Found:
    """What a prefix of the path means; a single macro name is looked up at the call."""
    if body.is_macro and len(body.path) == 1:
        return macro_of_path(c, scope, position, path)
    namespaces: tuple[Namespace, ...] = (Namespace.TYPE,)
    if len(path) == len(body.path):
        namespaces = (Namespace.MACRO,) if body.is_macro else SPACES
    parts = [resolve(c, scope, path, namespace) for namespace in namespaces]
    return Found(tuple(h for part in parts for h in part.hits), disjunction(part.covered for part in parts))

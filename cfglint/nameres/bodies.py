"""Paths that macros of the project write themselves: resolved at every call.

What a macro of this crate names is reported at its place in the macro; what a macro of another crate names, at the call.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from cfglint.condition.diagram import FALSE, TRUE, Condition, disjunction
from cfglint.items import model as m
from cfglint.items.expanded import BodyPath
from cfglint.nameres.crate import Crate
from cfglint.nameres.imports import SPACES
from cfglint.nameres.macros import expansion_of, foreign_macros, imported_names, macro_of_path, meanings
from cfglint.nameres.model import Def, DefKind, Found, Namespace
from cfglint.nameres.paths import in_crate, resolve


class BodyReference(NamedTuple):
    """A path in a macro's body as one call compiles it: `prefixes` are what its segments mean there.

    `owner` is the name of the crate that the macro is from, "" for this one.
    """

    home: int
    scope: int
    path: m.Path
    start: int
    end: int
    kind: m.Space
    context: Condition
    prefixes: list[Found]
    owner: str


def _is_anywhere(condition: Condition) -> bool:
    return condition is not FALSE


def body_references(c: Crate, may_be: Callable[[Condition], bool] = _is_anywhere) -> Iterator[BodyReference]:
    """Every such path at every call, where its context is not covered at once.

    `may_be` tells whether a condition holds in a configuration that counts: other calls are not expanded.

    Source: Reference, macros by example, hygiene: `$crate` is the crate of the macro; everything else is the caller's.
    """
    names = {
        macro.name
        for mount in c.d.mounts
        for macro in mount.tree.macros
        if any(path[-1] != "!" or path[0] in c.d.macro_names for path, _, _ in macro.crate_paths)
    } | foreign_macros(c)
    if not names:
        return
    safe: dict[Def, Condition] = {}
    for mount, data in enumerate(c.d.mounts):
        for index, call in enumerate(data.tree.calls):
            name = call.path[-1]
            if name not in names and (name in c.d.macro_names or name not in imported_names(c)):
                continue
            for target, condition, _ in meanings(c, mount, index).hits:
                if target.kind is not DefKind.MACRO:
                    continue
                owner = c.program.crates[target.crate]
                if target not in safe:
                    whole = _safe(owner, target)
                    safe[target] = whole if owner is c else c.final(owner.qualified(whole))
                if safe[target] is TRUE:
                    continue
                here = c.outer_context(mount, call.gate) & condition
                if not may_be((here if owner is c else c.final(here)) & ~safe[target]):
                    continue
                expansion = expansion_of(c, mount, index, target)
                if expansion is None or not expansion.complete:
                    continue
                for body in expansion.paths:
                    where = c.final(c.context(mount, call.gate) & condition & c.lower(mount, body.predicate))
                    if where is FALSE:
                        continue
                    if owner is c:
                        yield _reference(c, mount, call, target.at, body, where)
                    elif body.path[0] == "$crate":
                        yield _foreign_reference(c, mount, call, owner, body, where)


def _safe(owner: Crate, target: Def) -> Condition:
    """Where all that a macro's rules name is there, in its crate's words: calls that are only there need no expansion."""
    result = TRUE
    home = owner.d.mounts[target.at]
    source = owner.program.source(home.file)
    for path, _, end in home.tree.macros[target.index].crate_paths:
        if path[-1] == "!":
            gates = [
                owner.context(number, other.gate)
                for number, mount in enumerate(owner.d.mounts)
                for other in mount.tree.macros
                if other.name == path[0]
            ]
            result &= disjunction(gates) if gates else TRUE
        else:
            spaces = (Namespace.MACRO,) if source[end : end + 1] == b"!" else (Namespace.TYPE, Namespace.VALUE)
            found = [resolve(owner, owner.d.root_scope, path, namespace) for namespace in spaces]
            result &= disjunction(f.covered for f in found)
    return result


def _reference(c: Crate, mount: int, call: m.Call, home: int, body: BodyPath, context: Condition) -> BodyReference:
    scope = c.d.mounts[mount].first_scope + call.scope  # it also decides what `$crate::a::b` may see
    kind = m.Space.MACRO if body.is_macro else m.Space.CALL if body.is_call else m.Space.ANY
    found = _find(c, scope, call.start, body, body.path)
    prefixes: list[Found] = []
    if context & ~c.final(found.covered) is not FALSE:
        prefixes = [_find(c, scope, call.start, body, body.path[: n + 1]) for n in range(len(body.path) - 1)]
    prefixes.append(Found(found.hits, c.final(found.covered)))
    return BodyReference(home, scope, body.path, body.start, body.end, kind, context, prefixes, "")


def _foreign_reference(
    c: Crate, mount: int, call: m.Call, owner: Crate, body: BodyPath, context: Condition
) -> BodyReference:
    """What a macro of another crate names in that crate; the caller's own names in it are left to rustc."""
    kind = m.Space.MACRO if body.is_macro else m.Space.CALL if body.is_call else m.Space.ANY
    prefixes = [in_crate(c, owner.d.crate, body.path[1 : n + 1], Namespace.TYPE) for n in range(len(body.path) - 1)]
    parts = [in_crate(c, owner.d.crate, body.path[1:], namespace) for namespace in _namespaces(body)]
    covered = c.final(disjunction(part.covered for part in parts))
    prefixes.append(Found(tuple(h for part in parts for h in part.hits), covered))
    scope = c.d.mounts[mount].first_scope + call.scope
    end = call.end
    return BodyReference(mount, scope, body.path, call.start, end, kind, context, prefixes, owner.config.name)


def _find(c: Crate, scope: int, position: int, body: BodyPath, path: m.Path) -> Found:
    """What a prefix of the path means; a single macro name is looked up at the call."""
    if body.is_macro and len(body.path) == 1:
        return macro_of_path(c, scope, position, path)
    namespaces: tuple[Namespace, ...] = (Namespace.TYPE,)
    if len(path) == len(body.path):
        namespaces = _namespaces(body)
    parts = [resolve(c, scope, path, namespace) for namespace in namespaces]
    return Found(tuple(h for part in parts for h in part.hits), disjunction(part.covered for part in parts))


def _namespaces(body: BodyPath) -> tuple[Namespace, ...]:
    """Where the last segment is looked up."""
    if body.is_macro:
        return (Namespace.MACRO,)
    return (Namespace.VALUE,) if body.is_call else SPACES

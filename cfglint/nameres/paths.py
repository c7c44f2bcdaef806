"""Paths, segment by segment: where each leads, under which condition, and what is visible on the way.

Source: Reference, paths and name resolution; in the 2015 edition, paths of imports start at the crate root.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from cfglint.condition.atom import opaque
from cfglint.condition.diagram import FALSE, TRUE, Condition, literal
from cfglint.items import model as m
from cfglint.nameres.crate import Crate, merge
from cfglint.nameres.model import ERROR_DEF, NOTHING, PUBLIC, Def, DefKind, Found, Hit, Namespace
from cfglint.nameres.scope import (
    extern_prelude,
    external,
    is_visible,
    lexical,
    naming_scope,
    own,
    std_condition,
    unread_crate,
)
from cfglint.nameres.unknown import unknowns

OfType: TypeAlias = Callable[[Crate, Def, str, Namespace], Found]

_ROOTS = frozenset({"crate", "self", "super", "Self", "$crate", ""})


def resolve(c: Crate, scope: int, path: m.Path, namespace: Namespace) -> Found:
    """What a path in code means, in every configuration. Memoised; conditions are relative to the code existing."""
    if len(path) > 1 and (crate := unread_crate(c, path[0])) is not None:
        return crate
    if path[0] != "Self":
        scope = naming_scope(c, scope)
    key = (scope, path, int(namespace))
    known = c.path_memo.get(key)
    if known is None:
        known = _resolve(c, scope, path, namespace)
        if not c.active:
            c.path_memo[key] = known
    return known


def _resolve(c: Crate, scope: int, path: m.Path, namespace: Namespace, of_type: OfType | None = None) -> Found:
    first = path[0]
    if len(path) == 1 and first not in _ROOTS:
        return lexical(c, scope, first, namespace)
    if first in _ROOTS:
        start, rest = _start(c, scope, path, namespace)
    else:
        start, rest = lexical(c, scope, first, Namespace.TYPE), path[1:]
    return _follow(c, start, rest, namespace, c.d.scopes[scope].module, of_type)


def resolve_import_path(c: Crate, scope: int, path: m.Path, namespace: Namespace) -> Found:
    """What the path of a `use` means."""
    from cfglint.nameres.members import importable

    if len(path) > 1 and c.config.edition > "2015" and (crate := unread_crate(c, path[0])) is not None:
        target = external("::".join(path))
        return Found((Hit(target, crate.covered, PUBLIC),), crate.covered)
    if c.config.edition == "2015" and path[0] not in ("self", "super", "crate", "Self", "$crate"):
        rest = path[1:] if path[0] == "" else path
        if not rest:
            return Found((Hit(_module(c, 0), TRUE, PUBLIC),), TRUE)
        module = c.d.scopes[scope].module
        wanted = namespace if len(rest) == 1 else Namespace.TYPE
        start = _in_root_2015(c, rest[0], wanted, module)
        return _follow(c, start, rest[1:], namespace, module, importable) if len(rest) > 1 else start
    return _resolve(c, naming_scope(c, scope), path, namespace, importable)


def import_start(c: Crate, scope: int, path: m.Path) -> tuple[Found | None, m.Path]:
    """Where the path of a `use` starts, and the segments that are left; None where the first is looked up around it."""
    first = path[0]
    if c.config.edition == "2015" and first not in ("self", "super", "crate", "$crate"):
        rest = path[1:] if first == "" else path
        if rest and rest[0] in ("std", "core") and not own(c, c.d.root_scope, rest[0], Namespace.TYPE).hits:
            return _in_root_2015(c, rest[0], Namespace.TYPE, 0), rest[1:]
        return _certain(_module(c, 0)), rest
    if len(path) > 1 and (crate := unread_crate(c, first)) is not None:
        return crate, path[1:]
    if first in _ROOTS:
        return _start(c, scope, path, Namespace.TYPE)
    return None, path


def _in_root_2015(c: Crate, name: str, namespace: Namespace, module: int) -> Found:
    """A name of the crate root, with the crate that is injected there: `std`, or `core` under `#![no_std]`."""
    found = own(c, c.d.root_scope, name, namespace)
    hits = [h for h in found.hits if is_visible(c, h.visibility, module)]
    if namespace is Namespace.TYPE and name in ("std", "core"):
        injected = std_condition(c) if name == "std" else ~std_condition(c)
        here = injected & ~found.covered
        if here is not FALSE:
            hits.append(Hit(external(name), here, PUBLIC))
    return merge(hits)


def _start(c: Crate, scope: int, path: m.Path, namespace: Namespace) -> tuple[Found, m.Path]:
    """The module (or type) that the leading keyword of a path means, and the rest of the path."""
    first, rest = path[0], path[1:]
    if first in ("crate", "$crate"):
        return _certain(_module(c, 0)), rest
    if first == "Self":
        return _self_type(c, scope), rest
    if first == "":
        if not rest:
            return NOTHING, ()
        if c.config.edition == "2015":
            wanted = namespace if len(rest) == 1 else Namespace.TYPE
            return _in_root_2015(c, rest[0], wanted, c.d.scopes[scope].module), rest[1:]
        return merge(extern_prelude(c, rest[0])), rest[1:]
    module = c.d.scopes[scope].module
    if first == "super":
        module = c.d.modules[module].parent
    while rest and rest[0] == "super" and module >= 0:
        module = c.d.modules[module].parent
        rest = rest[1:]
    if module < 0:
        return NOTHING, rest
    return _certain(_module(c, module)), rest


def _self_type(c: Crate, scope: int) -> Found:
    """The type that `Self` names: that of the enclosing impl, or the struct, union or enum itself."""
    while scope != -1:
        data = c.d.scopes[scope]
        mount = c.d.mounts[data.mount]
        owner = mount.tree.scopes[data.tree_scope].owner
        if data.kind == m.ScopeKind.IMPL:
            path = mount.tree.impls[owner].type_path
            if path is None or path[0] == "Self":
                break
            found = resolve(c, data.parent, path, Namespace.TYPE)
            missing = ~found.covered
            # Where the type is absent the head of the impl is reported, and `Self` is taken for granted.
            return found if missing is FALSE else merge([*found.hits, Hit(ERROR_DEF, missing, PUBLIC)])
        if data.kind == m.ScopeKind.ADT:
            item = mount.tree.items[owner]
            return _certain(Def(DefKind.ITEM, c.d.crate, data.mount, owner, item.name))
        if data.kind == m.ScopeKind.TRAIT:
            break
        scope = data.parent
    return _certain(external("Self"))


def _certain(target: Def) -> Found:
    return Found((Hit(target, TRUE, PUBLIC),), TRUE)


def _module(c: Crate, module: int) -> Def:
    return Def(DefKind.MODULE, c.d.crate, module, -1, c.d.modules[module].name)


def _follow(
    c: Crate, start: Found, rest: m.Path, namespace: Namespace, module: int, of_type: OfType | None = None
) -> Found:
    """Walk the remaining segments; only the last is looked up in the namespace asked for.

    `of_type` says what a name means inside a type; without it, it is an associated item.
    """
    current = start
    for position, segment in enumerate(rest):
        last = position == len(rest) - 1
        wanted = namespace if last else Namespace.TYPE
        if len(current.hits) == 1:
            hit = current.hits[0]
            found = step(c, hit.target, segment, wanted, module, of_type)
            if hit.condition is TRUE:
                current = found
                continue
            current = merge(
                [
                    Hit(h.target, here, h.visibility)
                    for h in found.hits
                    if (here := h.condition & hit.condition) is not FALSE
                ]
            )
            continue
        hits: list[Hit] = []
        for condition, found in _steps(c, current, segment, wanted, module, of_type):
            for h in found.hits:
                here = h.condition & condition
                if here is not FALSE:
                    hits.append(Hit(h.target, here, h.visibility))
        current = merge(hits)
        if not hits:
            break
    return current


def _steps(
    c: Crate, current: Found, segment: str, namespace: Namespace, module: int, of_type: OfType | None
) -> list[tuple[Condition, Found]]:
    """One segment looked up in each of several containers."""
    found = [(h.target, h.condition, step(c, h.target, segment, namespace, module, of_type)) for h in current.hits]
    if of_type is None and any(target.kind is DefKind.ITEM for target, _, _ in found):
        from cfglint.nameres.members import of_alternatives

        return of_alternatives(c, found, segment, namespace)
    return [(condition, f) for _, condition, f in found]


def step(
    c: Crate, container: Def, name: str, namespace: Namespace, module: int, of_type: OfType | None = None
) -> Found:
    """What `name` means inside `container`, as seen from `module`. Invisible names count as absent (E0603)."""
    kind = container.kind
    if kind is DefKind.MODULE:
        if name == "self":
            return _certain(container)
        if container.crate != c.d.crate:
            return foreign_names(c, container, name, namespace)
        if name == "super":
            parent = c.d.modules[container.at].parent
            return _certain(_module(c, parent)) if parent >= 0 else NOTHING
        found = own(c, c.d.modules[container.at].scope, name, namespace)
        if all(is_visible(c, h.visibility, module) for h in found.hits):
            return found
        return merge([h for h in found.hits if is_visible(c, h.visibility, module)])
    if kind is DefKind.EXTERNAL or kind is DefKind.BUILTIN:
        return _certain(external(f"{container.name}::{name}"))
    if kind is DefKind.ERROR:
        return _certain(container)
    if kind is DefKind.OPAQUE:
        return Found((Hit(container, literal(opaque(container.name)), PUBLIC),), literal(opaque(container.name)))
    if kind is DefKind.ITEM:
        from cfglint.nameres.members import member

        return (of_type or member)(c, container, name, namespace)
    return _certain(external(name))


def in_crate(c: Crate, crate: int, path: m.Path, namespace: Namespace) -> Found:
    """What a path from the root of another crate means to code of this one: what `$crate` leads to in its macros."""
    return _follow(c, _certain(Def(DefKind.MODULE, crate, 0, -1, "$crate")), path, namespace, 0)


def foreign_names(c: Crate, container: Def, name: str, namespace: Namespace) -> Found:
    """Public names of a module of another crate, with conditions in qualified words."""
    other = c.program.crates[container.crate]
    if other.config.is_proc_macro:
        return _procedural(other, container, name, namespace)
    if other.d.later is not None:
        from cfglint.nameres.outside import outside_names

        known = outside_names(c, container, name, namespace)
        return _certain(external(f"{container.name}::{name}")) if known is None else known
    found = own(other, other.d.modules[container.at].scope, name, namespace)
    # A crate whose root is `#![cfg]`ed out is there, and empty.
    whole = other.qualified(other.file_gate(0)) if container.at == 0 else TRUE
    hits = [Hit(h.target, other.qualified(h.condition) & whole, PUBLIC) for h in found.hits if h.visibility == PUBLIC]
    return merge([hit for hit in hits if hit.condition is not FALSE])


def _procedural(other: Crate, container: Def, name: str, namespace: Namespace) -> Found:
    """A macro of a procedural macro crate; what it does not spell may be made by macros of its own, and is granted."""
    hits = [
        Hit(
            Def(DefKind.PROCEDURAL, other.d.crate, mount, index, name),
            other.qualified(other.context(mount, row.gate)),
            PUBLIC,
        )
        for mount, index in other.d.procedural.get(name, ())
        for row in (other.d.mounts[mount].tree.procedural[index],)
    ]
    made = unknowns(other, other.d.root_scope)
    if container.at != 0 or not hits or made.anything or name in made.by_name:
        return _certain(external(f"{container.name}::{name}"))
    return merge(hits) if namespace is Namespace.MACRO else NOTHING


def absolute(c: Crate, target: Def) -> Condition:
    """The presence condition of a definition itself, however it is reached."""
    if target.kind is DefKind.MODULE and target.crate == c.d.crate:
        return c.module_condition(target.at)
    if target.kind is DefKind.ITEM and target.crate == c.d.crate:
        return c.context(target.at, c.d.mounts[target.at].tree.items[target.index].gate)
    return TRUE

"""What imports bring: named ones, `extern crate`, and globs. Where an import fails is the business of failures.py."""

from __future__ import annotations

from dataclasses import dataclass

from cfglint.condition.diagram import FALSE, TRUE, Condition
from cfglint.items import model as m
from cfglint.nameres import preludes
from cfglint.nameres.crate import Crate, merge
from cfglint.nameres.model import ERROR_DEF, PUBLIC, Def, DefKind, Found, Hit, Namespace
from cfglint.nameres.scope import crate_hits, external, is_visible, own, visibility_of
from cfglint.nameres.unknown import brought, unknowns

SPACES = (Namespace.TYPE, Namespace.VALUE, Namespace.MACRO)


def import_hits(c: Crate, scope: int, index: int, namespace: Namespace) -> list[Hit]:
    """What a named import or `extern crate` makes of its name in a namespace, within the scope's own condition."""
    data = c.d.scopes[scope]
    imported = c.d.mounts[data.mount].tree.imports[index]
    gate = c.gate(data.mount, imported.gate, data.gate)
    visibility = visibility_of(c, scope, imported.visibility)
    if imported.is_crate:
        if namespace is not Namespace.TYPE:
            return []
        return _extern_crate_hits(c, imported, gate, visibility)
    target = import_target(c, scope, index, namespace)
    return [Hit(h.target, here, visibility) for h in target.hits if (here := h.condition & gate) is not FALSE]


def _extern_crate_hits(c: Crate, imported: m.Import, gate: Condition, visibility: int) -> list[Hit]:
    name = imported.path[0]
    if name == "self":
        return [Hit(Def(DefKind.MODULE, c.d.crate, 0, -1, imported.name), gate, visibility)]
    if name in preludes.SYSROOT:
        return [Hit(external(name), gate, visibility)]
    return [Hit(h.target, h.condition & gate, visibility) for h in crate_hits(c, name)]


def import_target(c: Crate, scope: int, index: int, namespace: Namespace) -> Found:
    """What the path of an import means in a namespace, its gate aside."""
    data = c.d.scopes[scope]
    imported = c.d.mounts[data.mount].tree.imports[index]
    if imported.is_self and namespace is not Namespace.TYPE:
        return Found((), FALSE)
    key = ("i", scope, index, namespace)
    known = c.memo.get(key)
    if known is None:
        known = _import_target(c, scope, imported, namespace)
        if not c.active:  # else it may rest on what is still being found out
            c.memo[key] = known
    return known


def _import_target(c: Crate, scope: int, imported: m.Import, namespace: Namespace) -> Found:
    from cfglint.nameres.macros import textual
    from cfglint.nameres.paths import resolve_import_path

    found = resolve_import_path(c, scope, imported.path, namespace)
    # In the 2015 edition the path begins at the crate root, where textual scope does not count.
    if (
        namespace is Namespace.MACRO
        and len(imported.path) == 1
        and c.config.edition > "2015"
        and found.covered is not TRUE
    ):
        macros = textual(c, scope, imported.start, imported.path[0])
        remaining = ~macros.covered
        found = merge(
            [
                *macros.hits,
                *(
                    Hit(h.target, here, h.visibility)
                    for h in found.hits
                    if (here := h.condition & remaining) is not FALSE
                ),
            ]
        )
    return found


def import_covered(c: Crate, scope: int, index: int) -> Condition:
    """Where the path of an import means something in any namespace."""
    covered = FALSE
    for namespace in SPACES:
        covered |= import_target(c, scope, index, namespace).covered
        if covered is TRUE:
            break
    return covered


def glob_hits(c: Crate, scope: int, index: int, name: str, namespace: Namespace) -> list[Hit]:
    """What a glob import brings under `name`: names visible from here, of modules and enums."""
    data = c.d.scopes[scope]
    imported = c.d.mounts[data.mount].tree.imports[index]
    gate = c.gate(data.mount, imported.gate, data.gate)
    visibility = visibility_of(c, scope, imported.visibility)
    hits: list[Hit] = []
    target = glob_target(c, scope, index)
    for container, condition, _ in target.hits:
        here = condition & gate
        if here is FALSE:
            continue
        hits.extend(glob_of(c, data.module, container, here, name, namespace, visibility, imported))
    return hits


def glob_target(c: Crate, scope: int, index: int) -> Found:
    """The modules and enums that the path of a glob means."""
    from cfglint.nameres.paths import resolve_import_path

    data = c.d.scopes[scope]
    path = c.d.mounts[data.mount].tree.imports[index].path
    return c.query(("g", scope, index), lambda: resolve_import_path(c, scope, path, Namespace.TYPE))


def glob_covered(c: Crate, scope: int, index: int) -> Condition:
    """Where a glob has something to import from; a module cannot be imported into itself (E0432)."""
    module = c.d.scopes[scope].module if c.d.scopes[scope].kind != m.ScopeKind.BLOCK else -1
    covered = FALSE
    for target, condition, _ in glob_target(c, scope, index).hits:
        if target.kind is not DefKind.MODULE or target.crate != c.d.crate or target.at != module:
            covered |= condition
    return covered


def glob_of(
    c: Crate,
    module: int,
    container: Def,
    condition: Condition,
    name: str,
    namespace: Namespace,
    visibility: int,
    imported: m.Import,
) -> list[Hit]:
    """What a glob in `module` takes from one container, where `condition` holds."""
    if container.kind is DefKind.MODULE:
        if container.crate != c.d.crate:
            from cfglint.nameres.outside import outside_names
            from cfglint.nameres.paths import foreign_names

            if c.program.crates[container.crate].d.later is not None:
                if outside_names(c, container, name, namespace) is None:
                    container = external("::".join(imported.path))
                    return glob_of(c, module, container, condition, name, namespace, visibility, imported)
            return [
                Hit(h.target, here, visibility)
                for h in foreign_names(c, container, name, namespace).hits
                if (here := h.condition & condition) is not FALSE
            ]
        found = own(c, c.d.modules[container.at].scope, name, namespace)
        return [
            Hit(h.target, here, narrower(c, h.visibility, visibility))
            for h in found.hits
            if is_visible(c, h.visibility, module) and (here := h.condition & condition) is not FALSE
        ]
    if container.kind is DefKind.ITEM:
        from cfglint.nameres.members import variant

        return [
            Hit(h.target, here, visibility)
            for h in variant(c, container, name, namespace).hits
            if (here := h.condition & condition) is not FALSE
        ]
    if container.kind is DefKind.EXTERNAL:
        known = preludes.STD_GLOBS.get(tuple(container.name.split("::")))
        if known is not None:
            return [Hit(external(f"{container.name}::{name}"), condition, visibility)] if name in known else []
        where = c.mystery(f"glob import of `{container.name}`")
        return [Hit(Def(DefKind.OPAQUE, -1, -1, -1, f"{'::'.join(imported.path)}::*"), condition & where, visibility)]
    if container.kind is DefKind.OPAQUE:
        where = c.mystery(f"glob import of `{'::'.join(imported.path)}`")
        return [Hit(container, condition & where, visibility)]
    if container.kind is DefKind.ERROR:
        return [Hit(ERROR_DEF, condition, visibility)]
    return []


def narrower(c: Crate, one: int, other: int) -> int:
    """The narrower of two visibilities."""
    if one == PUBLIC:
        return other
    if other == PUBLIC or c.d.is_within(one, other):
        return one
    return other


@dataclass(slots=True)
class Outside:
    """What can bring names into a scope that its crate does not spell: scopes with something unknown, foreign globs."""

    scopes: list[tuple[int, Condition]]
    containers: list[tuple[Def, Condition, m.Import]]

    def hits(self, c: Crate, name: str, namespace: Namespace) -> list[Hit]:
        """What `name` may be."""
        found: list[Hit] = []
        for scope, condition in self.scopes:
            found.extend(
                Hit(h.target, h.condition & condition, h.visibility) for h in brought(c, scope, name, namespace)
            )
        for target, condition, imported in self.containers:
            found.extend(glob_of(c, 0, target, condition, name, namespace, PUBLIC, imported))
        return found


def outside(c: Crate, scope: int) -> Outside:
    """The ways in from outside, through the globs of this crate; worked out once a scope, after imports have settled."""
    known = c.outside.get(scope)
    if isinstance(known, Outside):
        return known
    reached: dict[int, Condition] = {scope: TRUE}
    containers: dict[tuple[Def, int, int], tuple[Condition, m.Import]] = {}
    pending = [scope]
    while pending:
        current = pending.pop()
        data = c.d.scopes[current]
        for index in data.globs:
            imported = c.d.mounts[data.mount].tree.imports[index]
            gate = reached[current] & c.gate(data.mount, imported.gate, data.gate)
            for target, condition, _ in glob_target(c, current, index).hits:
                here = gate & condition
                if here is FALSE or (target.kind is DefKind.ITEM and target.crate == c.d.crate):
                    continue  # the variants of an own enum are spelled in the crate
                if target.kind is DefKind.MODULE and target.crate == c.d.crate:
                    inner = c.d.modules[target.at].scope
                    before = reached.get(inner, FALSE)
                    if not here.implies(before):
                        reached[inner] = before | here
                        pending.append(inner)
                else:
                    key = (target, current, index)
                    containers[key] = (containers[key][0] | here if key in containers else here, imported)
    found = Outside(
        [(at, condition) for at, condition in reached.items() if not unknowns(c, at).is_empty],
        [(target, condition, imported) for (target, _, _), (condition, imported) in containers.items()],
    )
    c.outside[scope] = found
    return found

"""Looking a name up in one scope, and outward from it: the tiers, with what an earlier one covers subtracted.

Tiers of one scope: declared items and named imports, what something unknown may declare, then globs. Outward from
a block: the enclosing blocks, the module, the extern prelude, `macro_use`, the std prelude, the language's own.
Source: Reference, name resolution and preludes; rustc_resolve's order of scopes.
"""

from __future__ import annotations

from collections.abc import Iterator

from cfglint.condition.atom import opaque
from cfglint.condition.diagram import FALSE, TRUE, Condition, literal
from cfglint.condition.predicate import Literal
from cfglint.items import model as m
from cfglint.nameres import preludes
from cfglint.nameres.crate import Crate, merge, one_doubt
from cfglint.nameres.def_map import namespaces
from cfglint.nameres.macros import exported
from cfglint.nameres.model import NOTHING, PUBLIC, Def, DefKind, Entry, EntryKind, ExternCrate, Found, Hit, Namespace
from cfglint.nameres.unknown import brought, is_quiet, unknowns

NAMING = frozenset({m.ScopeKind.FILE, m.ScopeKind.MODULE, m.ScopeKind.BLOCK})
MODULES = frozenset({m.ScopeKind.FILE, m.ScopeKind.MODULE})
_BUILTIN = Def(DefKind.BUILTIN, -1, -1, -1, "")


def naming_scope(c: Crate, scope: int) -> int:
    """The nearest scope, outward, that declares names or may have some declared in it."""
    known = c.naming.get(scope)
    if known is None:
        scopes = c.d.scopes
        known = scope
        while scopes[known].kind not in MODULES and (scopes[known].kind not in NAMING or is_quiet(c, known)):
            known = scopes[known].parent
        c.naming[scope] = known
    return known


def own(c: Crate, scope: int, name: str, namespace: Namespace) -> Found:
    """What `name` means as a name of this very scope, seen from inside it."""
    key = ("n", scope, name, namespace)
    known = c.memo.get(key)
    if known is not None:
        return known
    data = c.d.scopes[scope]
    entries = data.names.get(name)
    exports = namespace is Namespace.MACRO and scope == c.d.root_scope and name in c.d.exported
    if entries is None and not exports:
        if not data.globs and not data.included and unknowns(c, scope).is_empty:
            return NOTHING
        if not c.active and c.d.later is None and name not in all_names(c):
            found = c.memo[key] = _from_outside(c, scope, name, namespace)
            return found
    elif entries is not None and len(entries) == 1 and entries[0].kind is EntryKind.ITEM and not exports:
        # A plain item that is always there needs no search, and no import can be on its way.
        mount = c.d.mounts[data.mount]
        item = mount.tree.items[entries[0].index]
        if item.gate == data.gate and item.kind != "module" and namespaces(item)[namespace == Namespace.VALUE]:
            if namespace is not Namespace.MACRO:
                target = Def(DefKind.ITEM, c.d.crate, data.mount, entries[0].index, item.name)
                found = c.memo[key] = Found((Hit(target, TRUE, visibility_of(c, scope, item.visibility)),), TRUE)
                return found
    return c.query(key, lambda: _own(c, scope, name, namespace))


def all_names(c: Crate) -> frozenset[str]:
    """Every name that is declared, imported or exported anywhere in the crate, variants included."""
    if c.all_names is None:
        names: set[str] = set(c.d.exported)
        for data in c.d.scopes:
            names.update(data.names)
        for mount in c.d.mounts:
            for item in mount.tree.items:
                if item.kind == "enum":
                    names.update(member.name for member in item.members)
        c.all_names = frozenset(names)
    return c.all_names


def _from_outside(c: Crate, scope: int, name: str, namespace: Namespace) -> Found:
    """A name that this crate does not spell: only globs of other crates, and what is unknown, can bring it."""
    from cfglint.nameres.imports import outside

    return merge(one_doubt(outside(c, scope).hits(c, name, namespace)))


def _own(c: Crate, scope: int, name: str, namespace: Namespace) -> Found:
    data = c.d.scopes[scope]
    hits: list[Hit] = []
    for entry in data.names.get(name, ()):
        hits.extend(entry_hits(c, scope, entry, namespace))
    if namespace is Namespace.MACRO and scope == c.d.root_scope:
        hits.extend(exported(c, name).hits)
    hits.extend(included(c, scope, name, namespace))
    first = merge(hits)
    remaining = ~first.covered
    if remaining is FALSE:
        return first
    hits = list(first.hits)
    made = [
        Hit(h.target, here, h.visibility)
        for h in brought(c, scope, name, namespace)
        if (here := h.condition & remaining) is not FALSE
    ]
    for hit in made:
        hits.append(hit)
        remaining -= hit.condition
    if data.globs and remaining is not FALSE:
        glob = merge(one_doubt([h for index in data.globs for h in _glob_hits(c, scope, index, name, namespace)]))
        hits.extend(
            Hit(h.target, here, h.visibility) for h in glob.hits if (here := h.condition & remaining) is not FALSE
        )
    return merge(hits)


def included(c: Crate, scope: int, name: str, namespace: Namespace) -> Iterator[Hit]:
    """What files that are included into a scope declare under that name."""
    data = c.d.scopes[scope]
    for index in data.included:
        condition = c.gate(data.mount, c.d.mounts[data.mount].tree.calls[index].gate, data.gate)
        inner = own(c, c.d.included[data.mount, index], name, namespace)
        yield from (Hit(h.target, h.condition & condition, h.visibility) for h in inner.hits)


def entry_hits(c: Crate, scope: int, entry: Entry, namespace: Namespace) -> list[Hit]:
    """What one declaration makes of its name in a namespace."""
    data = c.d.scopes[scope]
    mount = data.mount
    tree = c.d.mounts[mount].tree
    if entry.kind is EntryKind.ITEM:
        item = tree.items[entry.index]
        in_types, in_values = namespaces(item)
        if not (in_types if namespace is Namespace.TYPE else in_values if namespace is Namespace.VALUE else False):
            return []
        visibility = visibility_of(c, scope, item.visibility)
        condition = c.gate(mount, item.gate, data.gate)
        if item.kind == "module":
            return [
                Hit(Def(DefKind.MODULE, c.d.crate, module, -1, item.name), condition, visibility)
                for _, module in c.d.modules_of(mount, EntryKind.ITEM, entry.index)
            ]
        return [Hit(Def(DefKind.ITEM, c.d.crate, mount, entry.index, item.name), condition, visibility)]
    if entry.kind is EntryKind.MODULE_FILE:
        if namespace is not Namespace.TYPE:
            return []
        return _module_file_hits(c, scope, entry.index)
    from cfglint.nameres.imports import import_hits

    return import_hits(c, scope, entry.index, namespace)


def _module_file_hits(c: Crate, scope: int, index: int) -> list[Hit]:
    data = c.d.scopes[scope]
    declaration = c.d.mounts[data.mount].tree.modules[index]
    visibility = visibility_of(c, scope, declaration.visibility)
    hits = [
        Hit(
            Def(DefKind.MODULE, c.d.crate, module, -1, declaration.name),
            c.declared_condition(data.mount, EntryKind.MODULE_FILE, index, position),
            visibility,
        )
        for position, module in c.d.modules_of(data.mount, EntryKind.MODULE_FILE, index)
    ]
    # Where the file is missing or cannot be mounted rustc says so there, and nothing more of its names.
    found = {position for position, _ in c.d.modules_of(data.mount, EntryKind.MODULE_FILE, index)}
    gate = c.gate(data.mount, declaration.gate, data.gate)
    wanted = len(declaration.paths) + (not any(p == Literal(True) for p, _ in declaration.paths))
    for position in range(wanted):
        if position not in found:
            condition = gate & c.alternative_condition(data.mount, index, position)
            hits.append(Hit(Def(DefKind.ERROR, -1, -1, -1, declaration.name), condition, visibility))
    return hits


def _glob_hits(c: Crate, scope: int, index: int, name: str, namespace: Namespace) -> list[Hit]:
    from cfglint.nameres.imports import glob_hits

    return glob_hits(c, scope, index, name, namespace)


def visibility_of(c: Crate, scope: int, visibility: m.Visibility | None) -> int:
    """The module to which something declared in `scope` is visible, PUBLIC for all."""
    module = c.d.scopes[scope].module
    if visibility is None:
        return module
    first = visibility.path[0]
    if first == "pub":
        return PUBLIC
    if first == "crate":
        target = 0
        rest = visibility.path[1:]
    else:
        target = module
        rest = visibility.path
    for segment in rest:
        if segment == "super":
            target = max(c.d.modules[target].parent, 0)
        elif segment != "self":
            # `pub(in path)` names an ancestor: the one of that name.
            ancestor = module
            while ancestor > 0 and c.d.modules[ancestor].name != segment:
                ancestor = c.d.modules[ancestor].parent
            target = max(ancestor, 0)
    return target


def is_visible(c: Crate, visibility: int, from_module: int) -> bool:
    """Whether something visible to `visibility` can be named from a module of this crate."""
    return visibility == PUBLIC or c.d.is_within(from_module, visibility)


def lexical(c: Crate, scope: int, name: str, namespace: Namespace) -> Found:
    """What a single name means in `scope`, looking outward through all tiers."""
    scope = naming_scope(c, scope)
    key = ("l", scope, name, namespace)
    known = c.memo.get(key)
    if known is not None:
        return known
    if not c.active and c.d.later is None and name not in all_names(c) and is_sealed(c, scope):
        return _from_preludes(c, name, namespace)
    if known is None:
        known = _lexical(c, scope, name, namespace)
        if not c.active:
            c.memo[key] = known
    return known


def is_sealed(c: Crate, scope: int) -> bool:
    """Whether nothing from outside the crate, and nothing unknown, can bring a name into the scopes around here."""
    known = c.sealed.get(scope)
    if known is None:
        from cfglint.nameres.imports import outside

        ways = outside(c, scope)
        data = c.d.scopes[scope]
        known = not ways.scopes and not ways.containers
        if known and data.kind not in MODULES and data.parent != -1:
            known = is_sealed(c, naming_scope(c, data.parent))
        c.sealed[scope] = known
    return known


def _from_preludes(c: Crate, name: str, namespace: Namespace) -> Found:
    """A name that nothing in the crate declares, as the preludes have it; the same everywhere in the crate."""
    key = ("p", name, namespace)
    known = c.memo.get(key)
    if known is None:
        hits: list[Hit] = []
        remaining = TRUE
        for hit in preludes_of(c, name, namespace):
            here = hit.condition & remaining
            if here is not FALSE:
                hits.append(Hit(hit.target, here, PUBLIC))
                remaining -= hit.condition
        known = c.memo[key] = merge(hits)
    return known


def unread_crate(c: Crate, name: str) -> Found | None:
    """The crate that `name` can only mean, where its source is not read: whatever is named in it is taken for granted.

    None where the crate declares the name itself, or where the crate of that name is read.
    """
    if name in c.unread:
        return c.unread[name]
    if c.d.later is not None:
        return None
    found = None
    if name not in all_names(c) and (name in c.config.extern or name in ("std", "core")):
        hits = crate_hits(c, name)
        if len(hits) == 1 and hits[0].target.kind is DefKind.EXTERNAL:
            found = Found((hits[0],), hits[0].condition)
    c.unread[name] = found
    return found


def _lexical(c: Crate, scope: int, name: str, namespace: Namespace) -> Found:
    hits: list[Hit] = []
    remaining = TRUE
    while True:
        data = c.d.scopes[scope]
        if data.kind in NAMING:
            found = own(c, scope, name, namespace)
            if found.hits:
                if remaining is TRUE and found.covered is TRUE:
                    return found
                for hit in found.hits:
                    here = hit.condition & remaining
                    if here is not FALSE:
                        hits.append(Hit(hit.target, here, hit.visibility))
                remaining -= found.covered
                if remaining is FALSE:
                    return merge(hits)
        if data.kind in MODULES or data.parent == -1:
            break
        scope = data.parent
    for hit in preludes_of(c, name, namespace):
        here = hit.condition & remaining
        if here is not FALSE:
            hits.append(Hit(hit.target, here, PUBLIC))
            remaining -= hit.condition
    return merge(hits)


def preludes_of(c: Crate, name: str, namespace: Namespace) -> list[Hit]:
    """What preludes make of a name, the nearest first."""
    hits: list[Hit] = []
    if namespace is Namespace.TYPE:
        hits.extend(extern_prelude(c, name))
        if name in preludes.prelude_types(c.config.edition):
            hits.append(Hit(_external("core::prelude", name), TRUE, PUBLIC))
        elif name in preludes.STD_TYPES:
            hits.append(Hit(_external("std::prelude", name), std_condition(c), PUBLIC))
        if name in preludes.PRIMITIVES:
            hits.append(Hit(_BUILTIN, TRUE, PUBLIC))
    elif namespace is Namespace.VALUE:
        if name in preludes.CORE_VALUES:
            hits.append(Hit(_external("core::prelude", name), TRUE, PUBLIC))
    else:
        hits.extend(_macro_preludes(c, name))
    return hits


def _macro_preludes(c: Crate, name: str) -> list[Hit]:
    hits: list[Hit] = []
    root = c.d.scopes[c.d.root_scope]
    tree = c.d.mounts[root.mount].tree
    for index, imported in enumerate(tree.imports):
        if not imported.is_crate or imported.macro_use == Literal(False) or imported.scope != 0:
            continue
        condition = c.gate(root.mount, imported.gate, root.gate) & c.lower(root.mount, imported.macro_use)
        krate = imported.path[0]
        if (krate == "std" and name in preludes.STD_MACROS | preludes.CORE_MACROS) or (
            krate == "alloc" and name in preludes.ALLOC_MACROS
        ):
            hits.append(Hit(_external(krate, name), condition, PUBLIC))
        elif krate not in preludes.SYSROOT:
            hits.extend(_macros_of(c, krate, name, condition, Def(DefKind.OPAQUE, c.d.crate, root.mount, index, krate)))
    if name in preludes.CORE_MACROS or name in preludes.BUILTIN_DERIVES or name in preludes.CORE_ATTRIBUTES:
        hits.append(Hit(_external("core", name), TRUE, PUBLIC))
    elif name in preludes.STD_MACROS:
        hits.append(Hit(_external("std::prelude", name), std_condition(c), PUBLIC))
    return hits


def _macros_of(c: Crate, krate: str, name: str, condition: Condition, unknown: Def) -> list[Hit]:
    """The macro `name` that `#[macro_use] extern crate krate` brings; `unknown` where the crate is not read."""
    from cfglint.nameres.paths import foreign_names

    hits: list[Hit] = []
    for crate, there, _ in crate_hits(c, krate):
        if crate.kind is DefKind.MODULE and c.program.crates[crate.crate].d.later is None:
            found = foreign_names(c, crate, name, Namespace.MACRO).hits
        else:
            found = (Hit(unknown, literal(opaque(f"macros of `{krate}`")), PUBLIC),)
        hits.extend(
            Hit(h.target, here, PUBLIC) for h in found if (here := h.condition & there & condition) is not FALSE
        )
    return hits


def extern_prelude(c: Crate, name: str) -> list[Hit]:
    """The crate of that name: dependencies, the sysroot, and what `extern crate` in the root adds."""
    hits: list[Hit] = []
    root = c.d.scopes[c.d.root_scope]
    tree = c.d.mounts[root.mount].tree
    for entry in root.names.get(name, ()):
        if (
            entry.kind is EntryKind.IMPORT
            and tree.imports[entry.index].is_crate
            and tree.imports[entry.index].scope == 0
        ):
            hits.extend(entry_hits(c, c.d.root_scope, entry, Namespace.TYPE))
    hits.extend(crate_hits(c, name))
    return hits


def crate_hits(c: Crate, name: str) -> list[Hit]:
    """The crates that the compiler is given under that name."""
    hits: list[Hit] = []
    known = c.config.extern.get(name) or _misnamed(c, name)
    if known is not None:
        if known.crate >= 0 and c.program.opened(known.crate).d.modules:
            target = Def(DefKind.MODULE, known.crate, 0, -1, name)
        else:
            target = _external("", name)
        hits.append(Hit(target, known.condition, PUBLIC))
    if name == "core":
        hits.append(Hit(_external("", name), TRUE, PUBLIC))
    elif name == "std":
        hits.append(Hit(_external("", name), std_condition(c), PUBLIC))
    elif name == "proc_macro" and c.config.is_proc_macro:
        hits.append(Hit(_external("", name), TRUE, PUBLIC))
    return hits


def _misnamed(c: Crate, name: str) -> ExternCrate | None:
    """A dependency that is not read and whose library is called `name` although its package is not: `md-5` is `md5`."""
    plain = name.replace("_", "")
    near = [other for other in c.config.extern if other.replace("_", "") == plain]
    return c.config.extern[near[0]] if len(near) == 1 and name not in preludes.SYSROOT else None


def unnamed_crates(c: Crate) -> frozenset[str]:
    """Dependencies that no path of this crate begins with: their libraries may have other names than their packages."""
    if c.unnamed is None:
        named = {path[0] for mount in c.d.mounts for path in (r.path for r in mount.tree.references)}
        named |= {
            i.path[0] or (i.path[1] if len(i.path) > 1 else "") for mount in c.d.mounts for i in mount.tree.imports
        }
        c.unnamed = frozenset(
            name for name, known in c.config.extern.items() if name not in named and not _is_read(c, known)
        )
    return c.unnamed


def _is_read(c: Crate, known: ExternCrate) -> bool:
    """Whether a dependency is part of this checkout: its name in code is then the one that counts."""
    if known.crate < 0 or known.crate in c.program.closed:
        return False
    crate = c.program.crates[known.crate]
    return bool(crate.d.modules) and crate.d.later is None


def std_condition(c: Crate) -> Condition:
    """Where `std` and its prelude are there: not under `#![no_std]` (Reference, preludes, no_std)."""
    if c.std_condition is None:
        tree = c.d.mounts[0].tree
        c.std_condition = ~(c.lower(0, tree.crate.no_std) | c.lower(0, tree.crate.no_core))
    return c.std_condition


def _external(prefix: str, name: str) -> Def:
    return Def(DefKind.EXTERNAL, -1, -1, -1, f"{prefix}::{name}" if prefix else name)


def external(name: str) -> Def:
    """Something in a crate that is not read."""
    return Def(DefKind.EXTERNAL, -1, -1, -1, name)

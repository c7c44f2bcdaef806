"""Which names mean something else after an edit: so that only what mentions them is looked at again.

A name counts as touched when what declares it stands under other gates than before, or is new, or is gone. Where that
cannot be told by names (a glob of a module that is not known, the crate's own attributes, a `compile_error!`) everything
is touched.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from cfglint.condition.predicate import Predicate
from cfglint.items import model as m
from cfglint.nameres.crate import Crate
from cfglint.nameres.imports import glob_target
from cfglint.nameres.model import DefKind, EntryKind

_Key = tuple[str, str, tuple[Predicate, ...]]


def touched_names(before: m.ItemTree, after: m.ItemTree, crates: Iterable[Crate], file: str) -> frozenset[str] | None:
    """The names that the edit of one file touches; None for all.

    `crates` are those that mount the file, as they were before the edit.
    """
    if before.crate != after.crate or _guards(before) != _guards(after) or _gaps(before) != _gaps(after):
        return None
    one, other = Counter(_declared(before)), Counter(_declared(after))
    changed = (one - other) + (other - one)
    names = {name for kind, name, _ in changed if kind != "glob"}
    modules = {name for kind, name, _ in changed if kind == "module"}
    globs = {name for kind, name, _ in changed if kind == "glob"}
    for crate in crates:
        for found in (_below(crate, file, modules), _through(crate, file, globs)):
            if found is None:
                return None
            names |= found
    return frozenset(names - {"_", ""})


def with_aliases(names: frozenset[str], crates: Iterable[Crate]) -> frozenset[str]:
    """The names, and those under which imports hand them on."""
    known = set(names)
    imports = [i for c in crates for mount in c.d.mounts for i in mount.tree.imports if not i.is_glob]
    grown = True
    while grown:
        more = {i.name for i in imports if i.name not in known and not known.isdisjoint(i.path)}
        grown = bool(more)
        known |= more
    return frozenset(known)


def _declared(tree: m.ItemTree) -> Iterator[_Key]:
    def chain(gate: int) -> tuple[Predicate, ...]:
        found = []
        while gate > 0:
            found.append(tree.gates[gate].predicate)
            gate = tree.gates[gate].parent
        return tuple(found)

    for item in tree.items:
        yield "module" if item.kind == "module" else "item", item.name, chain(item.gate)
        for part in item.members:
            yield "item", part.name, chain(part.gate)
    for declaration in tree.modules:
        yield "module", declaration.name, (*chain(declaration.gate), *(p for p, _ in declaration.paths))
    for imported in tree.imports:
        if imported.is_glob:
            yield "glob", "::".join(imported.path), chain(imported.gate)
        else:
            yield "item", imported.name, chain(imported.gate)
    for block in tree.impls:
        for part in block.members:
            yield "item", part.name, chain(part.gate)
        if not block.members:
            yield "item", "::".join(block.trait_path or ()).rpartition("::")[2], chain(block.gate)
    for macro in tree.macros:
        yield "item", macro.name, (*chain(macro.gate), macro.exported)
    for call in tree.calls:
        if call.in_items:
            for name in call.names:
                yield "item", name, chain(call.gate)


def _guards(tree: m.ItemTree) -> list[tuple[str, ...]]:
    found = []
    for guard in tree.guards:
        gate, chain = guard.gate, []
        while gate > 0:
            chain.append(repr(tree.gates[gate].predicate))
            gate = tree.gates[gate].parent
        found.append(tuple(chain))
    return sorted(found)


def _gaps(tree: m.ItemTree) -> list[tuple[str, bool]]:
    return sorted((gap.reason, gap.scope >= 0) for gap in tree.gaps)


def _below(crate: Crate, file: str, modules: set[str]) -> set[str] | None:
    """What the modules of these names, declared in the file, hold; None where one hands on what a glob brings."""
    names: set[str] = set()
    for mount, data in enumerate(crate.d.mounts):
        if data.file != file:
            continue
        for index, declaration in enumerate(data.tree.modules):
            if declaration.name in modules:
                for _, module in crate.d.children.get((mount, EntryKind.MODULE_FILE, index), ()):
                    inside = _inside(crate, module)
                    if inside is None:
                        return None
                    names |= inside
    return names


def _inside(crate: Crate, module: int) -> set[str] | None:
    """The names that a module and those below it declare."""
    names: set[str] = set()
    mounts = {data.mount for at, data in enumerate(crate.d.modules) if crate.d.is_within(at, module)}
    for mount in mounts:
        tree = crate.d.mounts[mount].tree
        for kind, name, _ in _declared(tree):
            if kind == "glob":
                brought = _through(crate, crate.d.mounts[mount].file, {name})
                if brought is None:
                    return None
                names |= brought
            else:
                names.add(name)
    return names


def _through(crate: Crate, file: str, globs: set[str]) -> set[str] | None:
    """What globs of these paths in the file bring, as far as their modules declare it themselves."""
    names: set[str] = set()
    for data in crate.d.mounts:
        if data.file != file or not globs:
            continue
        for index, imported in enumerate(data.tree.imports):
            if not imported.is_glob or "::".join(imported.path) not in globs:
                continue
            for target, _, _ in glob_target(crate, data.first_scope + imported.scope, index).hits:
                owner = crate.program.crates[target.crate] if target.crate >= 0 else None
                if owner is None or target.kind not in (DefKind.MODULE, DefKind.ITEM):
                    return None
                if target.kind is DefKind.ITEM:
                    names |= {part.name for part in owner.d.mounts[target.at].tree.items[target.index].members}
                    continue
                scope = owner.d.scopes[owner.d.modules[target.at].scope]
                if scope.globs:
                    return None
                names |= set(scope.names) | set(scope.macros)
    return names

"""Why a reference is absent: what kind of thing is missing, and which declarations give it in other configurations."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

from cfglint.condition.diagram import FALSE, TRUE, Condition, disjunction
from cfglint.items import model as m
from cfglint.nameres.crate import QUALIFIER, Crate, is_qualified
from cfglint.nameres.def_map import DefMap
from cfglint.nameres.imports import SPACES, import_target
from cfglint.nameres.members import declares, is_known
from cfglint.nameres.model import Def, DefKind, EntryKind, Hit
from cfglint.nameres.preludes import SYSROOT
from cfglint.nameres.scope import unnamed_crates
from cfglint.nameres.unknown import is_open, made_items
from cfglint.nameres.verdicts import Kind, Question, Supplier


def kind_of(c: Crate, question: Question, segment: int) -> Kind | None:
    """What is missing where `segment` is the first that is absent; None where that may come from something unknown."""
    path, kind, prefixes = question.path, question.space, question.prefixes
    hits = [h for h in prefixes[segment].hits if h.target.kind not in (DefKind.OPAQUE, DefKind.ERROR)]
    name = path[segment]
    first = segment == 0 or (segment == 1 and path[0] == "")
    names_crate = segment < len(path) - 1 or kind in (None, m.Space.ANY)
    if (
        first
        and names_crate
        and (name in c.config.extern)
        and not any(h.target.kind in (DefKind.ITEM, DefKind.MEMBER, DefKind.MACRO) for h in hits)
    ):
        return Kind.CRATE
    if not hits and not question.locals:
        if any(h.target.kind is DefKind.OPAQUE for h in prefixes[segment].hits):
            return None
        if segment > 0 and any(declares(c, h.target, name) for h in prefixes[segment - 1].hits):
            return Kind.MEMBER
        if kind is m.Space.ATTRIBUTE or (first and names_crate and name not in SYSROOT and unnamed_crates(c)):
            return None
        return None if _is_open_place(c, question, segment) else Kind.NEVER
    members = [h.target for h in hits if h.target.kind is DefKind.MEMBER]
    if members:
        return Kind.OWN_LIBRARY if _is_own_library(c, members[0].crate) else Kind.MEMBER
    owner = _owner(c, question, segment, hits)
    if owner >= 0:
        return Kind.OWN_LIBRARY if _is_own_library(c, owner) or _enters_own_library(c, question) else Kind.FOREIGN
    if hits and all(h.target.kind in (DefKind.EXTERNAL, DefKind.BUILTIN) for h in hits):
        if any(h.target.name in ("std", "std::std") or h.target.name.startswith("std::prelude") for h in hits):
            return Kind.STD
        if (first and name == "alloc") or name == "std":
            return Kind.STD
    if (
        len(path) == 1
        and kind is m.Space.MACRO
        and hits
        and all(h.target.name in (f"std::{name}", f"std::prelude::{name}", f"alloc::{name}") for h in hits)
    ):
        return Kind.STD
    if kind in (m.Space.MACRO, m.Space.DERIVE, m.Space.ATTRIBUTE) and segment == len(path) - 1:
        return Kind.MACRO
    if any(h.target.kind is DefKind.MACRO for h in hits) and all(h.target.kind is DefKind.MACRO for h in hits):
        return Kind.MACRO
    return Kind.ITEM


def _is_own_library(c: Crate, crate: int) -> bool:
    """Whether a crate is the library of the very package that this test, example, bench or bin belongs to."""
    return crate != c.d.crate and any(known.crate == crate and not known.key for known in c.config.extern.values())


def _enters_own_library(c: Crate, question: Question) -> bool:
    """Whether the path leads through the package's own library, whatever that hands on: its features are what is missing."""
    return any(
        h.target.kind is DefKind.MODULE and _is_own_library(c, h.target.crate)
        for prefix in question.prefixes[:-1]
        for h in prefix.hits
    )


def _owner(c: Crate, question: Question, segment: int, hits: list[Hit]) -> int:
    """The other crate whose feature decides, or in whose module the name is looked up; -1 for none."""
    for hit in hits if not _is_gated_here(c, question, hits) else ():
        for atom in sorted(hit.condition.atoms()):
            if is_qualified(atom):
                return int(atom.key.partition(QUALIFIER)[0])
    for target, _, _ in question.prefixes[segment - 1].hits if segment > 0 else ():
        if target.kind is DefKind.MODULE and target.crate != c.d.crate:
            return target.crate
    return -1


def _is_gated_here(c: Crate, question: Question, hits: list[Hit]) -> bool:
    """Whether the gates of this very crate explain the whole absence, whatever features other crates have."""
    granted = FALSE
    for hit in hits:
        granted |= hit.condition.restrict({atom: True for atom in hit.condition.atoms() if is_qualified(atom)})
    failing = question.context & ~question.prefixes[-1].covered
    return granted is not TRUE and failing & c.final(granted) is FALSE


def _is_open_place(c: Crate, question: Question, segment: int) -> bool:
    """Whether an unknown macro stands where the name is looked up: then nobody can say that it is never declared."""
    name = question.path[segment]
    if segment == 0 or (segment == 1 and question.path[0] in ("self", "")):
        current = question.scope
        while current != -1:
            if is_open(c, current, name):
                return True
            if c.d.scopes[current].kind in (m.ScopeKind.FILE, m.ScopeKind.MODULE):
                return False
            current = c.d.scopes[current].parent
        return False
    return any(_is_open_container(c, question, h.target, segment) for h in question.prefixes[segment - 1].hits)


def _is_open_container(c: Crate, question: Question, container: Def, segment: int) -> bool:
    """Whether something unknown may bring the name into a module or a type."""
    name = question.path[segment]
    if container.kind is DefKind.MODULE:
        return _is_open_module(c.program.crates[container.crate], container.at, name)
    if container.kind is DefKind.ITEM and container.crate == c.d.crate:
        return question.space is not None and not is_known(c, container, name)  # an import names a variant or nothing
    return True


def _is_open_module(owner: Crate, module: int, name: str) -> bool:
    return (
        owner.config.is_proc_macro or owner.d.later is not None or is_open(owner, owner.d.modules[module].scope, name)
    )


def suppliers_of(c: Crate, question: Question, segment: int) -> Iterator[Supplier]:
    """The declarations behind the hits of the absent segment."""
    path, prefixes = question.path, question.prefixes
    if segment == len(path) - 1:
        mount = question.mount
        for gate, start in question.locals:
            yield supplier_at(c, c, c.d.mounts[mount].file, start, "local variable", path[-1], c.context(mount, gate))
    seen: set[tuple[str, int]] = set()
    declared = list(_declarations(c, question, segment))
    for found in declared or [s for h in prefixes[segment].hits if (s := supplier_of(c, h.target)) is not None]:
        if (found.file, found.start) not in seen:
            seen.add((found.file, found.start))
            yield found


def _declarations(c: Crate, question: Question, segment: int) -> Iterator[Supplier]:
    """Gated imports of the name in the scope where it is looked up: there the gate is on the import, not on the item."""
    name = question.path[segment]
    scopes: list[tuple[int, DefMap]] = []
    if segment == 0:
        current = question.scope
        while current != -1:
            scopes.append((current, c.d))
            if c.d.scopes[current].kind in (m.ScopeKind.FILE, m.ScopeKind.MODULE):
                break
            current = c.d.scopes[current].parent
    else:
        for target, _, _ in question.prefixes[segment - 1].hits:
            if target.kind is DefKind.MODULE:
                d = c.program.crates[target.crate].d
                scopes.append((d.modules[target.at].scope, d))
    for where, d in scopes:
        owner = c.program.crates[d.crate]
        data = d.scopes[where]
        mount = d.mounts[data.mount]
        for entry in data.names.get(name, ()):
            if entry.kind is EntryKind.IMPORT:
                imported = mount.tree.imports[entry.index]
                condition = owner.context(data.mount, imported.gate)
                if owner.gate(data.mount, imported.gate, data.gate) is not TRUE:
                    yield supplier_at(c, owner, mount.file, imported.start, "import", name, condition)
                else:
                    for namespace in SPACES:
                        for hit in import_target(owner, where, entry.index, namespace).hits:
                            found = supplier_of(owner, hit.target, c)
                            if found is not None:
                                yield found
            elif entry.kind is EntryKind.ITEM:
                item = mount.tree.items[entry.index]
                condition = owner.context(data.mount, item.gate)
                yield supplier_at(c, owner, mount.file, item.start, item.kind, name, condition)
            else:
                declaration = mount.tree.modules[entry.index]
                condition = owner.module_condition(data.module)
                for position, _ in d.modules_of(data.mount, EntryKind.MODULE_FILE, entry.index):
                    condition &= owner.declared_condition(data.mount, EntryKind.MODULE_FILE, entry.index, position)
                yield supplier_at(c, owner, mount.file, declaration.start, "module", name, condition)


def supplier_at(c: Crate, owner: Crate, file: str, start: int, kind: str, name: str, condition: Condition) -> Supplier:
    """A declaration in the crate `owner`, whose condition is in that crate's words, as the root `c` sees it."""
    seen = c.final(condition if owner is c else owner.qualified(condition))
    return Supplier(file, start, kind, name, seen, owner.d.crate, condition)


def supplier_of(c: Crate, target: Def, root: Crate | None = None) -> Supplier | None:
    """Where a definition is declared, with its condition in the words of `root`; None for what is not read."""
    if target.crate < 0:
        return None
    owner = c.program.crates[target.crate]
    found = _declared_at(owner, target)
    return None if found is None else supplier_at(root or c, owner, *found)


_Place: TypeAlias = tuple[str, int, str, str, Condition]
"""File, offset, kind, name, and the condition in the words of the crate."""


def _declared_at(owner: Crate, target: Def) -> _Place | None:
    if target.kind is DefKind.MODULE:
        declared = owner.d.modules[target.at].declaration
        if declared is None:
            return None
        mount = owner.d.mounts[declared.mount]
        start = (
            mount.tree.items[declared.index].start
            if declared.kind is EntryKind.ITEM
            else mount.tree.modules[declared.index].start
        )
        return mount.file, start, "module", target.name, owner.module_condition(target.at)
    mount = owner.d.mounts[target.at]
    if target.kind is DefKind.ITEM:
        item = mount.tree.items[target.index]
        return mount.file, item.start, item.kind, item.name, owner.context(target.at, item.gate)
    if target.kind is DefKind.MACRO:
        macro = mount.tree.macros[target.index]
        return mount.file, macro.start, "macro", macro.name, owner.context(target.at, macro.gate)
    if target.kind is DefKind.MADE:
        call = mount.tree.calls[target.index]
        made = made_items(owner, target.at, target.index, target.name)
        gate = disjunction(owner.lower(target.at, item.predicate) for item in made)
        kind = made[0].declaration.kind if made else "item"
        return mount.file, call.start, kind, target.name, owner.context(target.at, call.gate) & gate
    if target.kind is DefKind.PROCEDURAL:
        row = mount.tree.procedural[target.index]
        return mount.file, row.start, "procedural macro", row.name, owner.context(target.at, row.gate)
    if target.kind is DefKind.MEMBER:
        members = (
            mount.tree.impls[-1 - target.index].members if target.index < 0 else mount.tree.items[target.index].members
        )
        part = next((p for p in members if p.name == target.name), None)
        if part is not None:
            return mount.file, part.start, part.kind, part.name, owner.context(target.at, part.gate)
    return None

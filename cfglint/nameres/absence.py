"""References that are compiled where what they name is configured out: which segment is absent, where, and why.

Works on settled name resolution and on one configuration space. It makes no findings; rules choose among absences.
"""

from __future__ import annotations

import enum
from collections.abc import Iterator
from dataclasses import dataclass, replace

from cfglint.condition.atom import AtomKind
from cfglint.condition.diagram import FALSE, TRUE, Condition, disjunction
from cfglint.items import model as m
from cfglint.items.expansion import BodyPath
from cfglint.manifest.solver import GaveUpError, satisfiable
from cfglint.manifest.space import ConfigSpace, widened
from cfglint.nameres import preludes
from cfglint.nameres.crate import Crate, certainly
from cfglint.nameres.failures import failed_on_the_way
from cfglint.nameres.imports import SPACES, glob_covered, glob_target, import_covered, import_target
from cfglint.nameres.macros import expansion_of, macro_of_path, meanings
from cfglint.nameres.model import NOTHING, Def, DefKind, EntryKind, Found, Namespace
from cfglint.nameres.paths import resolve, resolve_import_path
from cfglint.nameres.scope import unnamed_crates
from cfglint.nameres.unknown import is_open


class Kind(enum.Enum):
    """What is absent."""

    ITEM = "item"
    MACRO = "macro"
    CRATE = "crate"
    MEMBER = "member"
    FOREIGN = "foreign"
    OWN_LIBRARY = "own library"
    STD = "std"
    NEVER = "never"


@dataclass(frozen=True, slots=True)
class Supplier:
    """A declaration that gives the absent name in other configurations. `start` is an offset, -1 for a manifest entry."""

    file: str
    start: int
    kind: str
    name: str
    condition: Condition


@dataclass(frozen=True, slots=True)
class Absence:
    """A reference and where it certainly fails. `segment` is the first one that is absent there.

    `raw` is where it resolves, with the features of other crates still in their own (qualified) words;
    `is_foreign_platform` whether it only fails on targets that the workspace does not name.
    """

    kind: Kind
    mount: int
    start: int
    end: int
    path: m.Path
    segment: int
    space: m.Space | None
    context: Condition
    resolved: Condition
    failing: Condition
    suppliers: tuple[Supplier, ...]
    scope: int
    raw: Condition = FALSE
    is_foreign_platform: bool = False


@dataclass(frozen=True, slots=True)
class Doubt:
    """A reference that fails or not depending on something unknown."""

    mount: int
    start: int
    reason: str


@dataclass(slots=True)
class Tally:
    """What was looked at: every place counts."""

    references: int = 0
    decided: int = 0


_SPACES: dict[m.Space, tuple[Namespace, ...]] = {
    m.Space.TYPE: (Namespace.TYPE,),
    m.Space.TRAIT: (Namespace.TYPE,),
    m.Space.STRUCT: (Namespace.TYPE,),
    m.Space.VALUE: (Namespace.VALUE,),
    m.Space.CALL: (Namespace.VALUE,),
    m.Space.TUPLE_PATTERN: (Namespace.VALUE,),
    m.Space.MACRO: (Namespace.MACRO,),
    m.Space.DERIVE: (Namespace.MACRO,),
    m.Space.ATTRIBUTE: (Namespace.MACRO,),
    m.Space.ANY: SPACES,
}


def absences(c: Crate, space: ConfigSpace, tally: Tally) -> Iterator[Absence | Doubt]:
    """Every reference and import of a crate that fails, or may fail, in some valid configuration."""
    for mount, data in enumerate(c.d.mounts):
        tree = data.tree
        for reference in tree.references:
            count = len(reference.spans)
            tally.references += count
            verdict = _judge_reference(c, space, mount, reference)
            if verdict is None:
                tally.decided += count
                continue
            for start, end in reference.spans:
                found = verdict.at(start, end)
                tally.decided += isinstance(found, Absence)
                yield found
        for index, imported in enumerate(tree.imports):
            tally.references += 1
            found_import = _judge_import(c, space, mount, index, imported)
            tally.decided += not isinstance(found_import, Doubt)
            if found_import is not None:
                yield found_import
    yield from body_absences(c, space, tally)


def body_absences(c: Crate, space: ConfigSpace, tally: Tally) -> Iterator[Absence | Doubt]:
    """Paths that macros of this crate write themselves, resolved where they are expanded, at the place in the macro.

    Source: Reference, macros by example, hygiene: `$crate` is the crate of the macro; everything else is the caller's.
    """
    writing = {
        macro.name
        for mount in c.d.mounts
        for macro in mount.tree.macros
        if any(path[-1] != "!" or path[0] in c.d.macro_names for path, _, _ in macro.crate_paths)
    }
    for mount, data in enumerate(c.d.mounts):
        for index, call in enumerate(data.tree.calls):
            if call.path[-1] not in writing:
                continue
            for target, condition, _ in meanings(c, mount, index).hits:
                if target.kind is not DefKind.MACRO or target.crate != c.d.crate:
                    continue
                expansion = expansion_of(c, mount, index, target)
                if expansion is None or not expansion.complete:
                    continue
                for body in expansion.paths:
                    tally.references += 1
                    where = c.context(mount, call.gate) & condition & c.lower(mount, body.predicate)
                    verdict = _judge_body(c, space, mount, call, target.at, body, c.final(where))
                    tally.decided += not isinstance(verdict, Doubt)
                    if verdict is not None:
                        yield verdict


def _judge_body(
    c: Crate, space: ConfigSpace, mount: int, call: m.Call, home: int, body: BodyPath, context: Condition
) -> Absence | Doubt | None:
    kind = m.Space.MACRO if body.is_macro else m.Space.ANY
    single = body.is_macro and len(body.path) == 1
    scope = c.d.mounts[mount].first_scope + call.scope if single else c.d.root_scope

    def find(path: m.Path) -> Found:
        if single:
            return macro_of_path(c, scope, call.start, path)
        namespaces = SPACES if len(path) == len(body.path) and not body.is_macro else (Namespace.TYPE,)
        if body.is_macro and len(path) == len(body.path):
            namespaces = (Namespace.MACRO,)
        parts = [resolve(c, scope, path, n) for n in namespaces]
        return Found(tuple(h for p in parts for h in p.hits), disjunction(p.covered for p in parts))

    found = find(body.path)
    if context & ~c.final(found.covered) is FALSE:
        return None
    prefixes = [find(body.path[: n + 1]) for n in range(len(body.path) - 1)]
    prefixes.append(Found(found.hits, c.final(found.covered)))
    verdict = _verdict(c, space, home, scope, body.path, kind, context, prefixes, None, None)
    return None if verdict is None else verdict.at(body.start, body.end)


@dataclass(frozen=True, slots=True)
class _Verdict:
    """A verdict on one path, before it is placed."""

    absence: Absence | None
    doubt: Doubt | None

    def at(self, start: int, end: int) -> Absence | Doubt:
        if self.absence is not None:
            a = self.absence
            return replace(a, start=start, end=end)
        assert self.doubt is not None
        return Doubt(self.doubt.mount, start, self.doubt.reason)


def _found(c: Crate, scope: int, reference: m.Reference, path: m.Path) -> Found:
    """What a prefix of a reference's path means in the namespaces that count for it."""
    if len(path) < len(reference.path):
        return resolve(c, scope, path, Namespace.TYPE)
    if reference.space in (m.Space.MACRO, m.Space.DERIVE, m.Space.ATTRIBUTE):
        if reference.space is m.Space.MACRO:
            return macro_of_path(c, scope, reference.spans[0][0], path)
        return resolve(c, scope, path, Namespace.MACRO)
    namespaces = _SPACES[reference.space]
    if len(namespaces) == 1:
        return _of_kind(c, reference.space, resolve(c, scope, path, namespaces[0]))
    parts = [resolve(c, scope, path, n) for n in namespaces]
    covered = FALSE
    for part in parts:
        covered |= part.covered
    return Found(tuple(h for part in parts for h in part.hits), covered)


def _of_kind(c: Crate, space: m.Space, found: Found) -> Found:
    """Without what is of the wrong kind for the place: a struct where a trait is meant, a module where a type is (E0404, E0573)."""
    wrong = [h for h in found.hits if _is_wrong(c, space, h.target)]
    if not wrong:
        return found
    hits = tuple(h for h in found.hits if h not in wrong)
    covered = FALSE
    for hit in hits:
        covered |= hit.condition
    return Found(hits, covered)


def _is_wrong(c: Crate, space: m.Space, target: Def) -> bool:
    if target.kind is DefKind.MODULE:
        return space in (m.Space.TYPE, m.Space.TRAIT, m.Space.STRUCT)
    if target.kind is not DefKind.ITEM:
        return False
    kind = c.program.crates[target.crate].d.mounts[target.at].tree.items[target.index].kind
    if space is m.Space.TRAIT:
        return kind in ("struct", "enum", "union")
    return space is m.Space.STRUCT and kind == "trait"


def _judge_reference(c: Crate, space: ConfigSpace, mount: int, reference: m.Reference) -> _Verdict | None:
    scope = c.d.mounts[mount].first_scope + reference.scope
    found = _found(c, scope, reference, reference.path)
    if found.covered is TRUE:
        return None
    context = c.final(c.context(mount, reference.gate))
    covered = c.final(found.covered)
    for gate, _ in reference.locals:
        covered |= c.final(c.context(mount, gate))
    absent = context & ~covered
    if absent is FALSE:
        return None
    prefixes = [_found(c, scope, reference, reference.path[: n + 1]) for n in range(len(reference.path) - 1)] + [
        Found(found.hits, covered)
    ]
    return _verdict(c, space, mount, scope, reference.path, reference.space, context, prefixes, reference, None)


def _judge_import(c: Crate, space: ConfigSpace, mount: int, index: int, imported: m.Import) -> Absence | Doubt | None:
    scope = c.d.mounts[mount].first_scope + imported.scope
    if imported.is_crate:
        return _judge_extern_crate(c, space, mount, index, imported, scope)
    if imported.is_glob:
        covered = glob_covered(c, scope, index)
        hits = glob_target(c, scope, index).hits
    else:
        covered = import_covered(c, scope, index)
        hits = tuple(h for n in SPACES for h in import_target(c, scope, index, n).hits)
    covered = c.final(covered)
    context = c.final(c.context(mount, imported.gate))
    if context & ~covered is FALSE:
        return None
    prefixes = [resolve_import_path(c, scope, imported.path[: n + 1], Namespace.TYPE) for n in range(len(imported.path) - 1)]
    prefixes.append(Found(hits, covered))
    verdict = _verdict(c, space, mount, scope, imported.path, None, context, prefixes, None, (scope, index))
    return None if verdict is None else verdict.at(imported.start, imported.end)


def _judge_extern_crate(
    c: Crate, space: ConfigSpace, mount: int, index: int, imported: m.Import, scope: int
) -> Absence | Doubt | None:
    name = imported.path[0]
    if name in preludes.SYSROOT or name == "self":
        return None
    known = c.config.extern.get(name)
    covered = known.condition if known is not None else TRUE
    context = c.final(c.context(mount, imported.gate))
    prefix = Found((), c.final(covered))
    verdict = _verdict(c, space, mount, scope, imported.path, None, context, [prefix], None, (scope, index))
    return None if verdict is None else verdict.at(imported.start, imported.end)


def _verdict(
    c: Crate,
    space: ConfigSpace | None,
    mount: int,
    scope: int,
    path: m.Path,
    kind: m.Space | None,
    context: Condition,
    prefixes: list[Found],
    reference: m.Reference | None,
    judged: tuple[int, int] | None,
) -> _Verdict | None:
    absent = context & ~prefixes[-1].covered
    try:
        space, is_foreign = _where(absent, space)
        if space is None:
            return None
        if not (judged is not None and len(prefixes) == 1 and len(path) == 1 and path[0] in c.config.extern):
            failed = c.final(failed_on_the_way(c, scope, path, judged))
            if failed is not FALSE:
                context &= ~failed
                absent = context & ~prefixes[-1].covered
                space, is_foreign = _where(absent, space)
                if space is None:
                    return None
        failing = certainly(absent)
        certain = satisfiable(failing, space)
    except GaveUpError:
        return _Verdict(None, Doubt(mount, 0, "conditions too large to decide"))
    if not certain:
        if not _matters(kind, prefixes[-1]):
            return None
        return _Verdict(None, Doubt(mount, 0, _reason(absent, context)))
    segment = next(
        (n for n, p in enumerate(prefixes) if satisfiable(certainly(context & ~c.final(p.covered)), space)), len(prefixes) - 1
    )
    if path[segment] in ("crate", "self", "super", "Self", "$crate", "") and segment < len(path) - 1:
        segment += 1
    raw = disjunction(h.condition for h in prefixes[-1].hits)
    suppliers = tuple(_suppliers(c, scope, path, segment, prefixes, reference, kind))
    what = _kind(c, scope, path, segment, kind, prefixes, suppliers, reference)
    if what is None:
        return None if kind is m.Space.ATTRIBUTE else _Verdict(None, Doubt(mount, 0, "the name may come from something unknown"))
    return _Verdict(
        Absence(what, mount, 0, 0, path, segment, kind, context, prefixes[-1].covered, failing, suppliers, scope, raw, is_foreign), None
    )


def _where(absent: Condition, space: ConfigSpace) -> tuple[ConfigSpace | None, bool]:
    """The space in which a reference may fail: the default targets, else all that rustc knows; None for neither."""
    if satisfiable(absent, space):
        return space, False
    if any(atom.kind is not AtomKind.FEATURE for atom in absent.atoms()):
        wide = widened(space)
        if satisfiable(absent, wide):
            return wide, True
    return None, False


def _matters(kind: m.Space | None, found: Found) -> bool:
    """Attributes may be helpers of a derive: without a definition they say nothing."""
    return kind is not m.Space.ATTRIBUTE or any(h.target.kind is not DefKind.OPAQUE for h in found.hits)


def _reason(absent: Condition, context: Condition) -> str:
    atoms = sorted(a.key for a in absent.atoms() if a.kind == 3)
    return f"depends on what is not known: {atoms[0]}" if atoms else "not decided"


def _is_open(c: Crate, scope: int, path: m.Path, segment: int, prefixes: list[Found]) -> bool:
    """Whether an unknown macro stands where the name is looked up: then nobody can say that it is never declared."""
    if segment == 0 or (segment == 1 and path[0] in ("self", "")):
        current = scope
        while current != -1:
            if is_open(c, current):
                return True
            if c.d.scopes[current].kind in (m.ScopeKind.FILE, m.ScopeKind.MODULE):
                return False
            current = c.d.scopes[current].parent
        return False
    return any(
        h.target.kind is not DefKind.MODULE
        or h.target.crate != c.d.crate
        or is_open(c, c.d.modules[h.target.at].scope)
        for h in prefixes[segment - 1].hits
    )


def _kind(
    c: Crate,
    scope: int,
    path: m.Path,
    segment: int,
    kind: m.Space | None,
    prefixes: list[Found],
    suppliers: tuple[Supplier, ...],
    reference: m.Reference | None,
) -> Kind | None:
    hits = [h for h in prefixes[segment].hits if h.target.kind not in (DefKind.OPAQUE, DefKind.ERROR)]
    has_local = reference is not None and bool(reference.locals)
    name = path[segment]
    first = segment == 0 or (segment == 1 and path[0] == "")
    names_crate = segment < len(path) - 1 or kind in (None, m.Space.ANY)
    if first and names_crate and (name in c.config.extern) and not any(h.target.kind in (DefKind.ITEM, DefKind.MEMBER, DefKind.MACRO) for h in hits):
        return Kind.CRATE
    if not hits and not has_local:
        if any(h.target.kind is DefKind.OPAQUE for h in prefixes[segment].hits):
            return None
        if kind is m.Space.ATTRIBUTE or (first and names_crate and unnamed_crates(c)):
            return None
        return None if _is_open(c, scope, path, segment, prefixes) else Kind.NEVER
    if segment > 0:
        containers = [h.target for h in prefixes[segment - 1].hits if h.target.kind is DefKind.MODULE and h.target.crate != c.d.crate]
        if containers:
            own = any(known.crate == containers[0].crate and not known.key for known in c.config.extern.values())
            return Kind.OWN_LIBRARY if own else Kind.FOREIGN
    if hits and all(h.target.kind in (DefKind.EXTERNAL, DefKind.BUILTIN) for h in hits):
        if any(h.target.name in ("std", "std::std") or h.target.name.startswith("std::prelude") for h in hits):
            return Kind.STD
        if first and name == "alloc" or name == "std":
            return Kind.STD
    if len(path) == 1 and kind is m.Space.MACRO and hits and all(
        h.target.name in (f"std::{name}", f"std::prelude::{name}", f"alloc::{name}") for h in hits
    ):
        return Kind.STD
    if any(h.target.kind is DefKind.MEMBER for h in hits):
        return Kind.MEMBER
    if kind in (m.Space.MACRO, m.Space.DERIVE, m.Space.ATTRIBUTE) and segment == len(path) - 1:
        return Kind.MACRO
    if any(h.target.kind is DefKind.MACRO for h in hits) and all(h.target.kind is DefKind.MACRO for h in hits):
        return Kind.MACRO
    return Kind.ITEM


def _suppliers(
    c: Crate,
    scope: int,
    path: m.Path,
    segment: int,
    prefixes: list[Found],
    reference: m.Reference | None,
    kind: m.Space | None,
) -> Iterator[Supplier]:
    """The declarations behind the hits of the absent segment."""
    if reference is not None and segment == len(path) - 1:
        mount = c.d.scopes[scope].mount
        for gate, start in reference.locals:
            yield Supplier(c.d.mounts[mount].file, start, "local variable", path[-1], c.final(c.context(mount, gate)))
    seen: set[tuple[str, int]] = set()
    declared = list(_declarations(c, scope, path, segment, prefixes))
    for found in declared or [s for h in prefixes[segment].hits if (s := supplier_of(c, h.target)) is not None]:
        if (found.file, found.start) not in seen:
            seen.add((found.file, found.start))
            yield found


def _declarations(c: Crate, scope: int, path: m.Path, segment: int, prefixes: list[Found]) -> Iterator[Supplier]:
    """Gated imports of the name in the scope where it is looked up: there the gate is on the import, not on the item."""
    name = path[segment]
    if segment == 0:
        scopes = []
        current = scope
        while current != -1:
            scopes.append((current, c.d))
            if c.d.scopes[current].kind in (m.ScopeKind.FILE, m.ScopeKind.MODULE):
                break
            current = c.d.scopes[current].parent
    else:
        base = prefixes[segment - 1] if segment > 0 else NOTHING
        scopes = [
            (c.program.crates[h.target.crate].d.modules[h.target.at].scope, c.program.crates[h.target.crate].d)
            for h in base.hits
            if h.target.kind is DefKind.MODULE
        ]
    for where, d in scopes:
        owner = c.program.crates[d.crate]
        data = d.scopes[where]
        mount = d.mounts[data.mount]
        for entry in data.names.get(name, ()):
            if entry.kind is EntryKind.IMPORT:
                imported = mount.tree.imports[entry.index]
                condition = _seen(c, owner, owner.context(data.mount, imported.gate))
                if owner.gate(data.mount, imported.gate, data.gate) is not TRUE:
                    yield Supplier(mount.file, imported.start, "import", name, condition)
                else:
                    for namespace in SPACES:
                        for hit in import_target(owner, where, entry.index, namespace).hits:
                            found = supplier_of(owner, hit.target, c)
                            if found is not None:
                                yield found
            elif entry.kind is EntryKind.ITEM:
                item = mount.tree.items[entry.index]
                condition = _seen(c, owner, owner.context(data.mount, item.gate))
                yield Supplier(mount.file, item.start, item.kind, name, condition)
            else:
                declaration = mount.tree.modules[entry.index]
                condition = owner.module_condition(data.module)
                for position, _ in d.children.get((data.mount, EntryKind.MODULE_FILE, entry.index), ()):
                    condition &= owner.declared_condition(data.mount, EntryKind.MODULE_FILE, entry.index, position)
                yield Supplier(mount.file, declaration.start, "module", name, _seen(c, owner, condition))


def _seen(c: Crate, owner: Crate, condition: Condition) -> Condition:
    """A condition in the words of `owner`, in those of the root."""
    return c.final(condition if owner is c else owner.qualified(condition))


def supplier_of(c: Crate, target: Def, root: Crate | None = None) -> Supplier | None:
    """Where a definition is declared, with its condition in the words of `root`; None for what is not read."""
    if target.crate < 0:
        return None
    owner = c.program.crates[target.crate]
    found = _supplier_of(owner, target)
    if found is None:
        return None
    return Supplier(found.file, found.start, found.kind, found.name, _seen(root or c, owner, found.condition))


def _supplier_of(owner: Crate, target: Def) -> Supplier | None:
    if target.kind is DefKind.MODULE:
        declared = owner.d.modules[target.at].declaration
        if declared is None:
            return None
        mount = owner.d.mounts[declared.mount]
        start = (
            mount.tree.items[declared.index].start if declared.kind is EntryKind.ITEM else mount.tree.modules[declared.index].start
        )
        return Supplier(mount.file, start, "module", target.name, owner.module_condition(target.at))
    mount = owner.d.mounts[target.at]
    if target.kind is DefKind.ITEM:
        item = mount.tree.items[target.index]
        return Supplier(mount.file, item.start, item.kind, item.name, owner.context(target.at, item.gate))
    if target.kind is DefKind.MACRO:
        macro = mount.tree.macros[target.index]
        return Supplier(mount.file, macro.start, "macro", macro.name, owner.context(target.at, macro.gate))
    if target.kind is DefKind.MEMBER:
        members = mount.tree.impls[-1 - target.index].members if target.index < 0 else mount.tree.items[target.index].members
        part = next((p for p in members if p.name == target.name), None)
        if part is not None:
            return Supplier(mount.file, part.start, part.kind, part.name, owner.context(target.at, part.gate))
    return None

"""Where code under one gate meets code under another: the conditions that its references make.

A reference is compiled under its context, and what it names is there under conditions of its own; whether the two fit is
seen only in a build that has the one, and with or without the other. These conditions are all the interactions of
features that a package has: features that no condition here brings together cannot break each other by a name.

What this deliberately does not see: methods and fields of values, which need types. Nothing is judged here either; what
certainly fails is a finding of `cfglint check`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from cfglint.condition.diagram import FALSE, TRUE, Condition, disjunction
from cfglint.items import model as m
from cfglint.nameres.absence import namespaces_of
from cfglint.nameres.analysis import Root
from cfglint.nameres.bodies import body_references
from cfglint.nameres.crate import Crate
from cfglint.nameres.imports import SPACES, glob_covered, glob_target, import_covered, import_target
from cfglint.nameres.macros import macro_of_path
from cfglint.nameres.model import Def, DefKind, EntryKind, Found, Hit, Namespace
from cfglint.nameres.paths import resolve
from cfglint.nameres.preludes import SYSROOT
from cfglint.nameres.scope import NAMING, entry_hits


def interactions(root: Root) -> Iterator[Condition]:
    """The conditions, in the words of the package, in the order of the source; many of them equal."""
    c = root.crate
    for mount, data in enumerate(c.d.mounts):
        for reference in data.tree.references:
            yield from _of_reference(c, mount, reference)
        for index, imported in enumerate(data.tree.imports):
            yield from _of_import(c, mount, index, imported)
        for select in data.tree.selects:
            yield c.final(c.context(mount, select.gate) & ~c.lower(mount, select.covered))
        for index in range(len(data.tree.modules)):
            yield from _of_module(c, mount, index)
        for block in data.tree.impls:
            yield from _of_impl(c, mount, block)
    for body in body_references(c):
        yield from _crossed(c, body.context, body.prefixes[-1].hits, body.prefixes[-1].covered)
    yield from _of_namesakes(c)


def _of_reference(c: Crate, mount: int, reference: m.Reference) -> Iterator[Condition]:
    scope = c.d.mounts[mount].first_scope + reference.scope
    found = _meaning(c, scope, reference)
    if found.covered is TRUE and all(hit.condition is TRUE for hit in found.hits):
        if reference.space is m.Space.STRUCT:
            yield from _of_fields(c, mount, reference, found)
        return
    context = c.final(c.context(mount, reference.gate))
    covered = c.final(found.covered) | disjunction(c.final(c.context(mount, gate)) for gate, _ in reference.locals)
    yield from _crossed(c, context, found.hits, covered)
    if reference.space is m.Space.STRUCT:
        yield from _of_fields(c, mount, reference, found)
    members = [hit for hit in found.hits if hit.target.kind is DefKind.MEMBER]
    if members and reference.gate > 0:
        # A match without the arm, where the variant is there.
        above = c.final(c.context(mount, c.d.mounts[mount].tree.gates[reference.gate].parent))
        for hit in members:
            yield above & ~context & c.final(hit.condition)


def _meaning(c: Crate, scope: int, reference: m.Reference) -> Found:
    if reference.space is m.Space.MACRO:
        return macro_of_path(c, scope, reference.spans[0][0], reference.path)
    namespaces = namespaces_of(reference.space)
    if len(namespaces) == 1:
        return resolve(c, scope, reference.path, namespaces[0])
    parts = [resolve(c, scope, reference.path, namespace) for namespace in namespaces]
    return Found(tuple(hit for part in parts for hit in part.hits), disjunction(part.covered for part in parts))


def _crossed(c: Crate, context: Condition, hits: Iterable[Hit], covered: Condition) -> Iterator[Condition]:
    """Code in `context` compiled with each of its meanings, without it, and without any."""
    if context is FALSE:
        return
    for hit in hits:
        there = c.final(hit.condition)
        if there is not TRUE:
            yield context & there
            yield context & ~there
    yield context & ~covered


def _of_fields(c: Crate, mount: int, reference: m.Reference, found: Found) -> Iterator[Condition]:
    """A struct literal or pattern compiled with and without each gated field."""
    context: Condition | None = None
    for hit in found.hits:
        for gate in _field_gates(c, hit.target):
            if context is None:
                context = c.final(c.context(mount, reference.gate))
            there = context & c.final(hit.condition)
            yield there & c.final(gate)
            yield there & ~c.final(gate)


def _field_gates(c: Crate, target: Def) -> Iterator[Condition]:
    if target.kind is not DefKind.ITEM:
        return
    owner = c.program.crates[target.crate]
    item = owner.d.mounts[target.at].tree.items[target.index]
    for part in item.members:
        gate = owner.gate(target.at, part.gate, item.gate)
        if gate is not TRUE and gate is not FALSE:
            yield gate if owner is c else owner.qualified(gate)


def _of_import(c: Crate, mount: int, index: int, imported: m.Import) -> Iterator[Condition]:
    scope = c.d.mounts[mount].first_scope + imported.scope
    if imported.is_crate:
        known = c.config.extern.get(imported.path[0])
        if known is not None and imported.path[0] not in SYSROOT:
            yield from _crossed(c, c.final(c.context(mount, imported.gate)), (), c.final(known.condition))
        return
    covered = glob_covered(c, scope, index) if imported.is_glob else import_covered(c, scope, index)
    if imported.is_glob:
        hits = glob_target(c, scope, index).hits
    else:
        hits = tuple(hit for namespace in SPACES for hit in import_target(c, scope, index, namespace).hits)
    if covered is TRUE and all(hit.condition is TRUE for hit in hits):
        return
    yield from _crossed(c, c.final(c.context(mount, imported.gate)), hits, c.final(covered))


def _of_module(c: Crate, mount: int, index: int) -> Iterator[Condition]:
    """Each file that one `mod` may mean."""
    declaration = c.d.mounts[mount].tree.modules[index]
    if not declaration.paths:
        return
    context = c.context(mount, declaration.gate)
    for position in range(len(declaration.paths)):
        yield c.final(context & c.alternative_condition(mount, index, position))
    yield c.final(context & ~disjunction(c.lower(mount, predicate) for predicate, _ in declaration.paths))


def _of_impl(c: Crate, mount: int, block: m.Impl) -> Iterator[Condition]:
    """What an impl gives against what its trait asks for (E0046, E0407)."""
    if block.trait_path is None or not block.is_trait:
        return
    given: dict[str, Condition] = {}
    for part in block.members:
        given[part.name] = given.get(part.name, FALSE) | c.gate(mount, part.gate, block.gate)
    scope = c.d.mounts[mount].first_scope + block.scope
    context = FALSE
    for target, condition, _ in resolve(c, scope, block.trait_path, Namespace.TYPE).hits:
        if target.kind is not DefKind.ITEM:
            continue
        owner = c.program.crates[target.crate]
        item = owner.d.mounts[target.at].tree.items[target.index]
        if item.kind != "trait":
            continue
        context = c.context(mount, block.gate) & condition
        asked: dict[str, Condition] = {}
        for part in item.members:
            if part.name in given or not part.has_body:
                gate = owner.gate(target.at, part.gate, item.gate)
                asked[part.name] = asked.get(part.name, FALSE) | (gate if owner is c else owner.qualified(gate))
        for name, wanted in asked.items():
            offered = given.get(name, FALSE)
            if wanted is TRUE and offered is TRUE:
                continue
            for one in (wanted & offered, wanted & ~offered, offered & ~wanted):
                yield c.final(context & one)


def _of_namesakes(c: Crate) -> Iterator[Condition]:
    """Declarations of one name in one scope, two and two."""
    for scope, data in enumerate(c.d.scopes):
        if data.kind not in NAMING:
            continue
        for name, entries in data.names.items():
            if len(entries) < 2 or name == "_":
                continue
            here = c.module_condition(data.module) & c.context(data.mount, data.gate)
            for namespace in (Namespace.TYPE, Namespace.VALUE):
                seen = FALSE
                for entry in entries:
                    where = disjunction(
                        hit.condition
                        for hit in entry_hits(c, scope, entry, namespace)
                        if entry.kind is not EntryKind.IMPORT
                        or hit.target.kind in (DefKind.ITEM, DefKind.MODULE, DefKind.MEMBER, DefKind.MACRO)
                    )
                    if where & seen is not FALSE:
                        yield c.final(here & where & seen)
                    seen |= where

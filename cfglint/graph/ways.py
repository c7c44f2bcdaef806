"""The ways in which a path reaches what it names, hop by hop: declarations, imports, re-exports, globs, crates.

Name resolution knows in which configurations a path means something; this module finds the declarations that make it so,
for people. It follows every alternative without taking away what an earlier tier hides, so what it says is a list of
supports and not a verdict. Beyond `MAX_WAYS` and `MAX_STEPS` it stops.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from cfglint.condition.diagram import FALSE, TRUE, Condition
from cfglint.graph.trail import Form, Gate, Step, declaration_step, gates_between, module_steps, seen_from
from cfglint.items import model as m
from cfglint.nameres import preludes
from cfglint.nameres.absence import namespaces_of
from cfglint.nameres.causes import supplier_of
from cfglint.nameres.crate import Crate
from cfglint.nameres.def_map import namespaces
from cfglint.nameres.members import member, variant
from cfglint.nameres.model import Def, DefKind, Entry, EntryKind, Namespace
from cfglint.nameres.paths import resolve
from cfglint.nameres.scope import MODULES, NAMING, crate_hits, external, is_visible, std_condition, visibility_of
from cfglint.nameres.verdicts import Question

MAX_WAYS = 12
MAX_STEPS = 3_000
MAX_DEPTH = 24
_ROOTS = frozenset({"crate", "$crate", "self", "super", ""})


@dataclass(frozen=True, slots=True)
class Way:
    """One way: its hops from the reference on, the condition that they make in the root's words, and where it ends."""

    steps: tuple[Step, ...]
    condition: Condition
    target: Def


def ways(c: Crate, question: Question) -> tuple[Way, ...]:
    """The ways of a reference or an import to its definitions, each once, in the order of look-up."""
    search = _Search(c)
    found: dict[tuple[Step, ...], Way] = {}
    is_import = question.judged is not None
    skip = frozenset({(c.d.crate, *question.judged)}) if question.judged is not None else frozenset()
    for namespace in namespaces_of(question.space):
        for way in search.path(c, question.scope, question.path, namespace, is_import=is_import, busy=skip):
            if way.condition is not FALSE:
                found.setdefault(way.steps, way)
    if question.space is m.Space.MACRO and len(question.path) == 1:
        for hit in question.prefixes[-1].hits:
            steps = _textual(c, question.mount, hit.target)
            if steps:
                found.setdefault(steps, Way(steps, c.final(hit.condition), hit.target))
    return tuple(found.values())[:MAX_WAYS]


def ways_to_member(c: Crate, member: Def) -> tuple[Way, ...]:
    """The declaration of a member of a type or trait that is known, as the one way to it."""
    step = definition_step(c, member)
    return () if step is None else (Way((step,), step.condition, member),)


def _textual(c: Crate, mount: int, target: Def) -> tuple[Step, ...]:
    """The way to a macro by textual scope: the modules that it leaves by `#[macro_use]`, then its definition."""
    step = definition_step(c, target) if target.kind is DefKind.MACRO else None
    if step is None:
        return ()
    owner = c.program.crates[target.crate]
    around = set(module_steps(c, c, c.d.mounts[mount].module))
    return (*(s for s in module_steps(c, owner, owner.d.mounts[target.at].module) if s not in around), step)


def definition_step(view: Crate, target: Def) -> Step | None:
    """The declaration of an item, macro or member by itself, with the gates of its own."""
    if target.crate < 0:
        return None
    owner = view.program.crates[target.crate]
    supplier = supplier_of(view, target)
    if supplier is None:
        return None
    gates: tuple[Gate, ...] = ()
    if target.kind is DefKind.MODULE:
        declared = owner.d.modules[target.at].declaration
        if declared is not None:
            return declaration_step(view, owner, declared.mount, declared.kind, declared.index, declared.alternative)
    elif target.kind in (DefKind.ITEM, DefKind.MACRO, DefKind.MEMBER):
        tree = owner.d.mounts[target.at].tree
        gates = gates_between(view, owner, target.at, _gate_of(tree, target, supplier.start), 0)
    return Step(supplier.kind, supplier.name, supplier.file, supplier.start, gates)


def _gate_of(tree: m.ItemTree, target: Def, start: int) -> int:
    if target.kind is DefKind.ITEM:
        return tree.items[target.index].gate
    if target.kind is DefKind.MACRO:
        return tree.macros[target.index].gate
    members = tree.impls[-1 - target.index].members if target.index < 0 else tree.items[target.index].members
    return next((part.gate for part in members if part.start == start), 0)


_Busy = frozenset[tuple[int, int, int]]
"""Imports on the way, as (crate, scope, index): none is followed twice."""


@dataclass(slots=True)
class _Search:
    """One search and what is left of its budget."""

    view: Crate
    steps_left: int = MAX_STEPS

    def path(
        self, c: Crate, scope: int, path: m.Path, namespace: Namespace, *, is_import: bool, busy: _Busy
    ) -> Iterator[Way]:
        """The ways of a whole path."""
        if len(busy) > MAX_DEPTH:
            return
        start, rest = self._start(c, scope, path, namespace, is_import=is_import, busy=busy)
        module = c.d.scopes[scope].module
        for position, segment in enumerate(rest):
            wanted = namespace if position == len(rest) - 1 else Namespace.TYPE
            start = [
                Way((*way.steps, *inner.steps), here, inner.target)
                for way in start
                for inner in self._inside(c, way.target, segment, wanted, module, busy)
                if (here := way.condition & inner.condition) is not FALSE
            ][: MAX_WAYS * 4]
        yield from start

    def _start(
        self, c: Crate, scope: int, path: m.Path, namespace: Namespace, *, is_import: bool, busy: _Busy
    ) -> tuple[list[Way], m.Path]:
        first, rest = path[0], path[1:]
        if first == "Self":
            found = resolve(c, scope, ("Self",), Namespace.TYPE).hits
            return [Way((), self._seen(c, hit.condition), hit.target) for hit in found], rest
        if c.config.edition == "2015" and is_import and first not in ("crate", "$crate", "self", "super"):
            names = rest if first == "" else path
            wanted = namespace if len(names) == 1 else Namespace.TYPE
            in_root = list(self._named(c, c.d.root_scope, names[0], wanted, busy)) if names else []
            return in_root or list(self._crate(c, names[0])), names[1:]
        if first not in _ROOTS:
            return list(self._lexical(c, scope, first, namespace if not rest else Namespace.TYPE, busy)), rest
        if first == "":
            return (list(self._crate(c, rest[0])) if rest else []), rest[1:]
        module = 0 if first in ("crate", "$crate") else c.d.scopes[scope].module
        if first == "super":
            module = c.d.modules[module].parent
        while rest and rest[0] == "super" and module >= 0:
            module, rest = c.d.modules[module].parent, rest[1:]
        if module < 0:
            return [], rest
        return [Way((), TRUE, Def(DefKind.MODULE, c.d.crate, module, -1, c.d.modules[module].name))], rest

    def _lexical(self, c: Crate, scope: int, name: str, namespace: Namespace, busy: _Busy) -> Iterator[Way]:
        while True:
            data = c.d.scopes[scope]
            if data.kind in NAMING:
                yield from self._named(c, scope, name, namespace, busy)
            if data.kind in MODULES or data.parent == -1:
                break
            scope = data.parent
        if namespace is Namespace.TYPE:
            yield from self._crate(c, name)
        if scope != c.d.root_scope:
            root = c.d.scopes[c.d.root_scope]
            for entry in root.names.get(name, ()):
                imported = c.d.mounts[root.mount].tree.imports[entry.index] if entry.kind is EntryKind.IMPORT else None
                if imported is not None and imported.is_crate and namespace is Namespace.TYPE:
                    yield from self._entry(c, c.d.root_scope, entry, name, namespace, busy)
        if namespace is Namespace.TYPE and name in preludes.STD_TYPES:
            yield self._std(c, "prelude of `std`", name)

    def _named(self, c: Crate, scope: int, name: str, namespace: Namespace, busy: _Busy) -> Iterator[Way]:
        """The declarations of a name in one scope, then what its globs bring."""
        self.steps_left -= 1
        if self.steps_left < 0:
            return
        data = c.d.scopes[scope]
        for entry in data.names.get(name, ()):
            yield from self._entry(c, scope, entry, name, namespace, busy)
        if namespace is Namespace.MACRO and scope == c.d.root_scope:
            for mount, index in c.d.exported.get(name, ()):
                target = Def(DefKind.MACRO, c.d.crate, mount, index, name)
                step = definition_step(self.view, target)
                if step is not None:
                    yield Way((step,), step.condition, target)
        for index in data.globs:
            here = (c.d.crate, scope, index)
            if here not in busy:
                yield from self._through_glob(c, scope, index, name, namespace, busy | {here})

    def _entry(self, c: Crate, scope: int, entry: Entry, name: str, namespace: Namespace, busy: _Busy) -> Iterator[Way]:
        data = c.d.scopes[scope]
        mount = c.d.mounts[data.mount]
        if entry.kind is EntryKind.IMPORT:
            here = (c.d.crate, scope, entry.index)
            if here not in busy:
                yield from self._through_import(c, scope, entry.index, namespace, busy | {here})
            return
        children = c.d.children.get((data.mount, entry.kind, entry.index), ())
        if children:
            if namespace is Namespace.TYPE:
                for position, module in children:
                    step = declaration_step(self.view, c, data.mount, entry.kind, entry.index, position)
                    yield Way((step,), step.condition, Def(DefKind.MODULE, c.d.crate, module, -1, name))
        elif entry.kind is EntryKind.ITEM:
            item = mount.tree.items[entry.index]
            in_types, in_values = namespaces(item)
            if (namespace is Namespace.TYPE and in_types) or (namespace is Namespace.VALUE and in_values):
                gates = gates_between(self.view, c, data.mount, item.gate, data.gate)
                step = Step(item.kind, item.name, mount.file, item.start, gates)
                target = Def(DefKind.ITEM, c.d.crate, data.mount, entry.index, name)
                yield Way((step,), step.condition, target)

    def _through_import(self, c: Crate, scope: int, index: int, namespace: Namespace, busy: _Busy) -> Iterator[Way]:
        data = c.d.scopes[scope]
        mount = c.d.mounts[data.mount]
        imported = mount.tree.imports[index]
        gates = gates_between(self.view, c, data.mount, imported.gate, data.gate)
        step = Step("import", "::".join(imported.path), mount.file, imported.start, gates)
        if imported.is_crate:
            found = self._crate(c, imported.path[0]) if namespace is Namespace.TYPE else iter(())
        else:
            found = self.path(c, scope, imported.path, namespace, is_import=True, busy=busy)
        for way in found:
            here = way.condition & step.condition
            if here is not FALSE:
                yield Way((step, *way.steps), here, way.target)

    def _through_glob(
        self, c: Crate, scope: int, index: int, name: str, namespace: Namespace, busy: _Busy
    ) -> Iterator[Way]:
        data = c.d.scopes[scope]
        mount = c.d.mounts[data.mount]
        imported = mount.tree.imports[index]
        gates = gates_between(self.view, c, data.mount, imported.gate, data.gate)
        step = Step("glob import", f"{'::'.join(imported.path)}::*", mount.file, imported.start, gates)
        for container in self.path(c, scope, imported.path, Namespace.TYPE, is_import=True, busy=busy):
            if container.target.kind is DefKind.EXTERNAL:
                continue
            for way in self._inside(c, container.target, name, namespace, data.module, busy):
                here = way.condition & container.condition & step.condition
                if here is not FALSE:
                    yield Way((step, *container.steps, *way.steps), here, way.target)

    def _inside(
        self, c: Crate, container: Def, name: str, namespace: Namespace, module: int, busy: _Busy
    ) -> Iterator[Way]:
        """What `name` means inside a module or a type."""
        if container.kind is DefKind.MODULE:
            if name == "self":
                yield Way((), TRUE, container)
                return
            owner = c.program.crates[container.crate]
            scope = owner.d.modules[container.at].scope
            for way in self._named(owner, scope, name, namespace, busy):
                if owner is not c or self._is_visible(c, way, scope, module):
                    yield way
        elif container.kind is DefKind.ITEM:
            found = member(c, container, name, namespace)
            if not found.hits:
                found = variant(c, container, name, namespace)
            for hit in found.hits:
                step = definition_step(self.view, hit.target)
                yield Way(() if step is None else (step,), self._seen(c, hit.condition), hit.target)
        else:
            yield Way((), TRUE, external(f"{container.name}::{name}"))

    def _is_visible(self, c: Crate, way: Way, scope: int, module: int) -> bool:
        target = way.target
        if len(way.steps) != 1 or target.kind is not DefKind.ITEM or target.crate != c.d.crate:
            return True
        item = c.d.mounts[target.at].tree.items[target.index]
        return is_visible(c, visibility_of(c, scope, item.visibility), module)

    def _crate(self, c: Crate, name: str) -> Iterator[Way]:
        """The crate of that name, as the compiler is given it."""
        if name == "std" and name not in c.config.extern:
            yield self._std(c, "crate", name)
            return
        for target, condition, _ in crate_hits(c, name):
            known = c.config.extern.get(name)
            seen = self._seen(c, condition)
            gates: tuple[Gate, ...] = ()
            if condition is not TRUE and known is not None:
                gates = (Gate("", -1, Form.MANIFEST, known.key, seen, condition, c.d.crate),)
            yield Way((Step("crate", name, "", -1, gates),), seen, target)

    def _std(self, c: Crate, kind: str, name: str) -> Way:
        condition = std_condition(c)
        root = c.d.mounts[0].file
        gates: tuple[Gate, ...] = ()
        if condition is not TRUE:
            written = "#![no_std]"
            gates = (Gate(root, 0, Form.INNER, written, self._seen(c, condition), condition, c.d.crate, 0),)
        return Way((Step(kind, name, "", -1, gates),), self._seen(c, condition), external(name))

    def _seen(self, c: Crate, condition: Condition) -> Condition:
        return seen_from(self.view, c, condition)

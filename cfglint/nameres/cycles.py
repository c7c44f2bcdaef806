"""Imports that go round in a circle: which of them rustc resolves, which it finds to name nothing, and which it gives up.

The queries of crate.py find what names could mean. rustc is stricter: while a named import may still declare a name, no
glob hands that name on, so an import that reaches its name only by way of its own module's globs is never decided.
Here the imports of one cycle are decided as rustc does it, one by one in the order of the source, for all configurations
at once: each is decided under some conditions and waits under the rest.

Source: rustc_resolve (1.95), `resolve_imports`, `single_import_can_define_name` and `finalize_imports`, seen from outside.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, TypeAlias

from cfglint.condition.diagram import FALSE, TRUE, Condition
from cfglint.items import model as m
from cfglint.nameres.crate import Crate, Query, merge, one_doubt
from cfglint.nameres.imports import SPACES, glob_of, handed_on, import_target, narrower
from cfglint.nameres.macros import exported, textual
from cfglint.nameres.model import NOTHING, PUBLIC, Def, DefKind, EntryKind, Found, Hit, Namespace
from cfglint.nameres.order import source_order
from cfglint.nameres.paths import container_of_import, step_of_import
from cfglint.nameres.scope import MODULES, NAMING, entry_hits, is_visible, own, preludes_of, visibility_of
from cfglint.nameres.unknown import may_bring

Key: TypeAlias = tuple[int, str, Namespace]
"""A name in a scope: what imports of a cycle wait for."""

MAX_LOOKUPS = 20_000
MAX_ROUNDS = 40


class _TooLong(Exception):
    """The cycle is not worth the time."""


class Answer(NamedTuple):
    """What a name means by now: hits, where nobody knows yet and nothing may be looked for further out, and where one may.

    Elsewhere it is decided that there is nothing.
    """

    hits: tuple[Hit, ...]
    waiting: Condition
    open: Condition

    @property
    def undecided(self) -> Condition:
        """Where it is not known."""
        return self.waiting | self.open


_NOTHING = Answer((), FALSE, FALSE)


@dataclass(slots=True, eq=False)
class _Import:
    """A named import or a glob: where its module is known, and what has been decided about its name."""

    scope: int
    index: int
    data: m.Import
    gate: Condition
    visibility: int
    module: int
    containers: Found = NOTHING
    reached: Condition = FALSE
    lost: Condition = FALSE
    found: dict[Namespace, Found] = field(default_factory=dict)
    absent: dict[Namespace, Condition] = field(default_factory=dict)
    decided: list[tuple[int, Condition]] = field(default_factory=list)

    def pending(self, space: Namespace) -> Condition:
        """Where it may still declare its name."""
        if space not in self.found:
            return FALSE
        return self.gate - self.found[space].covered - self.absent[space]

    @property
    def unreached(self) -> Condition:
        """Where it is not known which module it imports from."""
        return self.gate - self.reached - self.lost


@dataclass(slots=True, eq=False)
class _Node:
    """A name of the cycle in its scope: what is declared, and what imports and globs bring."""

    key: Key
    declared: tuple[Hit, ...]
    imports: list[_Import]
    globs: list[_Import]
    by_glob: Found = NOTHING

    def firm(self) -> list[Hit]:
        """Declarations and named imports that are decided."""
        space = self.key[2]
        return [
            *self.declared,
            *(Hit(h.target, h.condition, i.visibility) for i in self.imports for h in i.found[space].hits),
        ]


class Verdict(NamedTuple):
    """What came of an import of a cycle: when it was decided, as (number, condition), and where it never was.

    Numbers of different `run`s cannot be compared.
    """

    run: int
    decided: tuple[tuple[int, Condition], ...]
    stuck: Condition


def settle(c: Crate, keys: Iterable[Query]) -> None:
    """Decide the imports of a cycle of queries that has just been answered, and correct the answers where rustc is stricter."""
    names: list[Key] = [(key[1], key[2], Namespace(key[3])) for key in keys if key[0] == "n"]  # type: ignore[misc]
    if not any(e.kind is EntryKind.IMPORT for scope, name, _ in names for e in c.d.scopes[scope].names.get(name, ())):
        return
    lowest = c.lowest
    try:
        _Cycle(c, names).solve()
    except _TooLong:
        pass
    finally:
        c.lowest = lowest


class _Cycle:
    """The state of the simulation."""

    def __init__(self, c: Crate, keys: Sequence[Key]) -> None:
        self.c = c
        self.lookups = 0
        self.number = 0
        self.imports: dict[tuple[int, int], _Import] = {}
        self.nodes: dict[Key, _Node] = {}
        for key in keys:
            self.nodes[key] = self._node(key)
        for node in self.nodes.values():
            for one in node.imports:
                one.found[node.key[2]] = NOTHING
                one.absent[node.key[2]] = FALSE

    def _node(self, key: Key) -> _Node:
        c, (scope, name, space) = self.c, key
        data = c.d.scopes[scope]
        entries = data.names.get(name, ())
        declared = [h for e in entries if not self._is_import(scope, e) for h in entry_hits(c, scope, e, space)]
        if space is Namespace.MACRO and scope == c.d.root_scope:
            declared.extend(exported(c, name).hits)
        unknown = may_bring(c, scope, name, space)
        if unknown is not FALSE:
            declared.append(Hit(Def(DefKind.OPAQUE, -1, -1, -1, "macro"), unknown, PUBLIC))
        imports = [self._import(scope, e.index) for e in entries if self._is_import(scope, e)]
        imports = [one for one in imports if space is Namespace.TYPE or not one.data.is_self]
        return _Node(key, tuple(declared), imports, [self._import(scope, index) for index in data.globs])

    def _is_import(self, scope: int, entry: object) -> bool:
        kind, index = entry  # type: ignore[misc]
        if kind is not EntryKind.IMPORT:
            return False
        return not self.c.d.mounts[self.c.d.scopes[scope].mount].tree.imports[index].is_crate

    def _import(self, scope: int, index: int) -> _Import:
        known = self.imports.get((scope, index))
        if known is None:
            c, data = self.c, self.c.d.scopes[scope]
            imported = c.d.mounts[data.mount].tree.imports[index]
            gate = c.gate(data.mount, imported.gate, data.gate)
            visibility = visibility_of(c, scope, imported.visibility)
            known = self.imports[scope, index] = _Import(scope, index, imported, gate, visibility, data.module)
        return known

    # The rounds

    def solve(self) -> None:
        """Decide what can be decided, and write down what differs from the answers of the queries."""
        order = sorted(self.imports.values(), key=lambda one: source_order(self.c.d, one.scope, one.index))
        for _ in range(MAX_ROUNDS):
            before = [(i.reached, i.lost, dict(i.found), dict(i.absent)) for i in order]
            for one in order:
                self._advance(one)
            if before == [(i.reached, i.lost, i.found, i.absent) for i in order]:
                break
        self._write(order)

    def _advance(self, one: _Import) -> None:
        """Try to decide an import that waits."""
        if one.unreached is not FALSE:
            self._reach(one)
        if one.data.is_glob:
            self._spread()
            return
        changed = False
        for space in one.found:
            waiting = one.pending(space)
            if waiting is FALSE:
                continue
            answer = self._target(one, space, one, ())
            covered = _covered(answer.hits)
            found = [h for h in _within(answer.hits, waiting & one.reached)]
            absent = waiting & (one.lost | (one.reached - covered - answer.undecided))
            if found or absent is not FALSE:
                one.found[space] = merge([*one.found[space].hits, *found])
                one.absent[space] |= absent
                changed = True
        self._note(one)
        if changed:
            self._spread()

    def _note(self, one: _Import) -> None:
        """Write down when an import was decided in all namespaces."""
        done = one.gate - _any(one.pending(space) for space in one.found)
        new = done - _any(condition for _, condition in one.decided)
        if new is not FALSE:
            self.number += 1
            one.decided.append((self.number, new))

    def _reach(self, one: _Import) -> None:
        """Find the modules that an import's path leads to."""
        answer = self._container(one)
        here = one.unreached
        one.containers = merge([*one.containers.hits, *_within(answer.hits, here)])
        covered = _covered(answer.hits)
        one.reached |= here & covered
        one.lost |= here - covered - answer.undecided

    def _spread(self) -> None:
        """Let every glob bring what its module hands on by now."""
        nodes = [node for node in self.nodes.values() if node.globs]
        changed = True
        while changed:
            changed = False
            for node in nodes:
                hits = merge(one_doubt([h for one in node.globs for h in self._brought(one, node.key)]))
                if hits != node.by_glob:
                    node.by_glob = hits
                    changed = True
            self._count(len(nodes))

    def _brought(self, one: _Import, key: Key) -> Iterator[Hit]:
        _, name, space = key
        for container, condition, _ in one.containers.hits:
            here = condition & one.gate
            node = self._node_in(container, name, space)
            if node is None:
                yield from glob_of(self.c, one.module, container, here, name, space, one.visibility, one.data)
            elif node.key[0] != key[0]:
                for h in self._exported(node).hits:
                    if is_visible(self.c, h.visibility, one.module) and (h.condition & here) is not FALSE:
                        yield Hit(h.target, h.condition & here, narrower(self.c, h.visibility, one.visibility))

    def _exported(self, node: _Node) -> Found:
        """What globs take from here: of what globs have brought only that which no named import can hide any more."""
        firm = node.firm()
        rest = ~_any([_covered(firm), *(one.pending(node.key[2]) for one in node.imports)])
        return merge([*firm, *_within(node.by_glob.hits, rest)])

    # Lookups

    def _node_in(self, container: Def, name: str, space: Namespace) -> _Node | None:
        if container.kind is not DefKind.MODULE or container.crate != self.c.d.crate:
            return None
        return self.nodes.get((self.c.d.modules[container.at].scope, name, space))

    def _target(self, one: _Import, space: Namespace, ignore: _Import | None, stack: tuple[Key, ...]) -> Answer:
        """What the last name of an import means."""
        path = one.data.path
        if container_of_import(self.c, one.scope, path) is None:
            answer = self._lexical(one.scope, path[-1], space, ignore, stack)
            if space is Namespace.MACRO:
                macros = textual(self.c, one.scope, one.data.start, path[-1])
                rest = ~macros.covered
                hits = (*macros.hits, *_within(answer.hits, rest))
                return Answer(hits, answer.waiting & rest, answer.open & rest)
            return answer
        return self._in_all(one.containers, path[-1], space, ignore, one.module, stack)

    def _in_all(
        self,
        containers: Found,
        name: str,
        space: Namespace,
        ignore: _Import | None,
        viewer: int,
        stack: tuple[Key, ...],
    ) -> Answer:
        hits: list[Hit] = []
        waiting = FALSE
        for container, condition, _ in containers.hits:
            answer = self._in(container, name, space, ignore, viewer, stack)
            hits.extend(_within(answer.hits, condition))
            waiting |= condition & answer.undecided
        return Answer(tuple(hits), waiting, FALSE)

    def _in(
        self,
        container: Def,
        name: str,
        space: Namespace,
        ignore: _Import | None,
        viewer: int,
        stack: tuple[Key, ...],
    ) -> Answer:
        node = self._node_in(container, name, space)
        if node is None:
            return Answer(step_of_import(self.c, container, name, space, viewer).hits, FALSE, FALSE)
        return self._lookup(node, ignore, viewer, stack)

    def _lookup(self, node: _Node, ignore: _Import | None, viewer: int, stack: tuple[Key, ...]) -> Answer:
        """A name of the cycle as `viewer` sees it; `ignore` is the import that asks. What is being asked has no answer."""
        key = node.key
        if key in stack:
            return _NOTHING
        self._count(1)
        stack = (*stack, key)
        firm = node.firm()
        hits = [h for h in firm if is_visible(self.c, h.visibility, viewer)]
        rest = ~_covered(firm)
        waiting = FALSE
        for one in node.imports:
            pending = one.pending(key[2]) & rest
            if one is not ignore and pending is not FALSE and is_visible(self.c, one.visibility, viewer):
                waiting |= pending & self._can_declare(one, node, stack)
        rest -= waiting
        brought = _within(node.by_glob.hits, rest)
        hits.extend(h for h in brought if is_visible(self.c, h.visibility, viewer))
        rest -= node.by_glob.covered
        is_open = FALSE
        for one in node.globs:
            if rest is FALSE:
                break
            if one is not ignore and is_visible(self.c, one.visibility, viewer):
                is_open |= rest & self._can_bring(one, key, ignore, viewer, stack)
        return Answer(tuple(hits), waiting, is_open)

    def _can_declare(self, one: _Import, node: _Node, stack: tuple[Key, ...]) -> Condition:
        """Where a named import that waits may declare its name after all."""
        space = node.key[2]
        result = one.unreached
        if one.data.path[-1] != one.data.name:
            result |= node.by_glob.covered | ~_any(self._found(one, other).covered for other in SPACES)
        if one.reached is not FALSE:
            answer = self._target(one, space, None, stack)
            seen = _covered([h for h in answer.hits if is_visible(self.c, h.visibility, one.module)])
            result |= one.reached & (seen | answer.undecided)
        return result

    def _found(self, one: _Import, space: Namespace) -> Found:
        known = one.found.get(space)
        return known if known is not None else import_target(self.c, one.scope, one.index, space)

    def _can_bring(
        self, one: _Import, key: Key, ignore: _Import | None, viewer: int, stack: tuple[Key, ...]
    ) -> Condition:
        """Where a glob may bring a name that it has not brought yet."""
        result = one.unreached
        for container, condition, _ in one.containers.hits:
            node = self._node_in(container, key[1], key[2])
            if node is not None:
                answer = self._lookup(node, ignore, viewer, stack)
                seen = _covered([h for h in answer.hits if is_visible(self.c, h.visibility, one.module)])
                result |= condition & (seen | answer.undecided)
        return result & one.gate

    def _lexical(
        self, scope: int, name: str, space: Namespace, ignore: _Import | None, stack: tuple[Key, ...]
    ) -> Answer:
        """A first segment: block by block, module, preludes."""
        c = self.c
        hits: list[Hit] = []
        waiting, is_open, rest = FALSE, FALSE, TRUE
        while rest is not FALSE:
            data = c.d.scopes[scope]
            if data.kind in NAMING:
                node = self.nodes.get((scope, name, space))
                if node is None:
                    answer = Answer(own(c, scope, name, space).hits, FALSE, FALSE)
                else:
                    answer = self._lookup(node, ignore, data.module, stack)
                hits.extend(_within(answer.hits, rest))
                waiting |= answer.waiting & rest
                is_open |= answer.open & rest
                rest -= _covered(answer.hits) | answer.waiting
            if data.kind in MODULES or data.parent == -1:
                break
            scope = data.parent
        for h in preludes_of(c, name, space):
            hits.extend(_within([h], rest))
            rest -= h.condition
        return Answer(tuple(hits), waiting, is_open & rest)

    def _container(self, one: _Import) -> Answer:
        """The modules and enums that the path of an import leads to, its last name aside."""
        path = one.data.path if one.data.is_glob else one.data.path[:-1]
        start = container_of_import(self.c, one.scope, one.data.path if not one.data.is_glob else (*path, "*"))
        if start is None:
            return Answer((Hit(Def(DefKind.BUILTIN, -1, -1, -1, ""), TRUE, PUBLIC),), FALSE, FALSE)
        found, rest = start
        if found is None:
            current = self._lexical(one.scope, rest[0], Namespace.TYPE, one, ())
            rest = rest[1:]
        else:
            current = Answer(found.hits, FALSE, FALSE)
        waiting = current.undecided
        for segment in rest:
            current = self._in_all(merge(list(current.hits)), segment, Namespace.TYPE, one, one.module, ())
            waiting |= current.undecided
        return Answer(current.hits, waiting, FALSE)

    def _count(self, number: int) -> None:
        self.lookups += number
        if self.lookups > MAX_LOOKUPS:
            raise _TooLong

    # The result

    def _write(self, order: Sequence[_Import]) -> None:
        c = self.c
        run = len(c.verdicts)
        stuck = {one: _any(one.pending(space) for space in one.found) for one in order if not one.data.is_glob}
        for one, condition in stuck.items():
            c.verdicts[one.scope, one.index] = Verdict(run, tuple(one.decided), condition)
        if all(condition is FALSE for condition in stuck.values()):
            return
        for key, node in self.nodes.items():
            firm = node.firm()
            best = merge([*firm, *_within(node.by_glob.hits, ~_covered(firm))])
            c.memo["n", *key] = best
            given = self._exported(node)
            if given != best:
                c.withheld[key] = given


def _within(hits: Iterable[Hit], condition: Condition) -> list[Hit]:
    return [Hit(h.target, here, h.visibility) for h in hits if (here := h.condition & condition) is not FALSE]


def _covered(hits: Iterable[Hit]) -> Condition:
    return _any(h.condition for h in hits)


def _any(conditions: Iterable[Condition]) -> Condition:
    result = FALSE
    for condition in conditions:
        result |= condition
    return result

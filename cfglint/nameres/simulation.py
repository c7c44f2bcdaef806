"""Imports decided as rustc decides them: one by one in the order of the source, and again until nothing changes.

An import is decided when it is known what it names, or that it names nothing; it waits while another import may still
declare what it looks for. Here that is done for all configurations at once: an import is decided under some conditions and
waits under the rest. It is asked of the few names that need it; those of all others are taken from the queries of crate.py.

There are two passes, for what is there before macros are expanded and for all: what a glob has handed on stays handed on.

Source: rustc_resolve (1.95), `resolve_imports`, `single_import_can_define_name` and `finalize_imports`, seen from outside.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from cfglint.condition.diagram import FALSE, TRUE, Condition, disjunction
from cfglint.nameres.crate import Crate, merge, one_doubt
from cfglint.nameres.imports import SPACES, glob_of, glob_target, narrower
from cfglint.nameres.macros import exported, textual
from cfglint.nameres.members import importable
from cfglint.nameres.model import NOTHING, PUBLIC, Def, DefKind, Entry, EntryKind, Found, Hit, Namespace
from cfglint.nameres.order import Order, has_late_parts, order_of_entry, order_of_import
from cfglint.nameres.paths import import_start, resolve_import_path, step
from cfglint.nameres.pending import Answer, Import, Key, Node, covered_by, within
from cfglint.nameres.scope import MODULES, NAMING, entry_hits, included, is_visible, own, preludes_of, visibility_of
from cfglint.nameres.unknown import brought

MAX_LOOKUPS = 20_000
MAX_ROUNDS = 40


class TooLongError(Exception):
    """There is too much to decide."""


_NOTHING = Answer((), FALSE, FALSE)
_HERE = Def(DefKind.BUILTIN, -1, -1, -1, "")
"""Stands for the scopes around an import of one name."""


def order_of(
    c: Crate, scope: int, index: int, relevant: Collection[tuple[int, int]] | None = None
) -> Simulation | None:
    """The order in which an import and all that it depends on are decided; None where that takes too long.

    Also None where none of the imports that are `relevant` is among them.
    """
    simulation = Simulation(c)
    try:
        simulation.add_with_all(simulation.of(scope, index))
        if relevant is not None and simulation.imports.keys().isdisjoint(relevant):
            return None
        simulation.solve()
    except TooLongError:
        return None
    return simulation


class Simulation:
    """Some names with the imports that may declare them, and what has been decided."""

    def __init__(self, c: Crate) -> None:
        self.c = c
        self.lookups = 0
        self.number = 0
        self.is_early = False
        self.is_over = False
        self.imports: dict[tuple[int, int], Import] = {}
        self.nodes: dict[Key, Node] = {}
        self.taking: list[Node] = []
        """The names that globs may bring, of which `changed` may get something that they have not."""
        self.changed: set[Node] = set()

    def add(self, key: Key) -> Node:
        """Decide about this name too."""
        node = self.nodes.get(key)
        if node is None:
            node = self.nodes[key] = self._node(key)
            self._count(1)
        return node

    def add_with_all(self, one: Import) -> None:
        """Decide about an import and every import that it may lead to."""
        imports, seen = [one], {one}
        while imports:
            current = imports.pop()
            if not current.data.is_glob:
                for space in (Namespace.TYPE,) if current.data.is_self else SPACES:
                    current.found.setdefault(space, NOTHING)
                    current.absent.setdefault(space, FALSE)
            names = list(self._on_the_way(current))
            while names:
                key = names.pop()
                if key in self.nodes:
                    continue
                node = self.add(key)
                if covered_by([*node.declared, *(hit for _, hits in node.late for hit in hits)]) is TRUE:
                    continue
                new = {*node.imports, *node.globs} - seen
                seen |= new
                imports += new
                names += self.behind(node)

    def behind(self, node: Node) -> list[Key]:
        """The same name in the modules that globs take it from."""
        return [
            (scope, *node.key[1:])
            for glob in node.globs
            for scope in self._modules(glob_target(self.c, glob.scope, glob.index))
        ]

    def _modules(self, found: Found) -> Iterator[int]:
        """The scopes of the modules of this crate among some hits."""
        for target, _, _ in found.hits:
            if target.kind is DefKind.MODULE and target.crate == self.c.d.crate:
                yield self.c.d.modules[target.at].scope

    def _on_the_way(self, one: Import) -> Iterator[Key]:
        """The names that an import's path may be made of."""
        c, path = self.c, one.data.path
        found, rest = one.start
        for position, name in enumerate(rest, len(path) - len(rest)):
            is_last = position == len(path) - 1 and not one.data.is_glob
            spaces = SPACES if is_last and not one.data.is_self else (Namespace.TYPE,)
            if found is None and position == 0:
                yield from ((scope, name, space) for scope in self._around(one.scope) for space in spaces)
                continue
            outer = found if position == len(path) - len(rest) else None
            outer = outer or resolve_import_path(c, one.scope, path[:position], Namespace.TYPE)
            yield from ((scope, name, space) for scope in self._modules(outer) for space in spaces)

    def _around(self, scope: int) -> Iterator[int]:
        scopes = self.c.d.scopes
        while True:
            if scopes[scope].kind in NAMING:
                yield scope
            if scopes[scope].kind in MODULES or scopes[scope].parent == -1:
                return
            scope = scopes[scope].parent

    def is_earlier(self, one: Import, other: Import) -> bool:
        """Whether `one` stands before `other` in the source."""
        return one.order < other.order

    def _node(self, key: Key) -> Node:
        c, (scope, name, space) = self.c, key
        data = c.d.scopes[scope]
        entries = data.names.get(name, ())
        declared: list[Hit] = []
        late: list[tuple[Order, list[Hit]]] = []
        imports: list[Import] = []
        for entry in entries:
            if self._is_import(scope, entry):
                one = self.of(scope, entry.index)
                if space is Namespace.TYPE or not one.data.is_self:
                    one.found.setdefault(space, NOTHING)
                    one.absent.setdefault(space, FALSE)
                    imports.append(one)
                continue
            hits, order = entry_hits(c, scope, entry, space), order_of_entry(c.d, scope, entry)
            if order[0]:
                late.append((order, hits))
            else:
                declared.extend(hits)
        if space is Namespace.MACRO and scope == c.d.root_scope:
            declared.extend(exported(c, name).hits)
        declared.extend(included(c, scope, name, space))
        declared.extend(brought(c, scope, name, space))
        globs = [self.of(scope, index) for index in data.globs]
        return Node(key, declared, late, imports, globs, has_late_parts(c.d, scope))

    def _is_import(self, scope: int, entry: Entry) -> bool:
        if entry.kind is not EntryKind.IMPORT:
            return False
        return not self.c.d.mounts[self.c.d.scopes[scope].mount].tree.imports[entry.index].is_crate

    def of(self, scope: int, index: int) -> Import:
        """An import by its place."""
        known = self.imports.get((scope, index))
        if known is None:
            c, data = self.c, self.c.d.scopes[scope]
            imported = c.d.mounts[data.mount].tree.imports[index]
            gate = c.gate(data.mount, imported.gate, data.gate)
            visibility = visibility_of(c, scope, imported.visibility)
            start = import_start(c, scope, imported.path)
            order = order_of_import(c.d, scope, index)
            known = Import(scope, index, imported, gate, visibility, data.module, start, order)
            self.imports[scope, index] = known
        return known

    # The rounds

    def solve(self) -> None:
        """Decide what can be decided."""
        imports = sorted(self.imports.values(), key=lambda one: one.order)
        self.taking = [node for node in self.nodes.values() if node.globs]
        self.changed = set(self.taking)
        self.is_early = True
        for one in imports:
            one.is_there = not one.order[0]
        self._repeat([one for one in imports if one.is_there])
        self.is_early = False
        self._expand([one for one in imports if not one.is_there])
        self._repeat(imports)

    def _repeat(self, imports: Sequence[Import]) -> None:
        for _ in range(MAX_ROUNDS):
            before = [(i.reached, i.lost, dict(i.found), dict(i.absent)) for i in imports]
            for one in imports:
                self._advance(one)
            if before == [(i.reached, i.lost, i.found, i.absent) for i in imports]:
                break

    def _expand(self, imports: Sequence[Import]) -> None:
        """Let everything come that macros make, in its order."""
        coming: list[tuple[Order, Import | tuple[Node, list[Hit]]]] = [(one.order, one) for one in imports]
        coming += [(order, (node, hits)) for node in self.nodes.values() for order, hits in node.late]
        is_spread = True
        for _, one in sorted(coming, key=lambda pair: pair[0]):
            if isinstance(one, Import):
                if not is_spread:
                    self._spread()
                one.is_there = is_spread = True
                self._touch(one)
            else:
                node, hits = one
                node.declared.extend(hits)
                self._touch_name(*node.key[1:])
                is_spread = False
        self._spread()

    def release(self) -> None:
        """Give up what still waits: then globs hand on all that they have."""
        self.is_over = True
        self.changed = set(self.taking)
        self._spread()

    def _advance(self, one: Import) -> None:
        """Try to decide an import that waits."""
        if one.unreached is not FALSE:
            self._reach(one)
        if one.data.is_glob:
            self._note(one)
            self._spread()
            return
        changed = False
        for space in one.found:
            waiting = one.pending(space)
            if waiting is FALSE:
                continue
            answer = self._target(one, space, one, ())
            covered = covered_by(answer.hits)
            found = within(answer.hits, waiting & one.reached)
            absent = waiting & (one.reached - covered - answer.undecided)
            if found or absent is not FALSE:
                one.found[space] = merge([*one.found[space].hits, *found])
                one.absent[space] |= absent
                changed = True
        self._note(one)
        if changed:
            self._touch(one)
            self._spread()

    def _note(self, one: Import) -> None:
        """Write down when an import was decided in all namespaces."""
        done = one.gate - one.stuck
        new = done - disjunction(condition for _, condition in one.decided)
        if new is not FALSE:
            self.number += 1
            one.decided.append((self.number, new))

    def _reach(self, one: Import) -> None:
        """Find the modules that an import's path leads to."""
        answer = self._container(one)
        here = one.unreached
        before = one.containers
        one.containers = merge([*before.hits, *within(answer.hits, here)])
        if one.data.is_glob and one.containers != before:
            self._touch(one)
        covered = covered_by(answer.hits)
        one.reached |= here & covered
        one.lost |= here - covered - answer.undecided

    def _spread(self) -> None:
        """Let every glob bring what its module hands on by now."""
        while self.changed:
            for node in self.taking:
                if node not in self.changed:
                    continue
                self.changed.remove(node)
                self._count(1)
                new = [h for one in node.globs if one.is_there for h in self._brought(one, node.key)]
                if new == node.handed:
                    continue
                node.handed = new
                hits = merge(one_doubt([*node.by_glob.hits, *new]))
                if hits != node.by_glob:
                    node.by_glob = hits
                    self._touch_name(*node.key[1:])

    def _touch(self, one: Import) -> None:
        """An import has brought or settled something: names that rest on it are to be looked at again."""
        if one.data.is_glob:
            self.changed.update(node for node in self.taking if one in node.globs)
        else:
            for space in one.found:
                self._touch_name(one.data.name, space)

    def _touch_name(self, name: str, space: Namespace) -> None:
        """A name has another meaning in some module: globs may hand it on."""
        self.changed.update(node for node in self.taking if node.key[1:] == (name, space))

    def _brought(self, one: Import, key: Key) -> Iterator[Hit]:
        _, name, space = key
        for container, condition, _ in one.containers.hits:
            here = condition & one.gate
            node = self._node_in(container, name, space)
            if node is None:
                yield from glob_of(self.c, one.module, container, here, name, space, one.visibility, one.data)
            elif node.key[0] != key[0]:
                for h in self.handed_on(node).hits:
                    if is_visible(self.c, h.visibility, one.module) and (h.condition & here) is not FALSE:
                        yield Hit(h.target, h.condition & here, narrower(self.c, h.visibility, one.visibility))

    def handed_on(self, node: Node) -> Found:
        """What globs take from here: of what globs have brought only that which no named import can hide any more."""
        if self.is_over:
            return node.meaning()
        firm = node.firm()
        rest = ~disjunction([covered_by(firm), *(one.holds(node.key[2]) for one in node.imports)])
        return merge([*firm, *within(node.by_glob.hits, rest)])

    # Lookups

    def _node_in(self, container: Def, name: str, space: Namespace) -> Node | None:
        if container.kind is not DefKind.MODULE or container.crate != self.c.d.crate:
            return None
        return self.nodes.get((self.c.d.modules[container.at].scope, name, space))

    def _target(self, one: Import, space: Namespace, ignore: Import | None, stack: tuple[Key, ...]) -> Answer:
        """What the last name of an import means."""
        found, rest = one.start
        if not rest:
            return Answer(one.containers.hits if space is Namespace.TYPE else (), FALSE, FALSE)
        if found is not None or len(rest) > 1:
            return self._in_all(one.containers, rest[-1], space, ignore, one.module, stack)
        answer = self._lexical(one.scope, rest[0], space, ignore, stack)
        if space is not Namespace.MACRO:
            return answer
        macros = textual(self.c, one.scope, one.data.start, rest[0])
        left = ~macros.covered
        return Answer((*macros.hits, *within(answer.hits, left)), answer.waiting & left, answer.open & left)

    def _in_all(
        self,
        containers: Found,
        name: str,
        space: Namespace,
        ignore: Import | None,
        viewer: int,
        stack: tuple[Key, ...],
    ) -> Answer:
        hits: list[Hit] = []
        waiting = FALSE
        for container, condition, _ in containers.hits:
            answer = self._in(container, name, space, ignore, viewer, stack)
            hits.extend(within(answer.hits, condition))
            waiting |= condition & answer.undecided
        return Answer(tuple(hits), waiting, FALSE)

    def _in(
        self,
        container: Def,
        name: str,
        space: Namespace,
        ignore: Import | None,
        viewer: int,
        stack: tuple[Key, ...],
    ) -> Answer:
        node = self._node_in(container, name, space)
        if node is None:
            return Answer(step(self.c, container, name, space, viewer, importable).hits, FALSE, FALSE)
        return self._lookup(node, ignore, viewer, stack)

    def _lookup(self, node: Node, ignore: Import | None, viewer: int, stack: tuple[Key, ...]) -> Answer:
        """A name of the cycle as `viewer` sees it; `ignore` is the import that asks. What is being asked has no answer."""
        key = node.key
        if key in stack:
            return _NOTHING
        self._count(1)
        stack = (*stack, key)
        firm = node.firm()
        hits = [h for h in firm if is_visible(self.c, h.visibility, viewer)]
        rest = ~covered_by(firm)
        waiting = FALSE
        for one in node.imports:
            pending = one.holds(key[2]) & rest
            if one is not ignore and pending is not FALSE and is_visible(self.c, one.visibility, viewer):
                waiting |= pending & self._can_declare(one, node, stack)
        rest -= waiting
        if self.is_early and node.has_late_parts:
            return Answer(tuple(hits), waiting | (rest & node.by_glob.covered), rest)
        brought = within(node.by_glob.hits, rest)
        hits.extend(h for h in brought if is_visible(self.c, h.visibility, viewer))
        rest -= node.by_glob.covered
        is_open = FALSE
        for one in node.globs:
            if rest is FALSE:
                break
            if one is not ignore and one.is_there and is_visible(self.c, one.visibility, viewer):
                is_open |= rest & self._can_bring(one, key, ignore, viewer, stack)
        return Answer(tuple(hits), waiting, is_open)

    def _can_declare(self, one: Import, node: Node, stack: tuple[Key, ...]) -> Condition:
        """Where a named import that waits may declare its name after all."""
        space = node.key[2]
        result = one.unreached | one.lost
        if one.data.path[-1] != one.data.name:
            result |= node.by_glob.covered | ~disjunction(found.covered for found in one.found.values())
        if one.reached is not FALSE:
            answer = self._target(one, space, None, stack)
            seen = covered_by([h for h in answer.hits if is_visible(self.c, h.visibility, one.module)])
            result |= one.reached & (seen | answer.undecided)
        return result

    def _can_bring(
        self, one: Import, key: Key, ignore: Import | None, viewer: int, stack: tuple[Key, ...]
    ) -> Condition:
        """Where a glob may bring a name that it has not brought yet."""
        result = one.unreached
        for container, condition, _ in one.containers.hits:
            node = self._node_in(container, key[1], key[2])
            if node is not None:
                answer = self._lookup(node, ignore, viewer, stack)
                seen = covered_by([h for h in answer.hits if is_visible(self.c, h.visibility, one.module)])
                result |= condition & (seen | answer.undecided)
        return result & one.gate

    def _lexical(
        self, scope: int, name: str, space: Namespace, ignore: Import | None, stack: tuple[Key, ...]
    ) -> Answer:
        """A first segment: block by block, module, preludes."""
        c = self.c
        hits: list[Hit] = []
        waiting, is_open, rest = FALSE, FALSE, TRUE
        for current in self._around(scope):
            node = self.nodes.get((current, name, space))
            if node is None:
                answer = Answer(own(c, current, name, space).hits, FALSE, FALSE)
            else:
                answer = self._lookup(node, ignore, c.d.scopes[current].module, stack)
            hits.extend(within(answer.hits, rest))
            waiting |= answer.waiting & rest
            is_open |= answer.open & rest
            rest -= covered_by(answer.hits) | answer.waiting
            if rest is FALSE:
                break
        for h in preludes_of(c, name, space):
            hits.extend(within([h], rest))
            rest -= h.condition
        return Answer(tuple(hits), waiting, is_open & rest)

    def _container(self, one: Import) -> Answer:
        """The modules and enums that the path of an import leads to, its last name aside."""
        found, rest = one.start
        if not one.data.is_glob:
            rest = rest[:-1]
        if found is not None:
            current = Answer(found.hits, FALSE, FALSE)
        elif rest:
            current = self._lexical(one.scope, rest[0], Namespace.TYPE, one, ())
            rest = rest[1:]
        else:
            return Answer((Hit(_HERE, TRUE, PUBLIC),), FALSE, FALSE)
        waiting = current.undecided
        for segment in rest:
            current = self._in_all(merge(list(current.hits)), segment, Namespace.TYPE, one, one.module, ())
            waiting |= current.undecided
        return Answer(current.hits, waiting, FALSE)

    def _count(self, number: int) -> None:
        self.lookups += number
        if self.lookups > MAX_LOOKUPS:
            raise TooLongError

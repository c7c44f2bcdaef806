"""One crate in the middle of being resolved: its DefMap, the memo of queries, and the fixpoint that cycles need.

Name resolution here is demand-driven: a name is looked up when something refers to it, and the answer is kept.
Imports and globs can form cycles; a query that meets itself gets what is known so far, and the query at the head of
the cycle is repeated until nothing grows (rustc's "candidates are speculative"). What does not settle is opaque.
"""

from __future__ import annotations

import functools
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from cfglint.condition.atom import Atom, AtomKind, feature, flag, key_value, opaque
from cfglint.condition.diagram import FALSE, TRUE, Condition, disjunction, literal
from cfglint.condition.predicate import Invalid, MacroGate, Option, Predicate, lower
from cfglint.items import model as m
from cfglint.items.expanded import Expansion
from cfglint.nameres.def_map import DefMap
from cfglint.nameres.model import NOTHING, PUBLIC, Def, DefKind, EntryKind, Found, Hit

Query: TypeAlias = tuple[object, ...]

QUALIFIER = "::"
"""Stands between the number of a crate and its feature; no feature name holds a colon (Cargo book, Features)."""

_TEST = flag("test")
_OFF_OUTSIDE = frozenset({"doc", "docsrs", "doctest", "miri", "loom", "fuzzing", "rustfmt", "clippy"})
"""Flags that are not set where a dependency from outside is built to be used."""

MAX_ROUNDS = 8
MAX_CHAIN = 400
MAX_HITS = 256


@dataclass(slots=True)
class Program:
    """The crates that are resolved together; a crate's number is its position. `source` gives the bytes of a file.

    `closed` crates have their number, and nothing else until somebody asks for them.
    """

    source: Callable[[str], bytes]
    crates: list[Crate] = field(default_factory=list)
    closed: dict[int, Callable[[], Crate | None]] = field(default_factory=dict)

    def opened(self, number: int) -> Crate:
        """The crate with that number; it has no modules if it cannot be read."""
        opener = self.closed.pop(number, None)
        if opener is not None:
            found = opener()
            if found is not None:
                self.crates[number] = found
        return self.crates[number]


class _Running:
    """A query that is being answered: what is known so far, and whether it has met itself."""

    __slots__ = ("answer", "depth", "met")

    def __init__(self, depth: int, answer: Found) -> None:
        self.depth = depth
        self.answer = answer
        self.met = False


class _Group:
    """Provisional answers that rest on the same running query, at depth `low`; groups are merged as queries end."""

    __slots__ = ("low", "parent")

    def __init__(self, low: int) -> None:
        self.low = low
        self.parent: _Group | None = None

    def root(self) -> _Group:
        """The group that this one has been merged into."""
        group = self
        while group.parent is not None:
            group = group.parent
        return group


class Crate:
    """The queries of one crate. Functions of this room take it as their first argument."""

    def __init__(self, program: Program, def_map: DefMap) -> None:
        self.program = program
        self.d = def_map
        self.config = def_map.config
        self.memo: dict[Query, Found] = {}
        self.active: dict[Query, _Running] = {}
        self.provisional: dict[Query, tuple[Found, _Group]] = {}
        self.groups: list[tuple[int, _Group]] = []
        self.lowest = MAX_CHAIN + 1
        self.seeds: dict[Query, Found] = {}
        self.unsettled: list[Query] = []
        self.gate_memo: dict[tuple[int, int, int], Condition] = {}
        self.outer_memo: dict[tuple[int, int], Condition] = {}
        self.module_memo: dict[int, Condition] = {}
        self.summaries: dict[tuple[int, int, int, int], Condition] = {}
        self.expansions: dict[tuple[int, int, int, int], Expansion | None] = {}
        self.busy_gates: set[tuple[int, int]] = set()
        self.path_memo: dict[tuple[int, m.Path, int], Found] = {}
        self.members: object | None = None
        self.unknowns: dict[int, object] = {}
        self.brought: dict[str, object] = {}
        self.naming: dict[int, int] = {}
        self.sealed: dict[int, bool] = {}
        self.unread: dict[str, Found | None] = {}
        self.outside: dict[int, object] = {}
        self.all_names: frozenset[str] | None = None
        self.waiting: set[tuple[int, int]] = set()
        self.decided: dict[tuple[int, int], Condition] = {}
        self.closed: bool | None = None
        self.written: frozenset[str] | None = None
        self.imported_names: frozenset[str] | None = None
        self.foreign_macros: Mapping[str, Sequence[int]] | None = None
        self.macro_words: frozenset[bytes] | None = None
        self.gates_of_calls: dict[tuple[int, int], Condition] = {}
        self.std_condition: Condition | None = None
        self.unnamed: frozenset[str] | None = None
        self.hollow: frozenset[str] | None = None
        self.meaning: Callable[[Atom], Condition | None] = _unchanged
        self._final: dict[Condition, Condition] = {}
        self._qualified: dict[Condition, Condition] = {}

    # Queries

    def query(self, key: Query, compute: Callable[[], Found]) -> Found:
        """The answer to `key`, with cycles solved by iteration from nothing.

        `lowest` is the depth of the outermost running query that the current one has met. An answer that rests on a
        running query is provisional until that query, the head of the cycle, has settled. Only the outermost head
        repeats: heads within a cycle that repeated as well would multiply the rounds. In each round they start from
        their answers of the last one (`seeds`), and the cycle has settled when no query that met itself had another
        answer than the one it was met with (`unsettled`).
        """
        known = self.memo.get(key)
        if known is not None:
            return known
        running = self.active.get(key)
        if running is not None:
            running.met = True
            self.lowest = min(self.lowest, running.depth)
            return running.answer
        guessed = self.provisional.get(key)
        if guessed is not None:
            self.lowest = min(self.lowest, guessed[1].root().low)
            return guessed[0]
        depth = len(self.active)
        if depth >= MAX_CHAIN:
            return unknown(f"chain of more than {MAX_CHAIN} names")
        outer, unsettled = self.lowest, len(self.unsettled)
        start = len(self.provisional)
        mine = _Running(depth, self.seeds.get(key, NOTHING))
        self.active[key] = mine
        round_number = 0
        unsteady: list[Query] = []
        while True:
            self.lowest = MAX_CHAIN + 1
            mine.met = False
            found = compute()
            if mine.met and found != mine.answer:
                self.unsettled.append(key)
            mine.answer = found
            if self.lowest < depth or len(self.unsettled) == unsettled:
                break
            unsteady += self._next_round(start, unsettled, MAX_ROUNDS - round_number)
            if key in self.memo:
                mine.answer = self.memo[key]
                break
            round_number += 1
        answer = mine.answer
        del self.active[key]
        if self.lowest < depth:
            group = _Group(self.lowest)
            while self.groups and self.groups[-1][0] >= start:
                self.groups.pop()[1].parent = group
            self.groups.append((start, group))
            self.provisional[key] = (answer, group)
            self.lowest = min(outer, self.lowest)
        else:
            for name, (guess, _) in list(self.provisional.items())[start:]:
                self.memo[name] = guess
                self.seeds.pop(name, None)
            self.seeds.pop(key, None)
            cycle = [key, *list(self.provisional)[start:]]
            self._forget(start)
            self.memo[key] = answer
            self.lowest = outer
            if len(cycle) > 1 or unsteady:
                from cfglint.nameres.cycles import note_waiting

                note_waiting(self, cycle, unsteady)
                answer = self.memo[key] if key in self.memo else self.query(key, compute)
        return answer

    def _next_round(self, start: int, unsettled: int, rounds_left: int) -> list[Query]:
        """Keep the answers of this round as the beginning of the next; when there were too many, give up what moves.

        Gives all queries of the cycle in that case.
        """
        for name, (guess, _) in list(self.provisional.items())[start:]:
            self.seeds[name] = guess
        moving = self.unsettled[unsettled:]
        given_up = [*moving, *list(self.provisional)[start:]] if rounds_left <= 1 else []
        if given_up:
            for name in moving:
                self.memo[name] = unknown("imports that do not settle")
        del self.unsettled[unsettled:]
        self._forget(start)
        return given_up

    def _forget(self, start: int) -> None:
        """Drop the provisional answers made since there were `start` of them."""
        while len(self.provisional) > start:
            self.provisional.popitem()
        while self.groups and self.groups[-1][0] >= start:
            self.groups.pop()

    def mystery(self, text: str) -> Condition:
        """A condition that nobody knows; all of a crate from outside are one, for there they decide nothing."""
        return literal(opaque("something in a crate from outside" if self.d.later is not None else text))

    def place(self, mount: int, offset: int) -> str:
        """A place in a file for the name of something unknown: unique, and the same wherever the project lies."""
        file = self.d.mounts[mount].file
        base = os.path.dirname(os.path.dirname(self.config.root_file))
        return f"{os.path.relpath(file, base)}, byte {offset}"

    # The words of other crates

    def qualified(self, condition: Condition) -> Condition:
        """A condition in this crate's words, as other crates see it: its features carry its number, `test` is off.

        A feature of a dependency has no meaning of its own in a build: what it means depends on the root, which is
        asked at the end (`final`).
        """
        if condition is TRUE or condition is FALSE:
            return condition
        known = self._qualified.get(condition)
        if known is None:
            words = {atom: word for atom in condition.atoms() if (word := self._qualify(atom)) is not None}
            known = self._qualified[condition] = condition.substitute(words) if words else condition
        return known

    def _qualify(self, atom: Atom) -> Condition | None:
        if atom.kind is AtomKind.FEATURE and QUALIFIER not in atom.key:
            return literal(feature(f"{self.d.crate}{QUALIFIER}{atom.key}"))
        if self.d.later is not None and atom.kind is AtomKind.FLAG and atom.key in _OFF_OUTSIDE:
            return FALSE
        return FALSE if atom == _TEST else None

    def final(self, condition: Condition) -> Condition:
        """A condition with features of other crates replaced by what they mean in the build of this root."""
        if condition is TRUE or condition is FALSE:
            return condition
        known = self._final.get(condition)
        if known is None:
            words = {atom: word for atom in condition.atoms() if (word := self.meaning(atom)) is not None}
            known = self._final[condition] = condition.substitute(words) if words else condition
        return known

    # Conditions

    def option(self, mount: int, predicate: Option | Invalid | MacroGate) -> Condition:
        """The meaning of a leaf of a predicate in this crate."""
        if isinstance(predicate, MacroGate):
            from cfglint.nameres.macros import macro_gate

            return macro_gate(self, mount, predicate.call, predicate.start)
        if isinstance(predicate, Invalid):
            return literal(opaque(f"{predicate.text} in {self.place(mount, 0)}"))
        if predicate.key == "doctest" and predicate.value is None:
            return FALSE  # only rustdoc sets it
        if predicate.key == "test" and predicate.value is None and self.config.test is not None:
            return self.config.test
        key = (predicate.key, predicate.value)
        if key in self.config.options:
            meaning = self.config.options[key]
            if meaning is not None:
                return self.lower(mount, meaning)
            return literal(opaque(f"cfg set by build.rs: {_spelled(predicate)}"))
        if self.config.is_opaque(predicate.key):
            return literal(opaque(f"cfg set by build.rs: {_spelled(predicate)}"))
        return literal(atom_of(predicate))

    def lower(self, mount: int, predicate: Predicate) -> Condition:
        """A predicate of a mounted file as a condition."""
        return lower(predicate, lambda leaf: self.option(mount, leaf))

    def gate(self, mount: int, gate: int, above: int = 0) -> Condition:
        """What the chain from `gate` up to, and without, `above` demands."""
        if gate == above or gate <= 0:
            return TRUE
        key = (mount, gate, above)
        known = self.gate_memo.get(key)
        if known is not None:
            return known
        chain: list[int] = []
        gates = self.d.mounts[mount].tree.gates
        current = gate
        while current > above and current > 0:
            chain.append(current)
            current = gates[current].parent
        result = TRUE
        for link in reversed(chain):
            result &= self.lower(mount, gates[link].predicate)
            self.gate_memo[mount, link, above] = result
        return result

    def module_condition(self, module: int) -> Condition:
        """The absolute presence condition of a module's contents, its own `#![cfg]` included."""
        known = self.module_memo.get(module)
        if known is not None:
            return known
        data = self.d.modules[module]
        if data.declaration is None:
            result = self.config.condition & self.file_gate(data.mount)
        else:
            declared = data.declaration
            above = self.module_condition(data.parent)
            result = above & self.declared_condition(
                declared.mount, declared.kind, declared.index, declared.alternative
            )
        self.module_memo[module] = result
        return result

    def file_gate(self, mount: int) -> Condition:
        """What the file's own inner attributes demand."""
        return self.gate(mount, self.d.mounts[mount].tree.scopes[0].gate)

    def around_file(self, mount: int) -> Condition:
        """The presence condition of a mounted file before its own inner attributes have their say."""
        data = self.d.mounts[mount]
        if data.by is not None:
            return self.context(*data.by[:2])
        module = self.d.modules[data.module]
        if module.declaration is None:
            return self.config.condition
        declared = module.declaration
        tree = self.d.mounts[declared.mount].tree
        declaration = tree.modules[declared.index]
        result = self.module_condition(module.parent)
        result &= self.gate(declared.mount, declaration.gate, tree.scopes[declaration.scope].gate)
        return result & self.alternative_condition(declared.mount, declared.index, declared.alternative)

    def declared_condition(self, mount: int, kind: EntryKind, index: int, alternative: int) -> Condition:
        """What the declaration of a module adds to its parent: gates, the choice of file, the file's inner cfg."""
        tree = self.d.mounts[mount].tree
        if kind is EntryKind.ITEM:
            item = tree.items[index]
            return self.gate(mount, item.gate, tree.scopes[item.scope].gate)
        declaration = tree.modules[index]
        result = self.gate(mount, declaration.gate, tree.scopes[declaration.scope].gate)
        result &= self.alternative_condition(mount, index, alternative)
        for position, module in self.d.modules_of(mount, kind, index):
            if position == alternative:
                result &= self.file_gate(self.d.modules[module].mount)
        return result

    def alternative_condition(self, mount: int, index: int, alternative: int) -> Condition:
        """When a `mod` declaration means this one of its `#[path]`s: the first whose predicate holds."""
        paths = self.d.mounts[mount].tree.modules[index].paths
        result = TRUE
        for position, (predicate, _) in enumerate(paths):
            holds = self.lower(mount, predicate)
            if position == alternative:
                return result & holds
            result -= holds
        return result

    def context(self, mount: int, gate: int) -> Condition:
        """The absolute presence condition of code under `gate` in a mounted file."""
        return self.mount_condition(mount) & self.gate(mount, gate)

    def mount_condition(self, mount: int) -> Condition:
        """The absolute presence condition of a whole file."""
        data = self.d.mounts[mount]
        return self.module_condition(data.module) if data.by is None else self.context(*data.by[:2])

    def outer_context(self, mount: int, gate: int) -> Condition:
        """At least the presence condition of that code: macro calls are taken to compile all that they get."""
        known = self.outer_memo.get((mount, gate))
        if known is None:
            gates = self.d.mounts[mount].tree.gates
            link = gates[gate]
            known = self.mount_condition(mount)
            if gate > 0:
                known = self.outer_context(mount, max(link.parent, 0))
                if not isinstance(link.predicate, MacroGate):
                    known &= self.lower(mount, link.predicate)
            self.outer_memo[mount, gate] = known
        return known


def _spelled(option: Option) -> str:
    return option.key if option.value is None else f'{option.key} = "{option.value}"'


def _unchanged(_: Atom) -> Condition | None:
    return None


def atom_of(option: Option) -> Atom:
    """The atom of a configuration option as written."""
    return flag(option.key) if option.value is None else key_value(option.key, option.value)


def unknown(source: str) -> Found:
    """A name that something we do not understand may or may not bring."""
    return Found(
        (Hit(Def(DefKind.OPAQUE, -1, -1, -1, source), literal(opaque(source)), PUBLIC),), literal(opaque(source))
    )


def opaque_atoms(condition: Condition) -> frozenset[Atom]:
    """The atoms of a condition whose truth is not known."""
    return frozenset(atom for atom in condition.atoms() if atom.kind is AtomKind.OPAQUE)


@functools.lru_cache(maxsize=1 << 16)
def certainly(condition: Condition) -> Condition:
    """Where the condition holds whatever the unknown is."""
    atoms = opaque_atoms(condition)
    return condition.forall(atoms) if atoms else condition


@functools.lru_cache(maxsize=1 << 16)
def possibly(condition: Condition) -> Condition:
    """Where the condition may hold, for all that is known."""
    atoms = opaque_atoms(condition)
    return condition.exists(atoms) if atoms else condition


def any_of_unknown(conditions: Sequence[Condition]) -> Condition:
    """Where one of some conditions may hold, each with an unknown of its own, as a condition with a single unknown.

    Gates of many unknowns, each with its own, are a condition that no diagram can hold: it would know every subset.
    """
    if len(conditions) < 2:
        return disjunction(conditions)
    atoms = sorted(frozenset().union(*map(opaque_atoms, conditions)))
    if len(atoms) < 2:
        return disjunction(conditions)
    possible = disjunction(map(possibly, conditions))
    return possible & literal(opaque(f"{atoms[0].key} and {len(atoms) - 1} more"))


def one_doubt(hits: list[Hit]) -> list[Hit]:
    """The hits, with all that something unknown may bring made one: which of the unknown brings it decides nothing.

    Many gated globs of unread crates, each with an unknown of its own, are a condition that no diagram can hold.
    """
    doubtful = [hit for hit in hits if hit.target.kind is DefKind.OPAQUE]
    if len(doubtful) < 2:
        return hits
    possible = disjunction(possibly(hit.condition) for hit in doubtful)
    names = sorted({hit.target.name for hit in doubtful})
    doubt = literal(opaque(names[0] if len(names) == 1 else f"{names[0]} and {len(names) - 1} more"))
    visibility = PUBLIC if any(hit.visibility == PUBLIC for hit in doubtful) else doubtful[0].visibility
    known = [hit for hit in hits if hit.target.kind is not DefKind.OPAQUE]
    return [*known, Hit(doubtful[0].target, possible & doubt, visibility)]


def is_qualified(atom: Atom) -> bool:
    """Whether an atom is a feature of another crate ("The words of other crates")."""
    return atom.kind is AtomKind.FEATURE and QUALIFIER in atom.key


def merge(hits: list[Hit]) -> Found:
    """Hits of one definition made one; the condition under which there is any."""
    if not hits:
        return NOTHING
    if len(hits) == 1:
        return Found((hits[0],), hits[0].condition)
    merged: dict[tuple[Def, int], Condition] = {}
    covered = FALSE
    for target, condition, visibility in hits:
        key = (target, visibility)
        merged[key] = merged[key] | condition if key in merged else condition
        covered |= condition
    if len(merged) > MAX_HITS:
        return unknown("a name with too many meanings")
    return Found(tuple(Hit(target, condition, vis) for (target, vis), condition in merged.items()), covered)

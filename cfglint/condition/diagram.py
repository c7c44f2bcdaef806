"""Conditions as hash-consed, reduced, ordered decision diagrams.

Two conditions that mean the same are the same object, so equality is identity and a repeated operation is one
dictionary look-up. The tables belong to the process: conditions are never pickled, and only one thread may build them.

Atoms are ordered by first sight, the newest at the root. Code meets gates from the outside in, so a conjunction with a
new gate puts one node on top of what is there. Nothing that cfglint prints may depend on that order.

What this deliberately does not do: no reordering (a condition of real code has a handful of atoms; the feature model,
which is large, is never conjoined into one), no recursion (a diagram is as deep as it has atoms), and no promise beyond
`NODE_CAP`: an operation that needs more yields a fresh opaque atom and a note, and whatever rests on it is undecided.
"""

# ruff: noqa: SLF001 -- the private parts of a node belong to this module as a whole

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from operator import attrgetter
from typing import NoReturn, TypeVar

from cfglint.condition.atom import Atom, opaque

NODE_CAP = 100_000
"""Steps (pairs of nodes looked at) that one operation may take before its result becomes opaque."""

_MEMO_CAP = 2_000_000
"""Entries of a memo table beyond which it is forgotten; the diagrams themselves stay."""

_T = TypeVar("_T")

_serials = itertools.count()


class Condition:
    """A formula over atoms. Compare with `is` or `==`; combine with `&`, `|`, `~` and `-` (and not).

    `atom` is the one at the root (None on `TRUE` and `FALSE`), `high` and `low` are what remains where it holds and
    where it does not (themselves, on the constants). Made by `literal` and the operators only, and never changed.
    """

    __slots__ = ("_atoms", "_complement", "_rank", "_serial", "atom", "high", "low")

    def __init__(self, atom: Atom | None, rank: int, high: Condition | None, low: Condition | None) -> None:
        self.atom = atom
        self.high: Condition = self if high is None else high
        self.low: Condition = self if low is None else low
        self._rank = rank
        self._serial = next(_serials)
        self._complement: Condition | None = None
        self._atoms: frozenset[Atom] | None = None

    def __bool__(self) -> NoReturn:
        raise TypeError("a condition has no truth value; compare it with TRUE or FALSE")

    def __reduce__(self) -> NoReturn:
        raise TypeError("a condition belongs to its process and cannot be pickled or copied")

    def __repr__(self) -> str:
        if self.atom is None:
            return "TRUE" if self is TRUE else "FALSE"
        return f"<Condition over {', '.join(atom.text for atom in sorted(self.atoms()))}>"

    def __and__(self, other: Condition) -> Condition:
        if self is other or other is TRUE:
            return self
        found = _AND.memo.get((self, other))
        return _apply_guarded(_AND, self, other) if found is None else found

    def __or__(self, other: Condition) -> Condition:
        if self is other or other is FALSE:
            return self
        found = _OR.memo.get((self, other))
        return _apply_guarded(_OR, self, other) if found is None else found

    def __invert__(self) -> Condition:
        return _complement(self) if self._complement is None else self._complement

    def __sub__(self, other: Condition) -> Condition:
        return self & ~other

    def implies(self, other: Condition) -> bool:
        """Whether `other` holds wherever this does. False also where that proved too large to decide."""
        return (self & other) is self

    def atoms(self) -> frozenset[Atom]:
        """The atoms that the condition really depends on."""
        if self._atoms is None:
            self._atoms = frozenset(node.atom for node in _nodes(self) if node.atom is not None)
        return self._atoms

    def above(self, other: Condition) -> bool:
        """Whether the atom at this root comes before that at the other; constants come last."""
        return self._rank > other._rank

    def cubes(self) -> Iterator[tuple[tuple[Atom, bool], ...]]:
        """The paths to `TRUE`: disjoint conjunctions of literals whose disjunction is the condition.

        One empty cube for `TRUE`, none for `FALSE`. There may be exponentially many; take what you need.
        """
        stack: list[tuple[Condition, list[tuple[Atom, bool]]]] = [(self, [])]
        while stack:
            node, path = stack.pop()
            while (atom := node.atom) is not None:
                holds = node.high is not FALSE
                if holds and node.low is not FALSE:
                    stack.append((node.low, [*path, (atom, False)]))
                path.append((atom, holds))
                node = node.high if holds else node.low
            if node is TRUE:
                yield tuple(path)

    def evaluate(self, holds: Callable[[Atom], bool]) -> bool:
        """Whether the condition is true where exactly the atoms hold that `holds` says."""
        node = self
        while node.atom is not None:
            node = node.high if holds(node.atom) else node.low
        return node is TRUE

    def count(self, atoms: Iterable[Atom]) -> int:
        """How many of the 2^n assignments of `atoms` satisfy the condition.

        Raises:
            ValueError: if the condition depends on an atom that is not among them.
        """
        scope = frozenset(atoms)
        if not self.atoms() <= scope:
            raise ValueError("the condition depends on atoms outside those to count over")
        return _fold(self, 1 << len(scope), 0, lambda _, high, low: (high + low) >> 1)

    def restrict(self, values: Mapping[Atom, bool]) -> Condition:
        """The condition with these atoms fixed."""
        return self.substitute({atom: TRUE if value else FALSE for atom, value in values.items()})

    def substitute(self, replacements: Mapping[Atom, Condition]) -> Condition:
        """The condition with each of these atoms replaced by a condition, all at once."""
        if self.atoms().isdisjoint(replacements):
            return self
        choosers = {literal(atom)._rank: chooser for atom, chooser in replacements.items()}

        def join(node: Condition, high: Condition, low: Condition, budget: _Budget) -> Condition:
            rank = node._rank
            chooser = choosers.get(rank)
            if chooser is None:
                if rank > high._rank and rank > low._rank:
                    return _node(_atom_of(node), rank, high, low)
                chooser = literal(_atom_of(node))
            return _choose(chooser, high, low, budget)

        absorbing, literals, rest = leading_run(self)
        if len(literals) < 2:
            return _rebuild(self, join)
        parts = [_rebuild(rest, join)]
        for atom, holds in literals:
            part = replacements.get(atom, literal(atom))
            parts.append(part if holds else ~part)
        return _apply_all(_AND if absorbing is FALSE else _OR, parts)

    def forall(self, atoms: Iterable[Atom]) -> Condition:
        """What holds of the other atoms so that the condition is true whatever these are."""
        return self._quantify(_AND, frozenset(atoms))

    def exists(self, atoms: Iterable[Atom]) -> Condition:
        """What holds of the other atoms so that the condition can be made true by a choice of these."""
        return self._quantify(_OR, frozenset(atoms))

    def _quantify(self, operator: _Operator, atoms: frozenset[Atom]) -> Condition:
        if self.atoms().isdisjoint(atoms):
            return self
        ranks = {literal(atom)._rank for atom in atoms}

        def join(node: Condition, high: Condition, low: Condition, budget: _Budget) -> Condition:
            rank = node._rank
            return _apply(operator, high, low, budget) if rank in ranks else _node(_atom_of(node), rank, high, low)

        return _rebuild(self, join)


TRUE = Condition(None, -1, None, None)
FALSE = Condition(None, -1, None, None)
TRUE._complement, FALSE._complement = FALSE, TRUE


def literal(atom: Atom) -> Condition:
    """The condition that `atom` holds."""
    found = _LITERALS.get(atom)
    if found is None:
        found = _LITERALS[atom] = _node(atom, len(_LITERALS), TRUE, FALSE)
    return found


def conjunction(conditions: Iterable[Condition]) -> Condition:
    """All of them; `TRUE` if there are none. Quicker than a loop over `&` where there are many."""
    return _apply_all(_AND, conditions)


def disjunction(conditions: Iterable[Condition]) -> Condition:
    """Any of them; `FALSE` if there are none. Quicker than a loop over `|` where there are many."""
    return _apply_all(_OR, conditions)


def leading_run(condition: Condition) -> tuple[Condition, list[tuple[Atom, bool]], Condition]:
    """The literals that `condition` is a plain conjunction or disjunction of, and the condition that they leave over.

    The first part of the answer is the constant that any one false (true) literal makes of the whole: `FALSE` for a
    conjunction, `TRUE` for a disjunction. Long gates are of this form; whoever can should treat them at once.
    """
    absorbing = FALSE if condition.low is FALSE or condition.high is FALSE else TRUE
    literals: list[tuple[Atom, bool]] = []
    node = condition
    while node.atom is not None and (node.low is absorbing or node.high is absorbing):
        holds = (node.low is absorbing) is (absorbing is FALSE)
        literals.append((node.atom, holds))
        node = node.high if node.low is absorbing else node.low
    return absorbing, literals, node


def overflow_notes() -> tuple[str, ...]:
    """One sentence for each operation of this process that grew beyond `NODE_CAP`."""
    return tuple(_overflow_notes)


@dataclass(slots=True, eq=False)
class _Operator:
    """A commutative, idempotent operation: its neutral and absorbing constants, and what it has already answered."""

    neutral: Condition
    absorbing: Condition
    memo: dict[tuple[Condition, Condition], Condition]

    def known(self, left: Condition, right: Condition) -> Condition | None:
        """The answer, if it takes no work. The memo holds each pair in order of creation."""
        if left is right or right is self.neutral:
            return left
        if left is self.neutral:
            return right
        if left is self.absorbing or right is self.absorbing or left._complement is right:
            return self.absorbing
        return self.memo.get((left, right) if left._serial < right._serial else (right, left))


@dataclass(slots=True)
class _Budget:
    steps: int


class _TooLargeError(Exception):
    """The budget of an operation is used up. Never leaves this module."""


_RANK = attrgetter("_rank")
_UNIQUE: dict[tuple[int, Condition, Condition], Condition] = {}
_LITERALS: dict[Atom, Condition] = {}
_AND = _Operator(neutral=TRUE, absorbing=FALSE, memo={})
_OR = _Operator(neutral=FALSE, absorbing=TRUE, memo={})
_overflow_notes: list[str] = []


def _node(atom: Atom, rank: int, high: Condition, low: Condition) -> Condition:
    """The one node with these parts; `rank` must be above those of `high` and `low`."""
    if high is low:
        return high
    key = (rank, high, low)
    found = _UNIQUE.get(key)
    if found is None:
        found = _UNIQUE[key] = Condition(atom, rank, high, low)
    return found


def _atom_of(node: Condition) -> Atom:
    assert node.atom is not None, "a constant has no atom"
    return node.atom


def _overflow(atoms: int) -> Condition:
    _overflow_notes.append(
        f"a condition over {atoms} options takes more than {NODE_CAP} steps to work out and is treated as unknown"
    )
    return literal(opaque(f"condition too large #{len(_overflow_notes)}"))


def _apply_guarded(operator: _Operator, left: Condition, right: Condition) -> Condition:
    """`left` combined with `right`, or a fresh opaque literal; remembered as asked, so that asking again is one hit."""
    if len(operator.memo) > _MEMO_CAP:
        operator.memo.clear()
    found = operator.known(left, right)
    if found is None:
        try:
            found = _apply(operator, left, right, _Budget(NODE_CAP))
        except _TooLargeError:
            found = _overflow(len(left.atoms() | right.atoms()))
            operator.memo[right, left] = found
    operator.memo[left, right] = found
    return found


def _apply(operator: _Operator, left: Condition, right: Condition, budget: _Budget) -> Condition:
    """`left` combined with `right`, with an explicit stack of the pairs that wait for their cofactors."""
    found = operator.known(left, right)
    if found is not None:
        return found
    known, memo = operator.known, operator.memo
    root = (left, right) if left._serial < right._serial else (right, left)
    stack = [root]
    while stack:
        pair = stack[-1]
        first, second = pair
        if first._rank >= second._rank:
            top, high_first, low_first = first, first.high, first.low
            high_second, low_second = (second.high, second.low) if second._rank == first._rank else (second, second)
        else:
            top, high_first, low_first = second, first, first
            high_second, low_second = second.high, second.low
        high = known(high_first, high_second)
        low = known(low_first, low_second)
        if high is not None and low is not None:
            memo[pair] = _node(_atom_of(top), top._rank, high, low)
            stack.pop()
            continue
        budget.steps -= 1
        if budget.steps < 0:
            raise _TooLargeError
        if high is None:
            stack.append(_ordered(high_first, high_second))
        if low is None:
            stack.append(_ordered(low_first, low_second))
    return memo[root]


def _ordered(left: Condition, right: Condition) -> tuple[Condition, Condition]:
    return (left, right) if left._serial < right._serial else (right, left)


def _apply_all(operator: _Operator, conditions: Iterable[Condition]) -> Condition:
    """Pairwise, deepest first: neighbours share atoms, and no intermediate result is rebuilt for every operand."""
    layer = list(dict.fromkeys(conditions))
    if len(layer) < 3:
        pair = (*layer, operator.neutral, operator.neutral)
        return pair[0] & pair[1] if operator is _AND else pair[0] | pair[1]
    layer.sort(key=lambda condition: (condition._rank, condition._serial))
    budget = _Budget(NODE_CAP)
    try:
        while len(layer) > 1:
            if operator.absorbing in layer:
                return operator.absorbing
            odd = layer[len(layer) - len(layer) % 2 :]
            layer = [_apply(operator, a, b, budget) for a, b in zip(layer[::2], layer[1::2], strict=False)] + odd
    except _TooLargeError:
        return _overflow(len(frozenset().union(*(condition.atoms() for condition in layer))))
    return layer[0]


def _choose(chooser: Condition, high: Condition, low: Condition, budget: _Budget) -> Condition:
    """`high` where `chooser` holds, `low` elsewhere."""
    if chooser is TRUE or high is low:
        return high
    if chooser is FALSE:
        return low
    positive = _apply(_AND, chooser, high, budget)
    negative = _apply(_AND, ~chooser, low, budget)
    return _apply(_OR, positive, negative, budget)


def _complement(condition: Condition) -> Condition:
    stack = [condition]
    while stack:
        node = stack[-1]
        high, low = node.high._complement, node.low._complement
        if high is not None and low is not None:
            stack.pop()
            twin = _node(_atom_of(node), node._rank, high, low)
            node._complement, twin._complement = twin, node
            continue
        if high is None:
            stack.append(node.high)
        if low is None:
            stack.append(node.low)
    assert condition._complement is not None, "every node on the stack gets its complement"
    return condition._complement


def _nodes(root: Condition) -> list[Condition]:
    """Every node of the diagram, once, constants included."""
    seen = {root}
    found = [root]
    for node in found:
        high, low = node.high, node.low
        if high not in seen:
            seen.add(high)
            found.append(high)
        if low not in seen:
            seen.add(low)
            found.append(low)
    return found


def _fold(root: Condition, true: _T, false: _T, join: Callable[[Condition, _T, _T], _T]) -> _T:
    """The value of `root`, bottom-up, with one call of `join` (node, value of high, value of low) for each node."""
    done = {TRUE: true, FALSE: false}
    # Children have lower ranks than their parents.
    for node in sorted(_nodes(root), key=_RANK):
        if node.atom is not None:
            done[node] = join(node, done[node.high], done[node.low])
    return done[root]


def _rebuild(root: Condition, join: Callable[[Condition, Condition, Condition, _Budget], Condition]) -> Condition:
    """`root` folded into another condition, within one budget."""
    budget = _Budget(NODE_CAP)
    try:
        return _fold(root, TRUE, FALSE, lambda node, high, low: join(node, high, low, budget))
    except _TooLargeError:
        return _overflow(len(root.atoms()))

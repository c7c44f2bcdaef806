"""Every operation of the diagram against the truth table, and what happens at its limits."""

from __future__ import annotations

import copy
import pickle
import random
import sys
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cfglint.condition import diagram
from cfglint.condition.atom import Atom, AtomKind, feature, flag
from cfglint.condition.diagram import (
    FALSE,
    TRUE,
    Condition,
    conjunction,
    disjunction,
    literal,
    overflow_notes,
)
from cfglint.condition.predicate import Predicate
from tests.condition.model import ASSIGNMENTS, ATOMS, PREDICATES, build, from_truths, holds, table, truths

SOME_ATOMS = st.sets(st.sampled_from(ATOMS))
MANY = 2_000


@given(PREDICATES)
def test_lowering_means_what_the_predicate_means(predicate: Predicate) -> None:
    assert table(build(predicate)) == truths(predicate)


@given(PREDICATES)
def test_equal_meaning_is_the_same_object(predicate: Predicate) -> None:
    assert build(predicate) is from_truths(truths(predicate))


@given(PREDICATES, PREDICATES)
def test_operators(left: Predicate, right: Predicate) -> None:
    a, b = build(left), build(right)
    everything = frozenset(ASSIGNMENTS)
    assert table(a & b) == table(a) & table(b)
    assert table(a | b) == table(a) | table(b)
    assert table(~a) == everything - table(a)
    assert table(a - b) == table(a) - table(b)
    assert a.implies(b) == (table(a) <= table(b))
    assert ~~a is a
    assert (a & b) is (b & a)
    assert (a == b) == (table(a) == table(b))


@given(st.lists(PREDICATES, max_size=6))
def test_many_at_once(predicates: list[Predicate]) -> None:
    conditions = [build(predicate) for predicate in predicates]
    every, some = TRUE, FALSE
    for condition in conditions:
        every &= condition
        some |= condition
    assert conjunction(conditions) is every
    assert disjunction(iter(conditions)) is some


@given(PREDICATES, SOME_ATOMS)
def test_quantifiers(predicate: Predicate, atoms: set[Atom]) -> None:
    condition = build(predicate)
    mask = sum(1 << ATOMS.index(atom) for atom in atoms)
    settings = {a & mask for a in ASSIGNMENTS}
    true = truths(predicate)
    assert table(condition.forall(atoms)) == {a for a in ASSIGNMENTS if all((a & ~mask) | s in true for s in settings)}
    assert table(condition.exists(atoms)) == {a for a in ASSIGNMENTS if any((a & ~mask) | s in true for s in settings)}
    assert condition.forall(atoms).atoms().isdisjoint(atoms)


@given(PREDICATES, st.dictionaries(st.sampled_from(ATOMS), PREDICATES))
def test_substitution_is_simultaneous(predicate: Predicate, replacements: dict[Atom, Predicate]) -> None:
    tables = {atom: truths(replacement) for atom, replacement in replacements.items()}
    replaced = build(predicate).substitute({atom: build(p) for atom, p in replacements.items()})

    def moved(assignment: int) -> int:
        return sum(
            1 << index
            for index, atom in enumerate(ATOMS)
            if (assignment in tables[atom] if atom in tables else holds(assignment, atom))
        )

    true = truths(predicate)
    assert table(replaced) == {a for a in ASSIGNMENTS if moved(a) in true}


@given(PREDICATES, st.dictionaries(st.sampled_from(ATOMS), st.booleans()))
def test_restriction(predicate: Predicate, values: dict[Atom, bool]) -> None:
    on = sum(1 << ATOMS.index(atom) for atom, value in values.items() if value)
    mask = sum(1 << ATOMS.index(atom) for atom in values)
    restricted, true = build(predicate).restrict(values), truths(predicate)
    assert table(restricted) == {a for a in ASSIGNMENTS if (a & ~mask) | on in true}


@given(PREDICATES)
def test_cubes_are_disjoint_and_cover(predicate: Predicate) -> None:
    condition = build(predicate)
    covered = [
        a for cube in condition.cubes() for a in ASSIGNMENTS if all(holds(a, atom) is value for atom, value in cube)
    ]
    assert sorted(covered) == sorted(truths(predicate))
    assert list(condition.cubes()) == list(condition.cubes())


@given(PREDICATES)
def test_count_and_atoms(predicate: Predicate) -> None:
    condition, true = build(predicate), truths(predicate)
    assert condition.count(ATOMS) == len(true)
    needed = {
        atom for index, atom in enumerate(ATOMS) if any((a in true) != (a ^ (1 << index) in true) for a in ASSIGNMENTS)
    }
    assert condition.atoms() == needed


@given(PREDICATES)
def test_cofactors(predicate: Predicate) -> None:
    condition = build(predicate)
    if condition.atom is None:
        assert condition in (TRUE, FALSE)
        assert (condition.high, condition.low) == (condition, condition)
    else:
        at = literal(condition.atom)
        assert (at & condition.high) | (~at & condition.low) is condition


def test_counting_needs_every_atom() -> None:
    with pytest.raises(ValueError, match="outside"):
        literal(feature("a")).count([feature("b")])


def test_a_condition_is_no_boolean() -> None:
    with pytest.raises(TypeError, match="truth value"):
        assert not literal(feature("a"))


@pytest.mark.parametrize("copying", [pickle.dumps, copy.copy, copy.deepcopy])
def test_a_condition_stays_in_its_process(copying: object) -> None:
    assert callable(copying)
    with pytest.raises(TypeError, match="pickled or copied"):
        copying(literal(feature("a")))


def test_representation_names_the_atoms() -> None:
    assert repr(TRUE) == "TRUE"
    assert repr(FALSE) == "FALSE"
    assert repr(literal(feature("b")) & literal(flag("a"))) == '<Condition over feature = "b", a>'


def test_thousands_of_atoms_in_a_chain() -> None:
    atoms = [feature(f"chip-{index}") for index in range(MANY)]
    literals = [literal(atom) for atom in atoms]
    shuffled = random.Random(1).sample(literals, MANY)
    every, some = conjunction(shuffled), disjunction(shuffled)
    assert every.atoms() == frozenset(atoms)
    assert ~every is disjunction(~each for each in reversed(literals))
    assert every.implies(some)
    assert not some.implies(every)
    assert every.exists(atoms[::2]) is conjunction(literals[1::2])
    assert some.forall(atoms[::2]) is disjunction(literals[1::2])
    assert some.substitute(dict(zip(atoms, reversed(literals), strict=True))) is some
    assert some.count(atoms) == 2**MANY - 1
    assert len(list(some.cubes())) == MANY
    step = TRUE
    for each in literals:
        step &= each
    assert step is every


def test_pairs_of_gates_over_thousands_of_atoms() -> None:
    literals = [literal(feature(f"chip-{index}")) for index in range(MANY)]
    pairs = disjunction(a & ~b for a, b in zip(literals[::2], literals[1::2], strict=True))
    assert len(pairs.atoms()) == MANY
    assert (pairs | ~pairs) is TRUE


def test_no_recursion() -> None:
    limit = min(sys.getrecursionlimit(), 3_000)  # other tests of this process may have raised it
    literals = [literal(feature(f"deep-{index}")) for index in range(4 * limit)]
    every = conjunction(literals)
    assert (every & ~literals[7]) is FALSE
    assert len(every.restrict({feature("deep-3"): True}).atoms()) == 4 * limit - 1


def _equal_words(name: str, width: int) -> Condition:
    """`x = y` for two words, all of `x` above all of `y`: 2^width nodes in this order of atoms."""
    xs = [literal(feature(f"{name}-x{index}")) for index in range(width)]
    ys = [literal(feature(f"{name}-y{index}")) for index in range(width)]
    return conjunction((x & y) | (~x & ~y) for x, y in zip(xs, ys, strict=True))


def test_beyond_the_cap_a_condition_is_opaque_and_noted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(diagram, "NODE_CAP", 2_000)
    before = len(overflow_notes())
    large = _equal_words("cap", 16)
    assert [atom.kind for atom in large.atoms()] == [AtomKind.OPAQUE]
    assert len(overflow_notes()) == before + 1
    assert "32 options" in overflow_notes()[-1]
    assert _equal_words("cap", 16) is not large
    assert not TRUE.implies(large)


def test_asking_again_gives_the_same_opaque_atom(monkeypatch: pytest.MonkeyPatch) -> None:
    left, right = _equal_words("left", 6), _equal_words("right", 6)
    renamed = {feature(f"right-{w}{i}"): literal(feature(f"left-{w}{5 - i}")) for w in "xy" for i in range(6)}
    swapped = right.substitute(renamed)
    monkeypatch.setattr(diagram, "NODE_CAP", 10)
    assert left & swapped is left & swapped
    assert (left & swapped) is (swapped & left)
    assert [atom.kind for atom in (left | right).atoms()] == [AtomKind.OPAQUE]


def test_the_cap_bounds_the_time() -> None:
    start = time.process_time()
    large = _equal_words("slow", 40)
    assert len(large.atoms()) == 1
    assert time.process_time() - start < 10


def test_forgetting_answers_keeps_identity(monkeypatch: pytest.MonkeyPatch) -> None:
    a, b = literal(feature("memo-a")), literal(feature("memo-b"))
    both = a & b
    monkeypatch.setattr(diagram, "_MEMO_CAP", 0)
    assert (b & a) is both
    assert (a & (b | a)) is a

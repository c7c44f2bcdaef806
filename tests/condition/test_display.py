"""Text of conditions: exact inside the care set, short, and independent of the order in which atoms were seen."""

from __future__ import annotations

import functools
import itertools
import re
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cfglint.condition import cover
from cfglint.condition.atom import Atom, AtomKind, feature, flag, key_value, opaque
from cfglint.condition.diagram import FALSE, TRUE, Condition, conjunction, disjunction, literal
from cfglint.condition.display import in_words, shortest
from cfglint.condition.parse import parse_predicate
from cfglint.condition.predicate import Invalid, MacroGate, Option, Predicate, lower
from tests.condition.model import ATOMS, PREDICATES, build

GPU, GRAD, STD = (literal(feature(name)) for name in ("gpu", "grad", "std"))
UNIX, WINDOWS = literal(flag("unix")), literal(flag("windows"))
LINUX = literal(key_value("target_os", "linux"))
A, B, C, D, E = (literal(flag(name)) for name in "abcde")


def _leaf(predicate: Option | Invalid | MacroGate) -> Condition:
    assert isinstance(predicate, Option), predicate
    if predicate.value is None:
        return literal(flag(predicate.key))
    return literal(key_value(predicate.key, predicate.value))


def read(text: str) -> Condition:
    return lower(parse_predicate(text), _leaf)


@given(PREDICATES)
def test_text_means_the_condition(predicate: Predicate) -> None:
    condition = build(predicate)
    assert read(shortest(condition)) is condition


@given(PREDICATES, PREDICATES, st.permutations(ATOMS))
def test_text_is_exact_inside_the_care_set(predicate: Predicate, care: Predicate, order: list[Atom]) -> None:
    condition, inside = build(predicate), build(care)
    text = shortest(condition, care=inside, order=order.index)
    back = read(text)
    assert (back & inside) is (condition & inside)
    assert back.atoms() <= condition.atoms()
    assert _literals(text) <= _literals(shortest(condition, order=order.index))


@given(PREDICATES)
def test_opposites_are_equally_long(predicate: Predicate) -> None:
    condition = build(predicate)
    assert _literals(shortest(condition)) == _literals(shortest(~condition))


def _literals(text: str) -> int:
    return len(re.findall(r'feature = "\w+"|target_os = "\w+"|\b(?:unix|windows|[a-e])\b', text))


@pytest.mark.parametrize(
    ("condition", "text"),
    [
        (TRUE, "true"),
        (FALSE, "false"),
        (GPU, 'feature = "gpu"'),
        (~GPU, 'not(feature = "gpu")'),
        (GPU & ~GRAD, 'all(feature = "gpu", not(feature = "grad"))'),
        (LINUX & UNIX & GPU, 'all(feature = "gpu", unix, target_os = "linux")'),
        (GPU & GRAD | GPU & STD, 'all(feature = "gpu", any(feature = "grad", feature = "std"))'),
        (~A & ~B, "not(any(a, b))"),
        (~(A & B), "not(all(a, b))"),
        (A & ~B & ~C, "all(a, not(b), not(c))"),
        (~A & ~B & ~C & D, "all(not(any(a, b, c)), d)"),
        (A | ~B | ~C | ~D, "any(a, not(all(b, c, d)))"),
        ((A | B) & (C | D), "all(any(a, b), any(c, d))"),
        ((A & B) | (C & D), "any(all(a, b), all(c, d))"),
        (((A | B) & (C | D)) | E, "any(e, all(any(a, b), any(c, d)))"),
        (A & B | A & C | D, "any(d, all(a, any(b, c)))"),
        (A & B | B & C | A & C, "any(all(a, any(b, c)), all(b, c))"),
        ((A & B) | (~A & ~B), "any(all(a, b), not(any(a, b)))"),
        (literal(opaque("m! {}")) & A, "all(a, m! {})"),
    ],
)
def test_examples(condition: Condition, text: str) -> None:
    assert shortest(condition) == text


@pytest.mark.parametrize(
    ("condition", "care", "text"),
    [
        (GPU & STD, ~GPU | STD, 'feature = "gpu"'),
        (GPU | STD, ~GPU | STD, 'feature = "std"'),
        (UNIX & ~WINDOWS, ~(UNIX & WINDOWS), "unix"),
        (~UNIX, (UNIX | WINDOWS) - (UNIX & WINDOWS), "not(unix)"),
        (GPU & GRAD, ~GPU, "false"),
        (GPU | GRAD, GPU, "true"),
        (GPU & GRAD, GPU, 'feature = "grad"'),
        (GPU & GRAD, FALSE, 'all(feature = "gpu", feature = "grad")'),
        (GPU & GRAD, (STD & GPU & GRAD) | ~(STD | (GPU & GRAD)), 'all(feature = "gpu", feature = "grad")'),
    ],
)
def test_the_care_set_shortens(condition: Condition, care: Condition, text: str) -> None:
    assert shortest(condition, care=care) == text


def test_order_is_that_of_the_manifest() -> None:
    manifest = ["std", "grad", "gpu"]
    condition = WINDOWS & GPU & ~GRAD & STD & LINUX
    text = shortest(condition, order=lambda atom: manifest.index(atom.key) if atom.kind is AtomKind.FEATURE else 0)
    assert text == 'all(feature = "std", not(feature = "grad"), feature = "gpu", windows, target_os = "linux")'


def test_every_function_of_three_atoms_has_the_fewest_literals() -> None:
    least = _least_literals()
    for truths, count in least.items():
        condition = disjunction(
            conjunction(atom if row & bit else ~atom for atom, bit in ((A, 4), (B, 2), (C, 1)))
            for row in range(8)
            if truths >> row & 1
        )
        assert _literals(shortest(condition)) == count, shortest(condition)


def _least_literals() -> dict[int, int]:
    """Truth table to the literals of its smallest formula, by building every formula in order of size."""
    by_size: list[set[int]] = [{0, 255}, {t for table in (0xF0, 0xCC, 0xAA) for t in (table, 255 - table)}]
    least = {table: size for size, tables in enumerate(by_size) for table in tables}
    while len(least) < 256:
        size = len(by_size)
        made = {
            table
            for part in range(1, size // 2 + 1)
            for left, right in itertools.product(by_size[part], by_size[size - part])
            for table in (left & right, left | right)
        }
        by_size.append(made - least.keys())
        least.update(dict.fromkeys(by_size[-1], size))
    return least


def test_text_does_not_depend_on_the_order_of_first_sight() -> None:
    texts = set()
    for number, order in enumerate(itertools.permutations("abcd")):
        atoms = {name: literal(flag(f"{name}{number}")) for name in order}
        a, b, c, d = (atoms[name] for name in "abcd")
        condition = (a & ~b) | (b & ~c) | (c & ~a) | (d & a & b)
        texts.add(re.sub(r"\d+", "", shortest(condition, care=~(a & d) | b)))
    assert len(texts) == 1


@functools.cache
def _chips() -> list[Condition]:
    return [literal(feature(f"chip{index:04}")) for index in range(2_000)]


def test_thousands_of_atoms() -> None:
    chips = _chips()
    start = time.process_time()
    for condition in (
        conjunction(chips),
        disjunction(chips),
        ~conjunction(chips),
        conjunction(chips[:1000]) & disjunction(chips[1000:]),
        disjunction(chips[:1000]) & ~GPU,
        disjunction(a & ~b for a, b in zip(chips[::2], chips[1::2], strict=True)),
    ):
        assert read(shortest(condition, care=~GPU | GRAD)) is condition
    assert time.process_time() - start < 30


def test_deep_nesting_still_reads_back() -> None:
    condition = _chips()[0]
    for index, chip in enumerate(_chips()[1:60]):
        condition = condition & chip if index % 2 else condition | chip
    assert read(shortest(condition)) is condition


def test_what_nobody_could_read_is_a_comment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cover, "LITERAL_CAP", 20)
    parity = FALSE
    for chip in _chips()[:8]:
        parity = (parity - chip) | (chip - parity)
    assert shortest(parity) == "/* a condition over 8 options */"
    assert in_words(parity) == "`/* a condition over 8 options */`"
    assert isinstance(parse_predicate(shortest(parity)), Invalid)


@pytest.mark.parametrize(
    ("condition", "words"),
    [
        (TRUE, "always"),
        (FALSE, "never"),
        (GPU, "`gpu` is enabled"),
        (~GPU, "`gpu` is disabled"),
        (GPU & ~GRAD, "`gpu` is enabled and `grad` is disabled"),
        (GPU & GRAD & STD, "`gpu`, `grad` and `std` are enabled"),
        (GPU & STD & ~GRAD, "`gpu` and `std` are enabled and `grad` is disabled"),
        (~GPU & ~GRAD, "`gpu` and `grad` are disabled"),
        (GPU | GRAD, "`gpu` or `grad` is enabled"),
        (GPU | ~GRAD, "`gpu` is enabled or `grad` is disabled"),
        (GPU & WINDOWS, "`gpu` is enabled and `windows` is set"),
        (GPU & ~LINUX, '`gpu` is enabled and `target_os = "linux"` is not set'),
        (GPU & ~GRAD & WINDOWS, "`gpu` is enabled, `grad` is disabled and `windows` is set"),
        (GPU & (GRAD | STD), '`all(feature = "gpu", any(feature = "grad", feature = "std"))`'),
        (A & B & C & D & E, "`all(a, b, c, d, e)`"),
        (literal(opaque("m! {}")), "`m! {}`"),
    ],
)
def test_words(condition: Condition, words: str) -> None:
    assert in_words(condition) == words


def test_words_know_the_care_set() -> None:
    assert in_words(GPU & STD, care=~GPU | STD) == "`gpu` is enabled"
    assert in_words(GPU & ~GRAD, order=lambda atom: -len(atom.key)) == "`grad` is disabled and `gpu` is enabled"

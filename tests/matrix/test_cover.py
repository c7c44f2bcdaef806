"""The cover against all configurations of small spaces: every condition is covered, and hardly ever by more than need be."""

from __future__ import annotations

import itertools
import random

import pytest

from cfglint.condition.atom import feature, flag, key_value
from cfglint.condition.diagram import Condition, conjunction, disjunction, literal
from cfglint.manifest.configuration import Configuration
from cfglint.manifest.platform import HOST
from cfglint.manifest.space import DEBUG_ASSERTIONS, TEST, ConfigSpace, config_space, constrained, fixing
from cfglint.matrix.cover import cover, possible
from tests.manifest.building import model

WINDOWS, LOOM = literal(flag("windows")), literal(flag("loom"))


def has(name: str) -> Condition:
    return literal(feature(name))


def draw(seed: int) -> tuple[ConfigSpace, list[Condition]]:
    """A space of up to five features with implications and a guard, and conditions that are possible in it."""
    rng = random.Random(seed)
    names = "abcde"[: rng.randint(1, 5)]
    rows = [
        f"{name} = [{', '.join(repr(other) for other in names if other < name and rng.random() < 0.2)}]"
        for name in names
    ]
    space = fixing(config_space(model("[features]\n" + "\n".join(rows)), triples=(HOST,)), {TEST: False})
    if rng.random() < 0.3 and len(names) > 1:
        space = constrained(space, [~(has(names[0]) & has(names[-1]))])

    def condition() -> Condition:
        terms = []
        for _ in range(rng.randint(1, 2)):
            chosen = rng.sample(names, rng.randint(1, min(3, len(names))))
            terms.append(conjunction(has(name) if rng.random() < 0.6 else ~has(name) for name in chosen))
        return disjunction(terms)

    wanted = [found for found in (condition() for _ in range(rng.randint(1, 14))) if possible(found, space)]
    return space, wanted


def everything(space: ConfigSpace) -> list[Configuration]:
    """Every configuration of the space on the host, without flags: the slow, obvious way."""
    names = space.model.names
    found = []
    for size in range(len(names) + 1):
        for chosen in itertools.combinations(names, size):
            closed = space.model.closure(chosen)
            one = Configuration(closed, frozenset({DEBUG_ASSERTIONS}), HOST)
            if closed == set(chosen) and all(map(one.satisfies, space.constraints)):
                found.append(one)
    return found


def smallest(space: ConfigSpace, wanted: list[Condition]) -> int:
    """The size of the least cover, by trying all."""
    holds = [frozenset(i for i, each in enumerate(wanted) if one.satisfies(each)) for one in everything(space)]
    useful = [one for one in set(holds) if not any(one < other for other in holds)]
    for size in range(len(wanted) + 1):
        if any(len(frozenset[int]().union(*chosen)) == len(wanted) for chosen in itertools.combinations(useful, size)):
            return size
    raise AssertionError("not every condition is possible")


@pytest.mark.parametrize("block", range(8))
def test_covers_are_complete_valid_and_small(block: int) -> None:
    extra = 0
    for seed in range(block * 40, block * 40 + 40):
        space, wanted = draw(seed)
        found = cover(wanted, space)
        assert all(any(map(each.evaluate, (one.holds for one in found))) for each in wanted), seed
        allowed = {one.features for one in everything(space)}
        assert {one.features for one in found} <= allowed, seed
        least = smallest(space, wanted)
        assert least <= len(found) <= least + 1, seed
        extra += len(found) - least
    assert extra <= 2, "more than one superfluous build in twenty covers"


def test_what_anybody_can_build_comes_first() -> None:
    space = config_space(model("[features]\na = []\nb = []\n"), triples=(HOST, "x86_64-pc-windows-msvc"))
    space = fixing(space, {TEST: False})
    found = cover(
        [has("a"), ~has("a"), has("b"), has("a") & LOOM, WINDOWS & has("b"), ~literal(DEBUG_ASSERTIONS)], space
    )
    assert [(one.triple, one.cfgs, one.is_release) for one in found] == [
        (HOST, (), False),
        (HOST, (), False),
        (HOST, ("loom",), True),
        ("x86_64-pc-windows-msvc", (), False),
    ]


def test_nothing_wanted_is_nothing_built() -> None:
    assert cover([], config_space(model("[features]\na = []\n"))) == ()


def test_a_target_feature_is_asked_for() -> None:
    space = fixing(config_space(model(""), triples=(HOST,)), {TEST: False})
    found = cover([literal(key_value("target_feature", "avx2"))], space)
    assert [sorted(atom.text for atom in one.flags) for one in found] == [
        ["debug_assertions", 'target_feature = "avx2"']
    ]

"""The solver against brute force over every configuration of small spaces."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator
from dataclasses import dataclass

import pytest

from cfglint.condition.atom import Atom, AtomKind, feature, flag, key_value, opaque
from cfglint.condition.diagram import FALSE, TRUE, Condition, conjunction, disjunction, literal
from cfglint.manifest import solver
from cfglint.manifest.configuration import Configuration
from cfglint.manifest.feature_model import FeatureModel
from cfglint.manifest.platform import HOST, TIER_ONE, table
from cfglint.manifest.solver import GaveUpError, care_set, count, least, satisfiable, valid
from cfglint.manifest.space import ConfigSpace, config_space, constrained, fixing, widened
from tests.manifest.building import model

TEST, DEBUG, LOOM, UNIX, WINDOWS = (flag(name) for name in ("test", "debug_assertions", "loom", "unix", "windows"))
SSE2, AVX2 = key_value("target_feature", "sse2"), key_value("target_feature", "avx2")
TRIPLES = (HOST, "aarch64-apple-darwin", "x86_64-pc-windows-msvc", "wasm32-unknown-unknown")
FLAGS = (TEST, DEBUG, LOOM, SSE2)
TARGET_ATOMS = (UNIX, WINDOWS, key_value("target_arch", "x86_64"), key_value("target_os", "beos"))


def has(name: str) -> Condition:
    return literal(feature(name))


@dataclass(frozen=True)
class Draw:
    """A random space with conditions over it."""

    model: FeatureModel
    constraints: tuple[Condition, ...]
    space: ConfigSpace
    conditions: tuple[Condition, ...]


def draw(seed: int) -> Draw:
    rng = random.Random(seed)
    names = tuple("abcde"[: rng.randint(1, 5)])
    implications = {name: tuple(other for other in names if other != name and rng.random() < 0.25) for name in names}
    atoms = (*map(feature, names), feature("undeclared"), *rng.sample(FLAGS, 2), *rng.sample(TARGET_ATOMS, 2))

    def condition(size: int) -> Condition:
        terms = []
        for _ in range(rng.randint(1, size)):
            chosen = rng.sample(atoms, rng.randint(1, min(3, len(atoms))))
            terms.append(conjunction(literal(atom) if rng.random() < 0.6 else ~literal(atom) for atom in chosen))
        found = disjunction(terms)
        return ~found if rng.random() < 0.3 else found

    implied = ((condition(1), rng.choice(names)),) if rng.random() < 0.3 else ()
    drawn = FeatureModel(
        names=names,
        implications=implications,
        implied=implied,
        implicit=frozenset(),
        activations=(),
        dependencies=(),
        unified=False,
        problems=(),
    )
    constraints = tuple(condition(2) for _ in range(rng.choice((0, 0, 1, 2))))
    space = config_space(drawn, triples=TRIPLES, constraints=constraints)
    return Draw(drawn, constraints, space, tuple(condition(3) for _ in range(6)))


def every_configuration(drawn: Draw) -> Iterator[Configuration]:
    """Every valid configuration, with the flags that `FLAGS` names."""
    targets = table()
    for size in range(len(drawn.model.names) + 1):
        for chosen in itertools.combinations(drawn.model.names, size):
            if any(other not in chosen for name in chosen for other in drawn.model.implications[name]):
                continue
            for count_of_flags in range(len(FLAGS) + 1):
                for flags in itertools.combinations(FLAGS, count_of_flags):
                    for triple in TRIPLES:
                        native = targets.feature_mask(SSE2) & targets.rows((triple,))
                        if native and SSE2 in flags:
                            continue  # said twice: the same configuration without the flag is drawn too
                        found = Configuration(frozenset(chosen), frozenset(flags), triple)
                        implied = all(
                            name in chosen or not found.satisfies(condition) for condition, name in drawn.model.implied
                        )
                        if implied and all(map(found.satisfies, drawn.constraints)):
                            yield found


def cost(found: Configuration, names: tuple[str, ...]) -> tuple[object, ...]:
    order = [number for number, name in enumerate(names) if name in found.features]
    return (
        len(found.flags & {LOOM, SSE2, AVX2}),
        (TEST in found.flags) + (DEBUG not in found.flags),
        found.triple != HOST,
        len(found.features),
        order,
    )


@pytest.mark.parametrize("block", range(8))
def test_least_satisfiable_and_count_agree_with_brute_force(block: int) -> None:
    for seed in range(block * 25, block * 25 + 25):
        drawn = draw(seed)
        everything = list(every_configuration(drawn))
        for condition in drawn.conditions:
            models = [found for found in everything if found.satisfies(condition)]
            answer = least(condition, drawn.space)
            fresh = constrained(drawn.space, ())
            assert satisfiable(condition, fresh) == bool(models), (seed, condition)
            assert valid(condition, fresh) == (len(models) == len(everything)), (seed, condition)
            if not models:
                assert answer is None, (seed, condition)
            else:
                assert answer in models, (seed, condition, answer)
                best = min(cost(found, drawn.model.names) for found in models)
                assert cost(answer, drawn.model.names) == best, (seed, condition, answer)
            if everything:
                atoms = sorted(condition.atoms())
                projected = {tuple(found.holds(atom) for atom in atoms) for found in everything}
                satisfied = {tuple(found.holds(atom) for atom in atoms) for found in models}
                assert count(condition, drawn.space) == (len(satisfied), len(projected)), (seed, condition)
                care = care_set(condition, drawn.space)
                for values in itertools.product((False, True), repeat=len(atoms)):
                    chosen = dict(zip(atoms, values, strict=True))
                    assert care.evaluate(chosen.__getitem__) == (values in projected), (seed, condition, chosen)


def test_the_answer_does_not_depend_on_what_was_asked_before() -> None:
    drawn = draw(7)
    forwards = [least(condition, drawn.space) for condition in drawn.conditions]
    fresh = constrained(drawn.space, ())
    backwards = [least(condition, fresh) for condition in reversed(drawn.conditions)]
    assert forwards == backwards[::-1]


def test_an_undeclared_feature_is_off() -> None:
    space = config_space(model("[features]\na = []\n"))
    assert not satisfiable(has("b"), space)
    assert valid(~has("b"), space)
    assert count(has("a") & ~has("b"), space) == (1, 2)


def test_targets_are_rows_not_booleans() -> None:
    space = config_space(model(""))
    assert not satisfiable(literal(UNIX) & literal(WINDOWS), space)
    assert not satisfiable(literal(WINDOWS) & literal(key_value("target_arch", "s390x")), widened(space))
    assert not satisfiable(literal(key_value("target_os", "plan9")), widened(space))
    neither = ~literal(UNIX) & ~literal(WINDOWS)
    assert not satisfiable(neither, space)
    found = least(neither, widened(space))
    assert found is not None
    assert found.triple not in TIER_ONE


def test_the_host_is_preferred_then_what_the_space_names() -> None:
    space = config_space(model(""), triples=(HOST, "wasm32-wasip1"))
    wasm = literal(key_value("target_family", "wasm"))
    assert least(TRUE, space) == Configuration(frozenset(), frozenset({DEBUG}), HOST)
    for each in (space, widened(space)):
        found = least(wasm, each)
        assert found is not None
        assert found.triple == "wasm32-wasip1"


def test_a_target_feature_is_where_the_target_has_it() -> None:
    space = config_space(model(""))
    with_sse2 = least(literal(SSE2), space)
    without = least(~literal(SSE2), space)
    with_avx2 = least(literal(AVX2), space)
    assert with_sse2 is not None
    assert without is not None
    assert with_avx2 is not None
    assert (with_sse2.triple, with_sse2.flags) == (HOST, frozenset({DEBUG}))
    assert without.triple == "aarch64-unknown-linux-gnu"
    assert (with_avx2.triple, with_avx2.flags) == (HOST, frozenset({DEBUG, AVX2}))


def test_flags_are_off_unless_asked_for_and_test_is_cheaper_than_a_cfg() -> None:
    space = config_space(model(""))
    found = least(literal(LOOM) | literal(TEST), space)
    assert found is not None
    assert found.is_test
    assert found.cfgs == ()


def test_fixed_flags_have_one_value() -> None:
    space = config_space(model(""))
    proc_macro = literal(flag("proc_macro"))
    assert not satisfiable(proc_macro, space)
    inside = fixing(space, {flag("proc_macro"): True, TEST: False})
    assert valid(proc_macro, inside)
    assert not satisfiable(literal(TEST), inside)
    assert count(literal(TEST) | has("a"), inside) == (0, 1)


def test_a_guard_excludes_and_another_asks_for_one_of_several() -> None:
    declared = model("[features]\ndefault = ['a']\na = []\nb = []\nc = ['b']\n")
    guards = (~(has("a") & has("b")), has("a") | has("b"))
    space = config_space(declared, constraints=guards)
    assert not satisfiable(has("a") & has("c"), space)
    found = least(TRUE, space)
    assert found is not None
    assert found.features == {"a"}
    assert count(has("a") & has("c"), space) == (0, 3)
    assert count(has("a"), space) == (1, 2)
    assert count(has("default") | has("c"), space) == (2, 3)


def test_contradicting_guards_leave_nothing() -> None:
    space = config_space(model("[features]\na = []\n"), constraints=(has("a"), ~has("a")))
    assert least(TRUE, space) is None
    assert valid(FALSE, space)


def test_an_opaque_atom_is_free_and_never_an_argument() -> None:
    space = config_space(model(""))
    unknown = literal(opaque("include!(x)"))
    found = least(unknown, space)
    assert found is not None
    assert found.cfgs == ()
    assert satisfiable(~unknown, space)


def test_a_chain_of_thousands_of_features_is_decided() -> None:
    names = [f"f{number}" for number in range(2_000)]
    table_text = "".join(f"{a} = ['{b}']\n" for a, b in itertools.pairwise(names))
    space = config_space(model(f"[features]\n{table_text}{names[-1]} = []\n"))
    assert not satisfiable(has(names[0]) & ~has(names[-1]), space)
    found = least(has(names[0]), space)
    assert found is not None
    assert len(found.features) == len(names)
    assert count(has(names[0]) & ~has(names[-1]), space) == (0, 3)


def test_counting_many_independent_features_does_not_enumerate() -> None:
    names = [f"f{number}" for number in range(60)]
    space = config_space(model("[features]\n" + "".join(f"{name} = []\n" for name in names)))
    assert count(disjunction(map(has, names)), space) == (2**60 - 1, 2**60)


def test_features_that_imply_each_other_count_as_one() -> None:
    space = config_space(model("[features]\na = ['b']\nb = ['c']\nc = ['b']\n"))
    assert count(has("a") & has("b") & has("c"), space) == (1, 3)


def test_a_hard_query_gives_up_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solver, "STEP_CAP", 50)
    names = [f"f{number}" for number in range(12)]
    space = config_space(model("[features]\n" + "".join(f"{name} = []\n" for name in names)))
    parity = FALSE
    for name in names:
        parity = (parity - has(name)) | (has(name) - parity)
    with pytest.raises(GaveUpError):
        least(parity, space)


def test_too_many_features_to_count_are_refused_and_cared_for_loosely(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solver, "PROJECTION_CAP", 3)
    space = config_space(model("[features]\na = ['b']\nb = []\nc = []\nd = []\n"))
    condition = has("a") | has("b") | has("c") | has("d")
    with pytest.raises(GaveUpError):
        count(condition, space)
    assert care_set(condition, space) is TRUE


def test_atoms_of_every_kind_are_decided() -> None:
    space = config_space(model("[features]\na = []\n"))
    atoms: list[Atom] = [feature("a"), flag("loom"), key_value("backend", "x"), opaque("?"), UNIX, AVX2]
    assert {atom.kind for atom in atoms} == set(AtomKind)
    for atom in atoms:
        assert satisfiable(literal(atom), space)
        assert not valid(literal(atom), space)

"""Witnesses: the command of a configuration, by example and run by cargo."""

from __future__ import annotations

import json
import os
import random
import shlex
import subprocess
from pathlib import Path

import pytest

from cfglint.condition.atom import Atom, feature, flag, key_value, opaque
from cfglint.condition.diagram import Condition, literal
from cfglint.manifest.configuration import Configuration, requested_features, witness
from cfglint.manifest.package import Package
from cfglint.manifest.platform import HOST
from cfglint.manifest.solver import least
from cfglint.manifest.space import DEBUG_ASSERTIONS, TEST, config_space
from cfglint.manifest.targets import Target, TargetKind
from cfglint.manifest.workspace import load_workspace
from tests.manifest.building import cargo, model, package, write

FEATURES = (
    '[features]\ndefault = ["std"]\nstd = ["alloc"]\nalloc = []\ngpu = []\ngrad = []\nfull = ["gpu", "grad", "std"]\n'
)
SEAM = '[package]\nname = "seam"\nedition = "2021"\n'


def seam() -> Package:
    return package(SEAM + FEATURES)


def target(kind: TargetKind, name: str = "seam") -> Target:
    return Target(kind, name, Path("/nowhere/src/lib.rs"), "2021")


def configuration(*features: str, flags: tuple[Atom, ...] = (DEBUG_ASSERTIONS,), triple: str = HOST) -> Configuration:
    return Configuration(model(FEATURES).closure(features), frozenset(flags), triple)


def command(found: Configuration, kind: TargetKind = TargetKind.LIB, name: str = "seam") -> str:
    return witness(found, seam(), target(kind, name), config_space(model(FEATURES))).command


def test_the_command_of_the_contract() -> None:
    found = witness(configuration("gpu"), seam(), target(TargetKind.LIB), config_space(model(FEATURES)))
    assert found.command == "cargo check -p seam --lib --no-default-features --features gpu"
    assert (found.features, found.default_features, found.cfgs, found.target) == (("gpu",), False, (), None)


@pytest.mark.parametrize(
    ("features", "expected"),
    [
        ((), "--no-default-features"),
        (("std",), "--no-default-features --features std"),
        (("default",), ""),
        (("default", "grad", "gpu"), "--features gpu,grad"),
        (("full",), "--no-default-features --features full"),
        (("full", "default"), "--features full"),
    ],
)
def test_no_more_is_asked_for_than_needed(features: tuple[str, ...], expected: str) -> None:
    assert command(configuration(*features)) == f"cargo check -p seam --lib {expected}".rstrip()


@pytest.mark.parametrize(
    ("kind", "name", "expected"),
    [
        (TargetKind.BIN, "tool", "cargo check -p seam --bin tool --profile test"),
        (TargetKind.EXAMPLE, "ex", "cargo check -p seam --example ex --profile test"),
        (TargetKind.TEST, "it", "cargo check -p seam --test it"),
        (TargetKind.BENCH, "fast", "cargo check -p seam --bench fast"),
        (TargetKind.LIB, "seam", "cargo check -p seam --lib --profile test"),
        (TargetKind.BUILD_SCRIPT, "build-script-build", "cargo check -p seam --profile test"),
    ],
)
def test_each_kind_of_target_in_a_test_build(kind: TargetKind, name: str, expected: str) -> None:
    assert command(configuration("default", flags=(DEBUG_ASSERTIONS, TEST)), kind, name) == expected


def test_profiles_targets_and_flags() -> None:
    released = configuration("default", flags=())
    assert command(released) == "cargo check -p seam --lib --release"
    tested = configuration("default", flags=(TEST,))
    assert command(tested) == "cargo test --no-run -p seam --lib --release"
    assert command(tested, TargetKind.TEST, "it") == "cargo check -p seam --test it --release"
    foreign = configuration("default", triple="x86_64-pc-windows-msvc")
    assert command(foreign) == "cargo check -p seam --lib --target x86_64-pc-windows-msvc"
    loom = configuration("default", flags=(DEBUG_ASSERTIONS, flag("loom")))
    assert command(loom) == 'RUSTFLAGS="--cfg loom" cargo check -p seam --lib'
    several = (
        DEBUG_ASSERTIONS,
        key_value("backend", "x"),
        flag("loom"),
        opaque("?"),
        key_value("target_feature", "avx2"),
    )
    found = witness(
        configuration("default", flags=several), seam(), target(TargetKind.LIB), config_space(model(FEATURES))
    )
    assert found.cfgs == ("loom", 'backend="x"')
    flags = '--cfg loom --cfg backend="x" -C target-feature=+avx2'
    assert found.command == f"RUSTFLAGS='{flags}' cargo check -p seam --lib"


def test_features_that_imply_each_other_are_named_once() -> None:
    circle = model("[features]\na = ['b']\nb = ['a']\nc = []\n")
    assert requested_features(("a", "b", "c"), circle) == (("a", "c"), False)


def test_asking_for_what_is_requested_gives_the_closure() -> None:
    rng = random.Random(3)
    for _ in range(300):
        names = ["default", *"abcdef"]
        lines = [f"{name} = {json.dumps([o for o in names if o != name and rng.random() < 0.2])}" for name in names]
        drawn = model("[features]\n" + "\n".join(lines) + "\n")
        closed = drawn.closure(rng.sample(names, rng.randint(0, 4)))
        features, default = requested_features(closed, drawn)
        assert drawn.closure((*features, "default") if default else features) == closed
        for dropped in features:
            rest = [name for name in features if name != dropped]
            assert drawn.closure((*rest, "default") if default else rest) != closed


def test_a_configuration_answers_for_every_kind_of_atom() -> None:
    found = configuration("std", flags=(DEBUG_ASSERTIONS, flag("loom")))
    for atom in (feature("alloc"), flag("unix"), key_value("target_os", "linux"), flag("loom"), DEBUG_ASSERTIONS):
        assert found.holds(atom)
    assert found.holds(key_value("target_feature", "sse2"))
    assert found.holds(key_value("target_env", "gnu"))
    for atom in (feature("gpu"), flag("windows"), key_value("target_os", "none"), TEST, key_value("backend", "x")):
        assert not found.holds(atom)


@pytest.mark.parametrize("kind", ["", "root-package"])
@pytest.mark.parametrize("resolver", ["1", "2"])
@pytest.mark.cargo
def test_cargo_builds_what_the_witness_says(kind: str, resolver: str, tmp_path: Path) -> None:
    root = '[package]\nname = "top"\nedition = "2021"\n' if kind else ""
    state = "".join(
        f'#[cfg({cfg})] const _: () = {{ compile_error!("on: {name}"); }};\n'
        for name, cfg in (
            ("gpu", 'feature = "gpu"'),
            ("alloc", 'feature = "alloc"'),
            ("full", 'feature = "full"'),
            ("test", "test"),
            ("debug", "debug_assertions"),
            ("loom", "loom"),
            ("avx2", 'target_feature = "avx2"'),
            ("always", "all()"),
        )
    )
    write(
        tmp_path,
        {
            "Cargo.toml": f'{root}[workspace]\nmembers = ["seam", "quiet"]\nresolver = "{resolver}"\n',
            "src/lib.rs": "",
            "seam/Cargo.toml": SEAM + FEATURES,
            "seam/src/lib.rs": state,
            "quiet/Cargo.toml": SEAM.replace("seam", "quiet") + FEATURES,
            "quiet/src/lib.rs": "",
            "quiet/tests/it.rs": state,
        },
    )
    workspace = load_workspace(tmp_path)
    members = {TargetKind.LIB: workspace.package("seam"), TargetKind.TEST: workspace.package("quiet")}
    declared = model(FEATURES, resolver)
    space = config_space(declared)
    gpu, full, alloc = (literal(feature(name)) for name in ("gpu", "full", "alloc"))
    test, debug, loom = literal(TEST), literal(DEBUG_ASSERTIONS), literal(flag("loom"))
    wanted: list[tuple[Condition, TargetKind]] = [
        (gpu - alloc, TargetKind.LIB),
        (full & literal(feature("default")), TargetKind.LIB),
        (test - alloc, TargetKind.LIB),
        (gpu & loom & literal(key_value("target_feature", "avx2")), TargetKind.LIB),
        (~debug, TargetKind.LIB),
        (test - debug, TargetKind.LIB),
        (gpu & test, TargetKind.TEST),
    ]
    for condition, target_kind in wanted:
        found = least(condition, space)
        assert found is not None
        member = members[target_kind]
        assert member is not None
        chosen = next(each for each in member.targets if each.kind is target_kind)
        line = witness(found, member, chosen, space).command
        said = run(line, tmp_path)
        expected = {"always"} | {name for name in ("gpu", "alloc", "full") if name in found.features}
        expected |= {"test"} if found.is_test else set()
        expected |= set() if found.is_release else {"debug"}
        expected |= {"loom", "avx2"} if flag("loom") in found.flags else set()
        assert said == expected, line


def run(line: str, root: Path) -> set[str]:
    """What the options are that a command line builds with, as told by `compile_error!`."""
    words = shlex.split(line)
    environment = {**os.environ, "CARGO_TARGET_DIR": str(root / "target"), "CARGO_TERM_COLOR": "never"}
    if words[0].startswith("RUSTFLAGS="):
        environment["RUSTFLAGS"] = words.pop(0).removeprefix("RUSTFLAGS=")
    assert words.pop(0) == "cargo"
    arguments = [cargo(), words[0], "--offline", *words[1:]]
    done = subprocess.run(arguments, cwd=root, env=environment, capture_output=True, text=True, check=False)
    prefix = "error: on: "
    return {text.removeprefix(prefix) for text in done.stderr.splitlines() if text.startswith(prefix)}

"""Feature tables: each rule by example, then random tables against cargo's own unit graph."""

from __future__ import annotations

import itertools
import json
import os
import random
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

from cfglint.condition.atom import feature, flag, key_value
from cfglint.condition.diagram import FALSE, TRUE, Condition, literal
from cfglint.manifest.configuration import Configuration
from cfglint.manifest.dependency import DependencyKind
from cfglint.manifest.feature_model import BUILD_ONLY, NORMAL_ONLY, WITH_DEV, FeatureModel, feature_model
from cfglint.manifest.platform import HOST
from cfglint.manifest.space import DEBUG_ASSERTIONS, TEST
from cfglint.manifest.workspace import load_workspace
from tests.manifest.building import cargo, model, write

WINDOWS_TRIPLE = "x86_64-pc-windows-msvc"


def has(name: str) -> Condition:
    return literal(feature(name))


def messages(found: FeatureModel) -> list[str]:
    return [problem.message for problem in found.problems]


def test_an_optional_dependency_is_an_implicit_feature() -> None:
    found = model("[dependencies]\nd = { version = '1', optional = true }\n")
    assert found.names == ("d",)
    assert found.implicit == {"d"}
    assert found.dependency_condition("d") is has("d")


def test_dep_syntax_anywhere_hides_the_implicit_feature() -> None:
    found = model("[features]\nf = ['dep:d']\n[dependencies]\nd = { version = '1', optional = true }\n")
    assert found.names == ("f",)
    assert found.dependency_condition("d") is has("f")


def test_a_slash_turns_on_the_dependency_and_the_feature_of_its_name() -> None:
    text = "[features]\nf = ['d/x']\n{}[dependencies]\nd = {{ version = '1', optional = true }}\n"
    plain = model(text.format(""))
    assert plain.closure(("f",)) == {"f", "d"}
    assert plain.dependency_condition("d") is has("f") | has("d")
    assert plain.dependency_features("d")["x"] is has("f")
    hidden = model(text.format("g = ['dep:d']\n"))
    assert hidden.closure(("f",)) == {"f"}
    explicit = model(text.format("d = []\n"))
    assert explicit.closure(("f",)) == {"f", "d"}


def test_a_weak_slash_waits_for_the_dependency() -> None:
    found = model("[features]\nf = ['d?/x']\n[dependencies]\nd = { version = '1', optional = true }\n")
    assert found.closure(("f",)) == {"f"}
    assert found.dependency_condition("d") is has("d")
    assert found.dependency_features("d")["x"] is has("f") & has("d")


def test_default_features_and_listed_features_come_with_the_dependency() -> None:
    text = (
        "[dependencies]\na = '1'\nb = { version = '1', default-features = false, features = ['x'], optional = true }\n"
    )
    found = model(text)
    assert found.dependency_features("a") == {"default": TRUE}
    assert found.dependency_features("b") == {"x": has("b")}


def test_kinds_and_targets_of_one_dependency_add_up() -> None:
    found = model(
        "[dependencies]\nd = { version = '1', optional = true }\n"
        "[dev-dependencies]\nd = '1'\n"
        "[target.'cfg(windows)'.dependencies]\nd = { version = '1', features = ['w'] }\n"
        "[target.x86_64-unknown-linux-musl.build-dependencies]\nd = '1'\n"
    )
    windows = literal(flag("windows"))
    assert found.dependency_condition("d") is has("d") | windows
    assert found.dependency_condition("d", WITH_DEV) is TRUE
    assert found.dependency_condition("d", BUILD_ONLY) is literal(key_value("target", "x86_64-unknown-linux-musl"))
    assert found.dependency_features("d")["w"] is windows
    assert found.dependency_condition("other") is FALSE


def test_target_predicates_see_no_features_and_the_default_profile() -> None:
    found = model(
        "[target.'cfg(all(feature = \"a\", unix))'.dependencies]\na = '1'\n"
        "[target.'cfg(any(test, debug_assertions))'.dependencies]\nb = '1'\n"
        "[target.'cfg(tokio_unstable)'.dependencies]\nc = '1'\n"
    )
    assert found.dependency_condition("a") is FALSE
    assert found.dependency_condition("b") is TRUE
    assert found.dependency_condition("c") is literal(flag("tokio_unstable"))


def test_a_package_that_is_its_own_dev_dependency_has_its_features_in_tests(tmp_path: Path) -> None:
    text = "[features]\ndefault = []\nt = ['u']\nu = []\n[dev-dependencies]\np = { path = '.', features = ['t'] }\n"
    write(tmp_path, {"Cargo.toml": '[package]\nname = "p"\nedition = "2021"\n' + text, "src/lib.rs": ""})
    package = load_workspace(tmp_path).packages[0]
    assert feature_model(package).implied == ((literal(TEST), "t"), (literal(TEST), "default"))
    assert feature_model(package, "1").implied == ((TRUE, "t"), (TRUE, "default"))


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        ("nowhere", "which is neither a dependency nor another feature"),
        ("plain", "but `plain` is a dependency that is not optional"),
        ("opt", "but `opt` is an optional dependency without an implicit feature; use `dep:opt`"),
        ("dep:plain", "but `plain` is not an optional dependency"),
        ("dep:nowhere", "but `nowhere` is not a dependency"),
        ("nowhere/x", "but `nowhere` is not a dependency"),
        ("plain?/x", "but `plain` is not an optional dependency"),
        ("dep:opt/x", "but `dep:` and `/` cannot be combined"),
        ("opt/x/y", "which has more than one slash"),
    ],
)
def test_entries_that_cargo_rejects_are_problems(entry: str, message: str) -> None:
    found = model(
        f"[features]\nf = ['{entry}']\ng = ['dep:opt']\n"
        "[dependencies]\nplain = '1'\nopt = { version = '1', optional = true }\n"
    )
    assert messages(found) == [f"feature `f` includes `{entry}`, {message}"]
    assert found.implications["f"] == ()


def test_an_optional_dependency_that_nothing_enables_is_a_problem() -> None:
    found = model("[features]\nopt = []\n[dependencies]\nopt = { version = '1', optional = true }\n")
    assert messages(found) == ["optional dependency `opt` is not included in any feature"]
    assert found.dependency_condition("opt") is FALSE


# Random tables. cargo prints its unit graph without compiling anything: features and dependencies of every unit.

KEYS = ("a", "b", "c-c")
DEPENDENCY = '[package]\nname = "{name}"\nedition = "2021"\n[features]\ndefault = ["x"]\nx = []\ny = ["x"]\nz = []\n'
SECTIONS = (
    "dependencies",
    "dependencies",
    "dependencies",
    "dev-dependencies",
    "build-dependencies",
    "target.'cfg(windows)'.dependencies",
    "target.'cfg(unix)'.dependencies",
    f"target.{WINDOWS_TRIPLE}.dependencies",
)


@dataclass(frozen=True)
class Unit:
    """A unit of cargo's graph: its features, and the features of its dependencies by crate name."""

    features: frozenset[str]
    dependencies: Mapping[str, frozenset[str]]


def random_manifest(rng: random.Random) -> str:
    sections: dict[str, list[str]] = {}
    optional: set[str] = set()
    for key in KEYS:
        for section in dict.fromkeys(rng.choice(SECTIONS) for _ in range(rng.randint(1, 3))):
            parts = [f'path = "../{key}"'] if key != "b" else ['path = "../bb"', 'package = "bb"']
            if "dev" not in section and rng.random() < 0.6:
                parts.append("optional = true")
                optional.add(key)
            if rng.random() < 0.5:
                parts.append("default-features = false")
            parts.append(f"features = {json.dumps(rng.sample(('x', 'y', 'z'), rng.randint(0, 2)))}")
            sections.setdefault(section, []).append(f"{key} = {{ {', '.join(parts)} }}")
    names = ["default", "f", "g", "h", *(key for key in KEYS if rng.random() < 0.15)]
    entries = [*names[1:], *(f"{key}/{name}" for key in KEYS for name in "xyz")]
    for key in sorted(optional):
        entries += [f"dep:{key}", f"dep:{key}", *(f"{key}?/{name}" for name in "xyz")]
    if rng.random() < 0.5:
        entries += KEYS
    lines = ['[package]\nname = "p"\nversion = "0.1.0"\nedition = "2021"\n[features]']
    for name in names:
        chosen = [entry for entry in rng.sample(entries, rng.choice((0, 1, 1, 2))) if entry != name]
        lines.append(f"{name} = {json.dumps(chosen)}")
    for section, rows in sections.items():
        lines += [f"[{section}]", *rows]
    return "\n".join(lines) + "\n"


def unit_graph(root: Path, arguments: list[str]) -> dict[str, Unit] | str:
    """The units of `p` by kind (`lib`, `test` for the library's unit test, `custom-build`); a string if cargo refuses."""
    command = [cargo(), "check", "--offline", "--unit-graph", "-Zunstable-options", "-p", "p", *arguments]
    environment = {**os.environ, "RUSTC_BOOTSTRAP": "1", "CARGO_TARGET_DIR": str(root / "target")}
    done = subprocess.run(command, cwd=root, env=environment, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        return done.stderr
    units = json.loads(done.stdout)["units"]
    found: dict[str, Unit] = {}
    for unit in units:
        kind = unit["target"]["kind"][0]
        if unit["target"]["name"] not in ("p", "build-script-build") or unit["mode"] == "run-custom-build":
            continue
        dependencies = {
            edge["extern_crate_name"]: frozenset(units[edge["index"]]["features"])
            for edge in unit["dependencies"]
            if units[edge["index"]]["target"]["kind"][0] == "lib" and edge["extern_crate_name"] != "p"
        }
        found["test" if unit["mode"] in ("test", "check") and unit["profile"]["name"] == "test" else kind] = Unit(
            frozenset(unit["features"]), dependencies
        )
    return found


def expected_unit(
    found: FeatureModel,
    features: frozenset[str],
    triple: str,
    presence: frozenset[DependencyKind],
    edges: frozenset[DependencyKind],
) -> Unit:
    """What the model says of a unit that sees dependencies of the kinds `presence`, built along with `edges`."""
    configuration = Configuration(features, frozenset({DEBUG_ASSERTIONS}), triple)
    table = model("[features]\ndefault = ['x']\nx = []\ny = ['x']\nz = []\n")
    dependencies: dict[str, frozenset[str]] = {}
    for key in found.dependency_keys():
        if configuration.satisfies(found.dependency_condition(key, presence)):
            asked = found.dependency_features(key, edges).items()
            names = [name for name, condition in asked if configuration.satisfies(condition)]
            dependencies[key.replace("-", "_")] = table.closure(names)
    return Unit(features, dependencies)


def implied_closure(found: FeatureModel, features: frozenset[str], triple: str) -> frozenset[str]:
    while True:
        configuration = Configuration(features, frozenset({DEBUG_ASSERTIONS}), triple)
        added = {name for condition, name in found.implied if configuration.satisfies(condition)}
        closed = found.closure((*features, *added))
        if closed == features:
            return features
        features = closed


@pytest.mark.cargo
@pytest.mark.parametrize("resolver", ["1", "2"])
@pytest.mark.parametrize("block", range(4))
def test_random_tables_agree_with_cargo(block: int, resolver: str, tmp_path: Path) -> None:
    accepted = 0
    for seed in range(block * 6, block * 6 + 6):
        rng = random.Random(f"{seed}/{resolver}")
        root = tmp_path / str(seed)
        manifest = random_manifest(rng)
        write(
            root,
            {
                "Cargo.toml": f'[workspace]\nmembers = ["p"]\nresolver = "{resolver}"\n',
                "p/Cargo.toml": manifest,
                "p/src/lib.rs": "",
                "p/build.rs": "fn main() {}\n",
                **{f"{name}/Cargo.toml": DEPENDENCY.format(name=name) for name in ("a", "bb", "c-c")},
                **{f"{name}/src/lib.rs": "" for name in ("a", "bb", "c-c")},
            },
        )
        workspace = load_workspace(root)
        package = workspace.package("p")
        assert package is not None
        assert workspace.resolver == resolver
        found = feature_model(package, resolver)
        first = unit_graph(root, ["--lib"])
        assert bool(found.problems) == isinstance(first, str), (manifest, messages(found), first)
        if found.problems:
            continue
        accepted += 1
        requests = itertools.product((False, True), (HOST, WINDOWS_TRIPLE))
        for with_default, triple in requests:
            wanted = rng.sample(found.names, rng.randint(0, 2))
            arguments = ["--lib", "--features", ",".join(wanted), "--target", triple]
            arguments += [] if with_default else ["--no-default-features"]
            arguments += ["--profile", "test"] if rng.random() < 0.3 else []
            graph = unit_graph(root, arguments)
            assert not isinstance(graph, str), (manifest, graph)
            features = found.closure((*wanted, "default") if with_default else wanted)
            features = implied_closure(found, features, triple)
            note = (manifest, arguments, graph)
            if "test" in graph:
                assert graph["test"] == expected_unit(found, features, triple, WITH_DEV, WITH_DEV), note
            else:
                assert graph["lib"] == expected_unit(found, features, triple, NORMAL_ONLY, NORMAL_ONLY), note
            if triple == HOST:
                script = graph["custom-build"]
                assert script == expected_unit(found, features, HOST, BUILD_ONLY, BUILD_ONLY), note
    assert accepted >= 1

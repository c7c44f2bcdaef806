"""Worlds: features of dependencies by example, then random workspaces against cargo's own unit graph."""

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
from cfglint.manifest.dependency import Dependency
from cfglint.manifest.feature_model import FeatureModel, feature_model
from cfglint.manifest.package import Package
from cfglint.manifest.platform import HOST
from cfglint.manifest.space import DEBUG_ASSERTIONS, TEST
from cfglint.manifest.unification import ABSENT, Formulas, Setting, Side, dependency_features
from cfglint.manifest.workspace import Workspace, load_workspace
from cfglint.manifest.worlds import Mask, World, formulas_in, masked_by, substitution, translate
from tests.manifest.building import cargo, write

WINDOWS_TRIPLE = "x86_64-pc-windows-msvc"
WINDOWS = literal(flag("windows"))


def has(name: str) -> Condition:
    return literal(feature(name))


def setting_of(workspace: Workspace, host: str | None = HOST) -> Setting:
    models: dict[Package, FeatureModel] = {}

    def model(package: Package) -> FeatureModel:
        if package not in models:
            models[package] = feature_model(package, workspace.resolver)
        return models[package]

    def package(owner: Package, dependency: Dependency) -> Package | None:
        return None if dependency.path is None else workspace.package_at(dependency.path)

    return Setting(package, model, workspace.resolver, workspace.packages, host=host)


@dataclass(frozen=True)
class Bench:
    """A workspace of members without code."""

    workspace: Workspace
    setting: Setting

    def member(self, name: str) -> Package:
        found = self.workspace.package(name)
        assert found is not None
        return found

    def world(self, root: str, world: World = World.STANDALONE) -> Formulas:
        return formulas_in(world, self.member(root), self.setting)


def bench(
    root: Path, members: Mapping[str, str], resolver: str = "2", shared: str = "", host: str | None = HOST
) -> Bench:
    files = {"Cargo.toml": f'[workspace]\nmembers = {json.dumps(sorted(members))}\nresolver = "{resolver}"\n{shared}'}
    for name, text in members.items():
        files[f"{name}/Cargo.toml"] = f'[package]\nname = "{name}"\nversion = "0.1.0"\nedition = "2021"\n{text}'
        files[f"{name}/src/lib.rs"] = ""
        files[f"{name}/build.rs"] = "fn main() {}\n"
    workspace = load_workspace(write(root, files))
    assert not workspace.problems
    return Bench(workspace, setting_of(workspace, host))


SEAM = "[features]\ndefault = ['std']\nstd = []\ngpu = ['wide']\nwide = []\n"


def test_what_the_edge_asks_for_is_closed_in_the_other_table(tmp_path: Path) -> None:
    made = bench(
        tmp_path,
        {
            "p": "[features]\nfast = ['seam/gpu']\n"
            "[dependencies]\nseam = { path = '../seam', default-features = false }\n",
            "seam": SEAM,
        },
    )
    found = made.world("p").of(made.member("seam"))
    assert found.present is TRUE
    assert found.features == {"gpu": has("fast"), "wide": has("fast")}
    assert found.feature("std") is FALSE
    assert translate(has("wide") & ~has("std") | literal(TEST), found) is has("fast")
    assert substitution(found, ["gpu", "std"])[feature("std")] is FALSE


def test_weak_features_wait_for_the_dependency_and_renames_keep_their_key(tmp_path: Path) -> None:
    made = bench(
        tmp_path,
        {
            "p": "[features]\nfast = ['s?/gpu']\nwith = ['dep:s']\n"
            "[dependencies]\ns = { package = 'seam', path = '../seam', optional = true }\n",
            "seam": SEAM,
        },
    )
    found = made.world("p").of(made.member("seam"))
    assert found.present is has("with")
    assert found.feature("gpu") is has("with") & has("fast")
    assert found.feature("std") is has("with")


def test_a_feature_that_only_a_third_member_turns_on(tmp_path: Path) -> None:
    made = bench(
        tmp_path,
        {
            "p": "[features]\nx = ['mid/on']\n[dependencies]\nmid = { path = '../mid' }\n"
            "seam = { path = '../seam', default-features = false }\n",
            "mid": "[features]\non = ['seam/gpu']\n[dependencies]\nseam = { path = '../seam', optional = true }\n",
            "seam": SEAM,
        },
    )
    found = made.world("p").of(made.member("seam"))
    assert found.present is TRUE
    assert found.features == {"default": has("x"), "std": has("x"), "gpu": has("x"), "wide": has("x")}


def test_targets_gate_edges_and_the_host_decides_for_build_dependencies(tmp_path: Path) -> None:
    members = {
        "p": "[target.'cfg(windows)'.dependencies]\nseam = { path = '../seam' }\n"
        "[target.'cfg(unix)'.build-dependencies]\nseam = { path = '../seam', features = ['gpu'] }\n",
        "seam": SEAM,
    }
    made = bench(tmp_path, members)
    world = made.world("p")
    seam = made.member("seam")
    assert world.of(seam).features == {"default": WINDOWS, "std": WINDOWS}
    assert world.of(seam, Side.HOST).features == dict.fromkeys(("default", "std", "gpu", "wide"), TRUE)
    gate = WINDOWS & has("gpu") | literal(key_value("target_os", "linux")) & has("std")
    assert translate(gate, world.of(seam, Side.HOST)) is TRUE
    assert translate(gate, world.of(seam)) is literal(key_value("target_os", "linux")) & WINDOWS
    unresolved = bench(tmp_path / "native", members, host=None)
    found = unresolved.world("p").of(unresolved.member("seam"), Side.HOST)
    assert found.feature("gpu") is literal(flag("unix"))


def test_resolver_one_adds_up_what_it_does_not_compile(tmp_path: Path) -> None:
    made = bench(
        tmp_path,
        {
            "p": "[dependencies]\nseam = { path = '../seam', default-features = false }\n"
            "[target.'cfg(windows)'.dependencies]\nseam = { path = '../seam', features = ['gpu'] }\n"
            "other = { path = '../other' }\n",
            "seam": SEAM,
            "other": "",
        },
        resolver="1",
    )
    world = made.world("p")
    assert world.of(made.member("seam")).features == dict.fromkeys(("default", "std", "gpu", "wide"), TRUE)
    assert world.of(made.member("other")).present is WINDOWS


def test_procedural_macros_are_kept_apart(tmp_path: Path) -> None:
    made = bench(
        tmp_path,
        {
            "p": "[dependencies]\nmacros = { path = '../macros' }\nseam = { path = '../seam', default-features = false }\n",
            "macros": "[lib]\nproc-macro = true\n[dependencies]\nseam = { path = '../seam' }\n",
            "seam": SEAM,
        },
    )
    world = made.world("p")
    assert world.of(made.member("seam")).features == {}
    assert world.of(made.member("seam"), Side.HOST).feature("std") is TRUE
    assert world.of(made.member("macros")) is ABSENT
    macros = made.member("p").dependencies[0]
    assert world.along(made.member("p"), macros) == (made.member("macros"), Side.HOST)


def test_dev_dependencies_count_under_test_and_for_all_in_the_dev_world(tmp_path: Path) -> None:
    made = bench(
        tmp_path,
        {
            "p": "[features]\nx = ['y']\ny = []\n[dependencies]\nseam = { path = '../seam', default-features = false }\n"
            "[dev-dependencies]\nseam = { path = '../seam' }\nhelper = { path = '../helper' }\n",
            "helper": "[dependencies]\np = { path = '../p', features = ['x'] }\n"
            "[dev-dependencies]\nseam = { path = '../seam', features = ['gpu'] }\n",
            "seam": SEAM,
        },
    )
    seam, p = made.member("seam"), made.member("p")
    alone, dev, wide = made.world("p"), made.world("p", World.DEV), made.world("p", World.WORKSPACE)
    assert alone.of(seam).features == {"default": literal(TEST), "std": literal(TEST)}
    assert alone.of(p).features == {"x": has("x") | literal(TEST), "y": has("y") | literal(TEST)}
    assert dev.of(seam).features == {"default": TRUE, "std": TRUE}
    assert wide.of(seam).feature("gpu") is literal(TEST)
    assert wide.of(p).feature("y") is TRUE
    assert [(mask.owner.name, mask.feature) for mask in masked_by(alone, dev, seam, "std")] == [("p", "default")]
    assert [(mask.owner.name, mask.feature) for mask in masked_by(alone, wide, p, "y")] == [("helper", "x")]


def test_the_member_that_masks_is_named(tmp_path: Path) -> None:
    made = bench(
        tmp_path,
        {
            "alpha": "[features]\nx = ['seam/gpu']\n[dependencies]\nseam = { path = '../seam', default-features = false }\n",
            "delta": "[dependencies]\nseam = { path = '../seam', features = ['gpu'], default-features = false }\n",
            "echo": "[features]\ndefault = ['more']\nmore = ['alpha/x']\n[dependencies]\nalpha = { path = '../alpha' }\n",
            "seam": SEAM,
        },
    )
    seam = made.member("seam")
    alone, wide = made.world("alpha"), made.world("alpha", World.WORKSPACE)
    delta, echo = made.member("delta"), made.member("echo")
    assert masked_by(alone, wide, seam, "wide") == (
        Mask(delta, delta.dependencies[0], seam, "gpu"),
        Mask(echo, echo.dependencies[0], made.member("alpha"), "x"),
    )
    assert masked_by(alone, wide, seam, "std") == ()
    assert [mask.owner.name for mask in masked_by(alone, wide, made.member("echo"), "")] == []


def test_inheritance_adds_features(tmp_path: Path) -> None:
    made = bench(
        tmp_path,
        {
            "p": "[dependencies]\nseam = { workspace = true, features = ['wide'], optional = true }\n",
            "seam": SEAM,
        },
        shared="[workspace.dependencies]\nseam = { path = 'seam', features = ['gpu'], default-features = false }\n",
    )
    found = made.world("p").of(made.member("seam"))
    assert found.features == {"gpu": has("seam"), "wide": has("seam")}


def test_what_is_not_on_disk_is_a_doubt_for_others(tmp_path: Path) -> None:
    made = bench(
        tmp_path,
        {
            "p": "[dependencies]\nfar = { version = '1', optional = true }\nseam = { path = '../seam' }\n",
            "seam": SEAM,
        },
    )
    p, seam = made.member("p"), made.member("seam")
    assert made.world("p").of(seam).doubt is FALSE
    outside = Setting(made.setting.package, made.setting.model, "2", (p,))
    assert dependency_features(p, outside).of(seam).doubt is has("far")
    locked = Setting(made.setting.package, made.setting.model, "2", (p,), below=lambda *_: ["nearby"])
    assert dependency_features(p, locked).of(seam).doubt is FALSE


@pytest.mark.parametrize("optional", ["", ", optional = true"])
def test_tables_of_thousands_of_features_are_quick(optional: str, tmp_path: Path) -> None:
    chips = [f"chip{number}" for number in range(1500)]
    forwarded = "".join(f"{chip} = ['metal/{chip}']\n" for chip in chips)
    table = "".join(f"{chip} = ['rt', 'family{index % 20}']\n" for index, chip in enumerate(chips))
    families = "".join(f"family{index} = ['rt']\n" for index in range(20))
    made = bench(
        tmp_path,
        {
            "p": f"[features]\n{forwarded}[dependencies]\nmetal = {{ path = '../metal'{optional} }}\n",
            "metal": f"[features]\n{table}{families}rt = []\n",
        },
    )
    found = made.world("p").of(made.member("metal"))
    assert len(found.features) == 1521
    assert found.present is TRUE or len(found.present.atoms()) == 1501
    assert len(found.feature("rt").atoms()) == 1500


# Random workspaces. cargo prints its unit graph without compiling anything: the features of every unit, and its side.

NAMES = ("a", "bb", "c-c", "d")
FEATURES = ("default", "f", "g", "h")
TARGETS = ("", "", "", "target.'cfg(windows)'.", "target.'cfg(unix)'.", f"target.{WINDOWS_TRIPLE}.")


def random_members(rng: random.Random) -> tuple[dict[str, str], str]:
    """Manifests of two to four members and the shared table; normal and build edges lead to later members only."""
    names = NAMES[: rng.randint(2, 4)]
    inherited = {name for name in names if rng.random() < 0.3}
    shared = ["[workspace.dependencies]"]
    for name in sorted(inherited):
        parts = [f'path = "{name}"', f"features = {json.dumps(rng.sample(FEATURES, rng.choice((0, 0, 1))))}"]
        parts += ["default-features = false"] if rng.random() < 0.6 else []
        shared.append(f"{name} = {{ {', '.join(parts)} }}")
    members = {}
    for index, name in enumerate(names):
        sections: dict[str, list[str]] = {}
        keys: dict[str, bool] = {}
        for other in names:
            later = names.index(other) > index
            renamed = other == "bb"
            for section in sorted({rng.choice(TARGETS) + rng.choice(("", "", "", "dev-", "build-")) for _ in range(3)}):
                if rng.random() < 0.4 or (not later and "dev-" not in section):
                    continue
                if other == name and rng.random() < 0.7:
                    continue
                key = "b" if renamed else other
                parts = []
                if other in inherited and not renamed:
                    parts.append("workspace = true")
                    parts += ["default-features = true"] if rng.random() < 0.3 else []
                else:
                    parts.append(f'path = "../{other}"')
                    parts += ['package = "bb"'] if renamed else []
                    parts += ["default-features = false"] if rng.random() < 0.6 else []
                parts.append(f"features = {json.dumps(rng.sample(FEATURES, rng.choice((0, 0, 1, 2))))}")
                # Cargo itself is of two minds about `d/f` with a mere dev-dependency `d` in a package that is no root.
                if "dev-" not in section:
                    keys.setdefault(key, False)
                if "dev-" not in section and rng.random() < 0.5:
                    parts.append("optional = true")
                    keys[key] = True
                sections.setdefault(f"{section}dependencies", []).append(f"{key} = {{ {', '.join(parts)} }}")
        entries = list(FEATURES[1:])
        for key, optional in keys.items():
            entries += [f"{key}/{wanted}" for wanted in FEATURES]
            if optional:
                entries += [f"dep:{key}"] * 2 + [f"{key}?/{wanted}" for wanted in FEATURES[1:]]
        lines = ["[features]"]
        hidden = set()
        for own in FEATURES:
            chosen = [entry for entry in rng.sample(entries, rng.choice((0, 1, 1, 2))) if entry != own]
            hidden |= {entry.removeprefix("dep:") for entry in chosen if entry.startswith("dep:")}
            lines.append(f"{own} = {json.dumps(chosen)}")
        if rng.random() < 0.2 and index > 0:
            lines += ["[lib]", "proc-macro = true"]
        for section, rows in sections.items():
            lines += [f"[{section}]", *dict.fromkeys(rows)]
        members[name] = "\n".join(lines) + "\n"
    return members, "\n".join(shared) + "\n"


def units(root: Path, arguments: list[str]) -> dict[tuple[str, Side], frozenset[str]]:
    """The features of every library in cargo's unit graph."""
    command = [cargo(), "check", "--offline", "--unit-graph", "-Zunstable-options", *arguments]
    environment = {**os.environ, "RUSTC_BOOTSTRAP": "1", "CARGO_TARGET_DIR": str(root / "target")}
    done = subprocess.run(command, cwd=root, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    found: dict[tuple[str, Side], frozenset[str]] = {}
    for unit in json.loads(done.stdout)["units"]:
        if unit["target"]["kind"][0] in ("lib", "proc-macro"):
            name = unit["target"]["name"].replace("_", "-")
            side = Side.HOST if unit["platform"] is None else Side.TARGET
            features = frozenset(unit["features"])
            assert found.setdefault((name, side), features) == features
    return found


def predicted(world: Formulas, configuration: Configuration) -> tuple[dict[tuple[str, Side], frozenset[str]], bool]:
    """The features of everything that is present, and whether that is exactly what a check of the root compiles."""
    found = {}
    for (package, side), formulas in world.packages.items():
        if configuration.satisfies(formulas.present):
            on = [name for name, condition in formulas.features.items() if configuration.satisfies(condition)]
            found[package.name, side] = frozenset(on)
    exact = all(package.library is not None and not package.library.proc_macro for package in world.roots)
    return found, exact


def compare(
    made: Bench, arguments: list[str], world: Formulas, features: frozenset[str], triple: str, *flags: str
) -> None:
    graph = units(made.workspace.root, [*arguments, "--target", triple])
    atoms = {DEBUG_ASSERTIONS, *(flag(name) for name in flags)}
    configuration = Configuration(features, frozenset(atoms), triple)
    expected, exact = predicted(world, configuration)
    if made.workspace.resolver == "1":
        graph = {(name, Side.TARGET): found for (name, _), found in graph.items()}
    note = (arguments, triple, expected, graph)
    for unit, found in graph.items():
        assert expected.get(unit) == found, (unit, note)
    assert not exact or expected.keys() == graph.keys(), note


@pytest.mark.cargo
@pytest.mark.parametrize("block", range(int(os.environ.get("CFGLINT_WORKSPACES", "20")) // 5))
def test_random_workspaces_agree_with_cargo(block: int, tmp_path: Path) -> None:
    checked = 0
    for seed in range(block * 5, block * 5 + 5):
        resolver = "12"[seed % 2]
        rng = random.Random(f"{seed}/{resolver}")
        while True:
            root = tmp_path / f"{seed}-{rng.random()}"
            members, shared = random_members(rng)
            made = bench(root, members, resolver, shared)
            if all(not made.setting.model(package).problems for package in made.workspace.packages):
                break
        for package in made.workspace.packages:
            write(package.root, {"examples/e.rs": "fn main() {}\n"})
        root_name = rng.choice(sorted(members))
        model = made.setting.model(made.member(root_name))
        alone, dev, wide = (made.world(root_name, world) for world in World)
        closed = sorted(
            {model.closure(wanted) for size in range(3) for wanted in itertools.combinations(model.names, size)},
            key=sorted,
        )
        for features in rng.sample(closed, min(2, len(closed))):
            triple = rng.choice((HOST, WINDOWS_TRIPLE))
            asked = ["--no-default-features", "--features", ",".join(sorted(features))]
            own = ["-p", root_name, *asked]
            if resolver == "1":
                own = ["--manifest-path", str(made.member(root_name).manifest), *asked]
            compare(made, [*own, "--lib"], alone, features, triple)
            compare(made, [*own, "--lib", "--profile", "test"], alone, features, triple, "test")
            compare(made, [*own, "--example", "e"], dev, features, triple)
            checked += 1
        # `--features ROOT/f` would also be read as a feature of other members' dependency ROOT, where they have one.
        compare(made, ["--workspace", "--lib"], wide, model.closure(("default",)), HOST)
    assert checked >= 4

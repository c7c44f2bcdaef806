"""Workspaces and targets against `cargo metadata`, and hostile input."""

from __future__ import annotations

import json
import os
import random
import subprocess
from collections.abc import Mapping
from pathlib import Path

import pytest

from cfglint.condition.diagram import TRUE
from cfglint.errors import CfglintError, ManifestError
from cfglint.manifest.feature_model import WITH_DEV, FeatureModel, feature_model
from cfglint.manifest.platform import TIER_ONE
from cfglint.manifest.solver import least
from cfglint.manifest.space import config_space
from cfglint.manifest.targets import TargetKind
from cfglint.manifest.workspace import Workspace, default_triples, load_workspace, named_triples
from tests.manifest.building import cargo, write


def manifest(name: str, rest: str = "", edition: str = "2021") -> str:
    return f'[package]\nname = "{name}"\nversion = "0.1.0"\nedition = "{edition}"\n{rest}'


def library(directory: str, name: str, rest: str = "") -> dict[str, str]:
    return {f"{directory}/Cargo.toml": manifest(name, rest), f"{directory}/src/lib.rs": ""}


def names(found: Workspace) -> list[str]:
    return [package.name for package in found.packages]


WORKSPACES: Mapping[str, dict[str, str]] = {
    "a single package": {"Cargo.toml": manifest("one"), "src/lib.rs": ""},
    "a virtual workspace with a glob": {
        "Cargo.toml": '[workspace]\nresolver = "2"\nmembers = ["crates/*", "tool"]\n',
        **library("crates/b", "b"),
        **library("crates/a", "a"),
        "crates/README.md": "",
        **library("tool", "tool"),
    },
    "exclude and path dependencies": {
        "Cargo.toml": manifest(
            "root",
            '[dependencies]\na = { path = "a" }\nout = { path = "out" }\n[workspace]\nexclude = ["out", "members"]\n'
            'members = ["members/in"]\n',
        ),
        "src/main.rs": "fn main() {}\n",
        **library("a", "a", '[dev-dependencies]\nb = { path = "../b" }\n'),
        **library("b", "b", "[target.'cfg(windows)'.build-dependencies]\nc = { path = \"../c\" }\n"),
        **library("c", "c"),
        **library("out", "out"),
        **library("members/in", "in"),
        **library("members/off", "off"),
        **library("unrelated", "unrelated"),
    },
    "inheritance": {
        "Cargo.toml": '[workspace]\nresolver = "3"\nmembers = ["m"]\n[workspace.package]\nedition = "2024"\nversion = "3.0.0"\n'
        '[workspace.dependencies]\nd = { path = "deps/d", package = "dd", default-features = false, features = ["x"] }\n',
        "m/Cargo.toml": '[package]\nname = "m"\nedition.workspace = true\nversion = { workspace = true }\n'
        '[dependencies]\nd = { workspace = true, features = ["y"], optional = true }\n',
        "m/src/lib.rs": "",
        **library("deps/d", "dd", "[features]\nx = []\ny = []\n"),
    },
    "nested globs": {
        "Cargo.toml": '[workspace]\nresolver = "2"\nmembers = ["x/*/p?", "y/**/e?"]\n',
        **library("x/1/p1", "p1"),
        **library("x/2/p2", "p2"),
        **library("x/2/q2", "q2"),
        **library("y/deep/er", "deep"),
    },
    "every kind of target": {
        "Cargo.toml": manifest(
            "t-t",
            '[lib]\nname = "other"\ndoctest = false\n[features]\nf = []\n'
            '[[bin]]\nname = "second"\nrequired-features = ["f"]\n[[bin]]\nname = "moved"\npath = "elsewhere/m.rs"\n'
            '[[test]]\nname = "declared"\nharness = false\n[[example]]\nname = "shown"\ntest = true\n'
            '[[bench]]\nname = "fast"\ntest = true\nedition = "2018"\n',
        ),
        "src/lib.rs": "",
        "build.rs": "fn main() {}\n",
        **dict.fromkeys(
            (
                "src/main.rs",
                "src/bin/first.rs",
                "src/bin/second.rs",
                "src/bin/third/main.rs",
                "src/bin/third/part.rs",
                "src/bin/notes/other.rs",
                "src/bin/.hidden.rs",
                "elsewhere/m.rs",
                "tests/declared.rs",
                "tests/found.rs",
                "tests/common/mod.rs",
                "tests/big/main.rs",
                "examples/shown.rs",
                "examples/ex.rs",
                "benches/fast.rs",
                "benches/slow/main.rs",
            ),
            "fn main() {}\n",
        ),
    },
    "discovery off": {
        "Cargo.toml": manifest("n", 'build = false\n[[bin]]\nname = "x"\n').replace(
            "[[bin]]", "autobins = false\nautotests = false\nautoexamples = false\n[[bin]]", 1
        ),
        "build.rs": "fn main() {}\n",
        "src/bin/x.rs": "fn main() {}\n",
        "src/bin/y.rs": "fn main() {}\n",
        "tests/t.rs": "",
        "examples/e.rs": "fn main() {}\n",
        "benches/b.rs": "",
    },
    "the 2015 edition discovers nothing of a declared kind": {
        "Cargo.toml": manifest("old", '[[test]]\nname = "one"\n[[bin]]\nname = "old"\n', "2015"),
        "src/main.rs": "fn main() {}\n",
        "src/bin/other.rs": "fn main() {}\n",
        "tests/one.rs": "",
        "tests/two.rs": "",
        "examples/e.rs": "fn main() {}\n",
    },
    "a library for other languages": {
        "Cargo.toml": manifest("c-api", '[lib]\ncrate-type = ["rlib", "cdylib"]\n'),
        "src/lib.rs": "",
    },
    "a proc-macro with a build script elsewhere": {
        "Cargo.toml": manifest("pm", 'build = "tools/make.rs"\n[lib]\nproc-macro = true\npath = "lib.rs"\n'),
        "lib.rs": "",
        "tools/make.rs": "fn main() {}\n",
    },
}


LIBRARIES = frozenset({"lib", "rlib", "dylib", "cdylib", "staticlib", "proc-macro"})


def described_by_cargo(root: Path) -> dict[str, object]:
    command = [cargo(), "metadata", "--offline", "--no-deps", "--format-version", "1"]
    done = subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return {
        package["name"]: (
            package["version"],
            package["edition"],
            package["manifest_path"],
            sorted(
                (
                    "lib" if target["kind"][0] in LIBRARIES else target["kind"][0],
                    target["name"],
                    target["src_path"],
                    target["edition"],
                    tuple(target.get("required-features", ())),
                    target["test"],
                    target["doctest"],
                    target["kind"] == ["proc-macro"],
                )
                for target in package["targets"]
            ),
            sorted(
                (
                    dependency["rename"] or dependency["name"],
                    dependency["name"],
                    dependency["kind"] or "normal",
                    dependency["optional"],
                    dependency["uses_default_features"],
                    sorted(dependency["features"]),
                    dependency["target"] or "",
                    dependency.get("path", ""),
                )
                for dependency in package["dependencies"]
            ),
        )
        for package in json.loads(done.stdout)["packages"]
    }


def described(found: Workspace) -> dict[str, object]:
    return {
        package.name: (
            package.version,
            package.edition,
            str(package.manifest),
            sorted(
                (
                    target.kind.value,
                    target.name,
                    str(target.path),
                    target.edition,
                    target.required_features,
                    target.test,
                    target.doctest,
                    target.proc_macro,
                )
                for target in package.targets
            ),
            sorted(
                (
                    dependency.key,
                    dependency.package,
                    dependency.kind.value,
                    dependency.optional,
                    dependency.default_features,
                    sorted(dependency.features),
                    dependency.target or "",
                    str(dependency.path or ""),
                )
                for dependency in package.dependencies
            ),
        )
        for package in found.packages
    }


@pytest.mark.cargo
@pytest.mark.parametrize("case", WORKSPACES)
def test_members_targets_and_dependencies_are_what_cargo_says(case: str, tmp_path: Path) -> None:
    write(tmp_path, WORKSPACES[case])
    found = load_workspace(tmp_path)
    assert found.problems == ()
    assert described(found) == described_by_cargo(tmp_path)


def test_a_path_to_a_member_selects_it_and_the_root_selects_all(tmp_path: Path) -> None:
    write(tmp_path, WORKSPACES["a virtual workspace with a glob"])
    everything = load_workspace(tmp_path)
    assert [package.name for package in everything.selected] == ["a", "b", "tool"]
    for path in ("crates/a", "crates/a/src", "crates/a/Cargo.toml"):
        found = load_workspace(tmp_path / path)
        assert found.root == tmp_path
        assert [package.name for package in found.selected] == ["a"]
        assert names(found) == ["a", "b", "tool"]
    assert everything.is_virtual


def test_a_package_that_the_workspace_above_excludes_or_forgets_stands_alone(tmp_path: Path) -> None:
    write(tmp_path, WORKSPACES["exclude and path dependencies"])
    for name in ("out", "unrelated", "members/off"):
        found = load_workspace(tmp_path / name)
        assert found.root == tmp_path / name
        assert len(found.packages) == 1
    assert names(load_workspace(tmp_path / "members/in")) == ["a", "b", "c", "in", "root"]


def test_package_workspace_points_to_a_root_elsewhere(tmp_path: Path) -> None:
    write(
        tmp_path,
        {
            "root/Cargo.toml": '[workspace]\nmembers = ["../away"]\n',
            "away/Cargo.toml": manifest("away", 'workspace = "../root"\n'),
            "away/src/lib.rs": "",
        },
    )
    found = load_workspace(tmp_path / "away")
    assert found.root == tmp_path / "root"
    assert names(found) == ["away"]


def test_default_members_and_the_resolver_come_from_the_root(tmp_path: Path) -> None:
    write(
        tmp_path,
        {
            "Cargo.toml": '[workspace]\nmembers = ["a", "b"]\ndefault-members = ["b"]\n',
            **library("a", "a"),
            **library("b", "b"),
        },
    )
    found = load_workspace(tmp_path)
    assert [package.name for package in found.default_members] == ["b"]
    assert found.resolver == "1"
    for edition, resolver in (("2015", "1"), ("2018", "1"), ("2021", "2"), ("2024", "3")):
        write(tmp_path / edition, {"Cargo.toml": manifest("p", edition=edition), "src/lib.rs": ""})
        assert load_workspace(tmp_path / edition).resolver == resolver


def test_code_names_a_dependency_by_its_library_unless_renamed(tmp_path: Path) -> None:
    write(
        tmp_path,
        {
            "Cargo.toml": '[workspace]\nmembers = ["p", "named"]\n',
            **library(
                "p",
                "p",
                '[dependencies]\nnamed-pkg = { path = "../named" }\nre-named = { path = "../named", package = "named-pkg" }\n'
                'out-side = { path = "../out" }\nserde-json = "1"\n',
            ),
            **library("named", "named-pkg", '[lib]\nname = "shorter"\n'),
            **library("out", "out-side", '[lib]\nname = "beyond"\n[workspace]\n'),
        },
    )
    package = load_workspace(tmp_path).package("p")
    assert package is not None
    assert [dependency.crate_name for dependency in package.dependencies] == [
        "shorter",
        "re_named",
        "beyond",
        "serde_json",
    ]


def test_old_spellings_are_read(tmp_path: Path) -> None:
    text = '[project]\nname = "p"\n[dev_dependencies]\nd = { version = "1", default_features = false }\n'
    write(tmp_path, {"Cargo.toml": text, "src/lib.rs": ""})
    package = load_workspace(tmp_path).packages[0]
    (dependency,) = package.dependencies
    assert (dependency.kind.value, dependency.default_features, package.edition) == ("dev", False, "2015")


def test_expectations_on_cfgs_are_inherited(tmp_path: Path) -> None:
    write(
        tmp_path,
        {
            "Cargo.toml": '[workspace]\nmembers = ["a", "b"]\n'
            "[workspace.lints.rust]\nunexpected_cfgs = { level = 'warn', check-cfg = ['cfg(loom)'] }\n",
            **library("a", "a", "[lints]\nworkspace = true\n"),
            **library("b", "b", "[lints.rust.unexpected_cfgs]\nlevel = 'warn'\ncheck-cfg = ['cfg(x)', 'cfg(y)']\n"),
        },
    )
    found = load_workspace(tmp_path)
    assert [package.check_cfg for package in found.packages] == [("cfg(loom)",), ("cfg(x)", "cfg(y)")]


def test_positions_point_at_entries(tmp_path: Path) -> None:
    rest = "[features]\nf = [\n  'g', # first\n  'dep:d',\n]\ng = []\n[dependencies]\nd = { version = '1', optional = true }\n"
    write(tmp_path, {"Cargo.toml": manifest("p", rest), "src/lib.rs": ""})
    package = load_workspace(tmp_path).packages[0]
    assert package.line("features", "f") == 6
    assert package.line("features", "f", 1) == 8
    assert package.line(*package.dependencies[0].where) == 12
    assert package.line("features", "unwritten") == 5
    assert package.line("lints") is None


def test_named_targets_are_those_of_the_configuration_and_of_docs_rs(tmp_path: Path) -> None:
    write(
        tmp_path,
        {
            "Cargo.toml": manifest(
                "p",
                "[package.metadata.docs.rs]\ndefault-target = 'x86_64-pc-windows-msvc'\n"
                "targets = ['wasm32-unknown-unknown', 'no-such-target']\n",
            ),
            "src/lib.rs": "",
            ".cargo/config.toml": "[build]\ntarget = 'thumbv7m-none-eabi'\n[target.'cfg(unix)']\nrunner = 'x'\n",
        },
    )
    found = load_workspace(tmp_path)
    named = (
        "thumbv7m-none-eabi",
        "x86_64-pc-windows-msvc",
        "wasm32-unknown-unknown",
    )
    assert named_triples(found) == named
    assert default_triples(found) == (*TIER_ONE, *named[:1], *named[2:])


# Hostile input.

BROKEN: Mapping[str, bytes] = {
    "not TOML": b"[package\n",
    "not UTF-8": b'[package]\nname = "\xff"\n',
    "empty": b"",
    "no name": b"[package]\nversion = '1'\n",
    "a number for a table": b"package = 1\n",
    "a number for a name": b"[package]\nname = 1\n",
    "deep nesting": b"a = " + b"[" * 50_000,
    "deep keys": b"[" + b".".join([b"a"] * 5_000) + b"]\n",
    "a NUL": b"[package]\nname = 'a\x00'\n",
}


@pytest.mark.parametrize("case", BROKEN)
def test_a_broken_member_is_a_problem_and_a_broken_root_an_error(case: str, tmp_path: Path) -> None:
    write(tmp_path, {"Cargo.toml": '[workspace]\nmembers = ["good", "bad"]\n', **library("good", "good")})
    bad = tmp_path / "bad"
    bad.mkdir()
    (bad / "Cargo.toml").write_bytes(BROKEN[case])
    found = load_workspace(tmp_path)
    assert names(found) == ["good"]
    assert [problem.file for problem in found.problems] == [bad / "Cargo.toml"]
    with pytest.raises(ManifestError):
        load_workspace(bad)


def test_a_directory_that_a_glob_matches_need_not_be_a_package(tmp_path: Path) -> None:
    # Cargo refuses the whole workspace; the packages that there are can be analysed all the same.
    write(tmp_path, {"Cargo.toml": '[workspace]\nmembers = ["*"]\n', **library("a", "a"), "empty/notes.txt": ""})
    found = load_workspace(tmp_path)
    assert (names(found), found.problems) == (["a"], ())


def test_a_missing_member_is_reported_where_it_is_named(tmp_path: Path) -> None:
    write(tmp_path, {"Cargo.toml": '[workspace]\nmembers = [\n  "good",\n  "gone",\n]\n', **library("good", "good")})
    (problem,) = load_workspace(tmp_path).problems
    assert str(problem) == f"{tmp_path / 'Cargo.toml'}:4: workspace member `gone` has no Cargo.toml"


def test_values_of_wrong_types_are_problems_not_crashes(tmp_path: Path) -> None:
    rng = random.Random(0)
    keys = (
        "package.edition package.version package.build package.autobins package.workspace package.metadata package.resolver"
        " lib lib.name lib.path lib.proc-macro lib.crate-type bin test example bench features features.f dependencies"
        " dependencies.d dev-dependencies target target.x target.x.dependencies workspace workspace.members"
        " workspace.exclude workspace.default-members workspace.resolver workspace.dependencies workspace.package lints"
        " lints.rust lints.rust.unexpected_cfgs package.metadata.docs package.metadata.docs.rs"
    ).split()
    values: tuple[str, ...] = (
        "1",
        "true",
        "'text'",
        "[1, 'a', []]",
        "{ a = 1 }",
        "[{ name = 1 }]",
        "['*', '**', '../..', '']",
        "1979-05-27",
    )
    values += (
        "'a\\u0000b'",
        '"a\\u0000b"',
        "{ workspace = true }",
        "{ path = '.', features = ['f'] }",
        "'" + "x/" * 3000 + "'",
    )
    for number in range(400):
        chosen: dict[str, str] = {}
        for key in rng.sample(keys, 4):
            if not any(key.startswith(f"{other}.") or other.startswith(f"{key}.") for other in chosen):
                chosen[key] = rng.choice(values)
        text = "package.name = 'p'\n" + "".join(f"{key} = {value}\n" for key, value in chosen.items())
        root = write(tmp_path / str(number), {"Cargo.toml": text, "src/lib.rs": ""})
        try:
            found = load_workspace(root)
            default_triples(found)
            for package in found.packages:
                use(feature_model(package, found.resolver))
        except CfglintError:
            continue


def use(found: FeatureModel) -> None:
    for key in found.dependency_keys():
        found.dependency_condition(key)
        found.dependency_features(key, WITH_DEV)
    least(TRUE, config_space(found))


def test_hostile_feature_tables_are_read(tmp_path: Path) -> None:
    rng = random.Random(1)
    keys = ("a", "b-c", "", "dep:a", "a/b", "a?", "é", "default", "p")
    for number in range(150):
        lines = ["[package]", 'name = "p"', "[features]"]
        for key in rng.sample(keys, 4):
            entries = [
                "".join(rng.choice((*keys, "/", "?", "dep:")) for _ in range(rng.randint(0, 3))) for _ in range(3)
            ]
            lines.append(f"{json.dumps(key)} = {json.dumps(entries)}")
        for table in rng.sample(
            ("dependencies", "dev-dependencies", "target.'cfg(a'.dependencies", "target.''.dependencies"), 2
        ):
            lines.append(f"[{table}]")
            lines += [
                f"{json.dumps(key)} = {{ path = '.', optional = {rng.choice(('true', 'false'))}, features = ['a', ''] }}"
                for key in rng.sample(keys, 3)
            ]
        root = write(tmp_path / str(number), {"Cargo.toml": "\n".join(lines) + "\n", "src/lib.rs": ""})
        use(feature_model(load_workspace(root).packages[0]))


def test_links_that_loop_and_files_that_are_none_do_not_hang(tmp_path: Path) -> None:
    write(tmp_path, {"Cargo.toml": '[workspace]\nmembers = ["**", "loop/*"]\n', **library("a", "a")})
    (tmp_path / "loop").symlink_to(tmp_path, target_is_directory=True)
    (tmp_path / "self").symlink_to("self")
    os.mkfifo(tmp_path / "a" / "build.rs")
    (tmp_path / "b").mkdir()
    os.mkfifo(tmp_path / "b" / "Cargo.toml")
    found = load_workspace(tmp_path)
    assert "a" in names(found)
    with pytest.raises(ManifestError):
        load_workspace(tmp_path / "b" / "Cargo.toml")
    with pytest.raises(ManifestError):
        load_workspace(tmp_path / "self" / "Cargo.toml")


def test_nothing_above_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(ManifestError, match=r"no Cargo\.toml"):
        load_workspace(tmp_path / "missing\0")


def test_a_directory_above_several_packages_selects_them_all(tmp_path: Path) -> None:
    write(tmp_path, library("one", "alone"))
    write(tmp_path, library("two/member", "member"))
    write(tmp_path, {"two/Cargo.toml": '[workspace]\nresolver = "2"\nmembers = ["member"]\n'})
    write(tmp_path, {**library("target/package", "built"), "broken/Cargo.toml": "[package"})
    found = load_workspace(tmp_path)
    assert found.is_loose
    assert [(package.name, package.workspace_root) for package in found.selected] == [
        ("alone", tmp_path),
        ("member", tmp_path),
    ]
    assert [problem.file for problem in found.problems] == [tmp_path / "broken" / "Cargo.toml"]


def test_thousands_of_members_are_read(tmp_path: Path) -> None:
    write(tmp_path, {"Cargo.toml": '[workspace]\nmembers = ["m/*"]\n'})
    for number in range(1_500):
        write(tmp_path / "m" / str(number), {"Cargo.toml": manifest(f"p{number}")})
    found = load_workspace(tmp_path / "m" / "7")
    assert len(found.packages) == 1_500
    assert [package.name for package in found.selected] == ["p7"]


def test_build_script_and_library_are_found_by_kind(tmp_path: Path) -> None:
    write(tmp_path, WORKSPACES["every kind of target"])
    package = load_workspace(tmp_path).packages[0]
    assert package.library is not None
    assert package.library.crate_name == "other"
    assert package.build_script is not None
    declared = next(target for target in package.targets if target.name == "declared")
    assert (declared.kind, declared.harness) == (TargetKind.TEST, False)

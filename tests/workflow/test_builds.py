"""What a command compiles, held against what cargo says that it runs rustc with."""

from __future__ import annotations

import re
import shlex
import subprocess
from pathlib import Path

import pytest

from cfglint.manifest.platform import HOST
from cfglint.manifest.targets import TargetKind
from cfglint.manifest.workspace import load_workspace
from cfglint.matrix.combination import parse_cfg
from cfglint.matrix.goals import built_as
from cfglint.nameres.crate import Program
from cfglint.nameres.files import Files
from cfglint.nameres.linking import linker
from cfglint.workflow.builds import builds
from cfglint.workflow.calls import Call, Origin, Place
from cfglint.workflow.excerpts import make_source
from cfglint.workflow.invocations import Hack, Invocation, invocations
from tests.manifest.building import cargo, write

FILES = {
    "Cargo.toml": '[workspace]\nmembers = ["a", "b", "c"]\nresolver = "2"\n',
    "a/Cargo.toml": (
        '[package]\nname = "a"\nversion = "0.1.0"\nedition = "2021"\n'
        '[features]\ndefault = ["x"]\nx = []\ny = ["b/p"]\nz = ["dep:c"]\n'
        '[dependencies]\nb = { path = "../b", default-features = false }\nc = { path = "../c", optional = true }\n'
        '[dev-dependencies]\nb = { path = "../b", features = ["q"] }\n'
        '[[test]]\nname = "needs"\nrequired-features = ["y"]\n'
        '[[bin]]\nname = "tool"\npath = "src/tool.rs"\n'
    ),
    "a/src/lib.rs": "",
    "a/src/tool.rs": "fn main() {}\n",
    "a/tests/plain.rs": "",
    "a/tests/needs.rs": "",
    "a/examples/show.rs": "fn main() {}\n",
    "a/benches/speed.rs": "",
    "b/Cargo.toml": (
        '[package]\nname = "b"\nversion = "0.1.0"\nedition = "2021"\n[features]\ndefault = ["r"]\np = []\nq = []\nr = []\n'
    ),
    "b/src/lib.rs": "",
    "c/Cargo.toml": (
        '[package]\nname = "c"\nversion = "0.1.0"\nedition = "2021"\n[features]\ns = []\n'
        '[dependencies]\nb = { path = "../b", features = ["p"] }\n'
    ),
    "c/src/lib.rs": "",
}
COMMANDS = [
    "cargo check -p a",
    "cargo check -p a --no-default-features",
    "cargo check -p a --no-default-features --features y,z",
    "cargo check -p a --all-features --all-targets",
    "cargo check -p a --tests",
    "cargo check -p a --lib --bins",
    "cargo check -p a --test plain",
    "cargo check -p a --test needs --features y",
    "cargo check -p a --examples",
    "cargo check -p a --example show",
    "cargo check -p a --benches",
    "cargo check -p a --bin tool",
    "cargo check --workspace",
    "cargo check --workspace --no-default-features",
    "cargo check --workspace --exclude c --all-targets",
    "cargo check --workspace --features p",
    "cargo check -p a -p b --features y",
    "cargo check -p a --features b/p",
    "cargo check -p c -p b --features c/s",
    "cargo test --no-run -p a",
    "cargo test --no-run -p a --lib",
    "cargo build -p a --release",
]

Unit = tuple[str, str, str, bool, frozenset[str]]
"""Package, kind, target, as a test, features."""


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write(tmp_path_factory.mktemp("builds"), FILES)


def invocation(command: str, **changes: str) -> Invocation:
    place = Place(make_source(Path("ci.yml"), command), 1, 1)
    call = Call(tuple(shlex.split(command)), place, Origin("w", "j"), 0, changes, "")
    return next(iter(invocations([call], {})))


def expected(root: Path, command: str) -> set[Unit]:
    """The units that cfglint says a command compiles."""
    found = load_workspace(root)
    files = Files()
    setting = linker(found, files, Program(files.source)).setting
    units: set[Unit] = set()
    for build in builds(invocation(command), found, setting, ""):
        for target in build.package.targets:
            if not set(target.required_features) <= build.features:
                continue
            for is_test in built_as(target):
                if target.kind is not TargetKind.BUILD_SCRIPT and build.units.has(
                    target.kind, target.name, is_test=is_test
                ):
                    units.add((build.package.name, target.kind.value, target.name, is_test, build.features))
    return units


def compiled(root: Path, command: str, target_dir: Path) -> set[Unit]:
    """The units that cargo runs rustc for."""
    words = [cargo(), *shlex.split(command)[1:], "--offline", "-v", "--target-dir", str(target_dir)]
    done = subprocess.run(words, cwd=root, capture_output=True, text=True, check=True)
    units: set[Unit] = set()
    for line in done.stderr.splitlines():
        found = re.search(r"Running `.*?--crate-name (\S+) .*? (\S+\.rs) ", line)
        if found is None:
            continue
        package, _, path = found[2].partition("/")
        kind = {"src/lib.rs": "lib", "src/tool.rs": "bin"}.get(path) or path.partition("/")[0].removesuffix("s")
        kind = {"benche": "bench"}.get(kind, kind)
        features = frozenset(re.findall(r"--cfg 'feature=\"([^\"]+)\"'", line))
        units.add((package, kind, found[1], " --test " in line, features))
    return units


@pytest.mark.cargo
@pytest.mark.parametrize("command", COMMANDS)
def test_cargo_compiles_what_is_said(command: str, workspace: Path, tmp_path: Path) -> None:
    assert compiled(workspace, command, tmp_path) == expected(workspace, command)


OLD = ["cargo check -p a", "cargo check -p a --no-default-features", "cargo check --workspace", "cargo check -p c -p b"]


@pytest.mark.cargo
@pytest.mark.parametrize("command", OLD)
def test_the_first_resolver_unifies_dev_dependencies(command: str, tmp_path: Path) -> None:
    files = {**FILES, "Cargo.toml": FILES["Cargo.toml"].replace('resolver = "2"\n', "")}
    root = write(tmp_path / "workspace", files)
    assert compiled(root, command, tmp_path / "target") == expected(root, command)


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("--each-feature", {"", "x", "y", "z", "default,x", "d,default,x,y,z"}),
        ("--each-feature --optional-deps", {"", "d", "x", "y", "z", "default,x", "d,default,x,y,z"}),
        ("--each-feature --exclude-features y,default", {"", "x", "z"}),
        ("--each-feature --features x", {"x", "default,x", "x,y", "x,z", "d,default,x,y,z"}),
        ("--each-feature --features x --skip default,z", {"x", "x,y"}),
        ("--each-feature --include-features x,y", {"x", "y"}),
        ("--each-feature --exclude-all-features", {"", "x", "y", "z", "default,x"}),
        ("--each-feature --exclude-no-default-features --skip y", {"x", "z", "default,x"}),
        ("--feature-powerset --depth 2 --skip default,z", {"", "x", "y", "x,y"}),
        ("--feature-powerset --depth 1", {"", "x", "y", "z", "default,x", "d,default,x,y,z"}),
        ("--feature-powerset --include-features x,y", {"x", "y", "x,y"}),
        ("--feature-powerset --mutually-exclusive-features x,y", {"", "x", "y", "z", "default,x", "default,x,z", "x,z", "y,z"}),
        ("--feature-powerset --at-least-one-of x,y --depth 1", {"x", "y", "default,x", "d,default,x,y,z"}),
        ("--feature-powerset --group-features x,y --skip default", {"", "z", "x,y", "x,y,z"}),
        ("", {"default,x"}),
    ],
)  # fmt: skip
def test_what_hack_goes_through(words: str, expected: set[str], tmp_path: Path) -> None:
    """The sets are those of `cargo hack check --print-command-list` on this very package."""
    manifest = FILES["a/Cargo.toml"].replace(
        "[dev-dep", 'd = { package = "c", path = "../c", optional = true }\n[dev-dep'
    )
    root = write(tmp_path, {**FILES, "a/Cargo.toml": manifest})
    found = load_workspace(root)
    files = Files()
    setting = linker(found, files, Program(files.source)).setting
    command = invocation(f"cargo hack check -p a {words}")
    made = [build for build in builds(command, found, setting, "") if build.package.name == "a"]
    assert sorted({",".join(sorted(build.features)) for build in made}) == sorted(expected)


@pytest.mark.parametrize(
    ("flags", "expected"),
    [
        ("--cfg loom --cfg=tokio_unstable", {"loom", "tokio_unstable"}),
        ("-D warnings", set()),
        ("-C target-feature=+atomics,-crt-static", {'target_feature = "atomics"'}),
        ("-C panic=abort", {'panic = "abort"'}),
        ("-Ctarget-feature=+aes,+avx2 -C opt-level=1", {'target_feature = "aes"', 'target_feature = "avx2"'}),
        ("--cfg \ue000 -C target-feature=+\ue000", set()),
    ],
)
def test_flags_of_the_environment(flags: str, expected: set[str], workspace: Path) -> None:
    found = load_workspace(workspace)
    files = Files()
    setting = linker(found, files, Program(files.source)).setting
    one, *_ = builds(invocation("cargo check -p a --release", RUSTFLAGS=flags), found, setting, "")
    assert {atom.text for atom in one.flags} == expected


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("cargo rustdoc -p a --release -- --cfg docsrs", {"a": {"docsrs", "own"}, "b": {"own"}}),
        ("cargo rustc -p a --release --lib -- --cfg=late", {"a": {"late", "all"}, "b": {"all"}}),
    ],
)
def test_flags_for_what_is_named(command: str, expected: dict[str, set[str]], workspace: Path) -> None:
    found = load_workspace(workspace)
    files = Files()
    setting = linker(found, files, Program(files.source)).setting
    made = builds(invocation(command, RUSTFLAGS="--cfg all", RUSTDOCFLAGS="--cfg own"), found, setting, "")
    assert {build.package.name: {atom.text for atom in build.flags} for build in made} == expected


@pytest.mark.parametrize(
    ("words", "fields"),
    [
        ("cargo +nightly t -q", {"subcommand": "test", "program": "cargo"}),
        ("time env A=1 cargo check -F a -Fb,c", {"subcommand": "check", "features": ("a", "b", "c")}),
        ("cargo --locked -v --config x=y build -pnet", {"subcommand": "build", "packages": ("net",)}),
        ("cargo nextest run --features a -E 'not x' -- y", {"subcommand": "test", "program": "nextest", "features": ("a",)}),
        ("cargo llvm-cov nextest --all-features --lcov --output-path x", {"subcommand": "test", "all_features": True}),
        ("cargo llvm-cov --workspace --doctests", {"subcommand": "test", "whole_workspace": True}),
        ("cargo miri test --no-default-features", {"subcommand": "test", "is_miri": True, "no_default": True}),
        ("cargo miri nextest run --lib", {"subcommand": "test", "is_miri": True, "program": "nextest"}),
        ("cargo hack miri test --each-feature", {"subcommand": "test", "is_miri": True, "hack": Hack(True, 1)}),
        ("cross test --target x86_64-unknown-illumos", {"program": "cross", "targets": ("x86_64-unknown-illumos",)}),
        ("wasm-pack test --node -- --features a", {"subcommand": "test", "targets": ("wasm32-unknown-unknown",)}),
        ("cargo minimal-versions check --workspace", {"subcommand": "check", "whole_workspace": True}),
        ("cargo rustc --lib -- -Z x", {"subcommand": "rustc", "kinds": frozenset({"lib"})}),
        ("cargo check --profile release --test a --bench b", {"release": True, "named": (("test", "a"), ("bench", "b"))}),
        ("cargo hack --each-feature check --optional-deps serde,rand --keep-going",
         {"hack": Hack(True, 1, optional=("serde", "rand"), keeps_going=True)}),
        ("cargo hack check --feature-powerset --optional-deps", {"hack": Hack(True, None, optional=())}),
        ("cargo hack check --workspace --ignore-private --no-dev-deps",
         {"hack": Hack(False, 1, ignores_private=True), "no_dev_deps": True}),
        ("rustup run nightly cargo check", {"subcommand": "check"}),
        ("cargo install ripgrep", {"builds": False}),
        ("cargo install --path tool", {"builds": True, "manifest_path": "tool/Cargo.toml", "release": True}),
        ("cargo bench --bench b", {"release": True}),
        ("cargo bench --profile dev", {"release": False}),
        ("wasm-pack build", {"release": True}),
        ("wasm-pack build --dev -- --features a", {"release": False, "features": ("a",)}),
        ("cargo rustc --features a -- --cfg b", {"last_flags": ("--cfg", "b")}),
        ("cargo clippy -- -D warnings", {"last_flags": ()}),
        ("cargo minimal-versions build --workspace --ignore-private",
         {"hack": Hack(False, 1, ignores_private=True), "no_dev_deps": True}),
        ("cargo fmt --all", {"builds": False}),
        ("xargs -n1 cargo check -p", {"unknown": frozenset({"packages"})}),
        ("cargo \ue000", {"unknown": frozenset({"subcommand"}), "builds": False}),
        ("cargo check --features \ue000,a \ue000", {"unknown": frozenset({"features", "words"}), "features": ("a",)}),
        ("cargo check -- \ue000", {"unknown": frozenset()}),
    ],
)  # fmt: skip
def test_command_lines(words: str, fields: dict[str, object]) -> None:
    found = invocation(words)
    assert {name: getattr(found, name) for name in fields} == fields


def test_an_alias_is_what_it_stands_for() -> None:
    place = Place(make_source(Path("ci.yml"), ""), 1, 1)
    call = Call(("cargo", "ci", "--features", "a"), place, Origin("w", "j"), 0, {}, "")
    found = next(iter(invocations([call], {"ci": ["lint", "--workspace"], "lint": ["clippy", "--tests"]})))
    assert (found.subcommand, found.whole_workspace, found.features) == ("clippy", True, ("a",))
    again = next(iter(invocations([call], {"ci": ["ci"]})))
    assert not again.builds


def test_flags_and_machines(workspace: Path) -> None:
    found = load_workspace(workspace)
    files = Files()
    setting = linker(found, files, Program(files.source)).setting
    one = invocation("cargo check -p b --release", RUSTFLAGS="-D warnings --cfg loom --cfg=fast --cfg 'how=\"x\"'")
    build = next(iter(builds(one, found, setting, "")))
    assert sorted(atom.text for atom in build.flags) == ["fast", 'how = "x"', "loom"]
    assert build.triple == HOST
    one = invocation("cargo check -p b", CARGO_BUILD_TARGET="wasm32-unknown-unknown")
    assert next(iter(builds(one, found, setting, ""))).triple == "wasm32-unknown-unknown"


@pytest.mark.parametrize(
    ("specification", "expected"),
    [
        ('{"max-atomic-width": 32, "target-pointer-width": "32"}', {"8", "16", "32", "ptr"}),
        ('{"max-atomic-width": 16, "target-pointer-width": 32}', {"8", "16"}),
        ('{"target-pointer-width": "32"}', {"8", "16", "32", "64", "ptr"}),
        ("[", {"8", "16", "32", "64", "ptr"}),
    ],
)
def test_targets_of_the_workspace_itself(specification: str, expected: set[str], tmp_path: Path) -> None:
    root = write(tmp_path, {**FILES, "specs/i686-unknown-linux-gnu.json": specification})
    found = load_workspace(root)
    files = Files()
    setting = linker(found, files, Program(files.source)).setting
    one, *_ = builds(invocation("cargo check -p a --target specs/i686-unknown-linux-gnu.json"), found, setting, "")
    configuration = one.configuration(is_test=False)
    names = ("8", "16", "32", "64", "128", "ptr")
    assert {name for name in names if configuration.holds(parse_cfg(f'target_has_atomic="{name}"'))} == expected

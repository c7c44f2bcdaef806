"""What a derived matrix holds: packages from text, with the combinations as (targets, features, rest)."""

from __future__ import annotations

from pathlib import Path

import pytest

import cfglint.pipeline as pipeline  # noqa: PLR0402
from cfglint.config import Config
from cfglint.errors import UsageError
from cfglint.matrix.combination import in_order
from cfglint.matrix.derive import PackageMatrix, Strategy
from cfglint.planning import plan
from tests.manifest.building import write

HEAD = '[package]\nname = "p"\nversion = "0.1.0"\nedition = "2021"\n'


def matrices(
    root: Path, strategy: Strategy = Strategy.DERIVED, *, limit: int = 100, **config: object
) -> dict[str, PackageMatrix]:
    analysis = pipeline.analyze(Config(path=root, jobs=1, **config))  # type: ignore[arg-type]
    findings = pipeline.run(analysis).findings if strategy is Strategy.DERIVED else ()
    return {matrix.package: matrix for matrix in plan(analysis, findings, strategy, limit)}


def rows(matrix: PackageMatrix) -> list[str]:
    """The combinations without what all of them share."""
    return [
        one.command.replace(f"cargo check -p {matrix.package}", "").replace(" --no-default-features", "").strip()
        for one in in_order(matrix.combinations)
    ]


def derived(tmp_path: Path, manifest: str, lib: str, **files: str) -> list[str]:
    root = write(tmp_path, {"Cargo.toml": HEAD + manifest, "src/lib.rs": lib, **files})
    return rows(matrices(root)["p"])


FEATURES = "[features]\na = []\nb = []\nc = []\n"


def test_no_gate_is_one_build(tmp_path: Path) -> None:
    assert derived(tmp_path, FEATURES, "pub fn f() {}\n") == [""]


def test_gates_that_do_not_meet_share_builds(tmp_path: Path) -> None:
    lib = "".join(f'#[cfg(feature = "{name}")] pub fn {name}() {{}}\n' for name in "abc")
    assert derived(tmp_path, FEATURES, lib) == ["", "--features a,b,c"]


def test_a_reference_makes_gates_meet(tmp_path: Path) -> None:
    lib = '#[cfg(feature = "a")] mod m { pub fn f() {} }\n#[cfg(feature = "b")] pub fn g() { m::f() }\n'
    assert derived(tmp_path, FEATURES, lib) == ["", "--features b", "--features a,b"]


def test_alternatives_are_all_compiled(tmp_path: Path) -> None:
    lib = (
        '#[cfg(feature = "a")] fn f() {}\n#[cfg(all(not(feature = "a"), feature = "b"))] fn f() {}\n'
        '#[cfg(not(any(feature = "a", feature = "b")))] fn f() {}\npub fn g() { f() }\n'
    )
    assert derived(tmp_path, FEATURES, lib) == ["", "--features a", "--features b"]


def test_what_a_guard_forbids_is_not_built(tmp_path: Path) -> None:
    lib = (
        '#[cfg(all(feature = "a", feature = "b"))] compile_error!("one of them");\n'
        '#[cfg(feature = "a")] pub fn a() {}\n#[cfg(feature = "b")] pub fn b() {}\n'
    )
    assert derived(tmp_path, FEATURES, lib) == ["--features a", "--features b"]


def test_implied_features_are_not_named(tmp_path: Path) -> None:
    lib = '#[cfg(feature = "a")] pub fn a() {}\n#[cfg(all(feature = "b", not(feature = "a")))] pub fn b() {}\n'
    assert derived(tmp_path, '[features]\na = ["b"]\nb = []\n', lib) == ["--features a", "--features b"]


def test_tests_are_built_where_they_have_something_to_say(tmp_path: Path) -> None:
    lib = '#[cfg(feature = "a")] pub fn a() {}\n#[cfg(all(test, feature = "a"))] mod tests {}\n'
    assert derived(tmp_path, FEATURES, lib) == ["", "--all-targets --features a"]


def test_a_test_that_requires_features(tmp_path: Path) -> None:
    manifest = FEATURES + '[[test]]\nname = "t"\nrequired-features = ["a", "c"]\n'
    found = derived(tmp_path, manifest, "pub fn f() {}\n", **{"tests/t.rs": "fn main() {}\n"})
    assert found == ["--all-targets --features a,c"]


def test_dev_dependencies_that_turn_features_on_are_kept_apart(tmp_path: Path) -> None:
    manifest = (
        FEATURES + '[dependencies]\nq = { path = "q" }\n[dev-dependencies]\nq = { path = "q", features = ["x"] }\n'
    )
    files = {
        "q/Cargo.toml": HEAD.replace('"p"', '"q"') + "[features]\nx = []\n",
        "q/src/lib.rs": '#[cfg(feature = "x")] pub fn x() {}\n',
    }
    found = derived(tmp_path, manifest, "#[cfg(test)] mod tests { fn t() { q::x() } }\n", **files)
    assert found == ["", "--all-targets"]


def test_flags_that_the_package_declares(tmp_path: Path) -> None:
    manifest = '[lints.rust]\nunexpected_cfgs = { level = "warn", check-cfg = ["cfg(slow)"] }\n'
    lib = "#[cfg(slow)] pub fn s() {}\n#[cfg(loom)] pub fn l() {}\n#[cfg(unheard)] pub fn u() {}\n#[cfg(miri)] pub fn m() {}\n"
    root = write(tmp_path, {"Cargo.toml": HEAD + manifest, "src/lib.rs": lib})
    matrix = matrices(root)["p"]
    assert [one.rustflags for one in matrix.combinations] == ["", "--cfg loom --cfg slow"]
    assert matrix.flags == ("unheard",)


def test_release_and_other_targets_come_last(tmp_path: Path) -> None:
    lib = "#[cfg(debug_assertions)] pub fn d() {}\n#[cfg(windows)] pub fn w() {}\n"
    assert derived(tmp_path, "", lib) == ["", "--release", "--target x86_64-pc-windows-msvc"]


def test_a_target_that_is_asked_for(tmp_path: Path) -> None:
    root = write(tmp_path, {"Cargo.toml": HEAD, "src/lib.rs": "#[cfg(windows)] pub fn w() {}\n"})
    assert rows(matrices(root, targets=("x86_64-pc-windows-msvc",))["p"]) == ["--target x86_64-pc-windows-msvc"]


def test_mismatched_members_are_built(tmp_path: Path) -> None:
    lib = (
        'pub enum E { A, #[cfg(feature = "a")] B }\n'
        'pub fn f(e: E) { match e { E::A => {}, #[cfg(feature = "b")] E::B => {} } }\n'
    )
    found = derived(tmp_path, FEATURES, lib)
    # With `b` alone the arm names a variant that is not there, with `a` alone the match lacks an arm.
    assert "--features a" in found
    assert "--features b" in found


def test_a_trait_and_its_impl_meet(tmp_path: Path) -> None:
    lib = (
        'pub trait T { #[cfg(feature = "a")] fn t(&self); }\npub struct S;\n'
        'impl T for S { #[cfg(feature = "b")] fn t(&self) {} }\n'
    )
    assert {"--features a", "--features b"} <= set(derived(tmp_path, FEATURES, lib))


def test_which_features_meet(tmp_path: Path) -> None:
    lib = '#[cfg(feature = "a")] mod m { pub fn f() {} }\n#[cfg(feature = "b")] pub fn g() { m::f() }\n#[cfg(feature = "c")] fn h() {}\n'
    root = write(tmp_path, {"Cargo.toml": HEAD + FEATURES + 'd = ["a"]\n', "src/lib.rs": lib})
    matrix = matrices(root)["p"]
    met = {name: matrix.met_by(index) for index, name in enumerate(matrix.features)}
    assert met == {"a": ("b",), "b": ("a", "d"), "c": (), "d": ("b",)}
    assert (matrix.pairs, matrix.pairs_apart) == (6, 4)


def test_what_a_failing_dependency_blocks_is_built_elsewhere_too() -> None:
    found = matrices(Path("fixtures_rust/seed-workspace"))
    # `cuda` alone fails in gdn2, so that the code of kda behind it must also be built where gdn2 compiles.
    assert rows(found["kda"]) == ["", "--features cuda", "--features cuda,autodiff"]
    assert {name: len(matrix.combinations) for name, matrix in found.items()} == {
        "cubes": 1,
        "cubes-macros": 1,
        "fused": 2,
        "gdn2": 4,
        "kda": 3,
        "mhc": 2,
        "mor": 1,
        "rope": 4,
        "swiglu": 2,
    }


@pytest.mark.parametrize(
    ("strategy", "expected"),
    [
        (Strategy.EACH, ["", "--features a", "--features b", "--features c", "--features a,b,c"]),
        (Strategy.FULL, ["", *(f"--features {f}" for f in ("a", "b", "c", "a,b", "a,c", "b,c", "a,b,c"))]),
        (Strategy.DECLARED, ["", "--features a,b,c"]),
    ],
)
def test_strategies_that_do_not_look_at_code(strategy: Strategy, expected: list[str], tmp_path: Path) -> None:
    root = write(tmp_path, {"Cargo.toml": HEAD + FEATURES, "src/lib.rs": ""})
    assert [row.replace("--all-targets", "").strip() for row in rows(matrices(root, strategy)["p"])] == expected


def test_pairs_show_all_four_of_their_combinations(tmp_path: Path) -> None:
    root = write(tmp_path, {"Cargo.toml": HEAD + FEATURES + "d = []\n", "src/lib.rs": ""})
    found = [set(one.features) for one in matrices(root, Strategy.PAIRWISE)["p"].combinations]
    for one, other in [("a", "b"), ("a", "c"), ("a", "d"), ("b", "c"), ("b", "d"), ("c", "d")]:
        assert {(one in built, other in built) for built in found} == {
            (x, y) for x in (True, False) for y in (True, False)
        }
    assert len(found) <= 6


def test_a_powerset_that_is_too_large(tmp_path: Path) -> None:
    many = "[features]\n" + "".join(f"f{number} = []\n" for number in range(40))
    root = write(tmp_path, {"Cargo.toml": HEAD + many, "src/lib.rs": ""})
    with pytest.raises(UsageError, match="more than 100 combinations of 40 features"):
        matrices(root, Strategy.FULL)


def test_the_declared_ones(tmp_path: Path) -> None:
    manifest = (
        '[features]\ndefault = ["a"]\na = []\nb = []\nc = []\n[package.metadata.docs.rs]\nfeatures = ["b"]\n'
        '[[example]]\nname = "e"\nrequired-features = ["c"]\n'
    )
    root = write(tmp_path, {"Cargo.toml": HEAD + manifest, "src/lib.rs": "", "examples/e.rs": "fn main() {}\n"})
    found = [(one.default_features, one.features) for one in matrices(root, Strategy.DECLARED)["p"].combinations]
    assert found == [(True, ()), (False, ()), (True, ("b", "c")), (True, ("b",)), (False, ("c",))]

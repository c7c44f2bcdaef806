"""Sources of dependencies: made-up homes of cargo, then whatever the real one holds."""

from __future__ import annotations

import json
import os
import re
import subprocess
from pathlib import Path

import pytest

from cfglint.manifest.dependency import Dependency
from cfglint.manifest.lockfile import Lockfile, matches, read_lockfile
from cfglint.manifest.package import Package
from cfglint.manifest.sources import Sources, locate
from cfglint.manifest.workspace import load_workspace
from tests.manifest.building import cargo, write

REGISTRY = "registry+https://example.invalid/index"
ROOT = '[package]\nname = "p"\nversion = "0.1.0"\nedition = "2021"\n'


def locked(name: str, version: str, *dependencies: str, source: str | None = REGISTRY) -> str:
    lines = ["[[package]]", f'name = "{name}"', f'version = "{version}"']
    lines += [] if source is None else [f'source = "{source}"', 'checksum = "00"']
    return "\n".join([*lines, f"dependencies = {json.dumps(dependencies)}"]) + "\n"


def lock(*entries: str, version: int = 4) -> str:
    return f"version = {version}\n" + "".join(entries)


def crate(name: str, version: str, text: str = "") -> str:
    return f'[package]\nname = "{name}"\nversion = "{version}"\nedition = "2021"\n{text}'


def published(directory: str, name: str, version: str, text: str = "") -> dict[str, str]:
    return {f"{directory}/Cargo.toml": crate(name, version, text), f"{directory}/src/lib.rs": ""}


def sources(root: Path, files: dict[str, str], member: str = "p") -> tuple[Sources, Package]:
    write(root, files)
    workspace = load_workspace(root / "ws")
    package = workspace.package(member)
    assert package is not None
    return locate(workspace, root / "home"), package


def named(package: Package, key: str) -> Dependency:
    return next(dependency for dependency in package.dependencies if dependency.key == key)


def base(dependencies: str, *entries: str, version: int = 4) -> dict[str, str]:
    return {
        "ws/Cargo.toml": f"{ROOT}[dependencies]\n{dependencies}",
        "ws/src/lib.rs": "",
        "ws/Cargo.lock": lock(*entries, version=version),
    }


@pytest.mark.parametrize("version", [3, 4])
def test_the_registry_is_searched_for_the_locked_version(version: int, tmp_path: Path) -> None:
    found, p = sources(
        tmp_path,
        {
            **base(
                "md-5 = '0.10'\nfar = '1'\nother = { package = 'md-5', version = '0.9' }\n",
                locked("p", "0.1.0", "md-5 0.10.6", "far", "md-5 0.9.1", source=None),
                locked("md-5", "0.10.6"),
                locked("md-5", "0.9.1"),
                locked("far", "1.0.0", "deep"),
                locked("deep", "0.2.0+build.5"),
                version=version,
            ),
            **published("home/registry/src/index-0123/md-5-0.10.6", "md-5", "0.10.6", "[lib]\nname = 'md5'\n"),
            **published("home/registry/src/index-0123/md-5-0.9.1", "md-5", "0.9.1"),
            **published("home/registry/src/index-0123/far-1.1.0", "far", "1.1.0"),
        },
    )
    new, old = named(p, "md-5"), named(p, "other")
    package = found.package(p, new)
    assert package is not None
    assert package.version == "0.10.6"
    assert found.package(p, new) is package
    assert found.crate_name(p, new) == "md5"
    assert found.crate_name(p, old) == "other"
    second = found.package(p, old)
    assert second is not None
    assert second.version == "0.9.1"
    assert not found.is_member(package)
    assert found.is_member(p)
    assert found.package(p, named(p, "far")) is None
    assert found.below(p, named(p, "far")) == frozenset({"far", "deep"})


def test_versions_depend_on_the_owner(tmp_path: Path) -> None:
    registry = "home/registry/src/r"
    found, p = sources(
        tmp_path,
        {
            **base(
                "a = '1'\nb = '1'\n",
                locked("p", "0.1.0", "a", "b 1.0.0", source=None),
                locked("a", "1.0.0", "b 2.0.0"),
                locked("b", "1.0.0"),
                locked("b", "2.0.0"),
            ),
            **published(f"{registry}/a-1.0.0", "a", "1.0.0", "[dependencies]\nb = '*'\n"),
            **published(f"{registry}/b-1.0.0", "b", "1.0.0"),
            **published(f"{registry}/b-2.0.0", "b", "2.0.0"),
        },
    )
    a = found.package(p, named(p, "a"))
    assert a is not None
    inner, outer = found.package(a, named(a, "b")), found.package(p, named(p, "b"))
    assert inner is not None
    assert outer is not None
    assert (inner.version, outer.version) == ("2.0.0", "1.0.0")


def test_vendored_sources_replace_the_registry(tmp_path: Path) -> None:
    found, p = sources(
        tmp_path,
        {
            **base(
                "a = '1'\nb = '1'\n",
                locked("p", "0.1.0", "a", "b", source=None),
                locked("a", "1.0.0"),
                locked("b", "1.2.3"),
            ),
            "ws/.cargo/config.toml": "[source.crates-io]\nreplace-with = 'middle'\n[source.middle]\n"
            "replace-with = 'vendored-sources'\n[source.vendored-sources]\ndirectory = 'third_party'\n",
            **published("ws/third_party/a", "a", "1.0.0", "[features]\nvendored = []\n"),
            **published("ws/third_party/b-1.2.3", "b", "1.2.3"),
            **published("home/registry/src/r/a-1.0.0", "a", "1.0.0"),
        },
    )
    a, b = found.package(p, named(p, "a")), found.package(p, named(p, "b"))
    assert a is not None
    assert "vendored" in a.features
    assert b is not None
    assert b.root == tmp_path / "ws/third_party/b-1.2.3"


def test_git_checkouts_and_their_workspaces(tmp_path: Path) -> None:
    commit = "0123456789abcdef0123456789abcdef01234567"
    git = f"git+https://example.invalid/repo?branch=main#{commit}"
    checkout = f"home/git/checkouts/repo-abc/{commit[:7]}"
    found, p = sources(
        tmp_path,
        {
            **base(
                "a = { git = 'https://example.invalid/repo', branch = 'main' }\n",
                locked("p", "0.1.0", "a", source=None),
                locked("a", "1.0.0", "b", source=git),
                locked("b", "1.0.0", source=git),
            ),
            f"{checkout}/Cargo.toml": "[workspace]\nmembers = ['crates/*']\n[workspace.package]\nversion = '1.0.0'\n"
            "[workspace.dependencies]\nb = { path = 'crates/b', features = ['x'] }\n",
            f"{checkout}/crates/a/Cargo.toml": "[package]\nname = 'a'\nversion.workspace = true\n"
            "[dependencies]\nb = { workspace = true }\n",
            f"{checkout}/crates/a/src/lib.rs": "",
            **published(f"{checkout}/crates/b", "b", "1.0.0", "[features]\nx = []\n"),
        },
    )
    a = found.package(p, named(p, "a"))
    assert a is not None
    b = named(a, "b")
    assert b.features == ("x",)
    inner = found.package(a, b)
    assert inner is not None
    assert inner.root == tmp_path / checkout / "crates/b"


def test_paths_outside_the_workspace_and_patches(tmp_path: Path) -> None:
    files = base(
        "near = { path = '../near' }\npatched = '1'\nmember = '1'\n",
        locked("p", "0.1.0", "near", "patched", "member", source=None),
        locked("near", "0.3.0", source=None),
        locked("patched", "1.0.0", source=None),
        locked("member", "1.0.0", source=None),
    )
    files["ws/Cargo.toml"] += (
        "[workspace]\nmembers = ['member']\n[patch.crates-io]\nx = { path = '../fork', package = 'patched' }\n"
        "member = { path = 'member' }\n"
    )
    files.update(published("near", "near", "0.3.0", "[dependencies]\np = { path = '../ws' }\n"))
    files.update(published("fork", "patched", "1.0.0"))
    files.update(published("ws/member", "member", "1.0.0"))
    found, p = sources(tmp_path, files)
    near, patched = found.package(p, named(p, "near")), found.package(p, named(p, "patched"))
    assert near is not None
    assert found.package(near, named(near, "p")) is p
    assert patched is not None
    assert patched.root == tmp_path / "fork"
    member = found.package(p, named(p, "member"))
    assert member is not None
    assert found.is_member(member)


def test_without_a_lock_file_nothing_is_guessed(tmp_path: Path) -> None:
    files = base("a = '1'\n")
    del files["ws/Cargo.lock"]
    found, p = sources(tmp_path, {**files, **published("home/registry/src/r/a-1.0.0", "a", "1.0.0")})
    assert found.package(p, named(p, "a")) is None
    assert found.below(p, named(p, "a")) is None


@pytest.mark.parametrize(
    "text",
    [
        "not toml [",
        "package = 3\n",
        "[[package]]\nname = 3\nversion = '1.0.0'\n",
        "[[package]]\nname = '../../a'\nversion = '1.0.0'\nsource = 'registry+x'\n",
        "[[package]]\nname = 'a'\nversion = '1.0.0/../..'\nsource = 'registry+x'\n",
        "[[package]]\nname = 'a'\nversion = '1.0.0'\nsource = 'git+x#../../..'\n",
        "[[package]]\nname = 'a'\nversion = '1.0.0'\nsource = 'git+x#'\ndependencies = ['a', '', 'a a a a', 7]\n",
        "[[package]]\nname = 'a'\nversion = '1.0.0'\ndependencies = ['a 1.0.0']\n",
        "[[package]]\nname = 'a'\nversion = '99999999999999999999999.0.0'\n",
    ],
)
def test_hostile_lock_files_find_nothing(text: str, tmp_path: Path) -> None:
    files = {**base("a = '1'\n"), "ws/Cargo.lock": text, **published("a", "a", "1.0.0")}
    found, p = sources(tmp_path, files)
    assert found.package(p, named(p, "a")) is None
    assert found.below(p, named(p, "a")) in (None, {"a"})


def test_hostile_homes_find_nothing(tmp_path: Path) -> None:
    files = base("a = '1'\nb = '1'\nc = '1'\n", *(locked(name, "1.0.0") for name in ("p", "a", "b", "c")))
    files["ws/.cargo/config.toml"] = (
        "[source.crates-io]\nreplace-with = 'loop'\n[source.loop]\nreplace-with = 'crates-io'\n"
    )
    files["home/config.toml"] = "source = [1]\n"
    files["home/registry/src/r/a-1.0.0/Cargo.toml"] = "[package"
    files.update(published("home/registry/src/r/b-1.0.0", "other", "1.0.0"))
    found, p = sources(tmp_path, files)
    (tmp_path / "home/registry/src/r/c-1.0.0").symlink_to("c-1.0.0")
    assert [found.package(p, dependency) for dependency in p.dependencies] == [None, None, None]


@pytest.mark.parametrize(
    ("requirement", "fitting", "others"),
    [
        ("1.2.3", ["1.2.3", "1.9.0"], ["1.2.2", "2.0.0", "2.0.0-pre"]),
        ("^0.2.3", ["0.2.3", "0.2.9"], ["0.3.0", "0.2.2"]),
        ("0.0.3", ["0.0.3"], ["0.0.4"]),
        ("0.0", ["0.0.9"], ["0.1.0"]),
        ("0", ["0.9.0"], ["1.0.0"]),
        ("~1.2", ["1.2.9"], ["1.3.0"]),
        ("~1", ["1.9.0"], ["2.0.0"]),
        ("1.*", ["1.9.0"], ["2.0.0"]),
        ("=1.2", ["1.2.5"], ["1.3.0"]),
        ("=1.2.3", ["1.2.3+meta"], ["1.2.4"]),
        (">=1.2, <1.5", ["1.4.9"], ["1.5.0", "1.1.0"]),
        (">1.2", ["1.3.0"], ["1.2.9"]),
        ("<=1.2", ["1.2.9"], ["1.3.0"]),
        ("1.0.0-rc.2", ["1.0.0-rc.10", "1.0.0"], ["1.0.0-rc.1", "1.0.0-beta"]),
        ("*", ["7.0.0"], []),
        ("what", ["7.0.0"], []),
    ],
)
def test_requirements(requirement: str, fitting: list[str], others: list[str]) -> None:
    assert [version for version in fitting if not matches(requirement, version)] == []
    assert [version for version in others if matches(requirement, version)] == []


def test_a_missing_lock_file_is_none(tmp_path: Path) -> None:
    assert read_lockfile(tmp_path / "Cargo.lock") is None
    assert Lockfile({}).dependency(None, "a", None) is None


@pytest.mark.cargo
def test_cargo_vendors_where_we_look(tmp_path: Path) -> None:
    """Cargo accepts the made-up vendor directory, and means the same packages by it."""
    checksum = json.dumps({"files": {}, "package": "0" * 64})
    files = {
        "ws/Cargo.toml": f"{ROOT}[dependencies]\nmd-5 = '0.10'\n",
        "ws/src/lib.rs": "use md5 as _;",
        "ws/.cargo/config.toml": "[source.crates-io]\nreplace-with = 'here'\n[source.here]\ndirectory = 'vendor'\n",
        **published("ws/vendor/md-5", "md-5", "0.10.6", "[lib]\nname = 'md5'\n[dependencies]\ninner = '2'\n"),
        "ws/vendor/md-5/.cargo-checksum.json": checksum,
        **published("ws/vendor/inner-2.0.0", "inner", "2.0.0"),
        "ws/vendor/inner-2.0.0/.cargo-checksum.json": checksum,
        **published("ws/vendor/inner", "inner", "3.0.0"),
        "ws/vendor/inner/.cargo-checksum.json": checksum,
    }
    write(tmp_path, files)
    environment = {**os.environ, "CARGO_HOME": str(tmp_path / "home"), "RUSTUP_HOME": _rustup_home()}
    command = [cargo(), "metadata", "--offline", "--format-version", "1"]
    done = subprocess.run(command, cwd=tmp_path / "ws", env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    found, p = sources(tmp_path, {})
    md5 = found.package(p, named(p, "md-5"))
    assert md5 is not None
    inner = found.package(md5, named(md5, "inner"))
    assert inner is not None
    said = {package["name"]: Path(package["manifest_path"]) for package in json.loads(done.stdout)["packages"]}
    assert {"p": p.manifest, "md-5": md5.manifest, "inner": inner.manifest} == said


def _rustup_home() -> str:
    return os.environ.get("RUSTUP_HOME") or str(Path.home() / ".rustup")


def test_the_registry_of_this_machine_can_be_read(tmp_path: Path) -> None:
    home = Path(os.environ.get("CARGO_HOME") or Path.home() / ".cargo")
    directories = sorted((home / "registry" / "src").glob("*/*-*"))[:200]
    if not directories:
        pytest.skip("cargo has unpacked nothing here")
    parsed = [re.fullmatch(r"(.+?)-(\d+\.\d+\.\d+.*)", path.name) for path in directories]
    known = [(match[1], match[2]) for match in parsed if match is not None]
    names = dict(known)
    files = base(
        "".join(f"{name} = '={version}'\n" for name, version in names.items()),
        locked("p", "0.1.0", *names, source=None),
        *(locked(name, version) for name, version in names.items()),
    )
    write(tmp_path, files)
    workspace = load_workspace(tmp_path / "ws")
    found, p = locate(workspace), workspace.packages[0]
    assert [dependency.key for dependency in p.dependencies if found.package(p, dependency) is None] == []

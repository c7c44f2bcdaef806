"""Cargo targets: the crate roots of a package, declared and discovered.

Follows Cargo's own discovery: `src/lib.rs`, `src/main.rs`, `src/bin`, `tests`, `examples`, `benches`, `build.rs`, the
`auto*` switches, and the rule of the 2015 edition that a declared target turns discovery of its kind off.

Source: Cargo book, Cargo Targets and Package Layout. Reads directories, never Rust files.
"""

from __future__ import annotations

import enum
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from cfglint.manifest.dependency import absolute
from cfglint.manifest.document import Table, exists


class TargetKind(enum.Enum):
    """Cargo's kinds; a proc-macro is a `LIB` with `proc_macro` set."""

    LIB = "lib"
    BIN = "bin"
    EXAMPLE = "example"
    TEST = "test"
    BENCH = "bench"
    BUILD_SCRIPT = "custom-build"


@dataclass(frozen=True, slots=True)
class Target:
    """One crate root.

    `path` is absolute; `linkable` whether other Rust crates can use it, which a bare `cdylib` or `staticlib` denies; `test`, `doctest` and `bench` say whether `cargo test` and `cargo bench` build it; `harness`
    whether with libtest's `main`; `explicit` whether the manifest declares it.
    """

    kind: TargetKind
    name: str
    path: Path
    edition: str
    required_features: tuple[str, ...] = ()
    proc_macro: bool = False
    linkable: bool = True
    test: bool = True
    doctest: bool = False
    bench: bool = True
    harness: bool = True
    explicit: bool = False

    @property
    def crate_name(self) -> str:
        """The name in code."""
        return self.name.replace("-", "_")


@dataclass(frozen=True, slots=True)
class _Kind:
    kind: TargetKind
    array: str
    auto: str
    directory: str


_KINDS = (
    _Kind(TargetKind.BIN, "bin", "autobins", "src/bin"),
    _Kind(TargetKind.EXAMPLE, "example", "autoexamples", "examples"),
    _Kind(TargetKind.TEST, "test", "autotests", "tests"),
    _Kind(TargetKind.BENCH, "bench", "autobenches", "benches"),
)


def read_targets(root: Table, base: Path, name: str, edition: str) -> tuple[Target, ...]:
    """All targets of the package `name` at `base`: library, binaries, examples, tests, benches, build script.

    A declared target without a file is recorded as a problem of the manifest and left out.
    """
    package = root.table("package", "project")
    found = list(read_library(root, base, name, edition))
    for kind in _KINDS:
        found.extend(_read_kind(root, package, kind, base, name, edition))
    return tuple(sorted(found, key=lambda target: target.kind is TargetKind.BUILD_SCRIPT))


def read_library(root: Table, base: Path, name: str, edition: str) -> tuple[Target, ...]:
    """What those who depend on the package build of it: the library and the build script."""
    package = root.table("package", "project")
    library = _library(root, package, base, name, edition)
    script = _build_script(package, base)
    found = [] if library is None else [library]
    if script is not None:
        found.append(
            Target(TargetKind.BUILD_SCRIPT, f"build-script-{script.stem}", script, edition, test=False, bench=False)
        )
    return tuple(found)


def _library(root: Table, package: Table, base: Path, name: str, edition: str) -> Target | None:
    declared = "lib" in root
    table = root.table("lib")
    default = base / "src" / "lib.rs"
    if not declared and (package.boolean("autolib") is False or not exists(default)):
        return None
    lib_name = table.string("name") or name.replace("-", "_")
    written = table.string("path")
    path = default if written is None else absolute(base, written)
    if written is None and not exists(path):
        legacy = base / "src" / f"{lib_name}.rs"
        if edition == "2015" and exists(legacy):
            path = legacy
    if not exists(path):
        table.problem(f"the library has no file `{_shown(path, base)}`")
        return None
    proc_macro = table.boolean("proc-macro", "proc_macro") is True
    crate_types = table.strings("crate-type", "crate_type")
    proc_macro = proc_macro or "proc-macro" in crate_types
    documented = proc_macro or not crate_types or not {"lib", "rlib"}.isdisjoint(crate_types)
    return Target(
        TargetKind.LIB,
        lib_name,
        path,
        table.string("edition") or edition,
        proc_macro=proc_macro,
        linkable=documented or "dylib" in crate_types,
        test=table.boolean("test") is not False,
        doctest=documented and table.boolean("doctest") is not False,
        bench=table.boolean("bench") is not False,
        harness=table.boolean("harness") is not False,
        explicit=declared,
    )


def _read_kind(root: Table, package: Table, kind: _Kind, base: Path, name: str, edition: str) -> Iterator[Target]:
    inferred = dict(_inferred(kind, base, name))
    seen_names: set[str] = set()
    seen_paths: set[Path] = set()
    declared = kind.array in root
    for table in root.tables(kind.array):
        target_name = table.string("name")
        if target_name is None:
            if kind.kind is not TargetKind.BIN:
                table.problem(f"a `[[{kind.array}]]` has no name")
                continue
            target_name = name
        seen_names.add(target_name)
        written = table.string("path")
        if written is None:
            path = inferred.get(target_name) or _legacy(kind, base, target_name, edition)
        else:
            path = absolute(base, written)
            seen_paths.add(path)
        if path is None or not exists(path):
            table.problem(f"cannot find the file of {kind.array} `{target_name}`")
            continue
        yield _declared(table, kind.kind, target_name, path, edition)
    discover = package.boolean(kind.auto)
    if discover is False or (discover is None and declared and edition == "2015"):
        return
    for target_name, path in sorted(inferred.items(), key=lambda item: (item[1] != base / "src" / "main.rs", item[0])):
        if target_name not in seen_names and path not in seen_paths:
            yield _target(kind.kind, target_name, path, edition)


def _target(kind: TargetKind, name: str, path: Path, edition: str) -> Target:
    """A discovered target with Cargo's defaults (Cargo book, Configuring a target)."""
    runs = kind in (TargetKind.BIN, TargetKind.TEST)
    return Target(kind, name, path, edition, test=runs, bench=kind in (TargetKind.BIN, TargetKind.BENCH))


def _declared(table: Table, kind: TargetKind, name: str, path: Path, edition: str) -> Target:
    default = _target(kind, name, path, edition)
    test, bench = table.boolean("test"), table.boolean("bench")
    return Target(
        kind,
        name,
        path,
        table.string("edition") or edition,
        required_features=table.strings("required-features", "required_features"),
        test=default.test if test is None else test,
        bench=default.bench if bench is None else bench,
        harness=table.boolean("harness") is not False,
        explicit=True,
    )


def _inferred(kind: _Kind, base: Path, name: str) -> Iterator[tuple[str, Path]]:
    """The targets that the layout of the package gives, by name."""
    if kind.kind is TargetKind.BIN and exists(base / "src" / "main.rs"):
        yield name, base / "src" / "main.rs"
    directory = base / kind.directory
    try:
        entries = sorted(os.scandir(directory), key=lambda entry: entry.name)
    except (OSError, ValueError):
        return
    for entry in entries:
        if entry.name.startswith(".") or not _encodable(entry.name):
            continue
        path = directory / entry.name
        if path.suffix == ".rs":
            if exists(path):
                yield path.stem, path
        elif _is_directory(entry) and exists(path / "main.rs"):
            yield entry.name, path / "main.rs"


def _legacy(kind: _Kind, base: Path, target: str, edition: str) -> Path | None:
    """Paths that Cargo still accepts for a declared target of the 2015 edition."""
    if edition != "2015":
        return None
    candidates: list[Path] = []
    if kind.kind is TargetKind.BIN:
        candidates = [base / "src" / f"{target}.rs", base / "src" / "bin" / "main.rs"]
    if kind.kind is TargetKind.BENCH and target == "bench":
        candidates = [base / "src" / "bench.rs"]
    return next((path for path in candidates if exists(path)), None)


def _build_script(package: Table, base: Path) -> Path | None:
    value = package.data.get("build")
    if value is False:
        return None
    path = (
        base / "build.rs" if value is None or value is True else absolute(base, package.string("build") or "build.rs")
    )
    if exists(path):
        return path
    if value is not None:
        package.problem(f"the build script `{_shown(path, base)}` does not exist", "build")
    return None


def _is_directory(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir(follow_symlinks=False)
    except OSError:
        return False


def _encodable(name: str) -> bool:
    """Whether a file name is valid UTF-8; Cargo skips those that are not."""
    try:
        name.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def _shown(path: Path, base: Path) -> str:
    return os.path.relpath(path, base).replace(os.sep, "/")

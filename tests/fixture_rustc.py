"""What rustc says about a fixture, build by build.

A package that is one library without dependencies is given to rustc itself, with the flags that cargo would pass: that
takes a third of cargo's time, and is the only way to look at other targets. Everything else goes through cargo, each
fixture with a target directory of its own. The standard library of another target need not be installed: a source is then
compiled without `core`, with the few lang items that name resolution asks for; cargo gets a sysroot that has no more.
"""

from __future__ import annotations

import enum
import json
import os
import shutil
import subprocess
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.fixture_driver import HOST, Build, Fixture, Package, is_example, is_outer
from tests.fixture_sysroot import LANG_ITEMS, sysroot
from tests.oracle.cargo_oracle import rustc

# What each rule's defect may look like to rustc 1.95; "" is an error without a code ("cannot find macro").
_UNRESOLVED = frozenset(
    "E0404 E0405 E0412 E0422 E0423 E0425 E0432 E0433 E0531 E0532 E0573 E0574 E0603 E0407 E0437 E0438".split()
)
CODES: dict[str, frozenset[str]] = {
    "CFG001": _UNRESOLVED,
    "CFG002": frozenset({"", "E0432", "E0433"}),
    "CFG003": frozenset({"E0432", "E0433", "E0463", "E0425"}),
    "CFG004": _UNRESOLVED | {""},
    "CFG005": frozenset({"E0432", "E0433", "E0463"}),
    "CFG006": frozenset({"E0599", "E0576", "E0609", "E0560", "E0223", "E0782"}) | {"E0422", "E0425", "E0432", "E0531"},
    "CFG007": frozenset({"E0004", "E0026", "E0027", "E0063"}),
    "CFG008": frozenset({"E0046", "E0407", "E0437", "E0438"}),
    "CFG009": frozenset({"", "E0405", "E0425", "E0432", "E0433", "E0463", "E0531"}),
    "CFG010": frozenset({"E0252", "E0254", "E0255", "E0259", "E0260", "E0428"}),
    "CFG011": _UNRESOLVED | {"", "E0599"},
    "CFG012": _UNRESOLVED | {"", "E0599"},
    "CFG013": frozenset({"", "E0583"}),
    "CFG014": frozenset({""}),
    "CFG101": frozenset({"unexpected_cfgs"}),
    "CFG102": frozenset({"unexpected_cfgs"}),
    "FOLLOWS": _UNRESOLVED | {""},
}

_NO_CORE_FLAGS = ("-Zcrate-attr=feature(no_core,lang_items)", "-Zcrate-attr=no_core")


class Roots(enum.Enum):
    """Which crate roots of a package are judged together."""

    INNER = "the library and programs"
    EXAMPLES = "examples"
    OUTER = "tests and benches"


def roots_of(file: str) -> Roots:
    """The kind of root that compiles `file`."""
    if is_outer(file):
        return Roots.OUTER
    return Roots.EXAMPLES if is_example(file) else Roots.INNER


@dataclass(frozen=True, slots=True, order=True)
class Complaint:
    """An error (or an `unexpected_cfgs` warning) at one line; `code` "" is an error without one."""

    file: str
    line: int
    code: str
    guard: bool
    message: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.code or 'error'}: {self.message}"


@dataclass(frozen=True, slots=True)
class Verdict:
    """All complaints about one build; `masked` when something else broke first, so that this was not compiled.

    The roots below tests/ and benches/ are judged apart: they see the library as it is without `test`. So are examples:
    what is built along with them has the features that dev-dependencies turn on.
    """

    build: Build
    complaints: tuple[Complaint, ...]
    masked: bool = False
    roots: Roots = Roots.INNER

    def covers(self, file: str) -> bool:
        """Whether `file` is compiled by the roots that this verdict is about."""
        return roots_of(file) is self.roots


def target_options(target: str) -> frozenset[tuple[str, str | None]]:
    """What `rustc --print cfg` prints for a target."""
    printed = _run(["rustc", "--print", "cfg", "--target", target], Path.cwd()).stdout
    pairs = (line.partition("=") for line in printed.splitlines())
    return frozenset((key, value.strip('"') if sign else None) for key, sign, value in pairs)


def verdicts(fixture: Fixture, package: Package, scratch: Path) -> Iterator[Verdict]:
    """Compile `package` in every build of the fixture; `scratch` is an empty directory of its own."""
    whole = _needs_cargo(fixture, package)
    copy = scratch / "copy"
    if whole:  # cargo writes a Cargo.lock
        shutil.copytree(fixture.path, copy, ignore=shutil.ignore_patterns("target", "Cargo.lock"))
    if whole and fixture.flags:
        raise ValueError(f"{fixture.name}: flags are only varied for a lone library")
    for number, build in enumerate(fixture.builds(package)):
        if not whole:
            yield _rustc(fixture, package, build, scratch / str(number))
        elif build.target == HOST or _is_for_any_target(fixture, package, build):
            yield from _cargo(fixture, package, build, copy)


def _needs_cargo(fixture: Fixture, package: Package) -> bool:
    folder = fixture.path / package.folder
    tables = [package.manifest, *package.manifest.get("target", {}).values()]
    if any("dependencies" in key for table in tables for key in table) or "lib" in package.manifest:
        return True
    if "build" in package.manifest["package"]:
        return True
    if not (folder / "src/lib.rs").exists():
        return True
    others = ("build.rs", "src/main.rs", "src/bin", "tests", "examples", "benches")
    return any((folder / other).exists() for other in others)


def _is_for_any_target(fixture: Fixture, package: Package, build: Build) -> bool:
    """Whether the build is one of a library alone: it can be checked where there is no standard library."""
    folder = fixture.path / package.folder
    return not build.test and (folder / "src/lib.rs").exists() and "lib" not in package.manifest


def _rustc(fixture: Fixture, package: Package, build: Build, out: Path) -> Verdict:
    """One library through rustc, as cargo would call it."""
    folder = fixture.path / package.folder
    out.mkdir(parents=True)
    flags: list[str] = []
    environment: dict[str, str] = {}
    if len(fixture.targets) > 1:
        folder = out / "copy"
        shutil.copytree(fixture.path / package.folder, folder)
        with (folder / "src/lib.rs").open("a", encoding="utf-8") as source:
            source.write(LANG_ITEMS)
        flags = ["--target", build.target, *_NO_CORE_FLAGS]
        environment = {"RUSTC_BOOTSTRAP": "1"}
    values = ", ".join(json.dumps(name, ensure_ascii=False) for name in sorted(package.features))
    lints = package.manifest.get("lints", {}).get("rust", {}).get("unexpected_cfgs", {})
    extra = lints.get("check-cfg", []) if isinstance(lints, dict) else []
    for check in ("cfg(docsrs,test)", f"cfg(feature, values({values}))", *extra):
        flags += ["--check-cfg", check]
    for name in sorted(build.features):
        flags += ["--cfg", f"feature={json.dumps(name, ensure_ascii=False)}"]
    for name in sorted(build.flags - {"debug_assertions"}):
        flags += ["--cfg", name]
    flags += ["-C", f"debug-assertions={'on' if 'debug_assertions' in build.flags else 'off'}"]
    flags += ["--test"] if build.test else ["--crate-type", "lib"]
    command = ["rustc", "src/lib.rs", "--crate-name", package.name.replace("-", "_"), "--edition", package.edition]
    command += ["--emit=metadata", "--error-format=json", "--out-dir", str(out), *flags]
    done = _run(command, folder, environment)
    lines = [json.loads(line) for line in done.stderr.splitlines() if line.startswith("{")]
    verdict = Verdict(build, tuple(_complaints(lines, folder, fixture.path / package.folder, fixture.path)))
    assert done.returncode == 0 or verdict.complaints, done.stderr
    return verdict


def _cargo(fixture: Fixture, package: Package, build: Build, copy: Path) -> Iterator[Verdict]:
    """One package through `cargo check`: its library and programs, and with `test` what only tests build."""
    folder = fixture.path / package.folder
    library = ["--lib"] if "lib" in package.manifest or (folder / "src/lib.rs").exists() else []
    if build.target != HOST:
        yield _cargo_check(fixture, package, build, copy, library)
        return
    if not build.test:
        yield _cargo_check(fixture, package, build, copy, [*library, "--bins"])
        if (folder / "examples").is_dir():
            yield _cargo_check(fixture, package, build, copy, ["--examples"])
        return
    if library:
        yield _cargo_check(fixture, package, build, copy, ["--profile", "test", *library])
    outer = [word for kind in ("test", "bench") for word in _outer_roots(package, folder, kind, build)]
    if outer:
        yield _cargo_check(fixture, package, build, copy, outer)


def _outer_roots(package: Package, folder: Path, kind: str, build: Build) -> list[str]:
    """`--test NAME` or `--bench NAME` for each root that has the features it requires; cargo refuses the others."""
    declared = {target["name"]: target for target in package.manifest.get(kind, ())}
    place = folder / ("tests" if kind == "test" else "benches")
    taken = {folder / target["path"] for target in declared.values() if "path" in target}
    found = {file.stem for file in place.glob("*.rs") if file not in taken}
    found |= {file.parent.name for file in place.glob("*/main.rs") if file not in taken}
    names = sorted(found | declared.keys())
    required = {name: set(declared.get(name, {}).get("required-features", ())) for name in names}
    return [word for name in names if required[name] <= build.features for word in (f"--{kind}", name)]


def _cargo_check(fixture: Fixture, package: Package, build: Build, copy: Path, roots: list[str]) -> Verdict:
    command = ["cargo", "check", "--offline", "--quiet", "--keep-going", "-p", package.name, *roots]
    command += ["--no-default-features", "--features", ",".join(sorted(build.features)), "--message-format=json"]
    environment = {"CARGO_TARGET_DIR": str(copy.with_name("target"))}
    if build.target != HOST:
        command += ["--target", build.target]
        environment["RUSTFLAGS"] = f"--sysroot={sysroot(build.target)}"
    done = _run(command, copy, environment)
    messages = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
    said = [message for message in messages if message.get("reason") == "compiler-message"]
    manifest = str((copy / package.folder / "Cargo.toml").resolve())
    apart = {True: _is_of_others(fixture, package), False: _is_of_std}
    found = sorted(
        {
            complaint
            for message in said
            for complaint in _complaints(
                [message["message"]], copy, fixture.path, fixture.path, apart[message["manifest_path"] == manifest]
            )
        }
    )
    kind = Roots.OUTER if "--test" in roots or "--bench" in roots else Roots.INNER
    kind = Roots.EXAMPLES if "--examples" in roots else kind
    own = [c for c in found if fixture.package_of(c.file) == package and roots_of(c.file) is kind]
    others = [c for c in found if c not in own and c.code != "unexpected_cfgs"]
    assert done.returncode == 0 or own or others, done.stderr
    return Verdict(build, tuple(own), masked=bool(others), roots=kind)


def _is_of_std(file: str) -> bool:
    return "/library/" in file


def _is_of_others(fixture: Fixture, package: Package) -> Callable[[str], bool]:
    """What is not the package's own: an error in a macro that lies there is one of the call."""
    return lambda file: _is_of_std(file) or fixture.package_of(file) != package


def _complaints(
    messages: Sequence[dict[str, Any]],
    compiled_in: Path,
    stands_for: Path,
    base: Path,
    is_apart: Callable[[str], bool] = _is_of_std,
) -> Iterator[Complaint]:
    """The primary lines of every error, relative to the fixture; in files that are apart, the line of the macro's call."""
    for message in messages:
        code = (message.get("code") or {}).get("code", "")
        if message["level"] != "error" and code != "unexpected_cfgs":
            continue
        for primary in message["spans"]:
            if primary["is_primary"]:
                span = _where_it_is_called(primary, is_apart)
                file = (compiled_in / span["file_name"]).resolve().relative_to(compiled_in.resolve())
                guard = any("compile_error!" in text["text"] for text in span["text"])
                name = (stands_for / file).relative_to(base).as_posix()
                yield Complaint(name, span["line_start"], code, guard, message["message"])


def _where_it_is_called(span: dict[str, Any], is_apart: Callable[[str], bool]) -> dict[str, Any]:
    """The innermost call that is in the project when the error lies in a macro from elsewhere."""
    while is_apart(span["file_name"]) and span.get("expansion"):
        span = span["expansion"]["span"]
    return span


def _run(command: list[str], folder: Path, extra: dict[str, str] | None = None) -> subprocess.CompletedProcess[str]:
    environment = {k: v for k, v in os.environ.items() if not k.startswith(("CARGO_", "RUSTFLAGS", "RUSTC_"))}
    environment |= {"CARGO_HOME": os.environ["CARGO_HOME"]} if "CARGO_HOME" in os.environ else {}
    environment |= {"CARGO_INCREMENTAL": "0", "CARGO_BUILD_JOBS": "1", **(extra or {})}
    compiler = rustc()
    if compiler is not None:  # past rustup's proxies, which cost as much as a small compilation
        environment["PATH"] = f"{compiler.parent}{os.pathsep}{environment.get('PATH', '')}"
    program = shutil.which(command[0], path=environment["PATH"]) or command[0]
    return subprocess.run(
        [program, *command[1:]],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
        timeout=120,
    )

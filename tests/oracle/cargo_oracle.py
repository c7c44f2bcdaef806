"""What rustc says about one package in one configuration, as positions of errors.

It compiles with plain `rustc --emit=metadata`, once per closed feature set, or with `cargo check` where the real
thing is wanted. It deliberately does not judge: matching errors with findings is compare.py's work. Feature closures
are computed here a second time, from Cargo.toml, independently of cfglint's feature model.
"""

from __future__ import annotations

import concurrent.futures
import dataclasses
import functools
import itertools
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

from . import platforms
from .cfg_eval import mentioned_features

DUPLICATE_CODES = frozenset({"E0428", "E0252", "E0255"})
RESOLVE_CODES = (
    frozenset(
        {
            "E0405",
            "E0407",
            "E0412",
            "E0422",
            "E0423",
            "E0425",
            "E0432",
            "E0433",
            "E0437",
            "E0463",
            "E0531",
            "E0573",
            "E0574",
            "E0583",
        }
    )
    | DUPLICATE_CODES
)
MEMBER_CODES = frozenset({"E0599", "E0560", "E0609", "E0026", "E0027", "E0063", "E0004", "E0046"})
EXPECTED_CODES = RESOLVE_CODES | MEMBER_CODES | {"E0438"}
_LATE_CODES = frozenset({"E0004", "E0005"})
_TYPE_CODES = frozenset(
    {"E0599", "E0560", "E0609", "E0026", "E0027", "E0063", "E0061", "E0046", "E0107", "E0220", "E0576"}
)


@dataclass(frozen=True, slots=True, order=True)
class Place:
    """A line of a file, relative to the package."""

    file: str
    line: int


@dataclass(frozen=True, slots=True, order=True)
class Error:
    """One error of rustc.

    `places` are the lines of its primary spans, innermost first, each followed by the call sites of the macros it
    came through; for duplicates also the first definition, which rustc only labels. `code` is "" for macros.
    `follows` is set where rustc lists an import for no reason of its own: all that it has left undecided since a module
    could not be found. Such an error may be foretold, but need not.
    """

    code: str
    message: str
    column: int
    places: tuple[Place, ...]
    outermost: Place
    follows: bool = False

    @property
    def expected(self) -> bool:
        """Whether it is of a kind that cfglint has something to say about."""
        return self.code in EXPECTED_CODES or (not self.code and self.message.startswith("cannot find "))

    @property
    def phase(self) -> int:
        """1 for name resolution, 2 for types, 3 for exhaustiveness: errors of a phase hide those of later ones."""
        return 3 if self.code in _LATE_CODES else 2 if self.code in _TYPE_CODES else 1


@dataclass(frozen=True, slots=True)
class FeatureSet:
    """A closed set of features, with the features of each dependency that is enabled by it.

    `target` is the triple to compile for, "" for the host, and `options` what is set there (as rustc prints it).
    """

    features: frozenset[str]
    dependencies: tuple[tuple[str, frozenset[str]], ...] = ()
    options: frozenset[str] = frozenset()
    target: str = ""

    def __str__(self) -> str:
        return "{" + ", ".join(sorted(self.features)) + "}" + (f" on {self.target}" if self.target else "")


@dataclass(frozen=True, slots=True)
class Verdict:
    """The errors of one set, complete up to the phase `depth`; later ones may be hidden.

    A glob import that fails makes rustc keep silent about names that it might have brought (depth 0). `behind` is what
    rustc says without such lines: good to confirm a finding, no reason to ask for one.
    """

    errors: tuple[Error, ...]
    depth: int
    behind: tuple[Error, ...] = ()

    def seen(self, depth: int) -> frozenset[Error]:
        """The errors of the phases up to `depth`. Of later ones rustc may show some, and some not."""
        return frozenset(error for error in self.errors if error.phase <= depth)


@dataclass(frozen=True, slots=True)
class Crate:
    """What rustc has to know about a library package."""

    directory: Path
    manifest: Mapping[str, Any] = field(hash=False)

    @property
    def name(self) -> str:
        return str(self.manifest["package"]["name"]).replace("-", "_")

    @property
    def edition(self) -> str:
        return str(self.manifest["package"].get("edition", "2015"))


@functools.cache
def rustc() -> Path | None:
    """The real rustc (not rustup's proxy, which costs as much as a small compilation), or None."""
    found = shutil.which("rustc")
    if found is None:
        return None
    root = subprocess.run([found, "--print", "sysroot"], capture_output=True, text=True, check=False).stdout.strip()
    real = Path(root) / "bin" / "rustc"
    return real if root and real.exists() else Path(found)


def require_cargo() -> None:
    """Skip the calling test where there is no cargo; fail it if CFGLINT_REQUIRE_CARGO=1 asks for one."""
    import pytest

    if rustc() is not None and shutil.which("cargo") is not None:
        return
    reason = "needs cargo and rustc on the path"
    if os.environ.get("CFGLINT_REQUIRE_CARGO") == "1":
        pytest.fail(reason)
    pytest.skip(reason)


def read_crate(directory: Path) -> Crate:
    """Read the Cargo.toml of `directory`."""
    return Crate(directory, tomllib.loads((directory / "Cargo.toml").read_text("utf-8")))


def feature_sets(crate: Crate) -> tuple[FeatureSet, ...]:
    """Every feature set that cargo can build the package with, smallest first. Cargo book: Features."""
    table = _features(crate)
    closed: dict[frozenset[str], FeatureSet] = {}
    for size in range(len(table) + 1):
        for chosen in itertools.combinations(sorted(table), size):
            one = activate(crate, chosen)
            closed.setdefault(one.features, one)
    return tuple(sorted(closed.values(), key=lambda one: (len(one.features), sorted(one.features))))


def activate(crate: Crate, chosen: Iterable[str]) -> FeatureSet:
    """What asking for the features `chosen` (default features off) turns on."""
    table = _features(crate)
    dependencies: Mapping[str, Any] = crate.manifest.get("dependencies", {})
    on: set[str] = set()
    wanted: dict[str, set[str]] = {
        name: set() for name, spec in dependencies.items() if isinstance(spec, str) or not spec.get("optional", False)
    }
    weak: set[tuple[str, str]] = set()
    pending = list(chosen)
    while pending:
        name = pending.pop()
        if name in on:
            continue
        on.add(name)
        for value in table[name]:
            if value.startswith("dep:"):
                wanted.setdefault(value[4:], set())
            elif "?/" in value:
                dependency, _, feature = value.partition("?/")
                weak.add((dependency, feature))
            elif "/" in value:
                dependency, _, feature = value.partition("/")
                wanted.setdefault(dependency, set()).add(feature)
                if dependency in table:
                    pending.append(dependency)
            else:
                pending.append(value)
    for dependency, feature in weak:
        if dependency in wanted:
            wanted[dependency].add(feature)
    enabled: list[tuple[str, frozenset[str]]] = []
    for name in sorted(wanted):
        spec = dependencies[name]
        asked = set(wanted[name]) | set(spec.get("features", ()))
        other = _dependency(crate, name)
        if spec.get("default-features", True) and "default" in _features(other):
            asked.add("default")
        enabled.append((name, activate(other, asked).features))
    return FeatureSet(frozenset(on), tuple(enabled))


def compile_all(
    crate: Crate, sets: Iterable[FeatureSet], scratch: Path, *, threads: int = 2
) -> dict[FeatureSet, Verdict]:
    """The errors of rustc in each set. Sets that the sources cannot tell apart are compiled once."""
    sets = tuple(sets)
    mentioned: set[str] = set()
    for file in crate.directory.rglob("*.rs"):
        mentioned |= mentioned_features(file.read_text("utf-8"))
    keys = {one: dataclasses.replace(one, features=one.features & mentioned) for one in sets}
    distinct = tuple(dict.fromkeys(keys.values()))
    for one in distinct:
        _externs(crate, one, scratch)
    with concurrent.futures.ThreadPoolExecutor(threads) as pool:
        jobs = pool.map(lambda pair: compile_one(crate, pair[1], scratch, str(pair[0])), enumerate(distinct))
        verdicts = dict(zip(distinct, jobs, strict=True))
    return {one: verdicts[keys[one]] for one in sets}


def compile_one(crate: Crate, one: FeatureSet, scratch: Path, label: str = "0") -> Verdict:
    """The errors of `rustc --emit=metadata` on the library, warnings off, for one feature set.

    For another target names are resolved and nothing is looked at beyond.
    """
    output = scratch / f"lib{crate.name}-{label}.rmeta"
    command = _command(crate, one, output, _externs(crate, one, scratch))
    environment = dict(os.environ)
    if one.target:
        command += ["--target", one.target, "--sysroot", str(platforms.sysroot(command[0], one.target))]
        command.append("-Zno-analysis")
        environment |= platforms.BOOTSTRAP
    done = subprocess.run(command, cwd=crate.directory, capture_output=True, text=True, check=False, env=environment)
    errors = errors_of(json.loads(line) for line in done.stderr.splitlines() if line.startswith("{"))
    if done.returncode != 0 and not errors:
        raise RuntimeError(f"rustc failed without an error that has a place: {done.stderr[:2000]}")
    return Verdict(errors, min((error.phase for error in errors), default=1 if one.target else 3))


def cargo_check(crate: Crate, one: FeatureSet, target_directory: Path) -> Verdict:
    """The same by `cargo check`; `target_directory` must belong to this package alone."""
    command = ["cargo", "check", "--offline", "--quiet", "--lib", "--message-format", "json", "--no-default-features"]
    command += ["--features", ",".join(sorted(one.features)), "--target-dir", str(target_directory)]
    environment = {**os.environ, "RUSTFLAGS": "-Awarnings"}
    done = subprocess.run(command, cwd=crate.directory, capture_output=True, text=True, check=False, env=environment)
    messages = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
    errors = errors_of(entry["message"] for entry in messages if entry["reason"] == "compiler-message")
    if done.returncode != 0 and not errors:
        raise RuntimeError(f"cargo failed without an error that has a place: {done.stderr[:2000]}")
    return Verdict(errors, min((error.phase for error in errors), default=3))


def _features(crate: Crate) -> dict[str, list[str]]:
    table: dict[str, list[str]] = {name: list(values) for name, values in crate.manifest.get("features", {}).items()}
    hidden = {value[4:] for values in table.values() for value in values if value.startswith("dep:")}
    for name, spec in crate.manifest.get("dependencies", {}).items():
        if isinstance(spec, dict) and spec.get("optional", False) and name not in hidden:
            table.setdefault(name, [f"dep:{name}"])
    return table


def _dependency(crate: Crate, name: str) -> Crate:
    return read_crate(crate.directory / crate.manifest["dependencies"][name]["path"])


def _externs(crate: Crate, one: FeatureSet, scratch: Path) -> list[str]:
    arguments: list[str] = []
    for name, features in one.dependencies:
        other = _dependency(crate, name)
        output = scratch / f"lib{other.name}-{'-'.join(sorted(features))}.rmeta"
        if not output.exists():
            scratch.mkdir(parents=True, exist_ok=True)
            command = _command(other, FeatureSet(features), output, [])
            done = subprocess.run(command, cwd=other.directory, capture_output=True, text=True, check=False)
            if done.returncode != 0:
                raise RuntimeError(f"the dependency {name} does not compile: {done.stderr[:2000]}")
        arguments += ["--extern", f"{name.replace('-', '_')}={output}"]
    return arguments


def _command(crate: Crate, one: FeatureSet, output: Path, externs: list[str]) -> list[str]:
    compiler = rustc()
    assert compiler is not None, "rustc is missing"
    command = [str(compiler), "--edition", crate.edition, "--crate-name", crate.name, "--crate-type", "lib"]
    command += ["--emit", f"metadata={output}", "--error-format", "json", "--cap-lints", "allow"]
    for feature in sorted(one.features):
        command += ["--cfg", f'feature="{feature}"']
    return [*command, *externs, "src/lib.rs"]


def errors_of(messages: Iterable[Mapping[str, Any]]) -> tuple[Error, ...]:
    """The errors among rustc's messages, by place. Those without a place are left out."""
    errors: set[Error] = set()
    for message in messages:
        if message["level"] != "error" or not message["spans"]:
            continue
        code = str((message.get("code") or {}).get("code") or "")
        spans = [span for span in message["spans"] if span["is_primary"] or code in DUPLICATE_CODES]
        chains = [chain for chain in map(_chain, spans) if chain]
        if not chains:
            raise RuntimeError(f"an error outside of the package: {message['message']}")
        places = tuple(dict.fromkeys(place for chain in chains for place in chain))
        primary = next(span for span in message["spans"] if span["is_primary"])
        outermost = (_chain(primary) or chains[0])[-1]
        follows = code == "E0432" and not message["children"] and all(span["label"] is None for span in spans)
        errors.add(Error(code, str(message["message"]), int(primary["column_start"]), places, outermost, follows))
    return tuple(sorted(errors))


def _chain(span: Mapping[str, Any] | None) -> list[Place]:
    places: list[Place] = []
    while span is not None:
        if not Path(span["file_name"]).is_absolute():
            places.append(Place(str(span["file_name"]), int(span["line_start"])))
        span = (span.get("expansion") or {}).get("span")
    return places

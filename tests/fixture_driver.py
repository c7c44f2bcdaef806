"""Fixtures as data: their packages, their inline expectations, and the builds over which both are judged.

A fixture is a small Cargo package (or workspace) whose Rust source says what must be found, under the line at fault:

    crate::tally::launched();
    //~^ CFG001 cfg(all(feature = "gpu", not(feature = "grad")))

Every caret points one line further up; `//~ CODE` means the line it stands on. The text in `cfg(..)` is `fails_when`,
compared by meaning over the closed feature sets of the package, never as text. Without it only file, line and code count.
A `Cargo.toml` carries expectations too, after `#~`. Four words change what a mark means:

* `FUTURE CODE cfg(..)`: rustc rejects the line in these builds, cfglint may say so but need not yet;
* `FOLLOWS cfg(..)`: rustc repeats there an error whose cause is marked elsewhere, cfglint must stay silent;
* `INVALID cfg(..)`: a `compile_error!` guard; these builds do not count;
* no mark at all: nothing may be reported. Each fixture is a negative test for every other rule.

CFG011 has one mark for a file of a test, example, bench or program: at the first line at fault, with the condition of all
of them; the other lines are marked FOLLOWS, each with its own.

This module compiles nothing (`fixture_rustc` does) and knows nothing of cfglint but its JSON contract.
"""

from __future__ import annotations

import contextlib
import io
import itertools
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import tomli

from cfglint.cli.main import main
from tests.fixture_cfg import Predicate, evaluate, mentions, parse

FIXTURES = Path(__file__).resolve().parent.parent / "fixtures_rust"
HOST = "x86_64-unknown-linux-gnu"

# The options of the few targets that fixtures name; `test_fixture_oracle` holds them against `rustc --print cfg`.
TARGETS: Mapping[str, frozenset[tuple[str, str | None]]] = {
    HOST: frozenset(
        {
            ("unix", None),
            ("target_os", "linux"),
            ("target_family", "unix"),
            ("target_arch", "x86_64"),
            ("target_pointer_width", "64"),
        }
    ),
    "x86_64-pc-windows-msvc": frozenset(
        {
            ("windows", None),
            ("target_os", "windows"),
            ("target_family", "windows"),
            ("target_arch", "x86_64"),
            ("target_pointer_width", "64"),
        }
    ),
    "wasm32-unknown-unknown": frozenset(
        {
            ("target_os", "unknown"),
            ("target_family", "wasm"),
            ("target_arch", "wasm32"),
            ("target_pointer_width", "32"),
        }
    ),
}

_MARK = re.compile(
    r"(?://|\#)~(?P<up>\^*)[ ]+"
    r"(?:(?P<word>FOLLOWS|INVALID)|(?P<future>FUTURE[ ]+)?(?P<code>CFG\d{3}))"
    r"(?:[ ]+cfg\((?P<cfg>.*)\))?[ ]*$"
)
_SLOPPY_MARK = re.compile(r"(?://|#)~")
_TESTED = re.compile(r"\btest\b")


@dataclass(frozen=True, slots=True)
class Build:
    """One configuration of one package: a closed feature set, `test` or not, a target, and free flags."""

    features: frozenset[str]
    test: bool
    target: str
    flags: frozenset[str]

    def holds(self, key: str, value: str | None) -> bool:
        """Whether the option `key` or `key = "value"` is set in this build."""
        if key == "feature":
            return value in self.features
        if key == "target":  # a dependency table of one triple
            return value == self.target
        if key == "test":
            return self.test
        return (key in self.flags and value is None) or (key, value) in TARGETS[self.target]

    def __str__(self) -> str:
        parts = [",".join(sorted(self.features)) or "no features", *sorted(self.flags)]
        return " ".join([*parts, *(["test"] if self.test else []), *([self.target] if self.target != HOST else [])])


@dataclass(frozen=True, slots=True, order=True)
class Mark:
    """One expectation. `code` is a rule, or the word FOLLOWS or INVALID; `when` None means: in whatever builds."""

    file: str
    line: int
    code: str
    future: bool = False
    when: Predicate | None = field(default=None, compare=False)
    text: str = ""

    @property
    def about_test(self) -> bool:
        """Whether the expectation tells unit-test builds from others."""
        return self.when is not None and mentions(self.when, "test")


@dataclass(frozen=True, slots=True)
class Package:
    """One Cargo package of a fixture. `folder` is relative to the fixture, "" for its root."""

    name: str
    folder: str
    edition: str
    features: Mapping[str, tuple[str, ...]]
    manifest: Mapping[str, Any]

    def owns(self, file: str) -> bool:
        """Whether `file` (relative to the fixture) lies in this package's folder."""
        return not self.folder or file.startswith(self.folder + "/")


@dataclass(frozen=True, slots=True)
class Fixture:
    """A directory below `fixtures_rust/` with a Cargo.toml of its own."""

    path: Path
    packages: tuple[Package, ...]
    marks: tuple[Mark, ...]
    targets: tuple[str, ...]
    flags: tuple[str, ...]
    tested: bool

    @property
    def name(self) -> str:
        """`rule-slug/case`."""
        return self.path.relative_to(FIXTURES).as_posix()

    def package_of(self, file: str) -> Package:
        """The innermost package that holds `file`."""
        return max((p for p in self.packages if p.owns(file)), key=lambda package: len(package.folder))

    def builds(self, package: Package) -> Iterator[Build]:
        """Every build that can tell two answers apart, in a stable order; guards are not looked at."""
        tests = (False, True) if self.tested else (False,)
        for features in closed_feature_sets(package.features):
            for flags in _subsets(self.flags):
                # A development build has debug assertions on unless the fixture varies them.
                free = flags if "debug_assertions" in self.flags else flags | {"debug_assertions"}
                for target, test in itertools.product(self.targets, tests):
                    yield Build(features, test, target, free)

    def valid_builds(self, package: Package) -> tuple[Build, ...]:
        """Those that no `compile_error!` guard of the package excludes."""
        guards = [m.when for m in self.marks if m.code == "INVALID" and m.when and self.package_of(m.file) == package]
        return tuple(b for b in self.builds(package) if not any(evaluate(g, b.holds) for g in guards))


def discover(root: Path = FIXTURES) -> tuple[Path, ...]:
    """Every fixture directory, outermost Cargo.toml only, sorted."""
    found: list[Path] = []
    for manifest in sorted(root.rglob("Cargo.toml"), key=lambda path: (len(path.parts), path)):
        folder = manifest.parent
        if "target" not in folder.relative_to(root).parts and not any(f in folder.parents for f in found):
            found.append(folder)
    return tuple(sorted(found))


def load(path: Path) -> Fixture:
    """Read a fixture: manifests, marks, and the optional `fixture.toml` (`targets`, `flags`).

    Raises ValueError when a comment looks like a mark but is none.
    """
    settings: dict[str, Any] = {}
    if (path / "fixture.toml").exists():
        settings = tomli.loads((path / "fixture.toml").read_text(encoding="utf-8"))
    sources = sorted(f for f in path.rglob("*") if f.is_file() and "target" not in f.relative_to(path).parts)
    manifests = [f for f in sources if f.name == "Cargo.toml"]
    rust = [f for f in sources if f.suffix == ".rs"]
    marks = [m for f in (*manifests, *rust) for m in parse_marks(f.read_text("utf-8"), f.relative_to(path).as_posix())]
    return Fixture(
        path=path,
        packages=tuple(p for p in (_package(f, path) for f in manifests) if p is not None),
        marks=tuple(sorted(marks)),
        targets=tuple(settings.get("targets", [HOST])),
        flags=tuple(settings.get("flags", [])),
        tested=any(is_outer(f.relative_to(path).as_posix()) or _speaks_of_test(f) for f in rust),
    )


def parse_marks(text: str, file: str) -> Iterator[Mark]:
    """The expectations written in one source file."""
    for number, line in enumerate(text.splitlines(), start=1):
        match = _MARK.search(line)
        if match is None:
            if _SLOPPY_MARK.search(line):
                raise ValueError(f"{file}:{number}: not an expectation: {line.strip()}")
            continue
        when = None if match["cfg"] is None else parse(match["cfg"])
        code = match["word"] or match["code"]
        yield Mark(file, number - len(match["up"]), code, bool(match["future"]), when, match["cfg"] or "")


def closed_feature_sets(features: Mapping[str, tuple[str, ...]]) -> Iterator[frozenset[str]]:
    """Every set of features that contains what its members imply: what cargo can enable (Cargo book, Features)."""
    for chosen in _subsets(features):
        if all(set(features[name]) <= chosen for name in chosen):
            yield chosen


def feature_table(manifest: Mapping[str, Any]) -> dict[str, tuple[str, ...]]:
    """Own features and the own features each one implies.

    An optional dependency makes a feature of its name unless `dep:` names it anywhere; `d/f` turns on a feature named
    `d` where there is one, `d?/f` does not (Cargo book, Features; cargo's `activate_dep_feature`).
    """
    written: dict[str, list[str]] = dict(manifest.get("features", {}))
    hidden = {value.removeprefix("dep:") for values in written.values() for value in values if value.startswith("dep:")}
    for table in _dependency_tables(manifest):
        for key, spec in table.items():
            if isinstance(spec, dict) and spec.get("optional") and key not in hidden:
                written.setdefault(key, [])
    implied: dict[str, tuple[str, ...]] = {}
    for name, values in written.items():
        heads = (value.split("/")[0] for value in values if not value.startswith("dep:"))
        implied[name] = tuple(head for head in heads if head in written)
    return implied


def run_cfglint(path: Path) -> dict[str, Any]:
    """`cfglint check PATH --format json`, parsed; called in this process, for start-up would be half of the time.

    Raises AssertionError when the tool could not do its work or printed something else than one JSON object.
    """
    printed, complained = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(complained):
        status = main(["check", str(path), "--format", "json"])
    assert status in (0, 1), f"exit status {status}: {complained.getvalue().strip()[-2000:]}"
    answer = json.loads(printed.getvalue())
    assert isinstance(answer, dict)
    return answer


def differences(fixture: Fixture, findings: Iterable[Mapping[str, Any]]) -> list[str]:
    """What a run reports beside the marks, and what it misses; empty when both agree."""
    said: dict[tuple[str, int, str], list[Mapping[str, Any]]] = {}
    for finding in findings:
        if not _is_elsewhere(fixture, finding):
            said.setdefault((finding["file"], finding["line"], finding["rule"]), []).append(finding)
    wanted: dict[tuple[str, int, str], list[Mark]] = {}
    for mark in fixture.marks:
        if mark.code.startswith("CFG"):
            wanted.setdefault((mark.file, mark.line, mark.code), []).append(mark)
    problems: list[str] = []
    for key in sorted(said.keys() | wanted.keys()):
        where = f"{key[0]}:{key[1]}: {key[2]}"
        if key not in said:
            if not all(mark.future for mark in wanted[key]):
                problems.append(f"{where} missing, wanted cfg({wanted[key][0].text})")
        elif key not in wanted:
            problems.append(f"{where} unexpected, says cfg({said[key][0]['fails_when']}): {said[key][0]['message']}")
        else:
            problems += (f"{where} {problem}" for problem in _disagreements(fixture, wanted[key], said[key]))
    return problems


def _is_elsewhere(fixture: Fixture, finding: Mapping[str, Any]) -> bool:
    """Whether a warning holds only on a platform that the fixture does not name: there nothing is compiled to judge it."""
    triple = finding["witness"]["target"]
    if finding["severity"] != "warning" or triple is None or triple in fixture.targets:
        return False
    claim = parse(finding["fails_when"])
    package = fixture.package_of(finding["file"])
    return not any(evaluate(claim, build.holds) for build in fixture.valid_builds(package))


def _disagreements(fixture: Fixture, marks: list[Mark], findings: list[Mapping[str, Any]]) -> Iterator[str]:
    """How the conditions of the findings at one line differ from the marks there."""
    shown = [(f["column"], f["path"], f["fails_when"], f["target"]["kind"], f["target"]["name"]) for f in findings]
    if len(set(shown)) < len(shown):
        yield f"says the same thing twice: {shown}"
    if any(mark.when is None for mark in marks):
        return
    claims = [parse(finding["fails_when"]) for finding in findings]
    package = fixture.package_of(marks[0].file)
    for build in fixture.valid_builds(package):
        if not counts(build, marks):
            continue
        truth = any(evaluate(mark.when, build.holds) for mark in marks if mark.when)
        claim = any(evaluate(claim, build.holds) for claim in claims)
        if truth != claim:
            texts = " or ".join(f"cfg({finding['fails_when']})" for finding in findings)
            verb = "misses a failing build" if truth else "accuses a good build"
            yield f"{verb} [{build}]: says {texts}, wanted {' or '.join(f'cfg({m.text})' for m in marks)}"
            return


def counts(build: Build, marks: list[Mark]) -> bool:
    """Whether a build says anything about these marks (all of one line).

    `test` holds in the roots below tests/ and benches/ and not in examples; elsewhere unit tests are looked at only by
    marks that speak of them, so that `true` and `not(test)` are the same answer for a library.
    """
    if is_outer(marks[0].file):
        return build.test
    return not build.test or ("src" in Path(marks[0].file).parts and any(mark.about_test for mark in marks))


def is_outer(file: str) -> bool:
    """Whether `file` belongs to a root below tests/ or benches/, which only test builds compile."""
    return not {"tests", "benches"}.isdisjoint(Path(file).parts[:-1])


def is_example(file: str) -> bool:
    """Whether `file` belongs to a root below examples/, which is built with the dev-dependencies."""
    return "examples" in Path(file).parts[:-1]


def _package(manifest: Path, fixture: Path) -> Package | None:
    data = tomli.loads(manifest.read_text(encoding="utf-8"))
    if "package" not in data:
        return None
    folder = manifest.parent.relative_to(fixture).as_posix()
    return Package(
        name=data["package"]["name"],
        folder="" if folder == "." else folder,
        edition=_edition(data["package"].get("edition", "2015"), fixture),
        features=feature_table(data),
        manifest=data,
    )


def _edition(written: Any, fixture: Path) -> str:
    """The edition, which may be that of the workspace."""
    if not isinstance(written, dict):
        return str(written)
    root = tomli.loads((fixture / "Cargo.toml").read_text(encoding="utf-8"))
    return str(root["workspace"]["package"]["edition"])


def _dependency_tables(manifest: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    for holder in (manifest, *manifest.get("target", {}).values()):
        for kind in ("dependencies", "build-dependencies"):
            yield holder.get(kind, {})


def _subsets(names: Iterable[str]) -> Iterator[frozenset[str]]:
    ordered = sorted(names)
    for size in range(len(ordered) + 1):
        yield from (frozenset(chosen) for chosen in itertools.combinations(ordered, size))


def _speaks_of_test(file: Path) -> bool:
    return _TESTED.search(_without_marks(file.read_text("utf-8"))) is not None


def _without_marks(text: str) -> str:
    return "\n".join(line for line in text.splitlines() if not _SLOPPY_MARK.search(line))

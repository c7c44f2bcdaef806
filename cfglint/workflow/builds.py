"""What a cargo command compiles in a workspace: packages, each with a closed set of features, flags, target and units.

Features are unified over all packages that one command selects, as Cargo does it; cargo-hack builds each package by
itself, with every choice of features that it is told to go through. What a run would have to tell makes a build `partial`:
there may be more of it.

Source: Cargo book, Features (feature unification, `--features` with several packages) and cargo check (target
selection).
"""

from __future__ import annotations

import enum
import fnmatch
import posixpath
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from cfglint.condition.atom import Atom
from cfglint.condition.diagram import Condition
from cfglint.manifest.configuration import Configuration
from cfglint.manifest.dependency import DependencyKind
from cfglint.manifest.feature_model import FeatureModel
from cfglint.manifest.package import Package
from cfglint.manifest.platform import table
from cfglint.manifest.space import DEBUG_ASSERTIONS, TEST
from cfglint.manifest.targets import TargetKind
from cfglint.manifest.unification import Setting
from cfglint.manifest.workspace import Workspace
from cfglint.matrix.combination import parse_cfg
from cfglint.workflow.expressions import is_known
from cfglint.workflow.hack_choices import choices
from cfglint.workflow.invocations import Invocation
from cfglint.workflow.target_specs import atomics_of

_PLAIN = frozenset({"lib", "bins"})
_PANIC = re.compile(r"(?:-C)?panic=(\w+)")
_TESTING = frozenset({"bench", "test"})
_CHECKING = frozenset({"check", "clippy", "doc", "fix"})


@dataclass(frozen=True, slots=True)
class Selected:
    """What a command selects.

    `unmatched` are package names that nothing has, `excluded` those that are to be left out and are not there (cargo only
    warns of them); `is_foreign` tells that it is another workspace.
    """

    packages: tuple[Package, ...]
    unmatched: tuple[str, ...] = ()
    excluded: tuple[str, ...] = ()
    is_foreign: bool = False


@dataclass(frozen=True, slots=True)
class Units:
    """Which crate roots are compiled: kinds as they are, kinds as tests, and names where only these are meant."""

    plain: frozenset[TargetKind]
    tests: frozenset[TargetKind]
    names: frozenset[tuple[str, str]] = frozenset()

    def has(self, kind: TargetKind, name: str, *, is_test: bool) -> bool:
        """Whether a root of this kind and name is compiled, as a test or not."""
        if kind is TargetKind.BUILD_SCRIPT:
            return True
        if kind not in (self.tests if is_test else self.plain):
            return False
        named = {text for of, text in self.names if of == kind.value}
        return not named or any(fnmatch.fnmatchcase(name, text) for text in named)


@dataclass(frozen=True, slots=True)
class Build:
    """One package as one command compiles it. `partial` tells that only a run knows all of it."""

    package: Package
    features: frozenset[str]
    flags: frozenset[Atom]
    triple: str
    units: Units
    invocation: Invocation
    partial: bool

    def configuration(self, *, is_test: bool) -> Configuration:
        """The configuration of its crates, as they are or as tests."""
        return Configuration(self.features, self.flags | {TEST} if is_test else self.flags, self.triple)


def select(invocation: Invocation, workspace: Workspace, prefix: str) -> Selected:
    """The packages that a command is about; `prefix` leads from the repository to the workspace."""
    folder = folder_of(invocation, prefix)
    members = {_relative(package, workspace): package for package in workspace.packages}
    asked = folder or ""
    while folder and folder not in members and not (workspace.root / folder / "Cargo.toml").exists():
        folder = posixpath.dirname(folder)
    if folder is None or (folder and folder not in members):
        return Selected((), is_foreign=True)
    if not (workspace.root / asked).is_dir():
        return Selected((), is_foreign=True)  # made by the job, as a clone of something else
    here, at_root = members.get(folder), folder == ""
    if invocation.packages:
        found: dict[str, Package] = {}
        unmatched = []
        for spec in invocation.packages:
            name = _name_of(spec)
            matches = [package for package in workspace.packages if fnmatch.fnmatchcase(package.name, name)]
            found.update((package.name, package) for package in matches)
            if not matches:
                unmatched.append(name)
        return Selected(tuple(found.values()), tuple(unmatched))
    names = [_name_of(spec) for spec in invocation.excluded]
    if invocation.whole_workspace:
        kept = [p for p in workspace.packages if not any(fnmatch.fnmatchcase(p.name, name) for name in names)]
        absent = [name for name in names if not any(fnmatch.fnmatchcase(p.name, name) for p in workspace.packages)]
        return Selected(tuple(kept), excluded=tuple(absent))
    if here is not None and not (at_root and workspace.is_virtual):
        return Selected(workspace.default_members if at_root else (here,))
    return Selected(workspace.default_members)


def builds(invocation: Invocation, workspace: Workspace, setting: Setting, prefix: str) -> Iterator[Build]:
    """Everything of the workspace, and of packages on disk that it rests on, that a command compiles."""
    if not invocation.builds:
        return
    selected = select(invocation, workspace, prefix).packages
    units = units_of(invocation)
    flags, own = _flags(invocation), frozenset(_set_by(invocation.last_flags))
    partial = bool(invocation.unknown) or not is_known(invocation.call.environment.get("RUSTFLAGS", ""))
    dev = _Dev.NONE if invocation.no_dev_deps else _Dev.BUILT if has_dev_units(units) else _Dev.UNIFIED
    for triple, given in _targets(invocation, workspace, prefix):
        for requests, forwarded in _requests(invocation, selected, setting):
            everything = unified(requests, setting, triple, flags | given, dev=dev, forwarded=forwarded)
            for package, features in everything.items():
                if package in requests:
                    yield Build(package, features, flags | given | own, triple, units, invocation, partial)
                else:
                    yield Build(package, features, flags | given, triple, LIBRARY, invocation, partial)


def _requests(
    invocation: Invocation, selected: Sequence[Package], setting: Setting
) -> Iterator[tuple[dict[Package, frozenset[str]], dict[str, set[str]]]]:
    """What is built together: features by package, and features asked of dependencies; cargo-hack takes one by one."""
    hack = invocation.hack
    if hack is None:
        requests = {package: requested(invocation, setting.model(package), package) for package in selected}
        yield requests, _forwarded(invocation, selected)
        return
    for package in selected:
        if not (hack.ignores_private and is_private(package)):
            for features in choices(invocation, hack, setting.model(package)):
                yield {package: features}, {}


class _Dev(enum.Enum):
    """What part dev-dependencies have in a build: none, that of the resolver, or that of tests."""

    NONE = enum.auto()
    UNIFIED = enum.auto()
    BUILT = enum.auto()


def has_dev_units(units: Units) -> bool:
    """Whether anything is built that sees dev-dependencies (Cargo book, Feature resolver version 2)."""
    return bool(units.tests) or TargetKind.EXAMPLE in units.plain


LIBRARY = Units(frozenset({TargetKind.LIB}), frozenset())
"""What is compiled of a package that another one depends on."""


def requested(invocation: Invocation, model: FeatureModel, package: Package) -> frozenset[str]:
    """The closed set of features that a command asks of one of the packages it selects."""
    if invocation.all_features:
        return model.closure(model.names)
    asked = [] if invocation.no_default else ["default"]
    for name in invocation.features:
        owner, slash, inner = name.partition("/")
        if not slash:
            asked.append(name)
        elif owner == package.name:
            asked.append(inner)
        elif not owner.endswith("?"):
            asked.append(owner)  # an optional dependency is turned on by this
    return model.closure(asked)


def _forwarded(invocation: Invocation, selected: Sequence[Package]) -> dict[str, set[str]]:
    """Features of dependencies that a command asks for by `dependency/feature`, by the dependency's key."""
    names = {package.name for package in selected}
    found: dict[str, set[str]] = {}
    for name in invocation.features:
        owner, slash, inner = name.partition("/")
        if slash and owner not in names:
            found.setdefault(owner.removesuffix("?"), set()).add(inner)
    return found


def is_private(package: Package) -> bool:
    """Whether the package is not to be published (Cargo book, the `publish` field)."""
    value = package.document.root.table("package", "project").data.get("publish")
    if isinstance(value, dict):
        value = package.workspace.root.table("workspace").table("package").data.get("publish")
    return value is False or value == []


def unified(
    requests: dict[Package, frozenset[str]],
    setting: Setting,
    triple: str,
    flags: frozenset[Atom],
    *,
    dev: _Dev,
    forwarded: Mapping[str, Collection[str]],
) -> dict[Package, frozenset[str]]:
    """The features of every package on disk that is compiled for the target, least fixpoint over all edges.

    `forwarded` are features that the command asks of dependencies of the packages in `requests`, by key.
    """
    found = dict(requests)
    changed = True
    while changed:
        changed = False
        for owner in list(found):
            kinds = {DependencyKind.NORMAL}
            if owner in requests and (dev is _Dev.BUILT or (dev is _Dev.UNIFIED and setting.resolver == "1")):
                kinds.add(DependencyKind.DEV)
            model = setting.model(owner)
            holds = Configuration(found[owner], flags, triple).holds
            for entry in owner.dependencies:
                if entry.kind not in kinds:
                    continue
                other = setting.package(owner, entry)
                if other is None or other is owner or not _is_there(model, entry.key, kinds, holds):
                    continue
                wanted = (
                    name
                    for name, condition in model.dependency_features(entry.key, kinds).items()
                    if condition.evaluate(holds)
                )
                asked = forwarded.get(entry.key, ()) if owner in requests else ()
                before = found.get(other)
                after = setting.model(other).closure((*(before or ()), *wanted, *asked))
                if before != after:
                    found[other] = after
                    changed = True
    return found


def _is_there(model: FeatureModel, key: str, kinds: Iterable[DependencyKind], holds: object) -> bool:
    condition: Condition = model.dependency_condition(key, tuple(kinds))
    return condition.evaluate(holds)  # type: ignore[arg-type]


def units_of(invocation: Invocation) -> Units:
    """What the target options of a command select (Cargo book, cargo check and cargo test)."""
    kinds = invocation.kinds
    lib, bins, test = TargetKind.LIB, TargetKind.BIN, TargetKind.TEST
    example, bench = TargetKind.EXAMPLE, TargetKind.BENCH
    names = frozenset(invocation.named)
    is_test = invocation.subcommand in _TESTING
    if not kinds:
        if invocation.subcommand == "test":
            return Units(frozenset({lib, bins, example}), frozenset({lib, bins, test}))
        if invocation.subcommand == "bench":
            return Units(frozenset({lib, bins}), frozenset({lib, bins, bench}))
        return Units(frozenset({lib, bins}), frozenset())
    plain: set[TargetKind] = set()
    tests: set[TargetKind] = set()
    if "all" in kinds:
        plain |= {lib, bins, example}
        tests |= {lib, bins, test, bench}
    if "lib" in kinds:
        (tests if is_test else plain).add(lib)
    if "bins" in kinds:
        (tests if is_test else plain).add(bins)
        plain.add(lib)
    if "examples" in kinds:
        plain |= {lib, example}
    if kinds & {"tests", "benches"}:
        # Programs are there for tests to run, which `cargo check` does not do.
        plain |= {lib} if invocation.subcommand in _CHECKING else {lib, bins}
    if "tests" in kinds:
        tests |= {test} if any(of == "test" for of, _ in names) else {lib, bins, test}
    if "benches" in kinds:
        tests |= {bench} if any(of == "bench" for of, _ in names) else {lib, bins, bench}
    if "doc" in kinds:
        plain.add(lib)
    return Units(frozenset(plain), frozenset(tests), names)


def folder_of(invocation: Invocation, prefix: str) -> str | None:
    """Where cargo finds its manifest, relative to the workspace; None where that is not known or outside of it."""
    cwd = invocation.call.cwd
    if cwd is None:
        return None
    folder = cwd
    if invocation.manifest_path:
        if not is_known(invocation.manifest_path):
            return None
        folder = posixpath.dirname(posixpath.normpath(posixpath.join(cwd, invocation.manifest_path)))
    folder = "" if folder in (".", "") else posixpath.normpath(folder)
    if not prefix:
        return folder if not folder.startswith("..") else None
    if folder == prefix or folder.startswith(prefix + "/"):
        return folder[len(prefix) :].lstrip("/")
    return None


def _relative(package: Package, workspace: Workspace) -> str:
    try:
        found = package.root.relative_to(workspace.root).as_posix()
    except ValueError:
        return str(package.root)
    return "" if found == "." else found


def _name_of(spec: str) -> str:
    """The name in a package id specification: `name`, `name@1.0`, `name:1.0`, or an address."""
    bare = spec.rpartition("#")[2] if "#" in spec else spec
    return re.split(r"[@:]", bare)[0] or spec


def _targets(invocation: Invocation, workspace: Workspace, prefix: str) -> Iterator[tuple[str, frozenset[Atom]]]:
    """Triples, each with the options that a specification of the workspace gives it."""
    known = table()
    for triple in invocation.targets or (invocation.call.host,):
        bare = posixpath.basename(triple).removesuffix(".json")
        if not known.rows((bare,)):
            continue
        given: frozenset[Atom] = frozenset()
        if triple.endswith(".json") and invocation.call.cwd is not None:
            path = posixpath.normpath(posixpath.join(invocation.call.cwd, triple))
            inner = posixpath.relpath(path, prefix) if prefix else path
            if not posixpath.isabs(path) and not inner.startswith(".."):
                given = atomics_of(workspace.root / inner)
        yield bare, given


def _flags(invocation: Invocation) -> frozenset[Atom]:
    """`--cfg` and `-C target-feature=+..` out of RUSTFLAGS (of rustdoc its own), and what the profile and the program set."""
    variable = "RUSTDOCFLAGS" if invocation.subcommand in ("doc", "rustdoc") else "RUSTFLAGS"
    words = invocation.call.environment.get(variable, "").split()
    flags = set(_set_by(words))
    if not invocation.release or any("debug-assertions" in word or "debug_assertions" in word for word in words):
        flags.add(DEBUG_ASSERTIONS)
    if invocation.is_miri:
        flags.add(parse_cfg("miri"))
    return frozenset(flags)


def _set_by(words: Sequence[str]) -> Iterator[Atom]:
    """The options that the words of a rustc command line set."""
    texts = [words[index + 1] for index, word in enumerate(words[:-1]) if word == "--cfg"]
    texts += [word.partition("=")[2] for word in words if word.startswith("--cfg=")]
    texts += [f'panic="{found[1]}"' for word in words if (found := _PANIC.fullmatch(word))]
    texts += [f'target_feature="{name}"' for word in words for name in _added_target_features(word)]
    yield from (parse_cfg(text.strip("'")) for text in texts if is_known(text))


def _added_target_features(word: str) -> Iterator[str]:
    """Target features that a word of RUSTFLAGS turns on: `target-feature=+a,-b`, with or without `-C` before it."""
    option, _, value = word.removeprefix("-C").partition("=")
    if option == "target-feature":
        yield from (name[1:] for name in value.split(",") if name.startswith("+") and name[1:])

"""What an edit can matter to: crate roots, and in each the names whose references have to be decided again.

Sound for edits of gates, imports and feature tables, which is what repairs are: whatever an edit touches is found by the
names that its declarations have. An edit that only makes features turn on more than before forbids configurations and
gives dependencies more; nothing can newly fail in its own package but what leads into these.
"""

from __future__ import annotations

import functools
import os
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from cfglint.condition.diagram import Condition
from cfglint.manifest.package import Package
from cfglint.manifest.targets import Target, TargetKind
from cfglint.nameres.analysis import Analysis
from cfglint.nameres.crate import Crate
from cfglint.repair.overlay import Edited, linked_of
from cfglint.repair.touched import EVERYTHING, NOTHING, Touched, gated_names, touched_names, with_aliases

ModuleKey = tuple[str, str, Condition]
"""A file, its place in the module tree, and where it is compiled."""

_WORD = re.compile(rb"[A-Za-z_][A-Za-z0-9_]*")


@dataclass(frozen=True, slots=True)
class Part:
    """A crate root that has to be looked at again, and the names to look for; None for all of them."""

    package: Package
    target: Target
    names: frozenset[str] | None


@dataclass(frozen=True, slots=True)
class Scope:
    """Everything that an edit can matter to. `modules` are those of the edited packages as they were compiled before."""

    parts: tuple[Part, ...]
    files: frozenset[str]
    modules: frozenset[ModuleKey]


class Words:
    """Which identifiers the Rust files of a crate root may hold; each file is read once."""

    def __init__(self) -> None:
        self._files: dict[str, frozenset[bytes]] = {}
        self._folders: dict[Path, tuple[str, ...]] = {}

    def mention(self, package: Package, target: Target, names: Iterable[str]) -> bool:
        """Whether one of the names occurs. Files that are crate roots themselves belong to no other root."""
        wanted = {name.encode() for name in names}
        files = [file for file in self._below(folder_of(package, target)) if _may_mount(package, target, file)]
        return any(not wanted.isdisjoint(self._words(file)) for file in (str(target.path), *files))

    def _below(self, folder: Path) -> tuple[str, ...]:
        if folder not in self._folders:
            found: list[str] = []
            for directory, below, files in os.walk(folder):
                below[:] = sorted(name for name in below if name not in ("target", ".git"))
                found += [os.path.join(directory, name) for name in sorted(files) if name.endswith(".rs")]
            self._folders[folder] = tuple(found)
        return self._folders[folder]

    def _words(self, file: str) -> frozenset[bytes]:
        if file not in self._files:
            try:
                with open(file, "rb") as opened:
                    self._files[file] = frozenset(_WORD.findall(opened.read()))
            except OSError:
                self._files[file] = frozenset()
        return self._files[file]


def scope_of(before: Analysis, after: Edited, words: Words) -> Scope:
    """What has to be decided again."""
    old = {new: package for package, new in after.replaced.items()}
    packages = [old.get(package, package) for package in after.packages]
    linked = linked_of(before)
    crates = [c for c in linked.program.crates if linked.owners.get(c.d.crate) in packages and c.d.modules]
    touched = _of_sources(before, after, crates)
    for package in after.packages:
        if (earlier := old.get(package, package)) is not package:
            touched = touched.joined(_of_manifest(before, earlier, package, crates))
    touched = Touched(with_aliases(touched.inward, crates), with_aliases(touched.outward, crates))
    failing = {(r.package.root, r.target.kind, r.target.name) for r in before.roots if r.absences}
    parts: list[Part] = []
    for package in (*after.packages, *after.dependents):
        is_edited = package in after.packages and old.get(package, package) is not package
        for target in package.targets:
            is_own = package in after.packages and any(_may_mount(package, target, file) for file in after.sources)
            names = touched.inward if is_own or is_edited else touched.outward
            is_certain = is_own or (is_edited and (package.root, target.kind, target.name) in failing)
            if is_certain or names is None or (names and words.mention(package, target, names)):
                parts.append(Part(package, target, names))
    modules = frozenset(module_key(c, mount) for c in crates for mount in range(len(c.d.mounts)))
    return Scope(tuple(parts), after.sources, modules)


def folder_of(package: Package, target: Target) -> Path:
    """Where the sources of a target lie, as a rule."""
    source = package.root / "src"
    is_main = target.kind in (TargetKind.LIB, TargetKind.BIN) and target.path.is_relative_to(source)
    return source if is_main else target.path.parent


def _may_mount(package: Package, target: Target, file: str) -> bool:
    """Whether a file may be a module of the target: not if it is the root of another one."""
    if file == str(target.path):
        return True
    return file not in _roots_of(package) and file.startswith(f"{folder_of(package, target)}{os.sep}")


@functools.lru_cache(maxsize=256)
def _roots_of(package: Package) -> frozenset[str]:
    return frozenset(str(target.path) for target in package.targets)


def module_key(crate: Crate, mount: int) -> ModuleKey:
    """The key of the module of a mounted file."""
    data = crate.d.mounts[mount]
    return data.file, crate.d.path_of(data.module), crate.module_condition(data.module)


def _of_sources(before: Analysis, after: Edited, crates: Sequence[Crate]) -> Touched:
    touched = NOTHING
    for file in sorted(after.sources):
        one, other = before.files.read(file), after.analysis.files.read(file)
        if one is None or other is None:
            return EVERYTHING
        mounting = [c for c in crates if any(at.file == file for at in c.d.mounts)]
        touched = touched.joined(touched_names(one, other, mounting, file))
    return touched


def _of_manifest(before: Analysis, earlier: Package, later: Package, crates: Sequence[Crate]) -> Touched:
    """What an edit of a manifest touches, in the package itself and in those that depend on it."""
    if not _only_grows(earlier, later):
        return EVERYTHING
    linked = linked_of(before)
    model = linked.setting.model(earlier)
    grown: set[str] = set()
    enabled: set[str] = set()
    for name, entries in later.features.items():
        for entry in set(entries) - set(earlier.features.get(name, ())):
            key = entry.removeprefix("dep:").partition("/")[0].removesuffix("?")
            if entry.startswith("dep:") or "/" in entry:
                enabled.add(key)
            if not entry.startswith("dep:"):
                grown |= model.closure((key,))
    for one, other in zip(earlier.dependencies, later.dependencies, strict=True):
        if one.features != other.features:
            enabled.add(one.key)
    names = frozenset(d.crate_name for d in earlier.dependencies if d.key in enabled)
    return Touched(names, gated_names(grown, crates).outward if grown else frozenset())


def _only_grows(earlier: Package, later: Package) -> bool:
    """Whether features only turn on more, and dependencies only get more; what targets require may change."""
    if len(earlier.dependencies) != len(later.dependencies) or earlier.edition != later.edition:
        return False
    if not earlier.features.keys() <= later.features.keys():
        return False
    for one, other in zip(earlier.dependencies, later.dependencies, strict=True):
        same = (one.key, one.kind, one.optional, one.target, one.default_features)
        if same != (other.key, other.kind, other.optional, other.target, other.default_features):
            return False
        if not set(one.features) <= set(other.features):
            return False
    return all(set(entries) <= set(later.features[name]) for name, entries in earlier.features.items())

"""A workspace with some files edited in memory: the same analysis, sharing all that the edits leave alone.

Files are read through an overlay. The crates of packages that mount an edited file, whose manifest is edited, or that
depend on one of these are made anew when they are asked for; all others are those that are there. Nothing is written.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import tomli

from cfglint.errors import CfglintError, ManifestError
from cfglint.items import model as m
from cfglint.items.collect import collect
from cfglint.manifest.document import Document
from cfglint.manifest.package import Package, read_package
from cfglint.manifest.targets import Target
from cfglint.nameres.analysis import Analysis
from cfglint.nameres.crate import Program
from cfglint.nameres.files import Files
from cfglint.nameres.linking import Linker, linker

_MANIFEST = "Cargo.toml"
_DECLARED = ("name", "edition", "features", "dependencies", "targets")


class UntriableError(CfglintError):
    """The edits do not make a workspace that can be read."""


@dataclass(frozen=True, slots=True)
class Edited:
    """An analysis of edited files: the edited sources, the packages with edits in them, and who depends on these.

    `replaced` gives the package of the new analysis for one of the old where a manifest was edited.
    """

    analysis: Analysis
    sources: frozenset[str]
    packages: tuple[Package, ...]
    dependents: tuple[Package, ...]
    replaced: Mapping[Package, Package]


@dataclass(slots=True)
class _Overlay(Files):
    """Files with some contents replaced; what is not replaced is read, and kept, below."""

    base: Files = field(default_factory=Files)
    contents: Mapping[str, bytes] = field(default_factory=dict)

    def source(self, path: str) -> bytes:
        return self.contents[path] if path in self.contents else self.base.source(path)

    def read(self, path: str) -> m.ItemTree | None:
        if path not in self.contents:
            return self.base.read(path)
        if path not in self.trees:
            self.trees[path] = collect(self.contents[path])
        return self.trees[path]

    def read_heads(self, path: str, most: int) -> m.ItemTree | None:
        return self.base.read_heads(path, most) if path not in self.contents else self.read(path)

    def load(self, path: str) -> bytes | None:
        return self.contents[path] if path in self.contents else self.base.load(path)


def edited(analysis: Analysis, contents: Mapping[str, bytes]) -> Edited:
    """The analysis with these files having these contents.

    Raises UntriableError where a manifest becomes unreadable.
    """
    manifests = {file: text for file, text in contents.items() if os.path.basename(file) == _MANIFEST}
    sources = {file: text for file, text in contents.items() if file not in manifests}
    files = _Overlay(base=analysis.files, contents=sources)
    after = replace(
        analysis,
        files=files,
        roots=[],
        lines={path: known for path, known in analysis.lines.items() if path not in sources},
        spaces={},
        foreign_spaces={},
    )
    linked = linked_of(analysis)
    replaced = {package: _reread(package, manifests) for package in analysis.workspace.packages} if manifests else {}
    mounting = _packages_of(analysis, sources)
    mounting += [package for package, new in replaced.items() if new is not package and package not in mounting]
    dependents = _dependents(linked, mounting)
    program = Program(files.source, linked.program.crates, linked.program.closed)
    if manifests:
        _replace_packages(after, replaced)
        around = linked.sources.around(after.workspace)
        new = linker(after.workspace, files, program, after.config.dependencies, around)
    else:
        new = replace(linked, files=files, program=program)
    stale = {*mounting, *dependents}
    new.libraries = {}
    new.scripts = {package: script for package, script in linked.scripts.items() if package not in stale}
    # Crates keep their numbers, and there is one list of them for all analyses.
    new.owners, new.reserved, new.outside = linked.owners, linked.reserved, linked.outside
    after.program, after.linked = program, new
    made = Edited(
        after,
        frozenset(sources),
        tuple(replaced.get(package, package) for package in mounting),
        tuple(replaced.get(package, package) for package in dependents),
        replaced,
    )
    share_libraries(analysis, made)
    return made


def share_libraries(analysis: Analysis, after: Edited) -> None:
    """Let the edited analysis use the libraries that the other has made since, where the edits leave them alone."""
    stale = {*after.packages, *after.dependents}
    known = linked_of(after.analysis).libraries
    for package, number in linked_of(analysis).libraries.items():
        new = after.replaced.get(package, package)
        if new not in stale:
            known.setdefault(new, number)


def linked_of(analysis: Analysis) -> Linker:
    """The linker of an analysis."""
    assert analysis.linked is not None, "made by analyze"
    return analysis.linked


def same_target(package: Package, target: Target) -> Target:
    """The target of that kind and name as the package has it."""
    found = (other for other in package.targets if (other.kind, other.name) == (target.kind, target.name))
    return next(found, target)


def _replace_packages(after: Analysis, replaced: Mapping[Package, Package]) -> None:
    old = after.workspace
    after.workspace = replace(
        old,
        packages=tuple(replaced[package] for package in old.packages),
        selected=tuple(replaced[package] for package in old.selected),
        default_members=tuple(replaced[package] for package in old.default_members),
    )
    after.tasks = [
        (replaced.get(package, package), same_target(replaced.get(package, package), target))
        for package, target in after.tasks
    ]


def _packages_of(analysis: Analysis, sources: Iterable[str]) -> list[Package]:
    """The members with a crate root that mounts one of the files."""
    found: dict[Package, None] = {}
    linked = linked_of(analysis)
    members = analysis.workspace.packages
    for file in sources:
        mounting = {
            linked.owners.get(crate.d.crate)
            for crate in linked.program.crates
            if any(mount.file == file for mount in crate.d.mounts)
        }
        found.update(dict.fromkeys(package for package in members if package in mounting))
        around = [package for package in members if Path(file).is_relative_to(package.root)]
        owner = max(around, key=lambda package: len(package.root.parts), default=None)
        if owner is not None:
            found.setdefault(owner)
    return list(found)


def _dependents(linked: Linker, packages: Sequence[Package]) -> list[Package]:
    """The members that depend on one of these, directly or not."""
    below: dict[Package, set[Package]] = {}
    for member in linked.workspace.packages:
        targets = {linked.setting.package(member, dependency) for dependency in member.dependencies}
        below[member] = {target for target in targets if target is not None}
    found: dict[Package, None] = {}
    grown = True
    while grown:
        grown = False
        for member, needs in below.items():
            if member not in found and member not in packages and (needs & {*packages, *found}):
                found[member] = None
                grown = True
    return list(found)


def _reread(package: Package, manifests: Mapping[str, bytes]) -> Package:
    """The package as its edited manifest (or that of its workspace) declares it."""
    own = manifests.get(str(package.manifest))
    shared = manifests.get(str(package.workspace.path))
    if own is None and shared is None:
        return package
    document = package.document if own is None else _document(package.manifest, own)
    workspace = package.workspace if shared is None else _document(package.workspace.path, shared)
    if package.workspace.path == package.manifest:
        workspace = document
    try:
        read = read_package(document, workspace)
    except ManifestError as error:
        raise UntriableError(str(error)) from error
    names = {dependency.key: dependency.crate_name for dependency in package.dependencies}
    corrected = tuple(replace(d, crate_name=names.get(d.key, d.crate_name)) for d in read.dependencies)
    new = replace(read, dependencies=corrected)
    # Whose own manifest is as it was is another package only where it inherits what was edited.
    return package if own is None and _same(package, new) else new


def _same(one: Package, other: Package) -> bool:
    return all(getattr(one, name) == getattr(other, name) for name in _DECLARED)


def _document(path: Path, content: bytes) -> Document:
    try:
        text = content.decode("utf-8-sig")
        return Document(path, text, tomli.loads(text), [])
    except (UnicodeDecodeError, tomli.TOMLDecodeError) as error:
        raise UntriableError(f"{path}: {error}") from error

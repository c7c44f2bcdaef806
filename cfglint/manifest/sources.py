"""Where the sources of dependencies are on disk, found without starting cargo.

Path dependencies, inside the workspace and outside; `[patch]` entries with a path; what Cargo.lock names, in the
directory that a `[source]` replacement gives (`cargo vendor`), in cargo's unpacked registry sources, or in its git
checkouts. A package is read when it is first asked for.

What this deliberately does not do: fetch or unpack anything; guess a version where there is no Cargo.lock. A package that
cannot be found, or whose manifest cannot be read or belongs to another version, is None and stays unknown.

Source: Cargo book, Source Replacement, Cargo Home, Overriding Dependencies.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from cfglint.errors import ManifestError
from cfglint.manifest.dependency import Dependency, absolute
from cfglint.manifest.document import Table, exists, read_document
from cfglint.manifest.lockfile import LOCKFILE, LockedPackage, Lockfile, read_lockfile
from cfglint.manifest.package import Package, read_package
from cfglint.manifest.workspace import MANIFEST, Workspace, load_workspace

_DEFAULT_SOURCE = "crates-io"
_COMMIT = re.compile(r"[0-9a-f]{7,64}")
_REPLACEMENTS_CAP = 16
_CHECKOUT_CAP = 2_000
"""Directories that the search for one package in a git checkout may look into."""


@dataclass(frozen=True, slots=True)
class _Source:
    """One `[source.NAME]` table: where it is, or what stands in for it."""

    url: str | None
    directory: Path | None
    replace_with: str | None


@dataclass(slots=True, eq=False)
class Sources:
    """The packages around one workspace. Ask with the package that has the dependency: versions may differ by owner.

    The answers are the same objects each time; members of the workspace are those of the `Workspace`.
    """

    workspace: Workspace
    home: Path
    lockfile: Lockfile | None
    _sources: Mapping[str, _Source]
    _patches: Mapping[str, Path]
    _by_directory: dict[Path, Package | None] = field(default_factory=dict)
    _by_entry: dict[LockedPackage, Package | None] = field(default_factory=dict)
    _by_dependency: dict[tuple[int, int], tuple[Package, Dependency, Package | None]] = field(default_factory=dict)
    _entries: dict[Package, LockedPackage | None] = field(default_factory=dict)
    _listings: dict[Path, tuple[Path, ...]] = field(default_factory=dict)

    def package(self, owner: Package, dependency: Dependency) -> Package | None:
        """The package that `dependency` of `owner` means; None if it is not on disk."""
        key = (id(owner), id(dependency))  # asked very often, and entries are slow to hash; both are kept alive here
        known = self._by_dependency.get(key)
        if known is None:
            known = self._by_dependency[key] = (owner, dependency, self._find(owner, dependency))
        return known[2]

    def local(self, owner: Package, dependency: Dependency) -> Package | None:
        """The same, for packages of this checkout only: by path, or by a `[patch]` that names a path.

        A patch stands in for the registry's package whatever Cargo.lock says, if there is one at all.
        """
        if dependency.path is not None:
            return self.package(owner, dependency)
        directory = self._patches.get(dependency.package)
        found = None if directory is None else self._at_path(directory)
        return found if found is not None and found.name == dependency.package else None

    def crate_name(self, owner: Package, dependency: Dependency) -> str:
        """What code of `owner` writes for `dependency`: `md5` for the package `md-5`, whose library is called so."""
        if dependency.renamed:
            return dependency.crate_name
        package = self.package(owner, dependency)
        if package is None or package.library is None:
            return dependency.crate_name
        return package.library.crate_name

    def below(self, owner: Package, dependency: Dependency) -> frozenset[str] | None:
        """The names of all packages that `dependency` may bring along, as Cargo.lock knows them; None if it does not."""
        entry = self.locked(owner, dependency)
        return None if entry is None or self.lockfile is None else self.lockfile.below(entry)

    def around(self, workspace: Workspace) -> Sources:
        """The same for another state of the workspace: packages that are no members of it are the same objects."""
        gone = {*self.workspace.packages} - {*workspace.packages}
        return replace(
            self,
            workspace=workspace,
            _by_entry={entry: package for entry, package in self._by_entry.items() if package not in gone},
            _by_dependency={},
            _entries={package: entry for package, entry in self._entries.items() if package not in gone},
        )

    def is_member(self, package: Package) -> bool:
        """Whether `package` belongs to the workspace."""
        return self.workspace.package_at(package.root) is package

    def _find(self, owner: Package, dependency: Dependency) -> Package | None:
        if dependency.path is not None:
            found = self._at_path(dependency.path)
            return found if found is not None and found.name == dependency.package else None
        entry = self.locked(owner, dependency)
        if entry is None:
            return None
        if entry not in self._by_entry:
            self._by_entry[entry] = self._of_entry(entry)
            found = self._by_entry[entry]
            if found is not None:
                self._entries.setdefault(found, entry)
        return self._by_entry[entry]

    def locked(self, owner: Package, dependency: Dependency) -> LockedPackage | None:
        """The entry of Cargo.lock that `dependency` of `owner` means; reads no manifest."""
        if self.lockfile is None:
            return None
        if owner not in self._entries:
            self._entries[owner] = self.lockfile.entry(owner.name, owner.version)
        return self.lockfile.dependency(self._entries[owner], dependency.package, dependency.version)

    def _of_entry(self, entry: LockedPackage) -> Package | None:
        if entry.source is None:
            patched = self._patches.get(entry.name)
            found = self.workspace.package(entry.name) if patched is None else self._at_path(patched)
            return found if found is not None and _is_entry(found, entry) else None
        if entry.source.startswith("git+"):
            packages: Iterable[Package | None] = self._git_candidates(entry)
        else:
            packages = self._registry_candidates(entry)
        return next((package for package in packages if package is not None and _is_entry(package, entry)), None)

    def _registry_candidates(self, entry: LockedPackage) -> Iterator[Package | None]:
        yield from self._vendored(entry)
        for registry in self._listed(self.home / "registry" / "src"):
            yield self._at(registry / f"{entry.name}-{entry.version}")

    def _git_candidates(self, entry: LockedPackage) -> Iterator[Package | None]:
        yield from self._vendored(entry)
        commit = (entry.source or "").rpartition("#")[2]
        if not _COMMIT.fullmatch(commit):
            return
        for repository in self._listed(self.home / "git" / "checkouts"):
            for checkout in self._listed(repository):
                if len(checkout.name) >= 7 and commit.startswith(checkout.name):
                    yield self._in_checkout(checkout, entry)

    def _vendored(self, entry: LockedPackage) -> Iterator[Package | None]:
        """The package in the directory that replaces its source; cargo names the folders with or without the version."""
        directory = self._replacement(entry)
        if directory is not None:
            yield self._at(directory / f"{entry.name}-{entry.version}")
            yield self._at(directory / entry.name)

    def _replacement(self, entry: LockedPackage) -> Path | None:
        url = re.sub(r"^(registry|sparse|git)\+", "", (entry.source or "").partition("#")[0]).partition("?")[0]
        named = [name for name, source in self._sources.items() if source.url == url]
        is_registry = not (entry.source or "").startswith("git+")
        name = named[0] if named else _DEFAULT_SOURCE if is_registry else None
        for _ in range(_REPLACEMENTS_CAP):
            source = None if name is None else self._sources.get(name)
            if source is None:
                return None
            if source.replace_with is None:
                return source.directory
            name = source.replace_with
        return None

    def _in_checkout(self, checkout: Path, entry: LockedPackage) -> Package | None:
        """The package in a checkout: at its root, in the workspace there, or anywhere below."""
        directories = [checkout]
        looked = 0
        while directories and looked < _CHECKOUT_CAP:
            directory = directories.pop(0)
            looked += 1
            if exists(directory / MANIFEST):
                package = self._at_path(directory)
                if package is not None and _is_entry(package, entry):
                    return package
            directories.extend(child for child in self._listed(directory) if not child.name.startswith("."))
        return None

    def _at(self, directory: Path) -> Package | None:
        """The published package in `directory`, which inherits from no workspace."""
        if directory not in self._by_directory:
            self._by_directory[directory] = _read(directory, as_dependency=True)
        return self._by_directory[directory]

    def _at_path(self, directory: Path) -> Package | None:
        """The package in `directory`: a member, or one of another workspace (all of which is then known)."""
        member = self.workspace.package_at(directory)
        if member is not None:
            return member
        if directory not in self._by_directory:
            self._by_directory[directory] = None
            if exists(directory / MANIFEST):
                for package in _packages_around(directory):
                    self._by_directory[package.root] = self._by_directory.get(package.root) or package
        return self._by_directory[directory]

    def _listed(self, directory: Path) -> tuple[Path, ...]:
        found = self._listings.get(directory)
        if found is None:
            found = self._listings[directory] = _directories(directory)
        return found


def locate(workspace: Workspace, home: Path | None = None) -> Sources:
    """The sources around `workspace`. `home` is cargo's home; by default what `CARGO_HOME` says, or `~/.cargo`."""
    if home is None:
        home = Path(os.environ.get("CARGO_HOME") or os.path.expanduser("~/.cargo"))
    lockfile = read_lockfile(workspace.root / LOCKFILE)
    return Sources(workspace, home, lockfile, dict(_configured(workspace.root, home)), dict(_path_patches(workspace)))


def _is_entry(package: Package, entry: LockedPackage) -> bool:
    return package.name == entry.name and package.version == entry.version


def _read(directory: Path, *, as_dependency: bool = False) -> Package | None:
    manifest = directory / MANIFEST
    if not exists(manifest):
        return None
    try:
        return read_package(read_document(manifest), as_dependency=as_dependency)
    except ManifestError:
        return None


def _packages_around(directory: Path) -> tuple[Package, ...]:
    """The package in `directory` and those that share its workspace."""
    try:
        return load_workspace(directory / MANIFEST).packages
    except (ManifestError, OSError, RecursionError):
        own = _read(directory)
        return () if own is None else (own,)


def _configured(root: Path, home: Path) -> Iterator[tuple[str, _Source]]:
    """The `[source]` tables of cargo's configuration files, the least important first."""
    directories = [home, *(parent / ".cargo" for parent in reversed((root, *root.parents)))]
    for directory in directories:
        path = next((directory / name for name in ("config", "config.toml") if exists(directory / name)), None)
        if path is None:
            continue
        try:
            sources = read_document(path).root.table("source")
        except ManifestError:
            continue
        for name in sources.data:
            yield name, _source(sources.table(name), directory.parent)


def _source(table: Table, base: Path) -> _Source:
    url = table.string("registry") or table.string("git")
    directory = table.string("directory")
    return _Source(
        url=None if url is None else re.sub(r"^sparse\+", "", url),
        directory=None if directory is None else absolute(base, directory),
        replace_with=table.string("replace-with"),
    )


def _path_patches(workspace: Workspace) -> Iterator[tuple[str, Path]]:
    """The packages that `[patch]` tables of the root manifest take from a path, by name."""
    try:
        patches = read_document(workspace.manifest).root.table("patch")
    except ManifestError:
        return
    for source in patches.data:
        entries = patches.table(source)
        for key, value in entries.data.items():
            if isinstance(value, dict):
                entry = entries.table(key)
                path = entry.string("path")
                if path is not None:
                    yield entry.string("package") or key, absolute(workspace.root, path)


def _directories(directory: Path) -> tuple[Path, ...]:
    """The directories in `directory`, links left out, sorted; none if it cannot be read."""
    try:
        with os.scandir(directory) as entries:
            return tuple(sorted(Path(entry.path) for entry in entries if entry.is_dir(follow_symlinks=False)))
    except (OSError, ValueError):
        return ()

"""The workspace: which manifests belong together, found as Cargo finds them.

From a path to the root (the nearest `[workspace]` above that has the package as a member, or `package.workspace`), to the
members (globs, path dependencies below the root, minus `exclude`), to the packages. Nothing outside the workspace is
read, except the name of a path dependency's library. A member that cannot be read is a problem, never a lost workspace.

Source: Cargo book, Workspaces.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from cfglint.errors import ManifestError
from cfglint.manifest.dependency import Dependency, absolute, read_dependencies
from cfglint.manifest.document import Document, Table, exists, read_document
from cfglint.manifest.globs import expand, is_pattern
from cfglint.manifest.package import Package, read_package
from cfglint.manifest.platform import TIER_ONE
from cfglint.manifest.platform import table as target_table

MANIFEST = "Cargo.toml"


@dataclass(frozen=True, slots=True, eq=False)
class Workspace:
    """Members of one Cargo workspace, or a single package. Compared by identity.

    `packages` are sorted by name (then path); `selected` are those that the given path asks for; `default_members` those
    that cargo takes at the root when it is told nothing; `resolver` is the feature resolver's version, "1", "2" or "3";
    `problems` say which members are missing here and what is wrong in the manifests of those that are not. `is_loose`:
    a directory without a manifest, and the packages of every workspace below it.
    """

    root: Path
    manifest: Path
    packages: tuple[Package, ...]
    selected: tuple[Package, ...]
    default_members: tuple[Package, ...]
    resolver: str
    is_virtual: bool
    problems: tuple[ManifestError, ...]
    is_loose: bool = False

    def package(self, name: str) -> Package | None:
        """The member called `name`."""
        return next((package for package in self.packages if package.name == name), None)

    def package_at(self, root: Path) -> Package | None:
        """The member whose manifest is in the directory `root`."""
        return next((package for package in self.packages if package.root == root), None)


def load_workspace(path: Path) -> Workspace:
    """The workspace around `path`: a Cargo.toml, a directory with one, or a directory below one.

    A path to a member selects that member; a path to the root selects all. A directory without a manifest, in a place
    without one, selects all packages below it.

    Raises:
        ManifestError: there is no manifest, or that of the path or of the root cannot be read.
    """
    manifest = _manifest_for(path)
    if manifest is None:
        return _loose_workspace(absolute(Path.cwd(), str(path)))
    documents = _Documents({}, [])
    own = documents.read(manifest)
    if own.data.keys().isdisjoint(("package", "project", "workspace")):
        raise ManifestError("has neither a [package] nor a [workspace] table", own.path)
    root = _find_root(own, documents)
    members = _member_manifests(root, documents)
    if own.path not in members and "workspace" not in own.data:
        root, members = own, _member_manifests(own, documents)
    return _assemble(root, own, members, documents)


def default_triples(workspace: Workspace) -> tuple[str, ...]:
    """The targets that an analysis decides for: the tier-1 hosts, then those that the workspace names."""
    return tuple(dict.fromkeys((*TIER_ONE, *named_triples(workspace))))


def named_triples(workspace: Workspace) -> tuple[str, ...]:
    """Targets that the workspace names, in the order found, without those that rustc does not know.

    Read are `build.target` and the `[target]` tables of `.cargo/config.toml`, and the docs.rs metadata of the packages.
    """
    named: dict[str, None] = {}
    for name in ("config.toml", "config"):
        path = workspace.root / ".cargo" / name
        if not exists(path):
            continue
        try:
            config = read_document(path).root
        except ManifestError:
            continue
        build = config.table("build")
        targets = build.data.get("target")
        named.update(
            dict.fromkeys(build.strings("target") if isinstance(targets, list) else (build.string("target") or "",))
        )
        named.update(dict.fromkeys(config.table("target").data))
    for package in workspace.packages:
        docs = package.document.root.table("package", "project").table("metadata").table("docs").table("rs")
        named.update(dict.fromkeys((docs.string("default-target") or "", *docs.strings("targets"))))
    known = target_table()
    return tuple(triple for triple in named if triple and known.rows((triple,)))


@dataclass(frozen=True, slots=True)
class _Documents:
    """Manifests read so far, each once."""

    cache: dict[Path, Document | ManifestError]
    problems: list[ManifestError]

    def read(self, path: Path) -> Document:
        found = self.cache.get(path)
        if found is None:
            try:
                found = read_document(path)
            except ManifestError as error:
                found = error
            self.cache[path] = found
        if isinstance(found, ManifestError):
            raise found
        return found

    def try_read(self, path: Path) -> Document | None:
        try:
            return self.read(path)
        except ManifestError:
            return None


def _loose_workspace(directory: Path) -> Workspace:
    """The packages of every workspace below `directory`, each a world of its own.

    There is one resolver for all, the oldest of theirs: that one turns most on, and what it finds missing is missing.
    """
    found: dict[Path, Package] = {}
    problems: list[ManifestError] = []
    resolvers: list[str] = []
    for manifest in (folder / MANIFEST for folder in expand(directory, "**")):
        if manifest in found or not exists(manifest):
            continue
        try:
            workspace = load_workspace(manifest)
        except ManifestError as error:
            problems.append(error)
            continue
        problems += workspace.problems
        resolvers.append(workspace.resolver)
        for package in workspace.packages:
            found.setdefault(package.manifest, dataclasses.replace(package, run_from=directory))
    if not found:
        if problems:
            raise problems[0]
        raise ManifestError("no Cargo.toml here, in any directory above, or in any below", directory)
    packages = tuple(sorted(found.values(), key=lambda package: (package.name, package.manifest)))
    return Workspace(
        root=directory,
        manifest=directory / MANIFEST,
        packages=packages,
        selected=packages,
        default_members=packages,
        resolver=min(resolvers),
        is_virtual=True,
        problems=tuple({str(problem): problem for problem in problems}.values()),
        is_loose=True,
    )


def _manifest_for(path: Path) -> Path | None:
    """The manifest that `path` means, absolute; None where there is none but may be some below."""
    start = absolute(Path.cwd(), str(path))
    if start.name == MANIFEST or start.suffix == ".toml":
        return start
    for directory in (start, *start.parents):
        if exists(directory / MANIFEST):
            return directory / MANIFEST
    if not start.is_dir():
        raise ManifestError("no Cargo.toml here or in any directory above", start)
    return None


def _find_root(own: Document, documents: _Documents) -> Document:
    """The manifest of the workspace that `own` belongs to; itself if there is none."""
    if "workspace" in own.data:
        return own
    pointer = own.root.table("package", "project").string("workspace")
    if pointer is not None:
        return documents.read(absolute(own.path.parent, pointer) / MANIFEST)
    for directory in own.path.parent.parents:
        candidate = directory / MANIFEST
        if not exists(candidate):
            continue
        document = documents.try_read(candidate)
        if document is None or "workspace" not in document.data:
            continue
        if _is_excluded(document, own.path):
            return own
        if own.path in _member_manifests(document, documents):
            return document
    return own


def _is_excluded(root: Document, manifest: Path) -> bool:
    """Whether `workspace.exclude` takes the manifest out; a member that is named literally stays in."""
    workspace = root.root.table("workspace")
    base = root.path.parent
    if not any(_is_below(manifest, absolute(base, entry)) for entry in workspace.strings("exclude")):
        return False
    return not any(_is_below(manifest, absolute(base, entry)) for entry in workspace.strings("members"))


def _is_below(path: Path, directory: Path) -> bool:
    return path == directory or directory in path.parents


def _member_manifests(root: Document, documents: _Documents) -> dict[Path, str | None]:
    """The manifests of all members, the root's own first if it has a package.

    Each with the entry of `members` that names it without a pattern (None for what globs and dependencies add).
    """
    base = root.path.parent
    found: dict[Path, str | None] = {}
    pending: list[tuple[Path, str | None, bool]] = []
    if "package" in root.data or "project" in root.data:
        pending.append((root.path, None, False))
    workspace = root.root.table("workspace")
    for entry in workspace.strings("members"):
        for directory in _expand(base, entry):
            manifest = directory / MANIFEST
            if not is_pattern(entry):
                pending.append((manifest, entry, False))
            elif exists(manifest):
                pending.append((manifest, None, False))
    pending.reverse()
    while pending:
        manifest, named, from_dependency = pending.pop()
        if manifest in found or (manifest != root.path and _is_excluded(root, manifest)):
            continue
        if from_dependency and not _is_below(manifest, base):
            continue
        document = documents.try_read(manifest)
        if from_dependency and (document is None or "workspace" in document.data):
            continue
        found[manifest] = named
        if document is not None and "workspace" in root.data:
            pending.extend((path / MANIFEST, None, True) for path in _path_dependencies(document, root))
    return found


def _path_dependencies(document: Document, root: Document) -> Iterator[Path]:
    """The directories of the path dependencies of `document`, without judging anything else in it."""
    base = document.path.parent
    quiet = dataclasses.replace(document, problems=[])
    shared = dataclasses.replace(root, problems=[]).root.table("workspace")
    for dependency in read_dependencies(quiet.root, base, shared, root.path.parent):
        if dependency.path is not None:
            yield dependency.path


def _expand(base: Path, entry: str) -> tuple[Path, ...]:
    if is_pattern(entry):
        return expand(base, entry)
    return (absolute(base, entry),)


def _assemble(root: Document, own: Document, members: dict[Path, str | None], documents: _Documents) -> Workspace:
    problems: list[ManifestError] = []
    packages: list[Package] = []
    for manifest, entry in members.items():
        try:
            document = documents.read(manifest)
            packages.append(read_package(document, root))
        except ManifestError as error:
            if manifest == own.path and own is not root:
                raise
            problems.append(error if entry is None else _missing(root, entry, error))
    packages = _with_crate_names(packages, documents)
    packages.sort(key=lambda package: (package.name, package.manifest))
    problems.extend(root.problems)
    for package in packages:
        if package.document is not root:
            problems.extend(package.problems)
    selected = [package for package in packages if package.manifest == own.path] if own is not root else packages
    workspace = root.root.table("workspace")
    return Workspace(
        root=root.path.parent,
        manifest=root.path,
        packages=tuple(packages),
        selected=tuple(selected),
        default_members=_default_members(root, workspace, packages),
        resolver=_resolver(root, workspace, packages),
        is_virtual="package" not in root.data and "project" not in root.data,
        problems=tuple({str(problem): problem for problem in problems}.values()),
    )


def _missing(root: Document, entry: str, error: ManifestError) -> ManifestError:
    """The problem of a member that is named literally; where it was named helps if the file is not there."""
    if exists(error.file):
        return error
    entries = root.root.table("workspace").strings("members")
    index = entries.index(entry)
    root.root.table("workspace").problem(f"workspace member `{entry}` has no Cargo.toml", "members", index)
    return root.problems.pop()


def _default_members(root: Document, workspace: Table, packages: list[Package]) -> tuple[Package, ...]:
    if "default-members" in workspace:
        wanted = {
            directory
            for entry in workspace.strings("default-members")
            for directory in _expand(root.path.parent, entry)
        }
        return tuple(package for package in packages if package.root in wanted)
    own = tuple(package for package in packages if package.manifest == root.path)
    return own or tuple(packages)


def _resolver(root: Document, workspace: Table, packages: list[Package]) -> str:
    """The version that counts: the root's (Cargo book, Resolver versions)."""
    written = workspace.string("resolver") or root.root.table("package", "project").string("resolver")
    if written is not None:
        if written in ("1", "2", "3"):
            return written
        workspace.problem(f"`{written}` is not a resolver version", "resolver")
    own = next((package for package in packages if package.manifest == root.path), None)
    if own is None:
        return "1"
    return {"2021": "2", "2024": "3"}.get(own.edition, "1")


def _with_crate_names(packages: list[Package], documents: _Documents) -> list[Package]:
    """The packages with the crate names that path dependencies have in code: the names of their libraries."""
    by_root = {package.root: package for package in packages}
    named: dict[Path, str | None] = {}

    def name_of(path: Path) -> str | None:
        if path not in named:
            member = by_root.get(path)
            if member is None:
                document = documents.try_read(path / MANIFEST)
                lib = None if document is None else dataclasses.replace(document, problems=[]).root.table("lib")
                named[path] = None if lib is None else lib.string("name")
            else:
                named[path] = None if member.library is None else member.library.crate_name
        return named[path]

    def corrected(dependency: Dependency) -> Dependency:
        if dependency.renamed or dependency.path is None:
            return dependency
        name = name_of(dependency.path)
        return dependency if name is None else dataclasses.replace(dependency, crate_name=name.replace("-", "_"))

    return [
        dataclasses.replace(package, dependencies=tuple(corrected(entry) for entry in package.dependencies))
        for package in packages
    ]

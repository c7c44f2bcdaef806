"""A trial of edits: the workspace analysed again in memory, as far as the edits can matter, and compared with before.

Files are read through an overlay, crates that mount an edited file and those that depend on them are built anew, all
others are shared. Of these only the references are decided again that stand in an edited file or mention a touched name.
Nothing is written.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import tomli

from cfglint.condition.diagram import Condition
from cfglint.errors import CfglintError, ManifestError
from cfglint.finding import Finding
from cfglint.items import model as m
from cfglint.manifest.document import Document
from cfglint.manifest.package import Package, read_package
from cfglint.manifest.targets import Target, TargetKind
from cfglint.nameres.absence import absences_where
from cfglint.nameres.analysis import Analysis, Root, with_verdicts
from cfglint.nameres.crate import Crate, Program
from cfglint.nameres.files import Files
from cfglint.nameres.linking import Linker, linker
from cfglint.repair.comparison import Outcome, Remaining, compared, findings_of
from cfglint.repair.edits import Edit, applied
from cfglint.repair.touched import touched_names, with_aliases

RootMaker = Callable[[Analysis, Package, Target], "Root | None"]
"""How a crate root is made in its space of configurations; the pipeline knows."""

_MANIFEST = "Cargo.toml"


class UntriableError(CfglintError):
    """The edits do not make a workspace that can be read."""


@dataclass(slots=True)
class _Overlay(Files):
    """Files with some contents replaced."""

    contents: dict[str, bytes] = field(default_factory=dict)

    def load(self, path: str) -> bytes | None:
        return self.contents[path] if path in self.contents else Files.load(self, path)


@dataclass(frozen=True, slots=True)
class _Scope:
    """What has to be looked at again: roots, and in them the references that mention a name; None for all of them.

    `modules` are those of the packages that mount an edited file, as they were compiled before.
    """

    roots: tuple[tuple[Package, Target], ...]
    names: frozenset[str] | None
    files: frozenset[str]
    modules: frozenset[tuple[str, str, Condition]] = frozenset()


class Laboratory:
    """Trials on one analysis. Findings as they are before any edit are kept."""

    def __init__(self, analysis: Analysis, make_root: RootMaker) -> None:
        self.analysis = analysis
        self.make_root = make_root
        self._roots: dict[tuple[str, str, str, _Scope | None], list[Remaining]] = {}

    def read(self, file: str) -> bytes:
        """The bytes of a file as it is."""
        return self.analysis.files.source(file)

    def run(self, edits: Iterable[Edit], about: Sequence[Finding]) -> Outcome:
        """Try edits that are to mend the findings `about`.

        Raises UntriableError and OverlappingEditsError.
        """
        listed = tuple(edits)
        contents = applied(listed, self.read)
        after, scope = self._edited(contents)
        before = self._findings_before(scope)
        found, doubts = findings_of(after, _made(after, self.make_root, scope.roots, scope))
        return compared(self.analysis, after, listed, before, found, doubts, about)

    def _edited(self, contents: Mapping[str, bytes]) -> tuple[Analysis, _Scope]:
        manifests = {file: text for file, text in contents.items() if os.path.basename(file) == _MANIFEST}
        sources = {file: text for file, text in contents.items() if file not in manifests}
        files = _Overlay(
            {path: tree for path, tree in self.analysis.files.trees.items() if path not in sources},
            contents={**getattr(self.analysis.files, "contents", {}), **sources},
        )
        analysis = replace(
            self.analysis,
            files=files,
            roots=[],
            lines={path: known for path, known in self.analysis.lines.items() if path not in sources},
            spaces={},
        )
        if manifests:
            return self._with_manifests(analysis, files, manifests, frozenset(sources))
        linked = self.analysis.linked
        assert linked is not None, "made by analyze"
        packages = self._packages_of(sources)
        dependents = _dependents(linked, packages)
        analysis.program, analysis.linked = _relinked(linked, files, {*packages, *dependents})
        names = self._touched(sources, files, packages)
        return analysis, self._scope(packages, dependents, names, frozenset(sources))

    def _with_manifests(
        self, analysis: Analysis, files: _Overlay, manifests: Mapping[str, bytes], sources: frozenset[str]
    ) -> tuple[Analysis, _Scope]:
        old = self.analysis.workspace
        changed = {package: _reread(package, manifests) for package in old.packages}
        analysis.workspace = replace(
            old,
            packages=tuple(changed[package] for package in old.packages),
            selected=tuple(changed[package] for package in old.selected),
            default_members=tuple(changed[package] for package in old.default_members),
        )
        analysis.program = Program(files.source)
        analysis.linked = linker(analysis.workspace, files, analysis.program, analysis.config.dependencies)
        analysis.tasks = [
            (changed[package], _same_target(changed[package], target)) for package, target in analysis.tasks
        ]
        packages = [changed[p] for p in old.packages if str(p.manifest) in manifests or _owns_any(p, sources)]
        dependents = _dependents(analysis.linked, packages)
        roots = tuple((package, target) for package in (*packages, *dependents) for target in package.targets)
        return analysis, _Scope(roots, None, sources)

    def _packages_of(self, sources: Iterable[str]) -> list[Package]:
        """The packages with a crate root that mounts one of the files."""
        found: dict[Package, None] = {}
        linked = self.analysis.linked
        assert linked is not None, "made by analyze"
        for file in sources:
            around = [p for p in self.analysis.workspace.packages if Path(file).is_relative_to(p.root)]
            mounting = {
                linked.owners[c.d.crate] for c in linked.program.crates if any(at.file == file for at in c.d.mounts)
            }
            mounting &= set(self.analysis.workspace.packages)
            owner = max(around, key=lambda package: len(package.root.parts), default=None)
            found.update(dict.fromkeys(sorted(mounting, key=lambda package: package.name)))
            if owner is not None:
                found.setdefault(owner)
        return list(found)

    def _touched(
        self, sources: Mapping[str, bytes], files: Files, packages: Sequence[Package]
    ) -> frozenset[str] | None:
        linked = self.analysis.linked
        assert linked is not None, "made by analyze"
        names: set[str] = set()
        crates = [c for c in linked.program.crates if linked.owners[c.d.crate] in packages]
        for file in sources:
            before, after = self.analysis.files.read(file), files.read(file)
            if before is None or after is None:
                return None
            mounting = [c for c in crates if any(at.file == file for at in c.d.mounts)]
            found = touched_names(before, after, mounting, file)
            if found is None:
                return None
            names |= found
        return with_aliases(frozenset(names), crates)

    def _scope(
        self,
        packages: Sequence[Package],
        dependents: Sequence[Package],
        names: frozenset[str] | None,
        files: frozenset[str],
    ) -> _Scope:
        roots: list[tuple[Package, Target]] = []
        for package in (*packages, *dependents):
            for target in package.targets:
                beside = _folder(package, target)
                holds = any(Path(file).is_relative_to(beside) for file in files)
                if holds or names is None or (names and _mentions(beside, names)):
                    roots.append((package, target))
        crates = [c for c in self._old_crates() if self._owner(c) in packages]
        modules = frozenset(_condition_of(c, mount) for c in crates for mount in range(len(c.d.mounts)))
        return _Scope(tuple(roots), names, files, modules)

    def _old_crates(self) -> list[Crate]:
        linked = self.analysis.linked
        assert linked is not None, "made by analyze"
        return linked.program.crates

    def _owner(self, crate: Crate) -> Package:
        linked = self.analysis.linked
        assert linked is not None, "made by analyze"
        return linked.owners[crate.d.crate]

    def _findings_before(self, scope: _Scope) -> list[Remaining]:
        """The findings of the same roots without the edits."""
        found: list[Remaining] = []
        for package, target in scope.roots:
            old = next((p for p in self.analysis.workspace.packages if p.root == package.root), None)
            if old is not None:
                found += self._before(old, _same_target(old, target), scope)
        return found

    def _before(self, package: Package, target: Target, scope: _Scope) -> list[Remaining]:
        known = next((r for r in self.analysis.roots if r.package is package and r.target == target), None)
        key = (package.name, target.kind.value, target.name, None if known is not None else scope)
        if key not in self._roots:
            roots = [known] if known is not None else _made(self.analysis, self.make_root, [(package, target)], scope)
            self._roots[key] = findings_of(self.analysis, roots)[0]
        return self._roots[key]


def _everything(mount: int, path: m.Path) -> bool:
    del mount, path
    return True


# Analyses


def _relinked(linked: Linker, files: Files, changed: set[Package]) -> tuple[Program, Linker]:
    """A linker that shares the crates of all packages but the changed ones."""
    program = Program(files.source, list(linked.program.crates))
    libraries = {package: number for package, number in linked.libraries.items() if package not in changed}
    scripts = {package: script for package, script in linked.scripts.items() if package not in changed}
    new = replace(
        linked, files=files, program=program, libraries=libraries, owners=dict(linked.owners), scripts=scripts
    )
    return program, new


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
    return replace(read, dependencies=corrected)


def _document(path: Path, content: bytes) -> Document:
    try:
        text = content.decode("utf-8-sig")
        return Document(path, text, tomli.loads(text), [])
    except (UnicodeDecodeError, tomli.TOMLDecodeError) as error:
        raise UntriableError(f"{path}: {error}") from error


def _same_target(package: Package, target: Target) -> Target:
    found = (other for other in package.targets if (other.kind, other.name) == (target.kind, target.name))
    return next(found, target)


def _owns_any(package: Package, files: Iterable[str]) -> bool:
    return any(Path(file).is_relative_to(package.root) for file in files)


def _folder(package: Package, target: Target) -> Path:
    """Where the sources of a target lie, as a rule."""
    source = package.root / "src"
    is_main = target.kind in (TargetKind.LIB, TargetKind.BIN) and target.path.is_relative_to(source)
    return source if is_main else target.path.parent


def _mentions(folder: Path, names: frozenset[str]) -> bool:
    """Whether a source file below the folder holds one of the names. Cheaper than to parse them."""
    words = [name.encode() for name in names]
    for directory, below, files in os.walk(folder):
        below[:] = sorted(name for name in below if name not in ("target", ".git"))
        for name in files:
            if name.endswith(".rs"):
                try:
                    with open(os.path.join(directory, name), "rb") as file:
                        text = file.read()
                except OSError:
                    continue
                if any(word in text for word in words):
                    return True
    return False


# Findings


def _made(
    analysis: Analysis, make_root: RootMaker, roots: Iterable[tuple[Package, Target]], scope: _Scope
) -> list[Root]:
    found = []
    for package, target in roots:
        root = make_root(analysis, package, target)
        if root is None:
            continue
        crate = root.crate
        whole = scope.names is None or target.kind not in (TargetKind.LIB, TargetKind.BIN)
        wanted = _everything if whole else _wanted(crate, scope)
        found.append(with_verdicts(root, absences_where(crate, root.space, wanted)))
    return found


def _wanted(crate: Crate, scope: _Scope) -> Callable[[int, m.Path], bool]:
    """Picks what stands in an edited file, in a module that is compiled elsewhere than before, or mentions a name."""
    edited = {
        number
        for number, mount in enumerate(crate.d.mounts)
        if mount.file in scope.files or (scope.modules and _condition_of(crate, number) not in scope.modules)
    }
    names = scope.names or frozenset()

    def wanted(mount: int, path: m.Path) -> bool:
        return mount in edited or not names.isdisjoint(path)

    return wanted


def _condition_of(crate: Crate, mount: int) -> tuple[str, str, Condition]:
    """A file in its place of the module tree, and where it is compiled."""
    data = crate.d.mounts[mount]
    return data.file, crate.d.path_of(data.module), crate.module_condition(data.module)

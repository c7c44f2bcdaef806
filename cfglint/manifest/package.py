"""One package: a Cargo.toml with a `[package]` table, its workspace's inheritance applied.

Declarations only. What the feature table means is `feature_model`; which packages belong together is `workspace`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from cfglint.errors import ManifestError
from cfglint.manifest.dependency import Dependency, read_dependencies
from cfglint.manifest.document import Document, Table, position_of
from cfglint.manifest.positions import Key, Position
from cfglint.manifest.targets import Target, TargetKind, read_library, read_targets

EDITIONS = ("2015", "2018", "2021", "2024")


@dataclass(frozen=True, slots=True, eq=False)
class Package:
    """A member of a workspace. Compared by identity.

    `workspace` is the root manifest of its workspace, its own if it has none; `features` is the `[features]` table as written; `check_cfg` the `cfg(...)` texts of
    `lints.rust.unexpected_cfgs.check-cfg`, and `cfg_level` the level given there, "" if none is; `metadata` the `[package.metadata]` table, untouched; `problems` what is wrong
    in the manifest without making it useless.
    """

    name: str
    version: str | None
    edition: str
    manifest: Path
    root: Path
    workspace: Document
    targets: tuple[Target, ...]
    dependencies: tuple[Dependency, ...]
    features: Mapping[str, tuple[str, ...]]
    check_cfg: tuple[str, ...]
    cfg_level: str
    metadata: Mapping[str, object]
    problems: tuple[ManifestError, ...]
    document: Document
    run_from: Path | None = None

    @property
    def workspace_root(self) -> Path:
        """Where cargo is run: the directory of the root manifest, or `run_from`, outside of any workspace."""
        return self.run_from or self.workspace.path.parent

    @property
    def library(self) -> Target | None:
        """The library target, if there is one."""
        return next((target for target in self.targets if target.kind is TargetKind.LIB), None)

    @property
    def build_script(self) -> Target | None:
        """The build script, if there is one."""
        return next((target for target in self.targets if target.kind is TargetKind.BUILD_SCRIPT), None)

    def position(self, *keys: Key) -> Position | None:
        """Where `keys` stand in the manifest, for instance `("features", "gpu", 0)` or a dependency's `where`."""
        return position_of(self.document, *keys)

    def line(self, *keys: Key) -> int | None:
        """The 1-based line of `position`."""
        position = self.position(*keys)
        return None if position is None else position.line


def read_package(document: Document, workspace: Document | None = None, *, as_dependency: bool = False) -> Package:
    """The package that `document` declares; of a dependency only the targets that its users build.

    Parameters:
        document: the manifest.
        workspace: the manifest of the workspace root, from which values may be inherited (it may be `document` itself).

    Raises:
        ManifestError: there is no `[package]` table, or it has no name.
    """
    root = document.root
    if "package" not in root and "project" not in root:
        raise ManifestError("has no [package] table", document.path)
    package = root.table("package", "project")
    name = package.string("name")
    if not name:
        raise ManifestError("the package has no name", document.path, 1)
    base = document.path.parent
    shared = None if workspace is None else workspace.root.table("workspace")
    edition = _edition(package, shared)
    metadata = package.data.get("metadata")  # any value is allowed
    return Package(
        name=name,
        version=_inheritable(package, "version", shared),
        edition=edition,
        manifest=document.path,
        root=base,
        workspace=workspace or document,
        targets=(read_library if as_dependency else read_targets)(root, base, name, edition),
        dependencies=read_dependencies(root, base, shared, None if workspace is None else workspace.path.parent),
        features=_features(root),
        check_cfg=_check_cfg(root, shared)[1],
        cfg_level=_check_cfg(root, shared)[0],
        metadata=metadata if isinstance(metadata, dict) else {},
        problems=tuple(document.problems),
        document=document,
    )


def _inheritable(package: Table, key: str, shared: Table | None) -> str | None:
    """The string at `key`, or the workspace's where the manifest says `key.workspace = true`."""
    value = package.data.get(key)
    if isinstance(value, dict):
        if package.table(key).boolean("workspace") is True:
            return None if shared is None else shared.table("package").string(key)
        return None
    return package.string(key)


def _edition(package: Table, shared: Table | None) -> str:
    edition = _inheritable(package, "edition", shared)
    if edition is None:
        return EDITIONS[0]
    if edition not in EDITIONS:
        package.problem(f"`{edition}` is not an edition; taken to be {EDITIONS[-1]}", "edition")
        return EDITIONS[-1]
    return edition


def _features(root: Table) -> dict[str, tuple[str, ...]]:
    table = root.table("features")
    return {name: table.strings(name) for name in table.data}


def _check_cfg(root: Table, shared: Table | None) -> tuple[str, tuple[str, ...]]:
    """Level and `cfg(...)` expectations of `[lints.rust] unexpected_cfgs`, the workspace's where they are inherited."""
    lints = root.table("lints")
    if lints.data.get("workspace") is True:
        if shared is None:
            return "", ()
        lints = shared.table("lints")
    value = lints.table("rust").data.get("unexpected_cfgs")
    if not isinstance(value, dict):
        return str(value or ""), ()
    found = lints.table("rust").table("unexpected_cfgs")
    return found.string("level") or "", found.strings("check-cfg")

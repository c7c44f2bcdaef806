"""Dependencies as a manifest declares them, workspace inheritance applied.

One `Dependency` is one entry of one table: a package that is named in `[dependencies]`, `[dev-dependencies]` and
`[target.'cfg(unix)'.dependencies]` has three. What they add up to is the feature model's business.

Source: Cargo book, Specifying Dependencies and Workspaces (the `dependencies` table).
"""

from __future__ import annotations

import enum
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from cfglint.manifest.document import Table
from cfglint.manifest.positions import Key


class DependencyKind(enum.Enum):
    """Which builds see a dependency: all, those of tests and examples and benches, or that of build.rs."""

    NORMAL = "normal"
    DEV = "dev"
    BUILD = "build"


_SPELLINGS = {
    DependencyKind.NORMAL: ("dependencies",),
    DependencyKind.DEV: ("dev-dependencies", "dev_dependencies"),
    DependencyKind.BUILD: ("build-dependencies", "build_dependencies"),
}


@dataclass(frozen=True, slots=True)
class Dependency:
    """One entry of a dependency table.

    `key` is the name in the table, which the feature table refers to; `package` the name of the package; `crate_name`
    what code writes, which the workspace corrects where the library of the package has a name of its own (`renamed`
    entries keep theirs). `target` is the text between `[target.` and `.dependencies]`, None for an ungated table.
    `features` are those of the workspace's entry followed by those of the member's. `path` is absolute and normalised.
    `where` leads to the entry in the manifest, for positions.
    """

    key: str
    package: str
    crate_name: str
    kind: DependencyKind
    optional: bool
    default_features: bool
    features: tuple[str, ...]
    target: str | None
    path: Path | None
    version: str | None
    renamed: bool
    inherited: bool
    public: bool
    where: tuple[Key, ...]


def read_dependencies(
    root: Table, base: Path, workspace: Table | None, workspace_dir: Path | None
) -> tuple[Dependency, ...]:
    """Every dependency entry of a manifest, in source order: the ungated tables, then those of `[target]`.

    Parameters:
        root: the manifest.
        base: the directory of the manifest, to which paths are relative.
        workspace: the `[workspace]` table that entries inherit from, if there is one.
        workspace_dir: the directory of its manifest.
    """
    found: list[Dependency] = []
    for kind in DependencyKind:
        found.extend(_read_table(root, kind, None, base, workspace, workspace_dir))
    targets = root.table("target")
    for target in targets.data:
        for kind in DependencyKind:
            found.extend(_read_table(targets.table(target), kind, target, base, workspace, workspace_dir))
    return tuple(found)


def _read_table(
    parent: Table,
    kind: DependencyKind,
    target: str | None,
    base: Path,
    workspace: Table | None,
    workspace_dir: Path | None,
) -> Iterator[Dependency]:
    entries = parent.table(*_SPELLINGS[kind])
    for key, value in entries.data.items():
        where = (*entries.where, key)
        if isinstance(value, str):
            own = Table(entries.document, where, {"version": value})
        elif isinstance(value, dict):
            own = Table(entries.document, where, value)
        else:
            entries.problem(f"dependency `{key}` is neither a version nor a table", key)
            continue
        yield _read_entry(own, key, kind, target, base, workspace, workspace_dir)


def _read_entry(
    own: Table,
    key: str,
    kind: DependencyKind,
    target: str | None,
    base: Path,
    workspace: Table | None,
    workspace_dir: Path | None,
) -> Dependency:
    inherits = own.boolean("workspace") is True
    source, source_dir = own, base
    features = own.strings("features")
    default_features = own.boolean("default-features", "default_features")
    if inherits:
        inherited = None if workspace is None else _workspace_entry(workspace, key)
        if inherited is None or workspace_dir is None:
            own.problem(f"dependency `{key}` is inherited, but `workspace.dependencies` has no such entry")
        else:
            source, source_dir = inherited, workspace_dir
            features = tuple(dict.fromkeys(source.strings("features") + features))
            # A member can switch default features on, not off (Cargo book, Workspaces; off is ignored with a warning).
            shared = source.boolean("default-features", "default_features")
            default_features = default_features is True or shared is not False
    package = source.string("package")
    path = source.string("path")
    return Dependency(
        key=key,
        package=package or key,
        crate_name=key.replace("-", "_"),
        kind=kind,
        optional=own.boolean("optional") is True,
        default_features=default_features is not False,
        features=features,
        target=target,
        path=None if path is None else absolute(source_dir, path),
        version=source.string("version"),
        renamed=package is not None,
        inherited=inherits,
        public=own.boolean("public") is True,
        where=own.where,
    )


def _workspace_entry(workspace: Table, key: str) -> Table | None:
    entries = workspace.table("dependencies")
    value = entries.data.get(key)
    if isinstance(value, str):
        return Table(entries.document, (*entries.where, key), {"version": value})
    if isinstance(value, dict):
        return Table(entries.document, (*entries.where, key), value)
    return None


def absolute(base: Path, path: str) -> Path:
    """`path` relative to `base`, made absolute and freed of `..`, symlinks left alone as Cargo leaves them."""
    return Path(os.path.abspath(base / path.replace("\0", "")))

"""Other workspaces of the repository: what a command in one of them compiles of the workspace that is looked at.

Benches, fuzz targets and `no_std` trials often stand beside a workspace, in one of their own, and depend on its packages by
path. Such a dependency is compiled as a library, with the features that the other workspace asks for.

Source: Cargo book, Features (unification) and Workspaces (`exclude`).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

from cfglint.errors import CfglintError
from cfglint.manifest.document import exists
from cfglint.manifest.feature_model import FeatureModel, feature_model
from cfglint.manifest.package import Package
from cfglint.manifest.sources import locate
from cfglint.manifest.unification import Setting
from cfglint.manifest.workspace import Workspace, load_workspace
from cfglint.workflow.builds import Build, builds, folder_of
from cfglint.workflow.invocations import Invocation


@dataclass(slots=True)
class Neighbours:
    """The workspaces of a repository beside `own`, read when a command is about them."""

    repository: Path
    own: Workspace
    known: dict[str, tuple[Workspace, Setting, str] | None] = field(default_factory=dict)

    def builds(self, invocation: Invocation) -> Iterator[Build]:
        """What a command in another workspace compiles of the packages of `own`."""
        folder = folder_of(invocation, "")
        if folder is None:
            return
        if folder not in self.known:
            self.known[folder] = self._read(folder)
        found = self.known[folder]
        if found is None:
            return
        ours = {package.manifest: package for package in self.own.packages}
        for build in builds(invocation, *found):
            package = ours.get(build.package.manifest)
            if package is not None:
                yield replace(build, package=package)

    def _read(self, folder: str) -> tuple[Workspace, Setting, str] | None:
        place = self.repository / folder
        if not exists(place / "Cargo.toml"):
            return None
        try:
            workspace = load_workspace(place)
        except (CfglintError, OSError, RecursionError):
            return None
        if workspace.root == self.own.root or not workspace.root.is_relative_to(self.repository):
            return None
        sources = locate(workspace)
        models: dict[Package, FeatureModel] = {}

        def model(package: Package) -> FeatureModel:
            if package not in models:
                models[package] = feature_model(package, workspace.resolver)
            return models[package]

        setting = Setting(sources.local, model, workspace.resolver, workspace.packages)
        root = workspace.root.relative_to(self.repository).as_posix()
        return workspace, setting, "" if root == "." else root

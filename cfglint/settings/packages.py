"""What single packages say of themselves, and what can only be judged once the workspace is known.

`[package.metadata.cfglint]` of each member is read; names of packages and features in any settings, and on the command
line, must exist.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace

from cfglint.config import Config, Settings, did_you_mean
from cfglint.errors import ConfigError, UsageError
from cfglint.manifest.package import Package
from cfglint.manifest.workspace import Workspace
from cfglint.settings.finding import find_origin
from cfglint.settings.origin import Origin
from cfglint.settings.reading import package_settings

TABLE = ("package", "metadata", "cfglint")
_PATTERN = re.compile(r"[*?\[]")


def with_members(config: Config, workspace: Workspace) -> Config:
    """`config` with the settings of the workspace's packages.

    Raises ConfigError for settings, and UsageError for a command line, that name what the workspace does not have.
    """
    members = tuple(
        (package.name, settings) for package in workspace.packages if (settings := _own(package)) is not None
    )
    names = [package.name for package in workspace.packages]
    for name in (*config.packages, *config.narrowing.exclude):
        if not _PATTERN.search(name) and name not in names:
            raise UsageError(f"no package `{name}` in the workspace{did_you_mean(name, names)}")
    _check_features(config, workspace)
    if config.settings.exclude or config.settings.exclusive_features:
        _check_workspace(config, workspace, names)
    return replace(config, members=members)


def _own(package: Package) -> Settings | None:
    table = package.metadata.get(TABLE[-1])
    if table is None:
        return None
    origin = Origin(package.manifest, package.document.text, TABLE)
    if not isinstance(table, Mapping):
        raise Origin(origin.file, origin.text, TABLE[:-1]).key_error("`cfglint` must be a table", TABLE[-1])
    settings = package_settings(table, origin)
    for at, group in enumerate(settings.exclusive_features):
        for number, name in enumerate(group):
            _known_feature(name, _features(package), package.name, origin, at, number)
    return settings


def _check_workspace(config: Config, workspace: Workspace, names: Iterable[str]) -> None:
    found = find_origin(config.start)
    assert found is not None, "settings come from somewhere"
    _, origin = found
    for number, pattern in enumerate(config.settings.exclude):
        if not _PATTERN.search(pattern) and pattern not in names:
            hint = did_you_mean(pattern, names)
            raise origin.key_error(f"no package `{pattern}` in the workspace{hint}", "exclude", number)
    features = {name for package in workspace.packages for name in _features(package)}
    for at, group in enumerate(config.settings.exclusive_features):
        for number, name in enumerate(group):
            _known_feature(name, features, "", origin, at, number)


def _known_feature(name: str, features: Iterable[str], package: str, origin: Origin, at: int, number: int) -> None:
    if name not in features:
        raise _unknown_feature(name, features, package, origin, at, number)


def _unknown_feature(
    name: str, features: Iterable[str], package: str, origin: Origin, at: int, number: int
) -> ConfigError:
    who = f"package `{package}` has no" if package else "no package of the workspace has a"
    return origin.key_error(f"{who} feature `{name}`{did_you_mean(name, features)}", "exclusive-features", at, number)


def _check_features(config: Config, workspace: Workspace) -> None:
    for written in config.narrowing.features:
        package_name, _, name = written.rpartition("/")
        packages = [package for package in workspace.packages if package_name in ("", package.name)]
        if not packages:
            names = [package.name for package in workspace.packages]
            raise UsageError(f"no package `{package_name}` in the workspace{did_you_mean(package_name, names)}")
        known = {feature for package in packages for feature in _features(package)}
        if name not in known:
            raise UsageError(f"no feature `{name}` in the selected packages{did_you_mean(name, sorted(known))}")


def _features(package: Package) -> frozenset[str]:
    """Names that may be features: those of the table, and optional dependencies."""
    implicit = (dependency.key for dependency in package.dependencies if dependency.optional)
    return frozenset((*package.features, *implicit))

"""Cargo.lock: which version of a dependency a build takes, and what may come along with it.

Reads versions 1 to 4 of the format, with suspicion: an entry that cannot be a package is left out. Where the lock file
and the manifests disagree (it is stale), the best match is taken, as nothing here can resolve anew.

Source: Cargo book, Cargo.toml vs Cargo.lock and Specifying Dependencies (version requirement syntax).
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from cfglint.errors import ManifestError
from cfglint.manifest.document import exists, read_document

LOCKFILE = "Cargo.lock"

_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_-]*")
_VERSION = re.compile(r"(\d{1,20})\.(\d{1,20})\.(\d{1,20})(?:-([0-9A-Za-z.-]+))?(?:\+[0-9A-Za-z.-]+)?")
_COMPARATOR = re.compile(
    r"(\^|~|=|>=|<=|>|<)?\s*v?(\d{1,20}|[*xX])(?:\.(\d{1,20}|[*xX]))?(?:\.(\d{1,20}|[*xX]))?(?:-([0-9A-Za-z.-]+))?(?:\+\S*)?"
)
_REFERENCE = re.compile(r"(\S+)(?: (\S+))?(?: \((.*)\))?")


@dataclass(frozen=True, slots=True)
class LockedPackage:
    """One entry. `source` is None for what lies at a path; `dependencies` as written: a name, perhaps more."""

    name: str
    version: str
    source: str | None
    dependencies: tuple[str, ...] = ()


@dataclass(slots=True, eq=False)
class Lockfile:
    """All entries, by name in the order of the file."""

    packages: dict[str, tuple[LockedPackage, ...]]
    _below: dict[LockedPackage, frozenset[str]] = field(default_factory=dict)

    def entry(self, name: str, version: str | None) -> LockedPackage | None:
        """The entry of the package `name`; of several, the one with this version, one at a path before others."""
        entries = self.packages.get(name, ())
        exact = [entry for entry in entries if entry.version == version] or entries
        return next((entry for entry in exact if entry.source is None), exact[0] if exact else None)

    def dependency(self, owner: LockedPackage | None, name: str, requirement: str | None) -> LockedPackage | None:
        """What `owner` takes for its dependency on a package `name`.

        Two versions of one package are told apart by `requirement`. Without an owner, or if its entry does not mention
        the name, all entries are candidates, but only such as fulfil the requirement.
        """
        if owner is not None:
            found = tuple(self._referred(owner, name))
            fitting = [entry for entry in found if matches(requirement, entry.version)] or found
            if fitting:
                return max(fitting, key=lambda entry: _order(entry.version))
        rest = [entry for entry in self.packages.get(name, ()) if matches(requirement, entry.version)]
        return max(rest, key=lambda entry: _order(entry.version), default=None)

    def below(self, start: LockedPackage) -> frozenset[str]:
        """The names of all packages that `start` may bring along, itself included."""
        found = self._below.get(start)
        if found is None:
            seen = {start}
            pending = [start]
            while pending:
                entry = pending.pop()
                for reference in entry.dependencies:
                    for other in self._referred(entry, reference.partition(" ")[0]):
                        if other not in seen:
                            seen.add(other)
                            pending.append(other)
            found = self._below[start] = frozenset(entry.name for entry in seen)
        return found

    def _referred(self, owner: LockedPackage, name: str) -> Iterable[LockedPackage]:
        """The entries called `name` that the dependencies of `owner` refer to."""
        for reference in owner.dependencies:
            parsed = _REFERENCE.fullmatch(reference)
            if parsed is None or parsed[1] != name:
                continue
            for entry in self.packages.get(name, ()):
                if parsed[2] in (None, entry.version) and parsed[3] in (None, _without_commit(entry.source)):
                    yield entry


def read_lockfile(path: Path) -> Lockfile | None:
    """The lock file at `path`; None if there is none that can be read."""
    if not exists(path):
        return None
    try:
        document = read_document(path)
    except ManifestError:
        return None
    packages: dict[str, list[LockedPackage]] = {}
    for table in document.root.tables("package"):
        name, version, source = table.string("name"), table.string("version"), table.string("source")
        if name is None or version is None or not _NAME.fullmatch(name) or not _VERSION.fullmatch(version):
            continue
        packages.setdefault(name, []).append(LockedPackage(name, version, source, table.strings("dependencies")))
    return Lockfile({name: tuple(entries) for name, entries in packages.items()})


def matches(requirement: str | None, version: str) -> bool:
    """Whether `version` fulfils `requirement` (`1.2`, `^1`, `~1.2.3`, `>=1, <3`, `1.*`).

    Without a requirement, or with one that cannot be read, all versions do. That a pre-release must be asked for is not
    looked at: the lock file has chosen already.
    """
    parsed = _VERSION.fullmatch(version)
    if requirement is None or parsed is None:
        return True
    return all(_fulfils(comparator.strip(), _order(version)) for comparator in requirement.split(","))


_Order = tuple[int, int, int, tuple[tuple[int, int, str], ...]]
_RELEASE = ((2, 0, ""),)


def _order(version: str) -> _Order:
    parsed = _VERSION.fullmatch(version)
    if parsed is None:
        return (0, 0, 0, ())
    return (int(parsed[1]), int(parsed[2]), int(parsed[3]), _pre(parsed[4]))


def _pre(text: str | None) -> tuple[tuple[int, int, str], ...]:
    """A pre-release in order: numbers before words, and any pre-release before the release (semver.org, 11)."""
    if text is None:
        return _RELEASE
    return tuple(
        (0, int(part), "") if part.isdecimal() and len(part) < 20 else (1, 0, part) for part in text.split(".")
    )


def _fulfils(comparator: str, version: _Order) -> bool:
    parsed = _COMPARATOR.fullmatch(comparator)
    if parsed is None:
        return True
    numbers = [int(part) for part in (parsed[2], parsed[3], parsed[4]) if part is not None and part.isdecimal()]
    if not numbers:
        return True
    is_partial = len(numbers) < 3
    full = [*numbers, 0, 0][:3]
    lowest: _Order = (full[0], full[1], full[2], _RELEASE if parsed[5] is None else _pre(parsed[5]))
    operator = parsed[1] or ("=" if is_partial and "*" in comparator.replace("x", "*").replace("X", "*") else "^")
    last = len(numbers) - 1
    match operator:
        case ">=":
            return version >= lowest
        case "<":
            return version < lowest
        case ">":
            return version >= _bumped(numbers, last) if is_partial else version > lowest
        case "<=":
            return version < _bumped(numbers, last) if is_partial else version <= lowest
        case "=":
            return lowest <= version < _bumped(numbers, last) if is_partial else version == lowest
        case "~":
            return lowest <= version < _bumped(numbers, min(1, last))
        case _:
            significant = next((index for index, number in enumerate(numbers) if number), last)
            return lowest <= version < _bumped(numbers, significant)


def _bumped(numbers: list[int], index: int) -> _Order:
    """The first version (its pre-releases included) in which the number at `index` is one greater."""
    bumped = [*numbers[:index], numbers[index] + 1, 0, 0]
    return (bumped[0], bumped[1], bumped[2], ())


def _without_commit(source: str | None) -> str | None:
    """A source as references spell it: without the commit that a git source has been fixed to."""
    return None if source is None else source.partition("#")[0]

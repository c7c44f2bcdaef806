"""Seeded random workspaces with cargo's verdict on every crate root in every closed feature set of its package.

`generate` writes a workspace, has cargo judge its members from the bottom up, and takes out what is wrong for other
reasons than a gate, what is one too many, and names that fail in a member which others need. The result depends on the
seed and on cargo alone.
"""

from __future__ import annotations

import random
import shutil
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from tests.oracle.cargo_oracle import FeatureSet, Place, Verdict
from tests.oracle.model import Text, emit

from .cargo import LIB, UNIT, Judge, Root
from .manifests import Member, draw, manifest, workspace_manifest
from .sources import Crate, Sources

_MOST_BROKEN = 6
_HELPER = "#[allow(unused_macros)] macro_rules! same { ($x:expr) => { $x } }"


class WorkspaceError(Exception):
    """This draw cannot be repaired; the next one is taken."""


@dataclass(frozen=True, slots=True)
class Judged:
    """A workspace on disk, and for each crate root the verdicts that cargo came to."""

    seed: int
    directory: Path
    members: tuple[Member, ...]
    verdicts: Mapping[Root, Mapping[FeatureSet, Verdict]]
    unjudged: int
    units: int

    @property
    def builds(self) -> int:
        """How many verdicts there are."""
        return sum(map(len, self.verdicts.values()))

    @property
    def broken(self) -> int:
        """How many lines fail in some build."""
        return len({e.outermost for found in self.verdicts.values() for v in found.values() for e in v.errors})


def generate(seed: int, directory: Path, scratch: Path) -> Judged:
    """Write the workspace of `seed` into `directory`; `scratch` takes what cargo makes. Raises WorkspaceError."""
    for attempt in range(8):
        for used in (directory, scratch):
            shutil.rmtree(used, ignore_errors=True)
            used.mkdir(parents=True)
        rng = random.Random(f"workspace {seed}/{attempt}")
        try:
            return _Attempt(seed, rng, directory, scratch).run()
        except WorkspaceError:
            continue
    raise WorkspaceError(f"seed {seed}: no draw could be repaired")


class _Attempt:
    """One draw: written, judged and repaired member by member."""

    def __init__(self, seed: int, rng: random.Random, directory: Path, scratch: Path) -> None:
        self.seed = seed
        self.rng = rng
        self.directory = directory
        self.scratch = scratch
        self.workspace = draw(rng)
        self.sources = Sources(rng, self.workspace)
        for crate in self.sources.crates:
            crate.root.body.insert(0, Text([_HELPER]))
        self.dropped: set[int] = set()
        self.verdicts: dict[Root, Mapping[FeatureSet, Verdict]] = {}
        self.unjudged = 0

    def run(self) -> Judged:
        """All verdicts. Raises WorkspaceError."""
        self._manifests(self.directory)
        for member in reversed(self.workspace.members):
            for crate in [crate for crate in self.sources.crates if crate.member is member]:
                self._settle(member, crate)
        owners = self._write(self.directory)
        members = tuple(self.workspace.members)
        units = len({unit for unit in owners.values() if unit})
        return Judged(self.seed, self.directory, members, self.verdicts, self.unjudged, units)

    def _settle(self, member: Member, crate: Crate) -> None:
        """Judge one crate root, repaired until nothing is wrong with it that is no matter of configuration."""
        for _ in range(8):
            judge, found = self._judge(member, crate)
            wrong = self._wrong(crate, judge, found)
            if not wrong:
                self.verdicts.update(found)
                sets = len(member.closed())
                self.unjudged += sum(sets - len(verdicts) for verdicts in found.values())
                return
            self.dropped = self.sources.fallen(self.dropped | wrong)
        raise WorkspaceError("too many repairs")

    def _judge(self, member: Member, crate: Crate) -> tuple[Judge, dict[Root, Mapping[FeatureSet, Verdict]]]:
        copy = self.scratch / "copy"
        shutil.rmtree(copy, ignore_errors=True)
        self._manifests(copy)
        judge = Judge(self.workspace, copy, self._write(copy), frozenset(self.sources.inert))
        for verdicts in self.verdicts.values():
            judge.blank(verdicts.values())
        found: dict[Root, Mapping[FeatureSet, Verdict]] = {root: judge.root(member, root) for root in _roots(crate)}
        return judge, found

    def _wrong(self, crate: Crate, judge: Judge, found: Mapping[Root, Mapping[FeatureSet, Verdict]]) -> set[int]:
        """The units to take out."""
        wrong: set[int] = set()
        failing: set[int] = set()
        for verdicts in found.values():
            for verdict in verdicts.values():
                for error in verdict.errors:
                    units = [judge.owners.get(place) for place in (error.outermost, *error.places)]
                    unit = next((unit for unit in units if unit), None)
                    if unit is None:
                        raise WorkspaceError(f"error outside of every unit: {error}")
                    failing.add(unit)
                    if not error.expected:
                        wrong.add(unit)
        needed = crate.extra is None and any(
            edge.package is crate.member for member in self.workspace.members for edge in member.edges
        )
        if needed:
            wrong |= failing - self.sources.inert
        left = sorted(failing - wrong)
        if not wrong and len(left) > _MOST_BROKEN:
            wrong |= set(self.rng.sample(left, len(left) - _MOST_BROKEN))
        return wrong

    def _manifests(self, directory: Path) -> None:
        directory.mkdir(parents=True, exist_ok=True)
        (directory / "Cargo.toml").write_text(workspace_manifest(self.workspace), "utf-8")
        for member in self.workspace.members:
            (directory / member.root).mkdir(exist_ok=True)
            (directory / member.root / "Cargo.toml").write_text(manifest(member), "utf-8")

    def _write(self, directory: Path) -> dict[Place, int | None]:
        """Write the sources, and tell which unit owns each line."""
        owners: dict[Place, int | None] = {}
        for crate in self.sources.crates:
            for name, lines in emit(crate.root, self.dropped).items():
                path = directory / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text("".join(line + "\n" for line, _ in lines), "utf-8")
                for number, (_, unit) in enumerate(lines, 1):
                    owners[Place(name, number)] = unit
        return owners


def _roots(crate: Crate) -> Iterator[Root]:
    name = crate.member.library or crate.member.name.replace("-", "_")
    if crate.extra is not None:
        yield Root(crate.member.name, crate.extra.kind, crate.extra.name, crate.root.file)
        return
    yield Root(crate.member.name, LIB, name, crate.root.file)
    if any("cfg(test)" in line for piece in crate.root.body if hasattr(piece, "head") for line in piece.head):
        yield Root(crate.member.name, UNIT, name, crate.root.file)

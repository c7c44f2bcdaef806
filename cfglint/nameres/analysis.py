"""The whole result of analysing a workspace, as the checks see it: crate roots with their name resolution and absences."""

from __future__ import annotations

import itertools
import os
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path

from cfglint.condition.diagram import FALSE, TRUE, Condition
from cfglint.config import Config
from cfglint.manifest.feature_model import FeatureModel
from cfglint.manifest.package import Package
from cfglint.manifest.solver import GaveUpError, satisfiable
from cfglint.manifest.space import ConfigSpace, constrained
from cfglint.manifest.targets import Target
from cfglint.manifest.workspace import Workspace
from cfglint.nameres.absence import Tally, absences
from cfglint.nameres.agreement import disagreements
from cfglint.nameres.crate import Crate, Program, opaque_atoms
from cfglint.nameres.files import Files
from cfglint.nameres.linking import Linker
from cfglint.nameres.verdicts import Absence, Doubt


@dataclass(slots=True)
class Root:
    """One crate root of a package: its space of configurations (default targets, then every target), and what fails."""

    package: Package
    model: FeatureModel
    target: Target
    crate: Crate
    space: ConfigSpace
    absences: tuple[Absence, ...] = ()
    doubts: tuple[Doubt, ...] = ()


@dataclass(slots=True)
class Analysis:
    """What the checks read. `workspace_root` is what file names are relative to."""

    config: Config
    workspace: Workspace
    files: Files
    program: Program
    roots: list[Root] = field(default_factory=list)
    tally: Tally = field(default_factory=Tally)
    notes: list[str] = field(default_factory=list)
    started: float = 0.0
    lines: dict[str, tuple[bytes, list[int]]] = field(default_factory=dict)
    linked: Linker | None = None
    tasks: list[tuple[Package, Target]] = field(default_factory=list)
    spaces: dict[Package, ConfigSpace] = field(default_factory=dict)
    foreign_spaces: dict[Package, ConfigSpace] = field(default_factory=dict)

    @property
    def workspace_root(self) -> Path:
        """The directory that reported file names start from."""
        return self.workspace.root

    def display_path(self, file: str) -> str:
        """A file's name relative to the workspace root, with forward slashes."""
        return os.path.relpath(file, self.workspace.root).replace(os.sep, "/")

    def position(self, file: str, offset: int) -> tuple[int, int]:
        """Line and column of a byte offset, both 1-based, the column in bytes."""
        from bisect import bisect_right

        known = self.lines.get(file)
        if known is None:
            source = self.files.load(file) or b""
            starts = [0]
            at = source.find(b"\n")
            while at != -1:
                starts.append(at + 1)
                at = source.find(b"\n", at + 1)
            known = self.lines[file] = (source, starts)
        line = bisect_right(known[1], offset)
        return line, offset - known[1][line - 1] + 1

    def source(self, file: str) -> bytes:
        """The bytes of a file that has been looked at."""
        self.position(file, 0)
        return self.lines[file][0]


def guards(crate: Crate) -> list[Condition]:
    """What the `compile_error!`s of a crate forbid, as conditions that hold in every valid configuration."""
    found: list[Condition] = []
    for mount, data in enumerate(crate.d.mounts):
        for guard in data.tree.guards:
            context = crate.context(mount, guard.gate)
            context = crate.final(context)
            if context is FALSE or context is TRUE or opaque_atoms(context):
                continue
            found.append(~context)
    return sorted(set(found), key=lambda c: sorted(a.text for a in c.atoms()))


def with_guards(space: ConfigSpace, conditions: list[Condition]) -> ConfigSpace:
    """The space without what `compile_error!` forbids; guards that forbid everything are ignored."""
    if not conditions:
        return space
    narrowed = constrained(space, conditions)
    try:
        return narrowed if satisfiable(TRUE, narrowed) else space
    except GaveUpError:
        return space


def judge(root: Root, tally: Tally) -> Root:
    """The root with its failing and doubtful references."""
    found = itertools.chain(absences(root.crate, root.space, tally), disagreements(root.crate, root.space))
    return with_verdicts(root, found)


def with_verdicts(root: Root, verdicts: Iterable[Absence | Doubt]) -> Root:
    """The root with these verdicts on its references; a place in a file that is mounted twice has one."""
    found: dict[tuple[object, ...], Absence] = {}
    doubts: list[Doubt] = []
    for verdict in verdicts:
        if isinstance(verdict, Doubt):
            doubts.append(verdict)
            continue
        file = root.crate.d.mounts[verdict.mount].file
        key = (file, verdict.start, verdict.path, verdict.kind)
        found[key] = _joined(found[key], verdict) if key in found else verdict
    return replace(root, absences=tuple(found.values()), doubts=tuple(doubts))


def _joined(one: Absence, other: Absence) -> Absence:
    """One place in a file that is mounted twice."""
    return replace(
        one,
        context=one.context | other.context,
        resolved=(one.resolved & one.context) | (other.resolved & other.context),
        failing=one.failing | other.failing,
        suppliers=tuple(dict.fromkeys((*one.suppliers, *other.suppliers))),
    )

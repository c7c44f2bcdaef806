"""Suppressions of a whole analysis: read from every file that was looked at, applied, and judged."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from cfglint.finding import CrateTarget, Finding
from cfglint.nameres.analysis import Analysis
from cfglint.suppress.directives import MARK, Directive, directives
from cfglint.suppress.matching import Owner, complaints, suppressed


@dataclass(frozen=True, slots=True)
class Kept:
    """The findings that stand, those about suppressions, and how many were taken away."""

    findings: tuple[Finding, ...]
    complaints: tuple[Finding, ...]
    suppressed: int


def without_suppressed(analysis: Analysis, findings: tuple[Finding, ...]) -> Kept:
    """The findings that no comment allows. Suppressions are not judged where the run was narrowed."""
    every = tuple(_directives(analysis))
    if not every:
        return Kept(findings, (), 0)
    result = suppressed(findings, every)
    judged = complaints(
        every,
        () if analysis.config.is_narrowed else result.unused,
        lambda file: _owner(analysis, file),
        needs_reason=analysis.config.needs_reason,
    )
    return Kept(tuple(result.findings), tuple(judged), result.count)


def _directives(analysis: Analysis) -> Iterator[Directive]:
    for path in sorted(path for path, tree in analysis.files.trees.items() if tree is not None):
        with contextlib.suppress(OSError), open(path, "rb") as file:
            source = file.read()
            if MARK in source:
                yield from directives(source, analysis.display_path(path))


def _owner(analysis: Analysis, file: str) -> Owner | None:
    """The owner of a file; None for one of a package that was not selected, or of none."""
    path = Path(os.path.normpath(analysis.workspace_root / file))
    around = [package for package in analysis.workspace.packages if package.root in path.parents]
    package = max(around, key=lambda found: len(found.root.parts), default=None)
    if package is None or not any(package is task for task, _ in analysis.tasks):
        return None
    target = package.library or package.targets[0]
    return Owner(package.name, CrateTarget(target.kind.value, target.name))

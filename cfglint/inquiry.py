"""Questions about one place of a workspace: what stands there, in which crate roots, and what the checks say of it.

Looks at the package that owns the file and at what it depends on, not at the whole workspace; only a fingerprint, which
is a hash, takes a whole check. Nothing of the workspace is run.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from cfglint import pipeline
from cfglint.config import Config
from cfglint.errors import UsageError
from cfglint.finding import Finding
from cfglint.graph.derivation import derive, explain
from cfglint.graph.explanation import Explanation, Verdict
from cfglint.graph.places import Found, Place, covers, mounts, references_at
from cfglint.manifest.package import Package
from cfglint.manifest.workspace import load_workspace
from cfglint.nameres.analysis import Analysis
from cfglint.nameres.linking import make_crate

_PLACE = re.compile(r"(?P<file>.+?):(?P<line>\d+)(?::(?P<column>\d+))?:?")
_FINGERPRINT = re.compile(r"[0-9a-f]{8,64}")
_MOST_ROOTS = 6


@dataclass(frozen=True, slots=True)
class Answer:
    """What was found at a place: explanations, and the other references of the line where the column hits none."""

    analysis: Analysis
    explanations: tuple[Explanation, ...]


def parse_place(text: str, base: Path) -> Place | None:
    """`FILE:LINE[:COLUMN]`, the file relative to `base`; None where the text has no such form."""
    found = _PLACE.fullmatch(text)
    if found is None:
        return None
    file = Path(os.path.abspath(base / found["file"]))
    return Place(str(file), int(found["line"]), int(found["column"] or 0))


def is_fingerprint(text: str) -> bool:
    """Whether the text may be a fingerprint, or the first eight digits or more of one."""
    return _FINGERPRINT.fullmatch(text) is not None


def at_place(config: Config, place: Place) -> Answer:
    """Explain what stands at a place.

    Raises UsageError where the file is not part of the workspace, or no reference stands there.
    """
    analysis, numbers = roots_of(config, place.file)
    found, findings = examined(analysis, numbers, place)
    exact = [each for each in found if covers(analysis, each, place)]
    if not exact:
        raise UsageError(_nothing_there(analysis, place, found))
    return Answer(analysis, tuple(_explained(analysis, exact, findings)))


def roots_of(config: Config, file: str) -> tuple[Analysis, list[int]]:
    """The analysis of the package that owns a file, and the numbers of the crate roots that mount it.

    Raises UsageError where there are none.
    """
    workspace = load_workspace(config.start)
    owners = [package for package in workspace.packages if Path(file).is_relative_to(package.root)]
    owners.sort(key=lambda package: len(package.root.parts), reverse=True)
    if not os.path.isfile(file):
        raise UsageError(f"no such file: {file}")
    others = [package for package in workspace.packages if package not in owners]
    for group in [owners[:1], [*owners[1:], *others]] if owners else [others]:
        if not group:
            continue
        wanted = replace(config, packages=tuple(package.name for package in group))
        analysis = pipeline.analyze(wanted)
        numbers = _mounting(analysis, file)
        if numbers:
            return analysis, numbers
    where = os.path.relpath(file, workspace.root)
    raise UsageError(f"{where} is not part of any crate of the workspace at {workspace.root}")


def examined(analysis: Analysis, numbers: Sequence[int], place: Place) -> tuple[list[Found], list[Finding]]:
    """The references at a place in these crate roots, and the findings of the roots."""
    outcome = pipeline.examine(analysis, numbers)
    found: list[Found] = []
    for root in analysis.roots:
        found += references_at(analysis, root, place)
    return found, [finding for _, finding in outcome.findings]


def _mounting(analysis: Analysis, file: str) -> list[int]:
    """The numbers of the crate roots that mount a file; those whose root it is come first."""
    tasks = list(enumerate(analysis.tasks))
    own = [number for number, (_, target) in tasks if str(target.path) == file]
    if own:
        return own
    linked = analysis.linked
    assert linked is not None, "made by analyze"
    found: list[int] = []
    for number, (package, target) in tasks:
        if len(found) < _MOST_ROOTS and any(
            mount.file == file for mount in make_crate(linked, package, target).d.mounts
        ):
            found.append(number)
    return found


def _explained(analysis: Analysis, found: Iterable[Found], findings: Iterable[Finding]) -> list[Explanation]:
    """An explanation of each reference, in the first root in which it fails, else in the first."""
    by_place: dict[tuple[int, tuple[str, ...]], list[Found]] = {}
    for each in found:
        by_place.setdefault((each.start, each.question.path), []).append(each)
    result: list[Explanation] = []
    listed = list(findings)
    for group in by_place.values():
        chosen = next((each for each in group if each.absence is not None), group[0])
        result.append(explain(analysis, derive(chosen), finding_of(analysis, chosen, listed)))
    failing = [each for each in result if each.verdict is Verdict.FAILS]
    return failing or result


def finding_of(analysis: Analysis, found: Found, findings: Iterable[Finding]) -> Finding | None:
    """The finding that stands at a reference."""
    file = analysis.display_path(found.root.crate.d.mounts[found.question.mount].file)
    first = analysis.position(found.root.crate.d.mounts[found.question.mount].file, found.start)
    last = analysis.position(found.root.crate.d.mounts[found.question.mount].file, found.end)
    root = found.root
    for finding in findings:
        where = finding.location
        if (
            where.file == file
            and first <= (where.line, where.column) <= last
            and (finding.package, finding.target.kind, finding.target.name)
            == (root.package.name, root.target.kind.value, root.target.name)
            and finding.path == "::".join(found.question.path)
        ):
            return finding
    return None


def _nothing_there(analysis: Analysis, place: Place, on_line: Sequence[Found]) -> str:
    where = f"{analysis.display_path(place.file)}:{place.line}"
    if not on_line:
        return f"no reference stands at {where}"
    listed = []
    for each in {(found.start, found.question.path): found for found in on_line}.values():
        column = analysis.position(place.file, each.start)[1]
        listed.append(f"`{'::'.join(each.question.path)}` at column {column}")
    return f"no reference stands at {where}:{place.column}; on that line: {', '.join(listed)}"


def owner_of(packages: Iterable[Package], file: str) -> Package | None:
    """The innermost package whose folder holds a file."""
    around = [package for package in packages if Path(file).is_relative_to(package.root)]
    return max(around, key=lambda package: len(package.root.parts), default=None)


def mounted_by(analysis: Analysis, file: str) -> bool:
    """Whether an examined root mounts the file."""
    return any(mounts(root, file) for root in analysis.roots)

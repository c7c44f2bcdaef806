"""Answers to questions about one place, one finding, or all the errors of a build log.

Looks at the packages that own the files in question and at what they depend on, not at the whole workspace; only a
fingerprint, which is a hash, takes a whole check. Nothing of the workspace is run.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from cfglint import pipeline
from cfglint.config import Config
from cfglint.crate_roots import root_of
from cfglint.errors import UsageError
from cfglint.finding import Finding
from cfglint.graph.derivation import derive, explain
from cfglint.graph.explanation import Answer, Explanation, Told, Verdict
from cfglint.graph.places import Found, Place, covers, references_at
from cfglint.inquiry.build_log import LoggedError, read_log
from cfglint.manifest.package import Package
from cfglint.manifest.workspace import Workspace, load_workspace
from cfglint.mending import laboratory
from cfglint.nameres.analysis import Analysis, Root
from cfglint.nameres.linking import make_crate
from cfglint.repair.propose import repairs_of
from cfglint.repair.trial import Laboratory
from cfglint.syntax.carriers import carriers_of

_PLACE = re.compile(r"(?P<file>.+?):(?P<line>\d+)(?::(?P<column>\d+))?:?")
_FINGERPRINT = re.compile(r"[0-9a-f]{8,64}")
_MOST_ROOTS = 6
MOST_REPAIRS = 5


def parse_place(text: str, base: Path) -> Place | None:
    """`FILE:LINE[:COLUMN]`, the file relative to `base`; None where the text has no such form."""
    found = _PLACE.fullmatch(text)
    if found is None:
        return None
    file = os.path.abspath(base / found["file"])
    return Place(file, int(found["line"]), int(found["column"] or 0))


def is_fingerprint(text: str) -> bool:
    """Whether the text may be a fingerprint, or the first eight digits or more of one."""
    return _FINGERPRINT.fullmatch(text) is not None


def at_place(config: Config, place: Place) -> Answer:
    """Explain what stands at a place.

    Raises UsageError where the file is not part of the workspace, or no reference stands there.
    """
    workspace = load_workspace(config.start)
    file = _existing(workspace, place.file)
    if file is None:
        raise UsageError(f"no such file: {place.file}")
    place = replace(place, file=file)
    analysis, numbers = _roots_of(config, workspace, place.file)
    outcome = pipeline.examine(analysis, numbers)
    found = [each for root in analysis.roots for each in references_at(analysis, root, place)]
    exact = [each for each in found if covers(analysis, each, place)]
    if not exact:
        raise UsageError(_nothing_there(analysis, place, found))
    findings = [finding for _, finding in outcome.findings]
    tried = Laboratory(analysis, root_of)
    explanations = [_explained(tried, each, findings) for each in _chosen(exact)]
    failing = [each for each in explanations if each.verdict is Verdict.FAILS]
    return Answer(analysis.workspace_root, _numbered(failing or explanations))


def by_fingerprint(config: Config, fingerprint: str) -> Answer:
    """Explain the finding with this fingerprint, or with one that begins so.

    Raises UsageError where there is none, or more than one.
    """
    analysis = pipeline.analyze(config)
    report = pipeline.run(analysis)
    fitting = [finding for finding in report.findings if finding.fingerprint.startswith(fingerprint)]
    if not fitting:
        raise UsageError(
            f"no finding has the fingerprint {fingerprint}: it may be mended, or its item or path renamed"
            f" ({len(report.findings)} findings now)"
        )
    if len({finding.fingerprint for finding in fitting}) > 1:
        raise UsageError(f"{len(fitting)} findings have fingerprints that begin with {fingerprint}; give more of it")
    tried = laboratory(analysis, fitting)
    explanations = []
    for finding in fitting:
        where = finding.location
        place = Place(str(analysis.workspace_root / where.file), where.line, where.column)
        roots = [root for root in analysis.roots if _is_in(finding, root)]
        found = [each for root in roots for each in references_at(analysis, root, place)]
        exact = [each for each in _chosen(found) if covers(analysis, each, place) and each.absence is not None]
        if not exact:
            raise UsageError(f"{where.file}:{where.line}: {finding.rule} is not about a reference; see `cfglint rule`")
        explanations += [_explained(tried, each, [finding]) for each in exact[:1]]
    return Answer(analysis.workspace_root, _numbered(explanations))


def from_log(config: Config, text: str) -> Answer:
    """Explain every error of a log that a gate causes, in the order of the log; what has a told cause is told short.

    Raises UsageError where the log has no error, or none in a file of the workspace.
    """
    log = read_log(text)
    if not log.errors:
        more = f" ({log.placeless} errors without a place)" if log.placeless else ""
        raise UsageError(f"no error of rustc with a place in this log{more}")
    workspace = load_workspace(config.start)
    existing = [(error, _existing(workspace, error.file)) for error in log.errors]
    placed = [(error, file) for error, file in existing if file and Path(file).is_relative_to(workspace.root)]
    if not placed:
        first = log.errors[0]
        raise UsageError(f"no error of this log is in a file of {workspace.root}: the first is in {first.file}")
    analysis, findings = _examined(config, workspace, sorted({file for _, file in placed}))
    tried = Laboratory(analysis, root_of)
    told: list[Told] = []
    counts = {"following": 0, "left": 0}
    known: dict[tuple[str, ...], int] = {}
    seen: set[tuple[str, int]] = set()
    for error, file in placed:
        found = _failing_at(analysis, error, file)
        if found is None:
            counts["following" if _follows(analysis, error, file) else "left"] += 1
            continue
        if (file, found.start) in seen:
            continue
        seen.add((file, found.start))
        explanation = _explained(tried, found, findings)
        number = len(told) + 1
        same = known.setdefault(explanation.causes, number)
        told.append(Told(number, explanation, 0 if same == number else same))
    elsewhere = len(log.errors) - len(placed)
    return Answer(analysis.workspace_root, tuple(told), len(log.errors), counts["following"], counts["left"], elsewhere)


# Files and roots


def _existing(workspace: Workspace, name: str) -> str | None:
    """The file of the workspace that a name in a log or on the command line means.

    As it is, below the root or a member, then without its first folders: a log may come from another machine.
    """
    plain = name.replace("\\", "/")
    if os.path.isfile(plain) and Path(os.path.abspath(plain)).is_relative_to(workspace.root):
        return os.path.abspath(plain)
    bases = [workspace.root, *(package.root for package in workspace.packages)]
    parts = [part for part in plain.split("/") if part not in ("", ".")]
    for dropped in range(len(parts)):
        rest = os.path.join(*parts[dropped:])
        for base in bases if dropped == 0 else bases[:1]:
            candidate = os.path.normpath(base / rest)
            if os.path.isfile(candidate) and Path(candidate).is_relative_to(workspace.root):
                return candidate
    return os.path.abspath(plain) if os.path.isfile(plain) else None


def _roots_of(config: Config, workspace: Workspace, file: str) -> tuple[Analysis, list[int]]:
    """The analysis of the package that owns a file, and the numbers of the crate roots that mount it.

    Raises UsageError where there are none.
    """
    owner = _owner_of(workspace.packages, file)
    others = tuple(package for package in workspace.packages if package is not owner)
    for group in ((owner,) if owner is not None else (), others):
        if group:
            wanted = replace(config, packages=tuple(package.name for package in group))
            analysis = pipeline.analyze(wanted)
            numbers = _mounting(analysis, [file])
            if numbers:
                return analysis, numbers
    where = os.path.relpath(file, workspace.root)
    raise UsageError(f"{where} is not part of any crate of the workspace at {workspace.root}")


def _examined(config: Config, workspace: Workspace, files: Sequence[str]) -> tuple[Analysis, list[Finding]]:
    """The analysis of the packages that own the files, with every crate root that mounts one examined."""
    owners = {owner.name for file in files if (owner := _owner_of(workspace.packages, file)) is not None}
    names = tuple(sorted(owners)) or tuple(package.name for package in workspace.packages)
    analysis = pipeline.analyze(replace(config, packages=names))
    outcome = pipeline.examine(analysis, _mounting(analysis, files))
    return analysis, [finding for _, finding in outcome.findings]


def _mounting(analysis: Analysis, files: Sequence[str]) -> list[int]:
    """The numbers of the crate roots that mount the files: one whose root a file is stands for it alone."""
    linked = analysis.linked
    assert linked is not None, "made by analyze"
    own = {str(target.path): number for number, (_, target) in enumerate(analysis.tasks)}
    found = {own[file]: None for file in files if file in own}
    others = [file for file in files if file not in own]
    if others:
        roots = [{at.file for at in make_crate(linked, *task).d.mounts} for task in analysis.tasks]
        for file in others:
            mounting = [number for number, mounts in enumerate(roots) if file in mounts]
            found.update(dict.fromkeys(mounting[:_MOST_ROOTS]))
    return sorted(found)


def _owner_of(packages: Iterable[Package], file: str) -> Package | None:
    """The innermost package whose folder holds a file."""
    around = [package for package in packages if Path(file).is_relative_to(package.root)]
    return max(around, key=lambda package: len(package.root.parts), default=None)


# References


def _chosen(found: Iterable[Found]) -> list[Found]:
    """Each reference once, in the first root in which it fails, else in the first."""
    by_place: dict[tuple[int, tuple[str, ...]], list[Found]] = {}
    for each in found:
        by_place.setdefault((each.start, each.question.path), []).append(each)
    return [next((f for f in group if f.absence is not None), group[0]) for group in by_place.values()]


def _explained(tried: Laboratory, found: Found, findings: Iterable[Finding]) -> Explanation:
    """The explanation of a reference, with the repairs of its finding."""
    analysis = tried.analysis
    finding = _finding_of(analysis, found, findings)
    explanation = explain(analysis, derive(found), finding)
    if finding is None or found.absence is None:
        return explanation
    return replace(explanation, repairs=repairs_of(tried, finding, most=MOST_REPAIRS))


def _finding_of(analysis: Analysis, found: Found, findings: Iterable[Finding]) -> Finding | None:
    """The finding that stands at a reference."""
    name = found.root.crate.d.mounts[found.question.mount].file
    file = analysis.display_path(name)
    first, last = analysis.position(name, found.start), analysis.position(name, found.end)
    for finding in findings:
        where = finding.location
        if (
            where.file == file
            and first <= (where.line, where.column) <= last
            and finding.path == "::".join(found.question.path)
            and _is_in(finding, found.root)
        ):
            return finding
    return None


def _is_in(finding: Finding, root: Root) -> bool:
    own = (root.package.name, root.target.kind.value, root.target.name)
    return (finding.package, finding.target.kind, finding.target.name) == own


def _failing_at(analysis: Analysis, error: LoggedError, file: str) -> Found | None:
    """The reference at an error's place that fails somewhere."""
    place = Place(file, error.line, _byte_column(analysis, file, error))
    found = [each for root in analysis.roots for each in references_at(analysis, root, place)]
    for each in _chosen(found):
        if each.absence is not None and covers(analysis, each, place):
            return each
    return None


def _byte_column(analysis: Analysis, file: str, error: LoggedError) -> int:
    """rustc counts characters in a line; here columns count bytes."""
    source = analysis.source(file)
    starts = analysis.lines[file][1]
    if not 1 <= error.line <= len(starts):
        return error.column
    text = source[starts[error.line - 1] :].partition(b"\n")[0].decode("utf-8", "replace")
    return len(text[: error.column - 1].encode()) + 1


def _follows(analysis: Analysis, error: LoggedError, file: str) -> bool:
    """Whether the error stands in an item whose own attribute macro is what fails: it is a consequence."""
    analysis.position(file, 0)
    source, starts = analysis.lines[file]
    if not 1 <= error.line <= len(starts):
        return False
    at = starts[error.line - 1]
    for root in analysis.roots:
        for absence in root.absences:
            if root.crate.d.mounts[absence.mount].file != file or absence.space is None:
                continue
            around = carriers_of(source, absence.start)
            if around and around[0].start <= absence.start < around[0].code_start and at < around[0].end:
                if absence.start < at:
                    return True
    return False


def _numbered(explanations: Sequence[Explanation]) -> tuple[Told, ...]:
    return tuple(Told(number if len(explanations) > 1 else 0, each) for number, each in enumerate(explanations, 1))


def _nothing_there(analysis: Analysis, place: Place, on_line: Sequence[Found]) -> str:
    where = f"{analysis.display_path(place.file)}:{place.line}"
    if not on_line:
        return f"no reference stands at {where}"
    listed = []
    for each in {(found.start, found.question.path): found for found in on_line}.values():
        column = analysis.position(place.file, each.start)[1]
        listed.append(f"`{'::'.join(each.question.path)}` at column {column}")
    return f"no reference stands at {where}:{place.column}; on that line: {', '.join(listed)}"

"""The table of contents: manifest, syntax, name resolution, checks, report.

`analyze` reads the workspace; `run` resolves and checks its crate roots, in several processes where that pays. What else
is asked of an analysis has a page of its own: builds `planning`, CI files `ci_audit`. No process of the analysed project
is ever started.
"""

from __future__ import annotations

import gc
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from cfglint.batches import batches_of, in_workers, jobs, pays_workers
from cfglint.checks import CHECKS
from cfglint.config import Config
from cfglint.crate_roots import in_order, modes_of, possible, root_of, selected, undecided_of
from cfglint.finding import Finding, Report, Summary, Undecided
from cfglint.identity import numbered, placed
from cfglint.manifest.workspace import load_workspace
from cfglint.nameres.analysis import Analysis, judge
from cfglint.nameres.crate import Program
from cfglint.nameres.files import Files, read_ahead
from cfglint.nameres.linking import linker
from cfglint.settings.packages import with_members
from cfglint.suppress.applying import without_suppressed

_RECURSION = 30_000


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one batch of crate roots came to. Findings come with the number of their root."""

    findings: tuple[tuple[int, Finding], ...]
    undecided: tuple[Undecided, ...]
    notes: tuple[str, ...]
    references: int
    decided: int
    packages: tuple[str, ...]


def analyze(config: Config, files: Files | None = None) -> Analysis:
    """Read the workspace at `config.start`: its manifests, and the item tree of every file of the selected packages.

    `files` may know the item trees of some of them already.

    Raises CfglintError when nothing can be analysed.
    """
    started = time.monotonic()
    gc.disable()  # the trees hold no cycles, and there are many of them
    sys.setrecursionlimit(max(sys.getrecursionlimit(), _RECURSION))
    workspace = load_workspace(config.start)
    config = with_members(config, workspace)
    files = files or Files()
    analysis = Analysis(config, workspace, files, Program(files.source), started=started)
    analysis.notes.extend(str(problem) for problem in workspace.problems)
    analysis.linked = linker(workspace, files, analysis.program, config.dependencies)
    packages = possible(analysis, analysis.linked, selected(config, workspace))
    analysis.tasks.extend(
        (package, target) for package in packages for target in in_order(package) if modes_of(config, target)
    )
    read_ahead(files, (str(target.path) for _, target in analysis.tasks), jobs(config), config.progress)
    return analysis


def run(analysis: Analysis) -> Report:
    """Resolve and check every crate root; each defect once, in the order of reports, without what comments allow."""
    outcomes = _outcomes(analysis)
    found: dict[tuple[object, ...], tuple[int, Finding]] = {}
    for number, finding in sorted(((n, f) for o in outcomes for n, f in o.findings), key=lambda nf: nf[0]):
        key = (finding.rule, finding.location, finding.path)
        if key not in found or finding.severity.rank < found[key][1].severity.rank:
            found[key] = number, finding
    ordered = sorted((finding for _, finding in found.values()), key=Finding.sort_key)
    kept = without_suppressed(analysis, tuple(ordered))
    judged = _placed(analysis, kept.complaints)
    findings = tuple(numbered(sorted((*kept.findings, *judged), key=Finding.sort_key)))
    notes = dict.fromkeys((*analysis.notes, *(n for o in outcomes for n in o.notes), *analysis.files.notes))
    summary = Summary(
        packages=len({name for outcome in outcomes for name in outcome.packages}),
        files=sum(tree is not None for tree in analysis.files.trees.values()),
        references=sum(outcome.references for outcome in outcomes),
        decided=sum(outcome.decided for outcome in outcomes),
        findings=len(findings),
        seconds=round(time.monotonic() - analysis.started, 3),
        failing=sum(bool(finding.path) for finding in ordered),
        suppressed=kept.suppressed,
    )
    seen = {package.name for package, _ in analysis.tasks}
    unseen = tuple(package.name for package in analysis.workspace.packages if package.name not in seen)
    undecided = tuple(sorted({u for o in outcomes for u in o.undecided}))
    return Report(findings, undecided, tuple(notes), summary, unseen)


def examine(analysis: Analysis, numbers: Sequence[int]) -> Outcome:
    """Resolve the crate roots with these numbers, and let every check see them."""
    analysis.roots.clear()
    before = (analysis.tally.references, analysis.tally.decided)
    notes: list[str] = []
    by_target: dict[tuple[str, str, str], int] = {}
    for number in numbers:
        package, target = analysis.tasks[number]
        by_target[package.name, target.kind.value, target.name] = number
        root = root_of(analysis, package, target)
        if root is None:
            notes.append(f"{analysis.display_path(str(target.path))}: cannot be read")
        else:
            analysis.roots.append(judge(root, analysis.tally))
    findings = [
        (by_target[finding.package, finding.target.kind, finding.target.name], finding)
        for finding in _placed(analysis, (finding for check in CHECKS for finding in check(analysis)))
    ]
    return Outcome(
        tuple(findings),
        tuple(u for root in analysis.roots for u in undecided_of(analysis, root)),
        tuple(notes),
        analysis.tally.references - before[0],
        analysis.tally.decided - before[1],
        tuple(sorted({root.package.name for root in analysis.roots})),
    )


def _placed(analysis: Analysis, findings: Iterable[Finding]) -> Iterator[Finding]:
    return placed(findings, lambda file: analysis.source(str(analysis.workspace_root / file)))


def _outcomes(analysis: Analysis) -> list[Outcome]:
    batches = list(batches_of(analysis))
    if not pays_workers(analysis, batches):
        return [examine(analysis, range(len(analysis.tasks)))]
    return in_workers(analysis, examine, batches, "resolving")

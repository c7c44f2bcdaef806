"""The table of contents: manifest, syntax, name resolution, checks, report.

`analyze` reads and resolves; `run` checks. Nothing here starts a process of the analysed project.
"""

from __future__ import annotations

import os
import sys
import time

from cfglint.checks import CHECKS
from cfglint.config import Config
from cfglint.errors import UsageError
from cfglint.finding import Finding, Report, Severity, Summary, Undecided
from cfglint.manifest.package import Package
from cfglint.manifest.space import config_space, fixing, widened
from cfglint.manifest.targets import Target, TargetKind
from cfglint.manifest.workspace import default_triples, load_workspace
from cfglint.nameres.analysis import Analysis, Root, guards, judge, with_guards
from cfglint.nameres.crate import Program
from cfglint.nameres.files import Files, read_ahead
from cfglint.nameres.linking import Linker, give_meaning, linker, make_crate
from cfglint.nameres.roots import fixed_atoms

_RECURSION = 30_000
_KIND_ORDER = (
    TargetKind.LIB,
    TargetKind.BIN,
    TargetKind.TEST,
    TargetKind.EXAMPLE,
    TargetKind.BENCH,
    TargetKind.BUILD_SCRIPT,
)


def analyze(config: Config) -> Analysis:
    """Read the workspace at `config.start` and resolve every reference of the selected packages.

    Raises CfglintError when nothing can be analysed.
    """
    started = time.monotonic()
    sys.setrecursionlimit(max(sys.getrecursionlimit(), _RECURSION))
    workspace = load_workspace(config.start)
    files = Files()
    analysis = Analysis(config, workspace, files, Program(files.source), started=started)
    analysis.notes.extend(str(problem) for problem in workspace.problems)
    packages = _selected(config, workspace.selected)
    targets = [(package, target) for package in packages for target in _ordered(package)]
    jobs = (
        config.jobs or len(os.sched_getaffinity(0))
        if hasattr(os, "sched_getaffinity")
        else config.jobs or os.cpu_count() or 1
    )
    read_ahead(analysis.files, (str(target.path) for _, target in targets), jobs, config.progress)
    triples = config.targets or default_triples(workspace)
    linked = linker(workspace, analysis.files, analysis.program)
    analysis.linked = linked
    for number, package in enumerate(packages):
        config.progress("resolving", number, len(packages))
        _resolve_package(analysis, linked, package, triples)
    return analysis


def run(analysis: Analysis) -> Report:
    """Every check over every crate root, each defect once, in the order of reports."""
    found: dict[tuple[object, ...], Finding] = {}
    for check in CHECKS:
        for finding in check(analysis):
            key = (finding.rule, finding.location, finding.path)
            known = found.get(key)
            if known is None or finding.severity.rank < known.severity.rank:
                found[key] = finding
    findings = tuple(sorted(found.values(), key=Finding.sort_key))
    undecided = tuple(sorted({u for root in analysis.roots for u in _undecided(analysis, root)}))
    summary = Summary(
        packages=len({root.package.name for root in analysis.roots}),
        files=sum(tree is not None for tree in analysis.files.trees.values()),
        references=analysis.tally.references,
        decided=analysis.tally.decided,
        findings=len(findings),
        seconds=round(time.monotonic() - analysis.started, 3),
    )
    return Report(findings, undecided, tuple(dict.fromkeys((*analysis.notes, *analysis.files.notes))), summary)


def _selected(config: Config, packages: tuple[Package, ...]) -> tuple[Package, ...]:
    if not config.packages:
        return packages
    unknown = sorted(set(config.packages) - {package.name for package in packages})
    if unknown:
        raise UsageError(f"no package `{unknown[0]}` in the workspace")
    return tuple(package for package in packages if package.name in config.packages)


def _ordered(package: Package) -> list[Target]:
    return sorted(package.targets, key=lambda target: (_KIND_ORDER.index(target.kind), target.name))


def _resolve_package(analysis: Analysis, linked: Linker, package: Package, triples: tuple[str, ...]) -> None:
    """All crate roots of one package, its library first: what that forbids, it forbids for all."""
    model = linked.setting.model(package)
    space = config_space(model, triples=triples)
    for target in _ordered(package):
        crate = make_crate(linked, package, target)
        if not crate.d.modules:
            analysis.notes.append(f"{analysis.display_path(str(target.path))}: cannot be read")
            continue
        forced = give_meaning(linked, package, target, crate)
        own = with_guards(space, guards(crate))
        if target.kind is TargetKind.LIB:
            space = own
        own = with_guards(fixing(own, fixed_atoms(target)), forced)
        analysis.roots.append(judge(Root(package, model, target, crate, own), analysis.tally))


def _undecided(analysis: Analysis, root: Root) -> list[Undecided]:
    found = []
    for doubt in root.doubts:
        file = root.crate.d.mounts[doubt.mount].file
        line, _ = analysis.position(file, doubt.start)
        found.append(Undecided(analysis.display_path(file), line, doubt.reason))
    for mount in root.crate.d.mounts:
        for gap in mount.tree.gaps:
            line, _ = analysis.position(mount.file, gap.start)
            found.append(Undecided(analysis.display_path(mount.file), line, gap.reason))
    return found


__all__ = ["Analysis", "Severity", "analyze", "run", "widened"]

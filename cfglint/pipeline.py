"""The table of contents: manifest, syntax, name resolution, checks, report.

`analyze` reads the workspace; `run` resolves and checks its crate roots, in several processes where that pays; `plan`
derives the builds that show all of them. No process of the analysed project is ever started.
"""

from __future__ import annotations

import gc
import multiprocessing
import os
import sys
import time
from collections.abc import Callable, Collection, Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from typing import TypeVar, cast

from cfglint.checks import CHECKS
from cfglint.condition.atom import Atom
from cfglint.config import Config
from cfglint.finding import Finding, Report, Summary, Undecided
from cfglint.identity import identified
from cfglint.manifest.package import Package
from cfglint.manifest.space import TEST, ConfigSpace, fixing
from cfglint.manifest.targets import Target, TargetKind
from cfglint.manifest.workspace import Workspace, default_triples, load_workspace
from cfglint.matrix.derive import FULL_LIMIT, PackageMatrix, Strategy, derive, listed
from cfglint.matrix.goals import Failure, failures
from cfglint.nameres.analysis import Analysis, Root, guards, judge, with_guards
from cfglint.nameres.crate import Program
from cfglint.nameres.files import Files, read_ahead
from cfglint.nameres.linking import Linker, give_meaning, linker, make_crate
from cfglint.nameres.roots import fixed_atoms
from cfglint.settings.packages import with_members
from cfglint.settings.space import asked_space, is_possible
from cfglint.suppress.applying import without_suppressed
from cfglint.workflow.checks import CI_CHECKS
from cfglint.workflow.checks.uncovered_by_ci import uncovered_by_ci
from cfglint.workflow.coverage import PackageCoverage, cover_package
from cfglint.workflow.survey import Survey, survey

_RECURSION = 30_000
_WORKERS_FROM_BYTES = 1_500_000
"""Less source than this is checked sooner than workers start."""
_CHUNK = 12
"""Crate roots of one package that a worker takes at a time."""
_KIND_ORDER = (
    TargetKind.LIB,
    TargetKind.BIN,
    TargetKind.TEST,
    TargetKind.EXAMPLE,
    TargetKind.BENCH,
    TargetKind.BUILD_SCRIPT,
)


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
    packages = _possible(analysis, analysis.linked, _selected(config, workspace))
    analysis.tasks.extend(
        (package, target) for package in packages for target in _ordered(package) if _modes(config, target)
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
    findings = identified(
        sorted(kept.findings, key=Finding.sort_key), lambda file: analysis.source(str(analysis.workspace_root / file))
    )
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
        for check in CHECKS
        for finding in check(analysis)
    ]
    return Outcome(
        tuple(findings),
        tuple(u for root in analysis.roots for u in _undecided(analysis, root)),
        tuple(notes),
        analysis.tally.references - before[0],
        analysis.tally.decided - before[1],
        tuple(sorted({root.package.name for root in analysis.roots})),
    )


def with_dependencies(config: Config) -> Config:
    """The config with the members that the selected ones depend on selected, too: where these fail, those do.

    Raises CfglintError when there is no workspace.
    """
    if not config.packages:
        return config
    workspace = load_workspace(config.start)
    found: dict[str, None] = {}
    pending = list(_selected(config, workspace))
    while pending:
        package = pending.pop()
        if package.name not in found:
            found[package.name] = None
            members = (workspace.package_at(entry.path) for entry in package.dependencies if entry.path is not None)
            pending.extend(member for member in members if member is not None and member in workspace.selected)
    return replace(config, packages=tuple(dict.fromkeys((*config.packages, *found))))


def plan(
    analysis: Analysis,
    findings: Iterable[Finding],
    strategy: Strategy = Strategy.DERIVED,
    limit: int = FULL_LIMIT,
    *,
    only: Collection[str] = (),
) -> tuple[PackageMatrix, ...]:
    """The combinations to build of every package (of those in `only`, if any), by name; `findings` are those of `run`.

    Raises UsageError where a strategy has too many to list.
    """
    known = failures(findings)

    def one(analysis: Analysis, numbers: Sequence[int]) -> PackageMatrix | None:
        return _plan_of(analysis, numbers, known, strategy, limit)

    batches = [numbers for name, numbers in _by_package(analysis).items() if not only or name in only]
    if strategy is Strategy.DERIVED and _pays_workers(analysis, batches):
        planned = _in_workers(analysis, one, batches, "deriving the matrix")
    else:
        planned = [one(analysis, numbers) for numbers in batches]
    return tuple(sorted((each for each in planned if each is not None), key=lambda each: each.package))


@dataclass(frozen=True, slots=True)
class CiOutcome:
    """What CI does with the workspace: findings in its files, and the gates that its commands compile."""

    report: Report
    coverages: tuple[PackageCoverage, ...]
    survey: Survey


def ci(analysis: Analysis) -> CiOutcome:
    """Read the workspace's CI files, and hold them against its gates."""
    linked = analysis.linked
    assert linked is not None, "made by analyze"
    found = survey(analysis.workspace, linked.setting)
    by_package = found.builds_by_package()

    def one(analysis: Analysis, numbers: Sequence[int]) -> PackageCoverage | None:
        roots = roots_of(analysis, numbers)
        package = analysis.tasks[numbers[0]][0]
        if not roots:
            return None
        space, derived = _space(analysis, linked, package), found.derived_jobs(package)
        return cover_package(analysis, roots, space, by_package[package], derived)

    batches = list(_by_package(analysis).values())
    if _pays_workers(analysis, batches):
        covered = _in_workers(analysis, one, batches, "covering gates")
    else:
        covered = [one(analysis, numbers) for numbers in batches]
    coverages = tuple(each for each in covered if each is not None)
    findings = [finding for check in CI_CHECKS for finding in check(found)] + list(uncovered_by_ci(found, coverages))
    undecided = {Undecided(analysis.display_path(gap.file), gap.line, gap.reason) for gap in found.hidden}
    summary = Summary(
        packages=len(coverages),
        files=len({str(call.place.source.path) for call in found.calls}),
        references=len(found.invocations),
        decided=sum(not one.unknown for one in found.invocations),
        findings=len(findings),
        seconds=round(time.monotonic() - analysis.started, 3),
    )
    ordered = tuple(sorted(findings, key=Finding.sort_key))
    return CiOutcome(Report(ordered, tuple(sorted(undecided)), tuple(analysis.notes), summary), coverages, found)


def roots_of(analysis: Analysis, numbers: Iterable[int]) -> list[Root]:
    """The crate roots with these numbers, resolved as far as they are asked about; unreadable ones are left out."""
    found = (root_of(analysis, *analysis.tasks[number]) for number in numbers)
    return [root for root in found if root is not None]


def _plan_of(
    analysis: Analysis, numbers: Sequence[int], known: Sequence[Failure], strategy: Strategy, limit: int
) -> PackageMatrix | None:
    linked = analysis.linked
    assert linked is not None, "made by analyze"
    package = analysis.tasks[numbers[0]][0]
    space, setting = _space(analysis, linked, package), linked.setting
    if strategy is not Strategy.DERIVED:
        dependents = [
            d for other in setting.members for d in other.dependencies if setting.package(other, d) is package
        ]
        return listed(strategy, package, setting.model(package), space, limit=limit, dependents=dependents)
    roots = roots_of(analysis, numbers)
    return derive(roots, space, setting, known) if roots else None


def _by_package(analysis: Analysis) -> dict[str, list[int]]:
    """The numbers of the crate roots of each package."""
    found: dict[str, list[int]] = {}
    for number, (package, _) in enumerate(analysis.tasks):
        found.setdefault(package.name, []).append(number)
    return found


def jobs(config: Config) -> int:
    """How many processes may be used."""
    if config.jobs:
        return config.jobs
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


# Batches of crate roots

_Result = TypeVar("_Result")

_shared: tuple[Analysis, Callable[[Analysis, Sequence[int]], object]] | None = None
"""What forked workers inherit."""


def _outcomes(analysis: Analysis) -> list[Outcome]:
    batches = list(_batches(analysis))
    if not _pays_workers(analysis, batches):
        return [examine(analysis, range(len(analysis.tasks)))]
    return _in_workers(analysis, examine, batches, "resolving")


def _pays_workers(analysis: Analysis, batches: Sequence[Sequence[int]]) -> bool:
    workers = jobs(analysis.config)
    return workers > 1 and len(batches) > 1 and analysis.files.bytes_read >= _WORKERS_FROM_BYTES and _can_fork()


def _in_workers(
    analysis: Analysis,
    work: Callable[[Analysis, Sequence[int]], _Result],
    batches: Sequence[Sequence[int]],
    stage: str,
) -> list[_Result]:
    """`work` done on each batch, in order, by forked processes."""
    global _shared  # noqa: PLW0603  (the one way to hand a forked worker what cannot be pickled)
    _shared = analysis, work
    results: list[_Result] = []
    with ProcessPoolExecutor(jobs(analysis.config), mp_context=multiprocessing.get_context("fork")) as pool:
        for done, result in enumerate(pool.map(_work_shared, batches)):
            results.append(cast("_Result", result))
            analysis.config.progress(stage, done + 1, len(batches))
    _shared = None
    return results


def _can_fork() -> bool:
    return "fork" in multiprocessing.get_all_start_methods() and sys.platform != "darwin"


def _work_shared(numbers: Sequence[int]) -> object:
    assert _shared is not None, "set before the workers start"
    analysis, work = _shared
    return work(analysis, numbers)


def _batches(analysis: Analysis) -> Iterable[tuple[int, ...]]:
    """Numbers of crate roots: a few of one package at a time, the largest packages first."""
    for numbers in sorted(_by_package(analysis).values(), key=len, reverse=True):
        for at in range(0, len(numbers), _CHUNK):
            yield tuple(numbers[at : at + _CHUNK])


# Crate roots


def _selected(config: Config, workspace: Workspace) -> tuple[Package, ...]:
    packages = workspace.packages if config.narrowing.whole_workspace or config.packages else workspace.selected
    return tuple(package for package in packages if config.includes(package.name))


def _possible(analysis: Analysis, linked: Linker, packages: tuple[Package, ...]) -> tuple[Package, ...]:
    """The packages of which what is asked for leaves a configuration."""
    possible = []
    for package in packages:
        if is_possible(analysis.config, package, linked.setting.model(package)):
            possible.append(package)
        else:
            analysis.notes.append(f"package `{package.name}` has no configuration like the one asked for")
    return tuple(possible)


def _ordered(package: Package) -> list[Target]:
    return sorted(package.targets, key=lambda target: (_KIND_ORDER.index(target.kind), target.name))


def root_of(analysis: Analysis, package: Package, target: Target) -> Root | None:
    """One crate root in its space of configurations: what its package's library forbids, it forbids for all."""
    linked = analysis.linked
    assert linked is not None, "made by analyze"
    crate = make_crate(linked, package, target)
    if not crate.d.modules:
        return None
    forced = give_meaning(linked, package, target, crate)
    own = with_guards(_space(analysis, linked, package), guards(crate))
    own = with_guards(fixing(own, {**_mode(analysis.config, target), **fixed_atoms(target)}), forced)
    return Root(package, linked.setting.model(package), target, crate, own)


def _modes(config: Config, target: Target) -> frozenset[bool]:
    """Whether a crate root is looked at as itself (False), as its unit tests (True), or both; nothing where not at all.

    Cargo book, cargo check, target selection: `--tests` takes the unit tests of libraries and programs too. A build
    script is compiled whatever is selected.
    """
    kinds = config.kinds
    if not kinds or target.kind is TargetKind.BUILD_SCRIPT:
        return frozenset({False, True})
    own = {
        TargetKind.LIB: "lib",
        TargetKind.BIN: "bins",
        TargetKind.TEST: "tests",
        TargetKind.EXAMPLE: "examples",
        TargetKind.BENCH: "benches",
    }[target.kind]
    has_unit_tests = target.kind in (TargetKind.LIB, TargetKind.BIN)
    return frozenset({False} if own in kinds else ()) | frozenset(
        {True} if has_unit_tests and "tests" in kinds and target.test else ()
    )


def _mode(config: Config, target: Target) -> dict[Atom, bool]:
    """What `cfg(test)` is in the builds of a library or program that are looked at."""
    modes = _modes(config, target)
    return {TEST: True in modes} if len(modes) == 1 else {}


def _space(analysis: Analysis, linked: Linker, package: Package) -> ConfigSpace:
    """The configurations of a package, without those that its library refuses to be built in."""
    known = analysis.spaces.get(package)
    if known is None:
        config, model = analysis.config, linked.setting.model(package)
        triples = config.targets_of(package.name) or default_triples(analysis.workspace)
        known = asked_space(config, package, model, triples)
        library = package.library
        if library is not None:
            crate = make_crate(linked, package, library)
            if crate.d.modules:
                known = with_guards(known, guards(crate))
        analysis.spaces[package] = known
    return known


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

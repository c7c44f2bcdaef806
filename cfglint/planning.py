"""The builds that show every defect of a workspace, derived from an analysis and its findings.

Deliberately not here: which combinations a package needs (matrix), and running them (cargo).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace

from cfglint.batches import by_package, on_batches
from cfglint.config import Config
from cfglint.crate_roots import roots_of, selected, space_of
from cfglint.finding import Finding
from cfglint.manifest.workspace import load_workspace
from cfglint.matrix.derive import FULL_LIMIT, PackageMatrix, Strategy, derive, listed
from cfglint.matrix.goals import Failure, failures
from cfglint.nameres.analysis import Analysis


def with_dependencies(config: Config) -> Config:
    """The config with the members that the selected ones depend on selected, too: where these fail, those do.

    Raises CfglintError when there is no workspace.
    """
    if not config.packages:
        return config
    workspace = load_workspace(config.start)
    found: dict[str, None] = {}
    pending = list(selected(config, workspace))
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

    batches = [numbers for name, numbers in by_package(analysis).items() if not only or name in only]
    if strategy is Strategy.DERIVED:
        planned = on_batches(analysis, one, batches, "deriving the matrix")
    else:
        planned = [one(analysis, numbers) for numbers in batches]
    return tuple(sorted((each for each in planned if each is not None), key=lambda each: each.package))


def _plan_of(
    analysis: Analysis, numbers: Sequence[int], known: Sequence[Failure], strategy: Strategy, limit: int
) -> PackageMatrix | None:
    linked = analysis.linked
    assert linked is not None, "made by analyze"
    package = analysis.tasks[numbers[0]][0]
    space, setting = space_of(analysis, linked, package), linked.setting
    if strategy is not Strategy.DERIVED:
        dependents = [
            d for other in setting.members for d in other.dependencies if setting.package(other, d) is package
        ]
        return listed(strategy, package, setting.model(package), space, limit=limit, dependents=dependents)
    roots = roots_of(analysis, numbers)
    return derive(roots, space, setting, known) if roots else None

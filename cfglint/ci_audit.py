"""What CI does with a workspace: its files read, and held against the gates of the code.

Deliberately not here: reading workflows and scripts (workflow), and the rules about them (workflow/checks).
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass

from cfglint.batches import by_package, on_batches
from cfglint.crate_roots import roots_of, space_of
from cfglint.finding import Finding, Report, Summary, Undecided
from cfglint.nameres.analysis import Analysis
from cfglint.workflow.checks import CI_CHECKS
from cfglint.workflow.checks.uncovered_by_ci import uncovered_by_ci
from cfglint.workflow.coverage import PackageCoverage, cover_package
from cfglint.workflow.survey import Survey, survey


@dataclass(frozen=True, slots=True)
class CiOutcome:
    """What CI does with the workspace: findings in its files, and the gates that its commands compile."""

    report: Report
    coverages: tuple[PackageCoverage, ...]
    survey: Survey


def audit(analysis: Analysis) -> CiOutcome:
    """Read the workspace's CI files, and hold them against its gates."""
    linked = analysis.linked
    assert linked is not None, "made by analyze"
    found = survey(analysis.workspace, linked.setting)
    builds = found.builds_by_package()

    def one(analysis: Analysis, numbers: Sequence[int]) -> PackageCoverage | None:
        roots = roots_of(analysis, numbers)
        package = analysis.tasks[numbers[0]][0]
        if not roots:
            return None
        space, derived = space_of(analysis, linked, package), found.derived_jobs(package)
        return cover_package(analysis, roots, space, builds[package], derived)

    covered = on_batches(analysis, one, list(by_package(analysis).values()), "covering gates")
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

"""From what was found to what is told: levels, the baseline, and what is new since another revision.

The pipeline decides; here the project's own wishes are applied to its report, in that order. With `--since` the pipeline
runs a second time, over the sources of that revision.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from cfglint.baseline.listing import FILE, Baseline, Key, read_baseline
from cfglint.baseline.matching import Matched, complaints, matched
from cfglint.config import Config, Level
from cfglint.errors import CfglintError
from cfglint.finding import Comparison, Finding, Report
from cfglint.history.comparing import compared
from cfglint.history.revisions import open_revision
from cfglint.history.snapshot import Snapshot, snapshot
from cfglint.levels import apply_levels
from cfglint.nameres.analysis import Analysis
from cfglint.nameres.files import Files


def reviewed(report: Report, analysis: Analysis) -> Report:
    """`report` under the settings of the analysis: levels, without what the baseline lists, only what is new.

    Raises ConfigError where the baseline is none, UsageError where git does not have the revision asked for.
    """
    config = analysis.config
    leveled = apply_levels(report, config)
    known: tuple[Finding, ...] = ()
    baseline = None if config.without_baseline else read_baseline(baseline_file(config, analysis.workspace_root))
    told = leveled
    if baseline is not None:
        match = matched(leveled.findings, baseline.entries)
        known = match.known
        told = _without_known(leveled, match, baseline, analysis)
    if config.since is None:
        return told
    return _only_new(told, (*told.findings, *known), analysis, config.since)


def baseline_file(config: Config, root: Path) -> Path:
    """Where the baseline of the workspace at `root` is."""
    return config.baseline or root / FILE


def judges(report: Report, config: Config) -> Callable[[Key], bool]:
    """Whether the run can tell that an entry of the baseline is not needed any more."""
    unseen = frozenset(report.unseen)

    def judged(key: Key) -> bool:
        is_seen = not config.is_narrowed and key.package not in unseen
        return is_seen and config.level(key.rule, key.package) is not Level.ALLOW

    return judged


def _without_known(report: Report, match: Matched, baseline: Baseline, analysis: Analysis) -> Report:
    """What the baseline does not list, and what it lists in vain."""
    judged = judges(report, analysis.config)
    stale = [entry for entry in match.stale if judged(entry.key)]
    complaining = complaints(baseline, stale, analysis.display_path(str(baseline.file.absolute()))) if stale else ()
    findings = tuple(sorted((*match.new, *complaining), key=Finding.sort_key))
    summary = replace(report.summary, findings=len(findings), baselined=len(match.known))
    return apply_levels(replace(report, findings=findings, summary=summary), analysis.config)


def _only_new(report: Report, every: tuple[Finding, ...], analysis: Analysis, revision: str) -> Report:
    """`report` with what `revision` did not have; `every` finding, listed in the baseline or not, tells what is fixed."""
    note = ""
    with open_revision(analysis.config.start, revision) as found, snapshot(found) as before:
        try:
            then = _findings_of(before, found.top, analysis)
        except CfglintError as error:
            then, note = (), f"at {revision}: {error}; all findings count as new"
    since = compared(every, then, revision, found.commit)
    old = {finding.fingerprint for finding in since.unchanged}
    new = tuple(finding for finding in report.findings if finding.fingerprint not in old)
    unchanged = tuple(finding for finding in report.findings if finding.fingerprint in old)
    return replace(
        report,
        findings=new,
        notes=(*report.notes, note) if note else report.notes,
        summary=replace(report.summary, findings=len(new)),
        since=Comparison(revision, found.commit, new, since.fixed, unchanged),
    )


def _findings_of(before: Snapshot, top: Path, analysis: Analysis) -> tuple[Finding, ...]:
    """What was found in the sources of the snapshot, under the same settings.

    Raises CfglintError where they cannot be analysed, for instance because the workspace was not there yet.
    """
    import cfglint.pipeline as pipeline  # noqa: PLR0402 (mypy does not find the submodule otherwise)

    config = analysis.config
    start = before.folder / os.path.relpath(config.start.absolute(), top)
    same = {there: tree for there, here in before.same.items() if (tree := analysis.files.trees.get(here)) is not None}
    files = Files(trees=dict(same), bytes_read=analysis.files.bytes_read)
    then = pipeline.analyze(replace(config, path=start, manifest_path=None), files)
    return apply_levels(pipeline.run(then), then.config).findings

"""The one place where the user's levels change what a check found: `-A/-W/-D`, `select`, `ignore` and excluded paths.

It drops allowed findings, and all that is said of excluded paths, and changes severities; it invents nothing and keeps the
order. Applying it twice is the same as applying it once.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from cfglint.config import Config, Level
from cfglint.finding import Finding, Report, Severity

_SEVERITY = {Level.WARN: Severity.WARNING, Level.DENY: Severity.ERROR}


def apply_levels(report: Report, config: Config) -> Report:
    """`report` as the user wants to see it; the summary counts what is left."""
    excluded = _path_matcher(config)
    kept = tuple(
        changed
        for finding in report.findings
        if not excluded(finding.location.file) and (changed := _apply(finding, config)) is not None
    )
    undecided = tuple(entry for entry in report.undecided if not excluded(entry.file))
    if kept == report.findings and undecided == report.undecided:
        return report
    summary = replace(report.summary, findings=len(kept))
    return replace(report, findings=kept, undecided=undecided, summary=summary)


def _path_matcher(config: Config) -> Callable[[str], bool]:
    """Whether a file, relative to the workspace root, is excluded; patterns are those of `.gitignore`."""
    if not config.settings.exclude_paths:
        return frozenset[str]().__contains__
    from pathspec import GitIgnoreSpec

    return GitIgnoreSpec.from_lines(config.settings.exclude_paths).match_file


def _apply(finding: Finding, config: Config) -> Finding | None:
    level = config.level(finding.rule, finding.package)
    if level is Level.ALLOW:
        return None
    severity = _SEVERITY.get(level, finding.severity)
    return finding if severity is finding.severity else replace(finding, severity=severity)

"""The one place where the user's levels change what a check found: `-A/-W/-D`, `select` and `ignore`.

It drops allowed findings and changes severities; it invents nothing and keeps the order. Applying it twice is the same
as applying it once.
"""

from __future__ import annotations

from dataclasses import replace

from cfglint.config import Config, Level
from cfglint.finding import Finding, Report, Severity

_SEVERITY = {Level.WARN: Severity.WARNING, Level.DENY: Severity.ERROR}


def apply_levels(report: Report, config: Config) -> Report:
    """`report` as the user wants to see it; the summary counts what is left."""
    kept = tuple(changed for finding in report.findings if (changed := _apply(finding, config)) is not None)
    if kept == report.findings:
        return report
    return replace(report, findings=kept, summary=replace(report.summary, findings=len(kept)))


def _apply(finding: Finding, config: Config) -> Finding | None:
    level = config.level(finding.rule)
    if level is Level.ALLOW:
        return None
    severity = _SEVERITY.get(level, finding.severity)
    return finding if severity is finding.severity else replace(finding, severity=severity)

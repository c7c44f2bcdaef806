"""The `gitlab` format: a Code Quality report, for `artifacts: reports: codequality`.

Paths start at the top of the repository. GitLab shows the description alone, so the code is part of it. Fingerprints tell
findings apart and stay when lines move.
Source: GitLab docs, Code Quality, "Code Quality report format".
"""

from __future__ import annotations

import json

from cfglint.finding import Finding, Report, Severity
from cfglint.report.places import Places

_SEVERITY = {Severity.ERROR: "major", Severity.WARNING: "minor", Severity.NOTE: "info"}


def render_gitlab(report: Report, places: Places) -> str:
    """The report as a JSON array and a final newline."""
    return json.dumps([_issue(finding, places) for finding in report.findings], indent=2) + "\n"


def _issue(finding: Finding, places: Places) -> dict[str, object]:
    location = finding.location
    return {
        "description": f"{finding.rule}: {finding.message}",
        "check_name": finding.rule,
        "fingerprint": finding.fingerprint,
        "severity": _SEVERITY[finding.severity],
        "location": {
            "path": places.path(location.file),
            "positions": {
                "begin": {"line": location.line, "column": location.column},
                "end": {"line": location.end_line, "column": location.end_column},
            },
        },
    }

"""The `rdjson` format: what reviewdog turns into review comments.

Paths start at the top of the repository, columns count UTF-8 bytes. A repair in the very file becomes a suggestion.
Source: reviewdog, "Reviewdog Diagnostic Format".
"""

from __future__ import annotations

import json

from cfglint.finding import Finding, GatedItem, Repair, Report, Severity
from cfglint.report.places import Places
from cfglint.report.text import details, gated_behind

_SEVERITY = {Severity.ERROR: "ERROR", Severity.WARNING: "WARNING", Severity.NOTE: "INFO"}


def render_rdjson(report: Report, places: Places) -> str:
    """The report as one JSON object and a final newline."""
    diagnostics = [_diagnostic(finding, places) for finding in report.findings]
    return json.dumps({"source": {"name": "cfglint"}, "diagnostics": diagnostics}, indent=2) + "\n"


def _diagnostic(finding: Finding, places: Places) -> dict[str, object]:
    location = finding.location
    diagnostic: dict[str, object] = {
        "message": "\n".join((finding.message, *details(finding))),
        "location": {
            "path": places.path(location.file),
            "range": _range(location.line, location.column, location.end_line, location.end_column),
        },
        "severity": _SEVERITY[finding.severity],
        "code": {"value": finding.rule},
    }
    related = [_related(item, places) for item in finding.items]
    suggestions = [_suggestion(repair, places) for repair in finding.repairs if repair.file == location.file]
    if related:
        diagnostic["related_locations"] = related
    if suggestions:
        diagnostic["suggestions"] = suggestions
    return diagnostic


def _related(item: GatedItem, places: Places) -> dict[str, object]:
    start, end = places.sources.named(item.file, item.line, item.name) or places.sources.first_word(
        item.file, item.line
    )
    gate = gated_behind(item.present_when)
    return {
        "message": f"{item.kind} `{item.name}`" + (f": {gate}" if gate else ""),
        "location": {"path": places.path(item.file), "range": _range(item.line, start, item.line, end)},
    }


def _suggestion(repair: Repair, places: Places) -> dict[str, object]:
    length = len(places.sources.line(repair.file, repair.line) or b"")
    return {"range": _range(repair.line, 1, repair.line, length + 1), "text": repair.replacement}


def _range(line: int, column: int, end_line: int, end_column: int) -> dict[str, object]:
    return {"start": {"line": line, "column": column}, "end": {"line": end_line, "column": end_column}}

"""The `rustc-json` format: findings as rustc prints diagnostics with `--error-format=json`, one a line.

rust-analyzer reads this from its `check.overrideCommand`. Files are relative to the workspace root, columns count
characters, and `code` is `cfglint::CODE`, as a tool's lints are written.
Source: rustc book, "JSON Output"; a test holds the shape against rustc's own.
"""

from __future__ import annotations

import json
from collections.abc import Iterator

from cfglint.finding import Finding, GatedItem, Report
from cfglint.report.places import Places, Region
from cfglint.report.terminal import plain
from cfglint.report.text import diagnostic, gated_behind, remarks

_CHILD = {"note": "note", "help": "help"}


def rustc_lines(report: Report, places: Places) -> Iterator[str]:
    """One JSON object a finding."""
    for finding in report.findings:
        yield json.dumps(_diagnostic(finding, places))


def _diagnostic(finding: Finding, places: Places) -> dict[str, object]:
    location = finding.location
    span = _span(places, location.file, places.characters(location), location.column, is_primary=True, label=None)
    return {
        "$message_type": "diagnostic",
        "message": finding.message,
        "code": {"code": f"cfglint::{finding.rule}", "explanation": None},
        "level": finding.severity.value,
        "spans": [span],
        "children": [*(_item(item, places) for item in finding.items), *_remarks(finding)],
        "rendered": plain(diagnostic(finding, places.sources)),
    }


def _item(item: GatedItem, places: Places) -> dict[str, object]:
    start, end = places.sources.named(item.file, item.line, item.name) or places.sources.first_word(
        item.file, item.line
    )
    line, file = item.line, item.file
    region = Region(line, places.character(file, line, start), line, places.character(file, line, end))
    gate = gated_behind(item.present_when)
    span = _span(places, file, region, start, is_primary=True, label=gate or None)
    return _child("note", f"{item.kind} `{item.name}`" + (f": {gate}" if gate else ""), [span])


def _remarks(finding: Finding) -> Iterator[dict[str, object]]:
    for word, text in remarks(finding):
        level = _CHILD.get(word, "note")
        yield _child(level, text if word in _CHILD else f"{word}: {text}", [])


def _child(level: str, message: str, spans: list[dict[str, object]]) -> dict[str, object]:
    return {"message": message, "code": None, "level": level, "spans": spans, "children": [], "rendered": None}


def _span(
    places: Places, file: str, region: Region, byte_column: int, *, is_primary: bool, label: str | None
) -> dict[str, object]:
    start = places.sources.offset(file, region.line) + byte_column - 1
    lines = [
        (places.sources.line(file, number) or b"").decode("utf-8", "replace")
        for number in range(region.line, region.end_line + 1)
    ]
    last = lines[-1][: region.end_column - 1].encode()
    return {
        "file_name": file,
        "byte_start": start,
        "byte_end": max(places.sources.offset(file, region.end_line) + len(last), start),
        "line_start": region.line,
        "line_end": region.end_line,
        "column_start": region.column,
        "column_end": region.end_column,
        "is_primary": is_primary,
        "text": [
            {
                "text": text,
                "highlight_start": region.column if number == 0 else 1,
                "highlight_end": region.end_column if number == len(lines) - 1 else len(text) + 1,
            }
            for number, text in enumerate(lines)
        ],
        "label": label,
        "suggested_replacement": None,
        "suggestion_applicability": None,
        "expansion": None,
    }

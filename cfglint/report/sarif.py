"""The `sarif` format, version 2.1.0, as GitHub code scanning takes it.

One run with all rules, whether found or not. The primary region is one line, for an annotation is only shown where every
line of it lies in the changes. What gates the item stands in `relatedLocations`, the way from the reference to it in
`codeFlows`. Where a run is compared with another revision, unchanged results are there too,
as `baselineState` says: code scanning takes what is missing for fixed. What could not be decided and what went wrong are notifications of the invocation. The exit status is the
same as with any other format. Written by hand: the object models in the registries are no longer kept.
Source: SARIF 2.1.0 (OASIS), and GitHub docs, "SARIF support for code scanning", for the limits.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import TypeAlias
from urllib.parse import quote

from cfglint import __version__
from cfglint.finding import Finding, Location, Report
from cfglint.report.line_hash import line_hashes
from cfglint.report.places import Places, Region
from cfglint.report.text import details, gated_behind
from cfglint.rulebook import Rule

Json: TypeAlias = dict[str, object]

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
FINGERPRINT = "cfglint/v1"
MOST_RESULTS = 5000
"""What code scanning keeps of one run."""
_MOST_TEXT = 1000
_PRECISION = {"high": "very-high", "medium": "medium", "low": "low"}
_PROBLEM = {"error": "error", "warning": "warning", "note": "recommendation"}


def render_sarif(report: Report, places: Places, rules: Sequence[Rule]) -> str:
    """The report as a SARIF log and a final newline."""
    return json.dumps(as_log(report, places, rules), indent=2) + "\n"


def as_log(report: Report, places: Places, rules: Sequence[Rule]) -> Json:
    """The report as the values that `json.dumps` takes."""
    numbers = {rule.code: number for number, rule in enumerate(rules)}
    old = report.since.unchanged if report.since is not None else ()
    kept = sorted((*report.findings, *old), key=lambda finding: finding.severity.rank)[:MOST_RESULTS]
    hashes = _hashes(kept, places)
    kept.sort(key=Finding.sort_key)
    results = [_result(finding, places, numbers, hashes) for finding in kept]
    if report.since is not None:
        unchanged = {finding.fingerprint for finding in old}
        for finding, result in zip(kept, results, strict=True):
            result["baselineState"] = "unchanged" if finding.fingerprint in unchanged else "new"
    driver: Json = {
        "name": "cfglint",
        "fullName": f"cfglint {__version__}",
        "version": __version__,
        "semanticVersion": __version__,
        "rules": [_rule(rule) for rule in rules],
    }
    run: Json = {
        "tool": {"driver": driver},
        "automationDetails": {"id": f"cfglint/{places.prefix}"},
        "columnKind": "utf16CodeUnits",
        "originalUriBaseIds": {"%SRCROOT%": {"description": {"text": "The top of the repository."}}},
        "invocations": [_invocation(report, len(report.findings) + len(old))],
        "results": results,
        "properties": {"references": report.summary.references, "decided": report.summary.decided},
    }
    return {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}


def _rule(rule: Rule) -> Json:
    what = rule.sections.get("What it does", rule.summary)
    return {
        "id": rule.code,
        "name": "".join(word.capitalize() for word in rule.name.split("-")),
        "shortDescription": {"text": _sentence(rule.summary)},
        "fullDescription": {"text": _cut(" ".join(what.split()))},
        "help": {"text": rule.body, "markdown": rule.body},
        "defaultConfiguration": {"level": rule.severity},
        "properties": {
            "precision": "very-high",
            "problem.severity": _PROBLEM[rule.severity],
            "tags": ["correctness" if rule.severity == "error" else "maintainability", "conditional-compilation"],
        },
    }


def _result(finding: Finding, places: Places, numbers: dict[str, int], hashes: dict[tuple[str, int], str]) -> Json:
    result: Json = {
        "ruleId": finding.rule,
        "level": finding.severity.value,
        "kind": "fail",
        "message": {"text": "\n".join((_sentence(finding.message), *details(finding)))},
        "locations": [_location(places, finding.location.file, places.first_line(finding.location))],
        "partialFingerprints": {FINGERPRINT: finding.fingerprint},
        "properties": {
            "precision": _PRECISION.get(finding.confidence, "medium"),
            "package": finding.package,
            "worlds": list(finding.worlds),
        },
    }
    if finding.rule in numbers:
        result["ruleIndex"] = numbers[finding.rule]
    line_hash = hashes.get((finding.location.file, finding.location.line))
    if line_hash is not None:
        result["partialFingerprints"] = {FINGERPRINT: finding.fingerprint, "primaryLocationLineHash": line_hash}
    if finding.items:
        result["relatedLocations"] = _related(finding, places)
        result["codeFlows"] = [_flow(finding, places)]
    return result


def _related(finding: Finding, places: Places) -> list[Json]:
    return [
        _location(places, item.file, places.item(item), text=_about(finding, number), number=number + 1)
        for number, item in enumerate(finding.items)
    ]


def _flow(finding: Finding, places: Places) -> Json:
    """From the reference to the definitions that it would reach."""
    here = _location(
        places,
        finding.location.file,
        places.first_line(finding.location),
        text=f"`{finding.path or finding.name}` is compiled when cfg({finding.present_when})",
    )
    steps = [here, *_related(finding, places)]
    return {"threadFlows": [{"locations": [{"location": step} for step in steps]}]}


def _about(finding: Finding, number: int) -> str:
    item = finding.items[number]
    return f"{item.kind} `{item.name}`" + (f": {gate}" if (gate := gated_behind(item.present_when)) else "")


def _location(places: Places, file: str, region: Region, *, text: str = "", number: int = 0) -> Json:
    location: Json = {
        "physicalLocation": {
            "artifactLocation": {"uri": quote(places.path(file), errors="replace"), "uriBaseId": "%SRCROOT%"},
            "region": {
                "startLine": region.line,
                "startColumn": region.column,
                "endLine": region.end_line,
                "endColumn": region.end_column,
            },
        }
    }
    if text:
        location["message"] = {"text": text}
    if number:
        location["id"] = number
    return location


def _invocation(report: Report, count: int) -> Json:
    notifications = [_notification("warning", note) for note in report.notes]
    left_out = count - MOST_RESULTS
    if left_out > 0:
        notifications.append(_notification("warning", f"{left_out:,} more findings are left out of this file"))
    undecided = report.summary.references - report.summary.decided
    if undecided > 0:
        notifications.append(_notification("note", f"{undecided:,} references could not be decided"))
    return {"executionSuccessful": True, "toolExecutionNotifications": notifications}


def _notification(level: str, text: str) -> Json:
    return {"level": level, "message": {"text": text}}


def _hashes(findings: Iterable[Finding], places: Places) -> dict[tuple[str, int], str]:
    """`primaryLocationLineHash` by file and line."""
    wanted: dict[str, set[int]] = {}
    for finding in findings:
        location: Location = finding.location
        wanted.setdefault(location.file, set()).add(location.line)
    return {
        (file, line): value
        for file, lines in wanted.items()
        if (text := places.sources.text(file)) is not None
        for line, value in line_hashes(text, frozenset(lines)).items()
    }


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:]


def _cut(text: str) -> str:
    return text if len(text) <= _MOST_TEXT else text[: _MOST_TEXT - 3] + "..."

"""The `json` format: one object, schema version 1, the contract of docs/json.md; and `json-lines`, its findings alone.

Fields may be added; those documented stay. The text is plain ASCII, so it survives any terminal or pipe, and has no
colours and no cuts.
"""

from __future__ import annotations

import json

from cfglint import __version__
from cfglint.finding import Comparison, Finding, GatedItem, Repair, Report, Undecided

SCHEMA_VERSION = 1


def render_json(report: Report) -> str:
    """The report as one JSON object and a final newline."""
    return json.dumps(as_object(report), indent=2) + "\n"


def render_json_lines(report: Report) -> str:
    """Every finding as one JSON object on a line of its own."""
    return "".join(f"{json.dumps(finding_object(finding))}\n" for finding in report.findings)


def as_object(report: Report) -> dict[str, object]:
    """The report as the values that `json.dumps` takes."""
    summary = report.summary
    return {
        "schema_version": SCHEMA_VERSION,
        "tool": {"name": "cargo-cfglint", "version": __version__},
        "findings": [finding_object(finding) for finding in report.findings],
        "undecided": [_undecided(entry) for entry in report.undecided],
        "notes": list(report.notes),
        "since": _since(report.since),
        "summary": {
            "packages": summary.packages,
            "files": summary.files,
            "references": summary.references,
            "decided": summary.decided,
            "findings": summary.findings,
            "failing": summary.failing,
            "suppressed": summary.suppressed,
            "baselined": summary.baselined,
            "seconds": round(summary.seconds, 3),
        },
    }


def finding_object(finding: Finding) -> dict[str, object]:
    """One finding object; every command that prints findings prints these."""
    location, witness = finding.location, finding.witness
    return {
        "rule": finding.rule,
        "name": finding.name,
        "severity": finding.severity.value,
        "confidence": finding.confidence,
        "package": finding.package,
        "target": {"kind": finding.target.kind, "name": finding.target.name},
        "worlds": list(finding.worlds),
        "file": location.file,
        "line": location.line,
        "column": location.column,
        "end_line": location.end_line,
        "end_column": location.end_column,
        "item": finding.scope,
        "path": finding.path,
        "message": finding.message,
        "present_when": finding.present_when,
        "resolves_when": finding.resolves_when,
        "fails_when": finding.fails_when,
        "failing": {"count": finding.failing_count, "of": finding.failing_of},
        "items": [_item(item, finding) for item in finding.items],
        "witness": {
            "features": list(witness.features),
            "default_features": witness.default_features,
            "cfgs": list(witness.cfgs),
            "target": witness.target,
            "command": witness.command,
        },
        "notes": list(finding.notes),
        "helps": list(finding.helps),
        "repairs": [repair_object(repair) for repair in finding.repairs],
        "confirmation": finding.confirmation.value if finding.confirmation else None,
        "fingerprint": finding.fingerprint,
    }


def _since(since: Comparison | None) -> dict[str, object] | None:
    if since is None:
        return None
    return {
        "revision": since.revision,
        "commit": since.commit,
        "fixed": [finding_object(finding) for finding in since.fixed],
        "unchanged": [finding_object(finding) for finding in since.unchanged],
    }


def _item(item: GatedItem, finding: Finding) -> dict[str, object]:
    return {
        "package": item.package or finding.package,
        "file": item.file,
        "line": item.line,
        "kind": item.kind,
        "name": item.name,
        "present_when": item.present_when,
    }


def repair_object(repair: Repair) -> dict[str, object]:
    """One repair object."""
    return {
        "kind": repair.kind,
        "file": repair.file,
        "line": repair.line,
        "replacement": repair.replacement,
        "leaves": repair.leaves,
        "title": repair.title,
        "applicability": repair.applicability,
        "edits": [
            {
                "file": edit.file,
                "line": edit.line,
                "column": edit.column,
                "end_line": edit.end_line,
                "end_column": edit.end_column,
                "text": edit.text,
            }
            for edit in repair.edits
        ],
        "patch": repair.patch,
        "creates": list(repair.creates),
        "remains": list(repair.remains),
    }


def _undecided(entry: Undecided) -> dict[str, object]:
    return {"file": entry.file, "line": entry.line, "reason": entry.reason}

"""A run of a matrix as one JSON object; the findings in it are those of docs/json.md."""

from __future__ import annotations

import json

from cfglint import __version__
from cfglint.matrix.lists import as_row
from cfglint.matrix.results import Problem, Result, RunReport, Status
from cfglint.report.json import SCHEMA_VERSION, finding_object


def render_run_json(report: RunReport) -> str:
    """The report as one JSON object and a final newline."""
    value = {
        "schema_version": SCHEMA_VERSION,
        "tool": {"name": "cargo-cfglint", "version": __version__},
        "command": list(report.command),
        "combinations": [_result(result) for result in report.results],
        "problems": [_problem(problem, report) for problem in report.problems],
        "findings": [
            {**finding_object(one.finding), "sighting": one.sighting.value, "reason": one.reason}
            for one in report.predictions
        ],
        "summary": {
            "combinations": len(report.results),
            **{status.value.replace("-", "_"): report.count(status) for status in Status},
            "problems": len(report.problems),
            "interrupted": report.is_interrupted,
            "seconds": report.seconds,
        },
    }
    return json.dumps(value, indent=2) + "\n"


def _result(result: Result) -> dict[str, object]:
    return {
        **as_row(result.combination),
        "status": result.status.value,
        "seconds": result.seconds,
        "errors": len(result.diagnostics),
        "warnings": result.warnings,
        "complaint": result.complaint,
        "resumed": result.is_old,
    }


def _problem(problem: Problem, report: RunReport) -> dict[str, object]:
    diagnostic = problem.diagnostic
    predicted = (index for index, one in enumerate(report.predictions) if one.finding is problem.finding)
    first = diagnostic.places[0] if diagnostic.places else None
    return {
        "code": diagnostic.code,
        "message": diagnostic.message,
        "package": diagnostic.package,
        "target": {"kind": diagnostic.kind, "name": diagnostic.target},
        "file": first.file if first else None,
        "line": first.line if first else None,
        "column": first.column if first else None,
        "rendered": diagnostic.rendered,
        "combinations": list(problem.shown_in),
        "finding": next(predicted, None),
    }

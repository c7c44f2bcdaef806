"""An explanation as JSON: the same facts as the text, for programs. Fields may be added; those documented stay."""

from __future__ import annotations

import json

from cfglint import __version__
from cfglint.graph.explanation import Answer, Explanation, Fact, Spot, Table, Told
from cfglint.report.json import SCHEMA_VERSION, finding_object, repair_object


def answer_json(answer: Answer) -> str:
    """The answer as one JSON object and a final newline."""
    value = {
        "schema_version": SCHEMA_VERSION,
        "tool": {"name": "cargo-cfglint", "version": __version__},
        "explanations": [_told(told) for told in answer.told],
        "log": {
            "errors": answer.errors,
            "following": answer.following,
            "left_alone": answer.left_alone,
            "outside": answer.elsewhere,
        }
        if answer.errors
        else None,
    }
    return json.dumps(value, indent=2) + "\n"


def _told(told: Told) -> dict[str, object]:
    return {"number": told.number, "same_as": told.same_as or None, **_explanation(told.explanation)}


def _explanation(explanation: Explanation) -> dict[str, object]:
    where, witness = explanation.location, explanation.witness
    return {
        "verdict": explanation.verdict.value,
        "headline": explanation.headline,
        "provisos": list(explanation.provisos),
        "package": explanation.package,
        "target": {"kind": explanation.target.kind, "name": explanation.target.name},
        "file": where.file,
        "line": where.line,
        "column": where.column,
        "end_line": where.end_line,
        "end_column": where.end_column,
        "path": explanation.path,
        "present_when": explanation.present_when,
        "resolves_when": explanation.resolves_when,
        "fails_when": explanation.fails_when or None,
        "failing": {"count": explanation.failing_count, "of": explanation.failing_of},
        "sentences": list(explanation.sentences),
        "derivation": [_fact(fact) for fact in explanation.derivation],
        "table": None if explanation.table is None else _table(explanation.table),
        "causes": list(explanation.causes),
        "command": None if witness is None else witness.command,
        "finding": None if explanation.finding is None else finding_object(explanation.finding),
        "repairs": [repair_object(repair) for repair in explanation.repairs],
    }


def _fact(fact: Fact) -> dict[str, object]:
    return {
        "text": fact.text,
        "place": _spot(fact.spot),
        "gate": fact.gate or None,
        "when": fact.when or None,
        "missing": fact.is_missing,
        "rests_on": [_fact(child) for child in fact.children],
    }


def _table(table: Table) -> dict[str, object]:
    return {
        "options": list(table.options),
        "columns": [list(column) for column in table.columns],
        "rows": [
            {"label": row.label, "place": _spot(row.spot), "when": row.when or None, "cells": list(row.cells)}
            for row in table.rows
        ],
        "failing": list(table.failing),
        "implications": list(table.impossible),
    }


def _spot(spot: Spot | None) -> dict[str, object] | None:
    return None if spot is None else {"file": spot.file, "line": spot.line, "column": spot.column or None}

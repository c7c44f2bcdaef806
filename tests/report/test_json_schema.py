"""docs/report.schema.json describes what is printed, field by field."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from cfglint.config import Format
from cfglint.finding import Comparison, Report, Undecided
from cfglint.report import Presentation, render
from tests.fixture_driver import FIXTURES, run_cfglint
from tests.samples import finding, report

SCHEMA = json.loads((Path(__file__).parents[2] / "docs/report.schema.json").read_text("utf-8"))
VALIDATOR = jsonschema.Draft202012Validator(SCHEMA)


def test_it_is_a_schema() -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)


@pytest.mark.parametrize("folder", ["seed-workspace", "seed-mended", "unused-suppression/comments"])
def test_reports_are_valid(folder: str) -> None:
    VALIDATOR.validate(run_cfglint(FIXTURES / folder))


def test_so_are_comparisons_and_what_is_undecided() -> None:
    sample: Report = report(finding(), undecided=(Undecided("a.rs", 1, "why"),), notes=("a note",))
    compared = replace(sample, since=Comparison("main", "0" * 40, (finding(),), (finding(),), (finding(),)))
    VALIDATOR.validate(json.loads(render(compared, Format.JSON, Presentation(Path()))))


@pytest.mark.parametrize("change", [{"severity": "fatal"}, {"line": 0}, {"fingerprint": "x"}, {"rule": None}])
def test_what_is_not_so_is_refused(change: dict[str, Any]) -> None:
    printed = json.loads(render(report(finding()), Format.JSON, Presentation(Path())))
    printed["findings"][0] |= change
    assert not VALIDATOR.is_valid(printed)


def test_it_has_every_documented_field() -> None:
    page = (Path(__file__).parents[2] / "docs/json.md").read_text("utf-8")
    documented = {line.split("`")[1].rsplit(".")[-1] for line in page.splitlines() if line.startswith("| `")}
    assert set(_names(SCHEMA)) == documented


def _names(schema: Any) -> Iterator[str]:
    if isinstance(schema, dict):
        yield from schema.get("properties", ())
        for inner in schema.values():
            yield from _names(inner)
    elif isinstance(schema, list):
        for inner in schema:
            yield from _names(inner)

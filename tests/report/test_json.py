from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from cfglint import __version__
from cfglint.config import Format
from cfglint.finding import Comparison, Confirmation, Location, Repair, Replacement, Report, Severity, Undecided
from cfglint.report import Presentation, render
from tests.samples import finding, report


def as_json(subject: Report) -> Any:
    return json.loads(render(subject, Format.JSON, Presentation(Path())))


def test_the_contract_to_the_letter() -> None:
    repair = Repair("widen-gate", "src/lib.rs", 3, '#[cfg(any(feature = "grad", feature = "gpu"))]', 0)
    sample = finding(repairs=(repair,), notes=("a note",), confirmation=Confirmation.CONFIRMED)
    assert as_json(report(sample, undecided=(Undecided("src/a.rs", 1, "unknown macro `m!`"),), notes=("remark",))) == {
        "schema_version": 1,
        "tool": {"name": "cargo-cfglint", "version": __version__},
        "findings": [
            {
                "rule": "CFG001",
                "name": "configured-out-item",
                "severity": "error",
                "confidence": "high",
                "package": "seam",
                "target": {"kind": "lib", "name": "seam"},
                "worlds": ["standalone"],
                "file": "src/kernels.rs",
                "line": 2,
                "column": 12,
                "end_line": 2,
                "end_column": 17,
                "item": "kernels::launch",
                "path": "crate::tally::launched",
                "message": "cannot find `tally` in `crate` when `grad` is disabled",
                "present_when": "true",
                "resolves_when": 'feature = "grad"',
                "fails_when": 'not(feature = "grad")',
                "failing": {"count": 2, "of": 4},
                "items": [
                    {
                        "package": "seam",
                        "file": "src/lib.rs",
                        "line": 4,
                        "kind": "mod",
                        "name": "tally",
                        "present_when": 'feature = "grad"',
                    }
                ],
                "witness": {
                    "features": [],
                    "default_features": False,
                    "cfgs": [],
                    "target": None,
                    "command": "cargo check -p seam --lib --no-default-features",
                },
                "notes": ["a note"],
                "helps": [],
                "repairs": [
                    {
                        "kind": "widen-gate",
                        "file": "src/lib.rs",
                        "line": 3,
                        "replacement": '#[cfg(any(feature = "grad", feature = "gpu"))]',
                        "leaves": 0,
                        "title": "",
                        "applicability": "maybe-incorrect",
                        "edits": [],
                        "patch": "",
                        "creates": [],
                        "remains": [],
                    }
                ],
                "confirmation": "confirmed",
                "fingerprint": sample.fingerprint,
            }
        ],
        "undecided": [{"file": "src/a.rs", "line": 1, "reason": "unknown macro `m!`"}],
        "notes": ["remark"],
        "since": None,
        "summary": {
            "packages": 6,
            "files": 15,
            "references": 1208,
            "decided": 1205,
            "findings": 1,
            "failing": 1,
            "suppressed": 0,
            "baselined": 0,
            "seconds": 0.421,
        },
    }


def test_every_documented_field_is_printed_and_every_printed_field_is_documented() -> None:
    page = (Path(__file__).parents[2] / "docs/json.md").read_text("utf-8")
    edit = Replacement("f", 1, 1, 1, 2, "r")
    one = finding(repairs=(Repair("k", "f", 1, "r", 0, edits=(edit,)),))
    since = Comparison("main", "0" * 40, (one,), (one,), (one,))
    printed = as_json(replace(report(one, undecided=(Undecided("f", 1, "r"),)), since=since))
    names = set(_names(printed))
    documented = {line.split("`")[1].rsplit(".")[-1] for line in page.splitlines() if line.startswith("| `")}
    assert documented == names


def _names(value: Any) -> list[str]:
    if isinstance(value, dict):
        return [*value, *(name for inner in value.values() for name in _names(inner))]
    if isinstance(value, list):
        return [name for inner in value for name in _names(inner)]
    return []


@pytest.mark.parametrize("name", ["src/ü.rs", "src/\udcff.rs", "src/\x1b[31m.rs"])
def test_is_ascii_and_exact_whatever_a_file_is_called(name: str) -> None:
    text = render(report(finding(location=Location(name, 1, 1, 1, 2))), Format.JSON, Presentation(Path()))
    assert text.isascii()
    assert json.loads(text)["findings"][0]["file"] == name


def test_is_the_same_in_colour_and_in_quiet() -> None:
    subject = report(finding(severity=Severity.WARNING))
    plain = render(subject, Format.JSON, Presentation(Path()))
    assert render(subject, Format.JSON, Presentation(Path(), in_color=True, quiet=True)) == plain

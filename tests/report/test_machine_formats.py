"""Formats that other programs read: each held against its reader's own parser, or against a schema of what it documents."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from junitparser import Failure, JUnitXml
from markdown_it import MarkdownIt

from cfglint.config import Format
from cfglint.finding import Location, Repair, Report, Severity
from cfglint.report import Presentation, render
from cfglint.report.markdown import code, render_markdown
from cfglint.report.places import places
from tests.oracle.cargo_oracle import require_cargo, rustc
from tests.report.schemas import GITLAB, RDJSON
from tests.samples import finding, report, write_package

WARNING = finding(rule="CFG101", severity=Severity.WARNING, location=Location("src/lib.rs", 3, 1, 3, 4), items=())
NAMES = ["src/a&b<c>.rs", "src/ü|`.rs", "src/\x1b[31m.rs", "src/\udcff.rs", 'a"b.rs', "a\nb.rs"]


def rendered(subject: Report, format_: Format, root: Path = Path("/nowhere"), prefix: str = "") -> str:
    text = render(subject, format_, Presentation(root, prefix=prefix))
    text.encode("utf-8", "backslashreplace")
    return text


# GitLab


def gitlab(subject: Report, prefix: str = "") -> Any:
    issues = json.loads(rendered(subject, Format.GITLAB, prefix=prefix))
    jsonschema.validate(issues, GITLAB)
    return issues


def test_gitlab() -> None:
    first, second = gitlab(report(finding(), WARNING), "rust/")
    assert first["location"] == {
        "path": "rust/src/kernels.rs",
        "positions": {"begin": {"line": 2, "column": 12}, "end": {"line": 2, "column": 17}},
    }
    assert (first["severity"], second["severity"]) == ("major", "minor")
    assert first["description"].startswith("CFG001: cannot find `tally`")
    assert gitlab(report()) == []


# JUnit


def junit(subject: Report, prefix: str = "") -> JUnitXml:
    return JUnitXml.fromstring(rendered(subject, Format.JUNIT, prefix=prefix).encode("utf-8", "backslashreplace"))


def test_junit() -> None:
    read = junit(report(finding(), WARNING), "rust/")
    suites = list(read)
    assert [suite.name for suite in suites] == ["rust/src/kernels.rs", "rust/src/lib.rs"]
    (case,) = suites[0]
    assert (case.name, case.classname) == ("cfglint.CFG001", "rust/src/kernels")
    (failure,) = case.result
    assert isinstance(failure, Failure)
    assert failure.message == "cannot find `tally` in `crate` when `grad` is disabled"
    assert (read.tests, read.failures, read.errors) == (2, 2, 0)


def test_junit_of_nothing_is_one_test_that_passed() -> None:
    read = junit(report())
    ((case,),) = (list(suite) for suite in read)
    assert case.is_passed
    assert (read.tests, read.failures) == (1, 0)


@pytest.mark.parametrize("name", NAMES)
def test_junit_takes_any_text(name: str) -> None:
    subject = finding(location=Location(name, 1, 1, 1, 2), message="<&\x00]]>\ufffe \x0b")
    assert junit(report(subject)).failures == 1


# reviewdog


def rdjson(subject: Report, root: Path = Path("/nowhere"), prefix: str = "") -> Any:
    result = json.loads(rendered(subject, Format.RDJSON, root, prefix))
    jsonschema.validate(result, RDJSON)
    return result


def test_rdjson(tmp_path: Path) -> None:
    root = write_package(tmp_path)
    repair = Repair("gate", "src/kernels.rs", 2, '    #[cfg(feature = "grad")]', 0)
    elsewhere = Repair("widen-gate", "src/lib.rs", 3, "x", 0)
    (diagnostic,) = rdjson(report(finding(repairs=(repair, elsewhere))), root, "rust/")["diagnostics"]
    assert diagnostic["location"] == {
        "path": "rust/src/kernels.rs",
        "range": {"start": {"line": 2, "column": 12}, "end": {"line": 2, "column": 17}},
    }
    assert diagnostic["code"] == {"value": "CFG001"}
    assert diagnostic["severity"] == "ERROR"
    (related,) = diagnostic["related_locations"]
    assert related["location"]["range"] == {"start": {"line": 4, "column": 9}, "end": {"line": 4, "column": 14}}
    (suggestion,) = diagnostic["suggestions"]
    assert suggestion["range"] == {"start": {"line": 2, "column": 1}, "end": {"line": 2, "column": 30}}
    assert rdjson(report())["diagnostics"] == []


# rustc


def rustc_json(subject: Report, root: Path) -> list[Any]:
    return [json.loads(line) for line in rendered(subject, Format.RUSTC_JSON, root).splitlines()]


def test_rustc_json(tmp_path: Path) -> None:
    root = write_package(tmp_path, kernels="pub fn launch() {\n  /* ü𝄞 */ crate::tally::launched();\n}\n")
    subject = finding(location=Location("src/kernels.rs", 2, 23, 2, 28))
    (diagnostic,) = rustc_json(report(subject), root)
    (span,) = diagnostic["spans"]
    assert (span["line_start"], span["column_start"], span["column_end"]) == (2, 19, 24)
    source = (root / "src/kernels.rs").read_bytes()
    assert source[span["byte_start"] : span["byte_end"]] == b"tally"
    (text,) = span["text"]
    assert text["text"][text["highlight_start"] - 1 : text["highlight_end"] - 1] == "tally"
    assert diagnostic["code"]["code"] == "cfglint::CFG001"
    assert diagnostic["rendered"].startswith("error[CFG001]: cannot find `tally`")


@pytest.mark.cargo
def test_rustc_json_has_the_shape_of_rustcs_own(tmp_path: Path) -> None:
    require_cargo()
    root = write_package(tmp_path)
    done = subprocess.run(
        [str(rustc()), "--error-format=json", "--crate-type=lib", "--emit=metadata", "--edition=2021", "src/lib.rs"],
        cwd=root,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    theirs = next(message for line in done.stderr.splitlines() if (message := json.loads(line))["children"])
    (ours,) = rustc_json(report(finding()), root)
    assert set(shape(ours)) == set(shape(theirs))
    label = theirs["spans"][0]["label"]
    assert ours["spans"] == [theirs["spans"][0] | {"label": None}], f"all but the label: {label}"


def shape(value: Any, path: str = "") -> list[str]:
    """The paths of all keys, arrays by their elements; two of them hold text or nothing."""
    if isinstance(value, dict):
        return [f"{path}.{key}" for key in value] + [
            found for key, inner in value.items() for found in shape(inner, f"{path}.{key}")
        ]
    if isinstance(value, list):
        return [found for inner in value for found in shape(inner, f"{path}[]")]
    return []


# JSON lines


def test_json_lines_are_the_findings_of_json() -> None:
    subject = report(finding(), WARNING)
    lines = [json.loads(line) for line in rendered(subject, Format.JSON_LINES).splitlines()]
    assert lines == json.loads(rendered(subject, Format.JSON))["findings"]


# Markdown


def cells(markdown: str) -> list[list[str]]:
    """The rows of the first table as a Markdown parser reads them."""
    tokens = MarkdownIt("commonmark").enable("table").parse(markdown)
    rows: list[list[str]] = []
    for token in tokens:
        if token.type == "tr_open":
            rows.append([])
        elif token.type == "inline" and rows:
            if tokens[tokens.index(token) - 1].type in ("td_open", "th_open"):
                rows[-1].append("".join(child.content for child in token.children or ()))
    return rows


def test_markdown() -> None:
    text = rendered(report(finding(), WARNING), Format.MARKDOWN, prefix="rust/")
    head, first, second = cells(text)
    assert head == ["Where", "Rule", "What", "Reproduce"]
    assert first == [
        "rust/src/kernels.rs:2:12",
        "error CFG001",
        "cannot find tally in crate when grad is disabled",
        "cargo check -p seam --lib --no-default-features",
    ]
    assert second[1] == "warning CFG101"
    assert text.startswith("### cfglint: 1 error, 1 warning\n")


@pytest.mark.parametrize("name", NAMES)
def test_markdown_takes_any_text(name: str) -> None:
    message = "a|b <script> [x](y) @someone #1 *x* `|` ![i](j)"
    subject = report(finding(location=Location(name, 1, 1, 1, 2), message=message))
    text = rendered(subject, Format.MARKDOWN)
    (_, row) = cells(text)
    assert row[2].replace("\u200b", "") == message.replace("`", "")
    html = MarkdownIt("commonmark").enable("table").render(text)
    assert "<script>" not in html
    assert "<a " not in html
    assert "<img" not in html


@pytest.mark.parametrize("text", ["a", "`", "a``b", "|", "`|`", ""])
def test_code_is_literal(text: str) -> None:
    table = f"| {code(text)} |\n|---|\n| x |\n"
    assert cells(table)[0] == [text]


def test_markdown_has_room_for_so_much() -> None:
    subject = report(*[finding(location=Location("a.rs", at + 1, 1, at + 1, 2)) for at in range(500)])
    text = render_markdown(subject, places(Path("/nowhere"), ""), limit=20_000)
    assert len(text) < 22_000
    rows = cells(text)
    shown = len(rows) - 2
    assert rows[-1][2] == f"{500 - shown:,} more findings"

"""What GitHub's runner reads is what was said: its documented unescaping, written anew, gives back every character."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cfglint.config import Format
from cfglint.finding import Finding, Location, Report, Severity
from cfglint.report import Presentation, render
from cfglint.report.github import MOST_PER_LEVEL
from tests.samples import finding, report, write_package

COMMAND = re.compile(r"::(?P<name>[a-z]+) (?P<properties>[^\r\n]*?)::(?P<data>.*)", re.DOTALL)


def parsed(line: str) -> tuple[str, dict[str, str], str]:
    """A workflow command as the runner splits it: properties at `,` and `=`, then escapes, `%25` last."""
    command = COMMAND.fullmatch(line)
    assert command is not None, line
    properties = dict(pair.split("=", 1) for pair in command["properties"].split(","))
    escapes = {"%3A": ":", "%2C": ",", "%0D": "\r", "%0A": "\n"}

    def plain(text: str, *, is_property: bool) -> str:
        for escape, character in escapes.items():
            if is_property or character in "\r\n":
                text = text.replace(escape, character)
        return text.replace("%25", "%")

    return (
        command["name"],
        {name: plain(value, is_property=True) for name, value in properties.items()},
        plain(command["data"], is_property=False),
    )


def github(subject: Report, root: Path = Path(), prefix: str = "") -> list[str]:
    return render(subject, Format.GITHUB, Presentation(root, prefix=prefix)).split("\n")


def test_an_annotation(tmp_path: Path) -> None:
    line = github(report(finding()), write_package(tmp_path), "rust/")[0]
    name, properties, message = parsed(line)
    assert name == "error"
    assert properties == {
        "file": "rust/src/kernels.rs",
        "line": "2",
        "endLine": "2",
        "col": "12",
        "endColumn": "17",
        "title": "cfglint (CFG001)",
    }
    assert message.splitlines() == [
        "cannot find `tally` in `crate` when `grad` is disabled",
        'fails when: cfg(not(feature = "grad")) (2 of 4 combinations)',
        "reproduce: cargo check -p seam --lib --no-default-features",
    ]


@pytest.mark.parametrize("name", ["100%.rs", "a,b:c.rs", "a\nb\r.rs", "%0A%2C.rs", "::error::x.rs", "ü,%.rs"])
def test_escapes_come_back_unharmed(name: str) -> None:
    subject = finding(location=Location(name, 1, 1, 1, 2), message="50%, a: b\r\nc %0A %25")
    _, properties, message = parsed(github(report(subject))[0])
    assert properties["file"] == name
    assert message.startswith("50%, a: b\r\nc %0A %25\nfails when: ")


@given(st.text(st.characters(exclude_categories=["Cs"])), st.text(st.characters(exclude_categories=["Cs"]), min_size=1))
def test_any_text_comes_back_unharmed(message: str, file: str) -> None:
    subject = finding(location=Location(file, 1, 1, 2, 1), message=message)
    lines = github(report(subject), Path("/nonexistent"))
    _, properties, data = parsed(lines[0])
    assert (properties["file"], data.startswith(message)) == (file, True) or ".." in file
    assert "col" not in properties, "a region of several lines has no columns"


def test_ten_of_each_level_and_a_pointer_to_the_rest() -> None:
    def many(severity: Severity, count: int) -> list[Finding]:
        return [finding(severity=severity, location=Location("a.rs", at + 1, 1, at + 1, 2)) for at in range(count)]

    subject = report(*many(Severity.NOTE, 3), *many(Severity.ERROR, 12), *many(Severity.WARNING, 11))
    lines = github(subject)
    names = [parsed(line)[0] for line in lines if line.startswith("::")]
    assert names == ["error"] * MOST_PER_LEVEL + ["warning"] * MOST_PER_LEVEL + ["notice"] * 3
    assert lines[23:] == [
        "3 more findings: see the job summary",
        "12 errors, 11 warnings, 3 notes",
        "1,179 references in 6 packages hold in every feature combination; 3 could not be decided",
        "",
    ]


def test_a_note_is_no_command() -> None:
    lines = github(report(notes=("a\n::error::x", "##[error]y")))
    assert lines[:2] == ["note: a ::error::x", "note: # #[error]y"]

"""The same findings, once each, in every format: one run over the seed workspace writes them all, and all are read back."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable
from xml.etree import ElementTree as ET

import pytest

from cfglint.cli.main import main
from cfglint.config import Format
from tests.fixture_driver import FIXTURES

SEED = FIXTURES / "seed-workspace"
Places = list[tuple[str, str, int]]
"""Rule, file and line of each finding, the file from the workspace root."""


def _json(text: str) -> Places:
    return [(f["rule"], f["file"], f["line"]) for f in json.loads(text)["findings"]]


def _json_lines(text: str) -> Places:
    return [(f["rule"], f["file"], f["line"]) for f in map(json.loads, text.splitlines())]


def _concise(text: str) -> Places:
    lines = (re.fullmatch(r"(.*):(\d+):\d+: (CFG\d+) .*", line) for line in text.splitlines())
    return [(line[3], line[1], int(line[2])) for line in lines if line is not None]


def _text(text: str) -> Places:
    found = re.finditer(r"^(?:error|warning)\[(CFG\d+)\].*\n *--> (.*):(\d+):\d+$", text, re.MULTILINE)
    return [(one[1], one[2], int(one[3])) for one in found]


def _gitlab(text: str) -> Places:
    return [
        (issue["check_name"], issue["location"]["path"], issue["location"]["positions"]["begin"]["line"])
        for issue in json.loads(text)
    ]


def _junit(text: str) -> Places:
    cases = ET.fromstring(text).iter("testcase")
    return [
        (case.attrib["name"].removeprefix("cfglint."), case.attrib["file"], int(case.attrib["line"])) for case in cases
    ]


def _rdjson(text: str) -> Places:
    return [
        (d["code"]["value"], d["location"]["path"], d["location"]["range"]["start"]["line"])
        for d in json.loads(text)["diagnostics"]
    ]


def _rustc_json(text: str) -> Places:
    return [
        (d["code"]["code"].removeprefix("cfglint::"), d["spans"][0]["file_name"], d["spans"][0]["line_start"])
        for d in map(json.loads, text.splitlines())
    ]


def _sarif(text: str) -> Places:
    results = json.loads(text)["runs"][0]["results"]
    spots = [(result["ruleId"], result["locations"][0]["physicalLocation"]) for result in results]
    return [(rule, spot["artifactLocation"]["uri"], spot["region"]["startLine"]) for rule, spot in spots]


def _markdown(text: str) -> Places:
    found = re.finditer(r"^\| `(.*):(\d+):\d+` \| \w+ `(CFG\d+)` \|", text, re.MULTILINE)
    return [(one[3], one[1], int(one[2])) for one in found]


def _github(text: str) -> Places:
    found = re.finditer(r"^::error file=(.*?),line=(\d+),.*title=cfglint \((CFG\d+)\)::", text, re.MULTILINE)
    return [(one[3], one[1], int(one[2])) for one in found]


READERS: dict[Format, Callable[[str], Places]] = {
    Format.TEXT: _text,
    Format.CONCISE: _concise,
    Format.JSON: _json,
    Format.JSON_LINES: _json_lines,
    Format.GITHUB: _github,
    Format.GITLAB: _gitlab,
    Format.JUNIT: _junit,
    Format.MARKDOWN: _markdown,
    Format.RDJSON: _rdjson,
    Format.RUSTC_JSON: _rustc_json,
    Format.SARIF: _sarif,
}
FROM_THE_REPOSITORY = {Format.GITHUB, Format.GITLAB, Format.JUNIT, Format.MARKDOWN, Format.RDJSON, Format.SARIF}


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> dict[Format, str]:
    """Every format of one run, and the job summary in place of what `github` leaves out."""
    folder = tmp_path_factory.mktemp("reports")
    summary = folder / "summary.md"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GITHUB_STEP_SUMMARY", str(summary))
        patch.setenv("GITHUB_WORKSPACE", str(FIXTURES))
        files = {format_: folder / format_.value for format_ in Format}
        options = [f"--format={format_.value}={file}" for format_, file in files.items()]
        assert main(["check", str(SEED), *options, "--output-file", str(folder / "stdout"), "--quiet"]) == 1
    texts = {format_: file.read_text("utf-8") for format_, file in files.items()}
    assert texts[Format.TEXT].rstrip() in (folder / "stdout").read_text("utf-8")
    assert "10 errors" not in texts[Format.GITHUB]
    return texts | {Format.MARKDOWN: summary.read_text("utf-8")}


def test_every_format_is_read() -> None:
    assert set(READERS) == set(Format)


@pytest.mark.parametrize("format_", Format, ids=lambda format_: format_.value)
def test_the_same_findings_once_each(format_: Format, written: dict[Format, str]) -> None:
    wanted = Counter(_json(written[Format.JSON]))
    assert wanted.total() == 14
    prefix = "seed-workspace/" if format_ in FROM_THE_REPOSITORY else ""
    found = Counter((rule, file.removeprefix(prefix), line) for rule, file, line in READERS[format_](written[format_]))
    if format_ is Format.GITHUB:  # ten a step; the summary has all of them
        assert found.total() == 10
        assert "\n4 more findings: see the job summary\n" in written[format_]
        assert found <= wanted
    else:
        assert found == wanted
    if prefix:
        assert all(file.startswith(prefix) for _, file, _ in READERS[format_](written[format_]))

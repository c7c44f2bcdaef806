"""Reports of a run: what is documented is there, and hostile text breaks no format."""

from __future__ import annotations

import json
import re
import xml.etree.ElementTree as ET
from pathlib import Path

from cfglint.matrix.combination import Combination
from cfglint.matrix.results import Diagnostic, Place, Prediction, Problem, Result, RunReport, Sighting, Status
from cfglint.report.run_json import render_run_json
from cfglint.report.run_junit import render_run_junit
from cfglint.report.run_markdown import render_run_markdown
from cfglint.report.run_text import lines
from cfglint.report.terminal import plain
from tests.samples import finding

NASTY = "a|b `c` <d>\n\x1b[31m\x00\u202e ]]> ``` \ud800"


def combination(package: str, *features: str) -> Combination:
    command = f"cargo check -p {package} --features {','.join(features)}"
    return Combination(package, "lib", features, False, "", (), "", False, command)


def report(text: str = "cannot find `f`") -> RunReport:
    one = finding()
    error = Diagnostic(
        "E0425", text, "seam", "lib", "seam", (Place("src/lib.rs", 3, 3, 5),), f"error[E0425]: {text}\n --> x\n"
    )
    results = (
        Result(combination("seam", "gpu"), Status.FAILED, 1.25, (error,), 2),
        Result(combination("seam", "grad"), Status.PASSED, 0.5, (), 3, is_old=True),
        Result(combination("net"), Status.SKIPPED, complaint=f"not installed {text}"),
        Result(combination("odd"), Status.FAILED, 0.25, complaint=text),
        Result(combination("late"), Status.NOT_RUN),
    )
    predictions = (
        Prediction(one, Sighting.SEEN),
        Prediction(finding(path="crate::b"), Sighting.HIDDEN, f"an error comes first: {text}"),
        Prediction(finding(path="crate::c"), Sighting.NOT_BUILT, "none of its combinations was built"),
        Prediction(finding(path="crate::d"), Sighting.REFUTED, "it builds"),
    )
    return RunReport(results, (Problem(error, (0,), one),), predictions, ("check",), 2.0, is_interrupted=True)


def test_text() -> None:
    assert plain(lines(report())).splitlines() == [
        "error[E0425]: cannot find `f`",
        " --> x",
        "   = in: 1 of 5 combinations: seam (gpu)",
        '   = cfglint: CFG001, fails when cfg(not(feature = "grad"))',
        "",
        "error[CFG001]: cannot find `tally` in `crate` when `grad` is disabled",
        "  --> src/kernels.rs:2:12",
        "   = did not show: an error comes first: cannot find `f`",
        "   = reproduce: cargo check -p seam --lib --no-default-features",
        "error[CFG001]: cannot find `tally` in `crate` when `grad` is disabled",
        "  --> src/kernels.rs:2:12",
        "   = is refuted; please report it: it builds",
        "",
        "note: 1 finding of `cfglint check` could not show in these builds",
        "FAIL     1.2 s  seam (gpu): 1 error",
        "pass     0.5 s  seam (grad) [from an earlier run]: 3 warnings",
        "skip            net (no features): not installed cannot find `f`",
        "FAIL     0.2 s  odd (no features): cannot find `f`",
        "----            late (no features)",
        "5 combinations: 1 passed, 2 failed, 1 skipped, 1 not run; 1 distinct error, 1 of them findings of `cfglint check`; interrupted",
    ]


def test_the_fields_of_the_json_are_documented() -> None:
    value = json.loads(render_run_json(report()))
    page = (Path(__file__).parents[2] / "docs/json-ci.md").read_text("utf-8")
    section = page[page.index("## `cfglint run --format json`") :]
    documented = set(re.findall(r"`([\w\[\].]+)`", section))
    matrix = set(
        re.findall(
            r"^\| `(\w+)` \|", page[page.index("## `cfglint matrix") : page.index("## `cfglint run")], re.MULTILINE
        )
    )
    assert set(value) <= documented
    for kind in ("combinations", "problems"):
        fields = {f"{kind}[].{name}" for name in value[kind][0] if not (kind == "combinations" and name in matrix)}
        assert fields <= documented
    assert {"findings[].sighting", "findings[].reason"} <= documented
    assert set(value["summary"]) <= documented
    assert value["problems"][0]["finding"] == 0
    assert [one["status"] for one in value["combinations"]] == ["failed", "passed", "skipped", "failed", "not-run"]


def test_junit() -> None:
    suites = ET.fromstring(render_run_junit(report(NASTY)))
    cases = {(case.attrib["classname"], case.attrib["name"]): case for case in suites.iter("testcase")}
    assert {suite.attrib["name"]: suite.attrib["tests"] for suite in suites} == {
        "seam": "2",
        "net": "1",
        "odd": "1",
        "late": "1",
    }
    failure = cases["seam", "gpu"].find("failure")
    assert failure is not None
    assert failure.text is not None
    assert failure.text.startswith("cargo check -p seam --features gpu\n")
    assert cases["seam", "grad"].find("failure") is None
    assert cases["late", "no features"].find("skipped") is not None


def test_markdown_keeps_its_tables() -> None:
    text = render_run_markdown(report(NASTY))
    rows = [line for line in text.splitlines() if line.startswith("| ") and not line.startswith("|--")]
    assert {len(re.findall(r"(?<!\\)\|", row)) for row in rows} == {6}
    assert "\x1b" not in text
    assert "````text" in text


def test_nothing_reaches_the_terminal_raw() -> None:
    assert not set("\x1b\x00\u202e\ud800") & set(plain(lines(report(NASTY))))

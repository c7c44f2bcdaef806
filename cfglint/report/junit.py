"""The `junit` format: a test suite a file, a failed test a finding, for CI systems that show test results.

Where nothing is found there is one test that passed, for many readers refuse an empty report.
"""

from __future__ import annotations

import itertools
from xml.etree import ElementTree as ET

from cfglint.finding import Finding, Report
from cfglint.report.places import Places
from cfglint.report.terminal import printable
from cfglint.report.text import details


def render_junit(report: Report, places: Places) -> str:
    """The report as XML with a final newline."""
    count = str(len(report.findings))
    suites = ET.Element(
        "testsuites", name="cfglint", tests=str(max(len(report.findings), 1)), failures=count, errors="0"
    )
    for file, findings in itertools.groupby(report.findings, lambda finding: finding.location.file):
        _suite(suites, places.path(file), list(findings))
    if not report.findings:
        suite = ET.SubElement(suites, "testsuite", name="cfglint", tests="1", failures="0", errors="0")
        ET.SubElement(suite, "testcase", name="every feature combination", classname="cfglint")
    ET.indent(suites)
    return f'<?xml version="1.0" encoding="utf-8"?>\n{ET.tostring(suites, encoding="unicode")}\n'


def _suite(suites: ET.Element, path: str, findings: list[Finding]) -> None:
    name, count = _text(path), str(len(findings))
    suite = ET.SubElement(suites, "testsuite", name=name, tests=count, failures=count, errors="0")
    for finding in findings:
        case = ET.SubElement(
            suite,
            "testcase",
            name=f"cfglint.{finding.rule}",
            classname=name.removesuffix(".rs"),
            file=name,
            line=str(finding.location.line),
            column=str(finding.location.column),
        )
        message = _text(finding.message)
        failure = ET.SubElement(case, "failure", message=message, type=finding.severity.value)
        where = f"{name}:{finding.location.line}:{finding.location.column}"
        failure.text = "\n".join((f"{where}: {finding.rule} {message}", *map(_text, details(finding))))


def _text(text: str) -> str:
    """Text that XML 1.0 can hold: two characters that a terminal takes are none of XML's."""
    return printable(text).translate({0xFFFE: 0xFFFD, 0xFFFF: 0xFFFD})

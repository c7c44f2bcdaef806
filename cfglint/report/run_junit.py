"""A run of a matrix as JUnit XML: a suite for each package, a case for each combination."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET

from cfglint.matrix.results import Result, RunReport, Status

# What XML 1.0 has no way to write (W3C, Extensible Markup Language 1.0, Char).
_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def render_run_junit(report: RunReport) -> str:
    """The report as an XML document and a final newline."""
    root = ET.Element("testsuites", name=_clean(f"cargo {' '.join(report.command)}"), time=f"{report.seconds:.3f}")
    by_package: dict[str, list[Result]] = {}
    for result in report.results:
        by_package.setdefault(result.combination.package, []).append(result)
    for package, results in by_package.items():
        suite = ET.SubElement(
            root,
            "testsuite",
            name=_clean(package),
            tests=str(len(results)),
            failures=str(sum(result.status is Status.FAILED for result in results)),
            skipped=str(sum(result.status in (Status.SKIPPED, Status.NOT_RUN) for result in results)),
            errors="0",
            time=f"{sum(result.seconds for result in results):.3f}",
        )
        for result in results:
            _case(suite, result)
    ET.indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ET.tostring(root, encoding="unicode") + "\n"


def _case(suite: ET.Element, result: Result) -> None:
    one = result.combination
    case = ET.SubElement(
        suite, "testcase", name=_clean(one.label), classname=_clean(one.package), time=f"{result.seconds:.3f}"
    )
    if result.status is Status.FAILED:
        first = result.diagnostics[0].message if result.diagnostics else result.complaint
        failure = ET.SubElement(case, "failure", message=_clean(first), type="build")
        texts = [diagnostic.rendered for diagnostic in result.diagnostics] or [result.complaint]
        failure.text = _clean("\n".join([one.command, "", *texts]))
    elif result.status is not Status.PASSED:
        ET.SubElement(case, "skipped", message=_clean(result.complaint or "not run"))


def _clean(text: str) -> str:
    return _NOT_XML.sub("\N{REPLACEMENT CHARACTER}", text)

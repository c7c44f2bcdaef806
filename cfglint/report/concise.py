"""The `concise` format: `path:line:col: CODE message`, one finding a line, as problem matchers and editors read it."""

from __future__ import annotations

from collections.abc import Iterator

from cfglint.finding import Report
from cfglint.report.terminal import Line, printable


def concise_lines(report: Report) -> Iterator[Line]:
    """One line a finding."""
    for finding in report.findings:
        where = f"{finding.location.file}:{finding.location.line}:{finding.location.column}"
        style = "bold red" if finding.severity.rank == 0 else "bold yellow"
        yield (printable(where), "bold"), (": ", ""), (finding.rule, style), (f" {printable(finding.message)}", "")

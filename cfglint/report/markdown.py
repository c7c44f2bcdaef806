"""The `markdown` format: the body of a pull-request comment, or of a job summary.

Text of the analysed project is escaped, so that it can neither break the table nor mention or link anything. GitHub
refuses summaries above 1 MiB and comments above 65,536 characters: rows that do not fit are counted.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from cfglint.finding import Finding, Report
from cfglint.report.places import Places
from cfglint.report.terminal import printable
from cfglint.report.text import coverage, reproduce, set_aside, severity_counts, since_counts

COMMENT_LIMIT = 60_000
SUMMARY_LIMIT = 900_000
_SPECIAL = re.compile(r"([\\`*_{}\[\]<>()#+!|~&:-])|(@)")


def render_markdown(report: Report, places: Places, *, limit: int = COMMENT_LIMIT) -> str:
    """The report as Markdown of at most about `limit` characters, with a final newline."""
    lines = [f"### cfglint: {severity_counts(report)}{set_aside(report)}", ""]
    if report.findings:
        lines += ["| Where | Rule | What | Reproduce |", "|---|---|---|---|"]
        lines += _rows(report, places, limit)
        lines.append("")
    if report.since is not None:
        lines += [escaped(since_counts(report.since)), ""]
    lines += [f"Note: {prose(note)}" for note in report.notes]
    lines.append(escaped(coverage(report)))
    return "\n".join(lines) + "\n"


def escaped(text: str) -> str:
    """Text that Markdown takes literally, on one line."""
    return _SPECIAL.sub(lambda found: f"\\{found[1]}" if found[1] else "@\u200b", printable(text))


def prose(text: str) -> str:
    """One of our own sentences: what stands in its backticks stays code, all else is taken literally."""
    parts = text.split("`")
    if len(parts) % 2 == 0:
        return escaped(text)
    return "".join(escaped(part) if number % 2 == 0 else code(part) for number, part in enumerate(parts))


def code(text: str) -> str:
    """Text as code in a table cell: backticks in it are fenced by longer ones, bars are escaped (GitHub's tables)."""
    text = printable(text)
    if not text:
        return ""
    longest = max((len(run) for run in re.findall("`+", text)), default=0)
    fence, space = "`" * (longest + 1), " " if text[:1] == "`" or text[-1:] == "`" else ""
    return f"{fence}{space}{text}{space}{fence}".replace("|", "\\|")


def _rows(report: Report, places: Places, limit: int) -> Iterator[str]:
    room = limit
    for number, finding in enumerate(sorted(report.findings, key=lambda finding: finding.severity.rank)):
        row = _row(finding, places)
        room -= len(row) + 1
        if room < 0:
            left = len(report.findings) - number
            yield f"| | | {left:,} more finding{'s' if left > 1 else ''} | |"
            return
        yield row


def _row(finding: Finding, places: Places) -> str:
    where = code(f"{places.path(finding.location.file)}:{finding.location.line}:{finding.location.column}")
    rule = f"{finding.severity.value} {code(finding.rule)}"
    command = code(reproduce(finding)) if finding.witness.command else ""
    return f"| {where} | {rule} | {prose(finding.message)} | {command} |"

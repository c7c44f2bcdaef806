"""The `github` format: workflow commands that GitHub Actions turns into annotations of the changed files.

A step may annotate ten errors, ten warnings and ten notices; what is more is said in one line and stands in the job
summary, which the command line writes (see markdown). Escapes are those of the toolkit's `issueCommand`: `%`, CR and
LF in messages, also `:` and `,` in properties.
Source: GitHub docs, "Workflow commands for GitHub Actions"; actions/toolkit, packages/core, command.ts.
"""

from __future__ import annotations

from collections.abc import Iterator

from cfglint.finding import Finding, Report, Severity
from cfglint.report.places import Places, is_one_line
from cfglint.report.terminal import printable
from cfglint.report.text import coverage, details, set_aside, severity_counts, since_counts

MOST_PER_LEVEL = 10
_COMMAND = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.NOTE: "notice"}


def github_lines(report: Report, places: Places) -> Iterator[str]:
    """Annotations, worst first, then what a person reads in the log."""
    left_out = 0
    for severity in Severity:
        found = [finding for finding in report.findings if finding.severity is severity]
        left_out += len(found[MOST_PER_LEVEL:])
        for finding in found[:MOST_PER_LEVEL]:
            yield annotation(finding, places)
    if left_out:
        yield f"{left_out:,} more finding{'s' if left_out > 1 else ''}: see the job summary"
    for note in report.notes:
        yield _inert(f"note: {note}")
    if report.since is not None:
        yield _inert(since_counts(report.since))
    yield severity_counts(report) + set_aside(report)
    yield coverage(report)


def annotation(finding: Finding, places: Places) -> str:
    """One workflow command. A region of several lines has no columns: GitHub would refuse them."""
    region = places.first_line(finding.location)
    properties = {"file": places.path(finding.location.file), "line": str(region.line)}
    if is_one_line(finding):
        properties |= {"endLine": str(region.line), "col": str(region.column), "endColumn": str(region.end_column)}
    else:
        properties |= {"endLine": str(finding.location.end_line)}
    properties["title"] = f"cfglint ({finding.rule})"
    written = ",".join(f"{name}={escaped_property(value)}" for name, value in properties.items())
    message = "\n".join((finding.message, *details(finding)))
    return f"::{_COMMAND[finding.severity]} {written}::{escaped_data(message)}"


def escaped_data(text: str) -> str:
    """The text of a command: one line."""
    return _encodable(text).replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def escaped_property(text: str) -> str:
    """A value of a command's properties."""
    return escaped_data(text).replace(":", "%3A").replace(",", "%2C")


def _encodable(text: str) -> str:
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def _inert(text: str) -> str:
    """A line of the log that is no command, in the old form (`##[...]`, anywhere) or the new one (`::` in front)."""
    return printable(text).replace("##[", "# #[")

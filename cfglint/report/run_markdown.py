"""A run of a matrix as Markdown, for the summary of a CI job: the table of combinations, then each error once."""

from __future__ import annotations

from collections.abc import Iterator

from cfglint.matrix.results import RunReport, Sighting, Status
from cfglint.report.run_text import summary
from cfglint.report.terminal import printable

_MARKS = {Status.PASSED: "passed", Status.FAILED: "**failed**", Status.SKIPPED: "skipped", Status.NOT_RUN: "not run"}
_MOST_PROBLEMS = 100


def render_run_markdown(report: RunReport) -> str:
    """The report as GitHub-flavoured Markdown."""
    return "\n".join(_lines(report)) + "\n"


def _lines(report: RunReport) -> Iterator[str]:
    yield f"## cfglint run: {_code('cargo ' + ' '.join(report.command))}"
    yield ""
    yield summary(report) + "."
    yield ""
    yield "| package | combination | result | seconds | |"
    yield "|---|---|---|---:|---|"
    for result in report.results:
        one = result.combination
        errors = len(result.diagnostics)
        remark = f"{errors} {'error' if errors == 1 else 'errors'}" if errors else result.complaint
        row = (one.package, one.label, _MARKS[result.status], f"{result.seconds:.1f}" if result.seconds else "", remark)
        yield f"| {' | '.join(_cell(text) for text in row)} |"
    if report.problems:
        yield ""
        yield "## Errors"
    for problem in report.problems[:_MOST_PROBLEMS]:
        yield ""
        yield _fenced(problem.diagnostic.rendered)
        yield ""
        yield f"In {len(problem.shown_in)} of {len(report.results)} combinations: {_cell(', '.join(report.labels(problem.shown_in)))}."
        if problem.finding is not None:
            yield f"{problem.finding.rule}: fails when {_code(f'cfg({problem.finding.fails_when})')}."
    if len(report.problems) > _MOST_PROBLEMS:
        yield ""
        yield f"And {len(report.problems) - _MOST_PROBLEMS} more."
    unseen = [one for one in report.predictions if one.sighting is not Sighting.SEEN]
    if unseen:
        yield ""
        yield "## Findings that did not show"
        yield ""
    for prediction in unseen:
        finding = prediction.finding
        where = _code(f"{finding.location.file}:{finding.location.line}")
        reason = f"{prediction.sighting.value}: {_cell(prediction.reason)}"
        yield f"* {where} {finding.rule}: {_cell(finding.message)} ({reason})"


def _cell(text: str) -> str:
    """One line that breaks no table and starts no markup."""
    shown = printable(text).replace("\\", "\\\\").replace("<", "&lt;")
    return "".join(f"\\{char}" if char in "|`" else char for char in shown)


def _code(text: str) -> str:
    ticks = "`" * (max((len(run) for run in text.split() if set(run) == {"`"}), default=0) + 1)
    return f"{ticks}{printable(text)}{ticks}" if "`" not in text else f"`` {printable(text)} ``"


def _fenced(text: str) -> str:
    fence = "```"
    while fence in text:
        fence += "`"
    return "\n".join([f"{fence}text", *(printable(row) for row in text.rstrip().splitlines()), fence])

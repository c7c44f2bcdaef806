"""A run of a matrix as a person reads it: each error once, with the combinations that show it, then the combinations.

Errors are printed as rustc renders them. Nothing is left out: a finding that did not show is listed with the reason.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator

from cfglint.matrix.results import Prediction, Problem, Result, RunReport, Sighting, Status
from cfglint.report.terminal import Line, printable

_STYLES = {
    Status.PASSED: ("pass", "bold green"),
    Status.FAILED: ("FAIL", "bold red"),
    Status.SKIPPED: ("skip", "bold yellow"),
    Status.NOT_RUN: ("----", "bold yellow"),
}
_MOST_LABELS = 8
_UNSEEN = {
    Sighting.HIDDEN: "did not show",
    Sighting.REFUTED: "is refuted; please report it",
}


def lines(report: RunReport) -> Iterator[Line]:
    """The whole report."""
    for problem in report.problems:
        yield from _problem(problem, report)
        yield ()
    telling = [one for one in report.predictions if one.sighting in _UNSEEN]
    for prediction in telling:
        yield from _prediction(prediction)
    if telling:
        yield ()
    left = sum(one.sighting is Sighting.NOT_BUILT for one in report.predictions)
    if left:
        yield (
            ("note", "bold green"),
            (f": {_number(left, 'finding')} of `cfglint check` could not show in these builds", ""),
        )
    for result in report.results:
        yield result_line(result)
    yield ((summary(report), "bold"),)


def result_line(result: Result) -> Line:
    """`FAIL  1.2 s  net (client): 2 errors`."""
    word, style = _STYLES[result.status]
    time = f"{result.seconds:6.1f} s" if result.seconds else " " * 8
    one = result.combination
    text = f"  {time}  {one.package} ({one.label})"
    if result.is_old:
        text += " [from an earlier run]"
    if result.status is Status.FAILED:
        errors = len(result.diagnostics)
        text += f": {_number(errors, 'error')}" if errors else f": {result.complaint}"
    elif result.complaint:
        text += f": {result.complaint}"
    elif result.warnings:
        text += f": {_number(result.warnings, 'warning')}"
    return (word, style), (printable(text), "")


def summary(report: RunReport) -> str:
    """The last line."""
    total = len(report.results)
    parts = [f"{report.count(Status.PASSED)} passed", f"{report.count(Status.FAILED)} failed"]
    if skipped := report.count(Status.SKIPPED):
        parts.append(f"{skipped} skipped")
    if left := report.count(Status.NOT_RUN):
        parts.append(f"{left} not run")
    known = sum(problem.finding is not None for problem in report.problems)
    text = f"{_number(total, 'combination')}: {', '.join(parts)}; {_number(len(report.problems), 'distinct error')}"
    if report.problems:
        text += f", {known} of them findings of `cfglint check`"
    return text + ("; interrupted" if report.is_interrupted else "")


def _problem(problem: Problem, report: RunReport) -> Iterator[Line]:
    for row in problem.diagnostic.rendered.rstrip().splitlines():
        yield ((printable(row), ""),)
    shown = report.labels(problem.shown_in[:_MOST_LABELS])
    more = len(problem.shown_in) - len(shown)
    where = ", ".join(shown) + (f" and {more} more" if more else "")
    yield _remark("in", f"{len(problem.shown_in)} of {_number(len(report.results), 'combination')}: {where}")
    finding = problem.finding
    if finding is None:
        yield _remark("cfglint", "does not know this one; it may need types, or fail everywhere")
        return
    yield _remark("cfglint", f"{finding.rule}, fails when cfg({finding.fails_when})")
    for text in finding.helps:
        yield _remark("help", text)


def _prediction(prediction: Prediction) -> Iterator[Line]:
    finding = prediction.finding
    where = f"{finding.location.file}:{finding.location.line}:{finding.location.column}"
    yield (f"{finding.severity.value}[{finding.rule}]", "bold"), (f": {printable(finding.message)}", "bold")
    yield (("  --> ", "bold blue"), (printable(where), ""))
    yield _remark(_UNSEEN[prediction.sighting], prediction.reason)
    if prediction.sighting is not Sighting.REFUTED and finding.witness.command:
        yield _remark("reproduce", finding.witness.command)


def _remark(word: str, text: str) -> Line:
    return ("   = ", "bold blue"), (word, "bold"), (f": {printable(textwrap.shorten(text, 1_000))}", "")


def _number(count: int, noun: str) -> str:
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"

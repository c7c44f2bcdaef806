"""What `cfglint ci` prints beside its findings: what was read and what not, and the table of gates."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence

from cfglint.finding import Report, Undecided
from cfglint.report.terminal import Line, printable
from cfglint.report.text import severity_counts
from cfglint.workflow.coverage import CoveredGate, PackageCoverage, Side, summary

_MOST_REASONS = 8
_MOST_JOBS = 3


def closing(report: Report, coverages: Sequence[PackageCoverage], jobs: int) -> Iterator[Line]:
    """Remarks on what could not be read, the count of findings, and what CI compiles."""
    for note in report.notes:
        yield ("note", "bold green"), (f": {printable(note)}", "")
    yield from _unread(report.undecided)
    yield ((severity_counts(report), "bold"),)
    yield ((last_line(report, coverages, jobs), ""),)


def last_line(report: Report, coverages: Sequence[PackageCoverage], jobs: int) -> str:
    """`12 cargo commands in 4 jobs; 30 of 36 gates are compiled on and off, 4 only on, 1 only off, 1 never`."""
    counts = summary(coverages)
    only_on, only_off = counts["on"] - counts["both"], counts["off"] - counts["both"]
    never = counts["gates"] - counts["both"] - only_on - only_off
    text = f"{_number(report.summary.references, 'cargo command')} in {_number(jobs, 'job')}; "
    text += f"{counts['both']:,} of {_number(counts['gates'], 'gate')} are compiled on and off"
    for number, words in ((only_on, "only on"), (only_off, "only off"), (never, "never")):
        if number:
            text += f", {number:,} {words}"
    return text


def coverage_table(coverages: Iterable[PackageCoverage]) -> Iterator[Line]:
    """Each gate with the jobs that compile it on and off."""
    coverages = [coverage for coverage in coverages if coverage.gates]
    names = _short(
        {job for coverage in coverages for gate in coverage.gates for job in (*gate.on.jobs, *gate.off.jobs)}
    )
    for coverage in coverages:
        yield ((printable(coverage.package), "bold"),)
        rows = [
            (f"{gate.file}:{gate.line}", f"cfg({gate.predicate})", _jobs(gate.on, names), _jobs(gate.off, names))
            for gate in coverage.gates
        ]
        widths = [max(len(row[column]) for row in [_HEAD, *rows]) for column in range(3)]
        for row in [_HEAD, *rows]:
            cells = [printable(text).ljust(width) for text, width in zip(row, widths, strict=False)]
            yield (("  " + "  ".join([*cells, printable(row[3])]).rstrip(), "bold" if row is _HEAD else ""),)
        yield ()


_HEAD = ("where", "gate", "on", "off")


def coverage_objects(coverages: Iterable[PackageCoverage]) -> list[dict[str, object]]:
    """The table for JSON."""
    return [_gate(gate) for coverage in coverages for gate in coverage.gates]


def _gate(gate: CoveredGate) -> dict[str, object]:
    return {
        "package": gate.package,
        "file": gate.file,
        "line": gate.line,
        "column": gate.column,
        "cfg": gate.predicate,
        "on": _side(gate.on),
        "off": _side(gate.off),
    }


def _side(side: Side) -> dict[str, object]:
    return {"possible": side.possible, "elsewhere": side.elsewhere, "jobs": list(side.jobs), "command": side.command}


def _short(jobs: set[str]) -> dict[str, str]:
    """Jobs without their workflow, where no two are called alike."""
    bare = {job: job.rpartition(": ")[2] for job in jobs}
    return {job: name if list(bare.values()).count(name) == 1 else job.rpartition("/")[2] for job, name in bare.items()}


def _jobs(side: Side, short: dict[str, str]) -> str:
    if not side.possible:
        return "other targets" if side.elsewhere else "cannot be"
    if not side.jobs:
        return "nowhere"
    names = [short[name] for name in side.jobs]
    shown = ", ".join(names[:_MOST_JOBS])
    return f"{shown} and {len(names) - _MOST_JOBS} more" if len(names) > _MOST_JOBS else shown


def _unread(entries: Iterable[Undecided]) -> Iterator[Line]:
    places: defaultdict[str, list[Undecided]] = defaultdict(list)
    for entry in entries:
        places[entry.reason].append(entry)
    ordered = sorted(places.items(), key=lambda pair: (-len(pair[1]), pair[0]))
    for reason, found in ordered[:_MOST_REASONS]:
        first = min(found)
        more = f" and {_number(len(found) - 1, 'other place')}" if len(found) > 1 else ""
        yield (
            ("note", "bold green"),
            (f": not read: {printable(reason)} ({printable(first.file)}:{first.line}{more})", ""),
        )
    if len(ordered) > _MOST_REASONS:
        yield ("note", "bold green"), (f": not read: {_number(len(ordered) - _MOST_REASONS, 'other reason')}", "")


def _number(count: int, noun: str) -> str:
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"

"""The `text` format: what a person reads, in the shape and the words of rustc's diagnostics.

A diagnostic points at the reference, then at each item that is configured out and what gates it, then says when it
fails and how to reproduce that. The last line says what silence means: how many references hold in every feature
combination and how many could not be decided. No rule is known here.
"""

from __future__ import annotations

import re
import shlex
from collections import defaultdict
from collections.abc import Iterator

from cfglint.finding import Comparison, Confirmation, Finding, GatedItem, Report, Severity, Summary, Undecided
from cfglint.report.snippet import Sources, Underlined
from cfglint.report.terminal import Line, printable

_BLUE = "bold blue"
_BOLD = "bold"
_LABEL = {Severity.ERROR: "bold red", Severity.WARNING: "bold yellow", Severity.NOTE: "bold green"}
_CONFIRMATION = {
    Confirmation.CONFIRMED: "confirmed: cargo reports an error here",
    Confirmation.REFUTED: "refuted: cargo builds this without an error here; please report it",
    Confirmation.NOT_RUN: "not confirmed: cargo could not tell",
}
_MOST_ITEMS = 4
_MOST_REASONS = 8


def diagnostics(report: Report, sources: Sources) -> Iterator[Line]:
    """Every finding, each followed by an empty line."""
    for finding in report.findings:
        yield from diagnostic(finding, sources)
        yield ()


def closing(report: Report) -> Iterator[Line]:
    """Remarks on the run, the count of findings, and the sentence on what holds."""
    for note in report.notes:
        yield ("note", "bold green"), (f": {printable(note)}", "")
    yield from _undecided(report.undecided)
    if report.since is not None:
        yield from _since(report.since)
    yield ((severity_counts(report), _BOLD), (set_aside(report), ""))
    yield ((coverage(report), ""),)


def since_counts(since: Comparison) -> str:
    """`since main (0123abcd): 2 new, 1 fixed, 14 unchanged`."""
    counts = f"{len(since.new):,} new, {len(since.fixed):,} fixed, {len(since.unchanged):,} unchanged"
    return f"since {printable(since.revision)} ({since.commit[:8]}): {counts}"


def severity_counts(report: Report) -> str:
    """`2 errors, 1 warning`, or `no findings`."""
    counts = [sum(finding.severity is severity for finding in report.findings) for severity in Severity]
    parts = [_number(count, severity.value) for severity, count in zip(Severity, counts, strict=True) if count]
    return ", ".join(parts) or "no findings"


def set_aside(report: Report) -> str:
    """` (2 suppressed, 14 in the baseline)`, or nothing."""
    counts = ((report.summary.suppressed, "suppressed"), (report.summary.baselined, "in the baseline"))
    parts = [f"{count:,} {what}" for count, what in counts if count]
    return f" ({', '.join(parts)})" if parts else ""


def coverage(report: Report) -> str:
    """The last line. A reference with a finding does not hold; one that is not decided is said to be so."""
    summary: Summary = report.summary
    holding = max(summary.decided - summary.failing, 0)
    undecided = max(summary.references - summary.decided, 0)
    verb = "holds" if holding == 1 else "hold"
    return (
        f"{_number(holding, 'reference')} in {_number(summary.packages, 'package')} {verb} in every feature combination; "
        f"{undecided:,} could not be decided"
    )


def _since(since: Comparison) -> Iterator[Line]:
    """What is fixed, a line each, and the counts."""
    for finding in since.fixed:
        where = f"{finding.location.file}:{finding.location.line}"
        yield ("fixed", "bold green"), (f": {finding.rule} {printable(finding.message)} ({printable(where)})", "")
    yield ((since_counts(since), ""),)


def _number(count: int, noun: str) -> str:
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"


def diagnostic(finding: Finding, sources: Sources) -> Iterator[Line]:
    """One finding with its source lines."""
    location, label = finding.location, _LABEL[finding.severity]
    end = location.end_column if location.end_line == location.line else 1 << 30
    snippet = sources.underlined(location.file, location.line, location.column, end)
    shown = finding.items[:_MOST_ITEMS]
    margin = len(str(max([location.line, *(item.line for item in shown)])))

    yield (f"{finding.severity.value}[{finding.rule}]", label), (f": {printable(finding.message)}", _BOLD)
    yield _arrow(margin, f"{location.file}:{location.line}:{location.column}")
    yield from _lines(margin, [(snippet, "^", label, "")])
    below = list(remarks(finding))
    if shown or below:
        yield _gutter(margin)
    for item in shown:
        yield from _item(item, sources, margin, _said_of(item, finding))
    if len(finding.items) > len(shown):
        yield _remark(margin, "note", f"and {_number(len(finding.items) - len(shown), 'other item')} of this name")
    for word, text in below:
        yield _remark(margin, word, text)


def remarks(finding: Finding) -> Iterator[tuple[str, str]]:
    """What is to be said of a finding below its source lines: a word and its text."""
    if finding.fails_when:
        yield "fails when", _fails_when(finding)
    if finding.witness.command:
        yield "reproduce", reproduce(finding)
    if finding.confirmation is not None:
        word, _, rest = _CONFIRMATION[finding.confirmation].partition(": ")
        yield word, rest
    yield from (("note", note) for note in finding.notes)
    yield from (("help", text) for text in finding.helps)
    for repair in finding.repairs:
        yield "help", f"{repair.kind.replace('-', ' ')} at {repair.file}:{repair.line}: `{repair.replacement}`"


def details(finding: Finding) -> Iterator[str]:
    """The remarks as lines."""
    return (f"{word}: {text}" for word, text in remarks(finding))


def _said_of(item: GatedItem, finding: Finding) -> str:
    if finding.resolves_when:
        return "found an item that was configured out"
    return f"`{printable(item.name)}` is {'also defined' if finding.rule == 'CFG010' else 'declared'} here"


def _item(item: GatedItem, sources: Sources, margin: int, said: str) -> Iterator[Line]:
    named = sources.named(item.file, item.line, item.name)
    start, end = named or sources.first_word(item.file, item.line)
    snippet = sources.underlined(item.file, item.line, start, end)
    gated = gated_behind(item.present_when, item.package)
    gate = sources.gate(item.file, item.line, item.present_when) if gated else None

    where = f"{item.file}:{item.line}:{start}" if snippet else f"{item.file}:{item.line}"
    yield ("note", "bold green"), (f": {said}", "")
    yield _arrow(margin, where)
    if gate is not None:
        line, left, right = gate
        marks = [
            (sources.underlined(item.file, line, left, right), "-", _BLUE, gated),
            (snippet, "^", "bold green", ""),
        ]
    else:
        marks = [(snippet, "^", "bold green", gated)]
    yield from _lines(margin, marks)
    if snippet is None and gated:
        yield _remark(margin, "note", gated)


def gated_behind(present_when: str, package: str = "") -> str:
    """rustc's words for a gate; nothing for an item that is always there. `package` is another than the finding's, or ""."""
    if present_when in ("", "true"):
        return ""
    feature = re.fullmatch(r'feature = "([^"]*)"', present_when)
    behind = f"the `{feature[1]}` feature" if feature else f"`{present_when}`"
    behind += f" of `{package}`" if package else ""
    return f"the item is gated behind {printable(behind)}"


def _fails_when(finding: Finding) -> str:
    combinations = (
        f" ({finding.failing_count:,} of {_number(finding.failing_of, 'combination')})" if finding.failing_of else ""
    )
    return f"cfg({finding.fails_when}){combinations}"


def reproduce(finding: Finding) -> str:
    """The witness as a line for a POSIX shell, with the flags that cargo takes from the environment."""
    witness = finding.witness
    if not witness.cfgs or "RUSTFLAGS" in witness.command:
        return witness.command
    flags = " ".join(f"--cfg {cfg}" for cfg in witness.cfgs)
    return f"RUSTFLAGS={shlex.quote(flags)} {witness.command}"


def _undecided(entries: tuple[Undecided, ...]) -> Iterator[Line]:
    """Why something is not decided, the commonest reason first, with the first place of each."""
    places: defaultdict[str, list[Undecided]] = defaultdict(list)
    for entry in entries:
        places[entry.reason].append(entry)
    ordered = sorted(places.items(), key=lambda pair: (-len(pair[1]), pair[0]))
    for reason, found in ordered[:_MOST_REASONS]:
        first = min(found)
        where = f"{first.file}:{first.line}" + (
            f" and {_number(len(found) - 1, 'other place')}" if len(found) > 1 else ""
        )
        yield ("note", "bold green"), (f": not decided: {printable(reason)} ({printable(where)})", "")
    if len(ordered) > _MOST_REASONS:
        yield ("note", "bold green"), (f": not decided: {_number(len(ordered) - _MOST_REASONS, 'other reason')}", "")


def _arrow(margin: int, where: str) -> Line:
    return (" " * margin + "--> ", _BLUE), (printable(where), "")


def _gutter(margin: int) -> Line:
    return ((" " * margin + " |", _BLUE),)


def _remark(margin: int, word: str, text: str) -> Line:
    return (" " * margin + " = ", _BLUE), (word, _BOLD), (f": {printable(text)}", "")


def _lines(margin: int, marks: list[tuple[Underlined | None, str, str, str]]) -> Iterator[Line]:
    """Source lines under a gutter, each with its underline and label."""
    if all(snippet is None for snippet, *_ in marks):
        return
    yield _gutter(margin)
    for snippet, character, style, label in marks:
        if snippet is None:
            continue
        yield (f"{snippet.number:>{margin}} | ", _BLUE), (snippet.text, "")
        underline = " " * snippet.indent + character * snippet.mark
        yield (" " * margin + " | ", _BLUE), (f"{underline} {label}".rstrip(), style)

"""An explanation for a terminal: what fails, why, as sentences, as a tree, as a table of combinations, and the repairs.

Fits one screen for what is common. Colours mark, they carry nothing that the words do not say.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from cfglint.graph.explanation import Explanation, Fact, Table, Verdict
from cfglint.report.snippet import Sources
from cfglint.report.terminal import Line, printable, width
from cfglint.report.text import reproduce

_BOLD = "bold"
_BLUE = "bold blue"
_RED = "bold red"
_GREEN = "bold green"
_LABEL_WIDTH = 44
_STYLES = {
    Verdict.FAILS: _RED,
    Verdict.HOLDS: _GREEN,
    Verdict.UNDECIDED: "bold yellow",
    Verdict.NEVER_COMPILED: "bold yellow",
}


def explanation_lines(explanation: Explanation, sources: Sources, *, number: int = 0) -> Iterator[Line]:
    """One explanation; `number` other than 0 is printed so that later ones can refer to it."""
    yield from _head(explanation, sources, number)
    yield ()
    for sentence in explanation.sentences:
        yield ((printable(sentence), ""),)
    yield ()
    yield from _tree(explanation.derivation)
    if explanation.table is not None:
        yield ()
        yield from _table(explanation.table)
    if explanation.witness is not None and explanation.verdict is Verdict.FAILS:
        yield ()
        yield ("reproduce", _BOLD), (": ", ""), (printable(_command(explanation)), "")
    yield from _repairs(explanation)


def _command(explanation: Explanation) -> str:
    from cfglint.finding import Witness

    witness = explanation.witness
    assert isinstance(witness, Witness), "asked for by the caller"
    if explanation.finding is not None:
        return reproduce(explanation.finding)
    return witness.command


def _head(explanation: Explanation, sources: Sources, number: int) -> Iterator[Line]:
    finding = explanation.finding
    if finding is not None:
        title = f"{finding.severity.value}[{finding.rule}]"
    else:
        title = explanation.verdict.value
    lead = f"({number}) " if number else ""
    yield (lead, _BOLD), (title, _STYLES[explanation.verdict]), (f": {printable(explanation.headline)}", _BOLD)
    where = explanation.location
    margin = len(str(where.line))
    of = f"package `{explanation.package}`, {explanation.target.kind} `{explanation.target.name}`"
    yield (" " * margin + "--> ", _BLUE), (printable(f"{where.file}:{where.line}:{where.column}"), ""), (f" ({of})", "")
    end = where.end_column if where.end_line == where.line else 1 << 30
    snippet = sources.underlined(where.file, where.line, where.column, end)
    if snippet is not None:
        yield ((" " * margin + " |", _BLUE),)
        yield (f"{snippet.number:>{margin}} | ", _BLUE), (snippet.text, "")
        underline = " " * snippet.indent + "^" * snippet.mark
        yield (" " * margin + " | ", _BLUE), (underline, _STYLES[explanation.verdict])
    for proviso in explanation.provisos:
        yield (" " * margin + " = ", _BLUE), ("note", _BOLD), (f": {printable(proviso)}", "")


def _tree(facts: Sequence[Fact], indent: str = "") -> Iterator[Line]:
    for position, fact in enumerate(facts):
        last = position == len(facts) - 1
        branch, below = (
            ("", "") if not indent and _is_top(fact) else ("└─ " if last else "├─ ", "   " if last else "│  ")
        )
        yield _fact(fact, indent + branch)
        yield from _tree_below(fact.children, indent + below)


def _tree_below(facts: Sequence[Fact], indent: str) -> Iterator[Line]:
    for position, fact in enumerate(facts):
        last = position == len(facts) - 1
        yield _fact(fact, indent + ("└─ " if last else "├─ "))
        yield from _tree_below(fact.children, indent + ("   " if last else "│  "))


def _is_top(fact: Fact) -> bool:
    return fact.spot is None


def _fact(fact: Fact, lead: str) -> Line:
    text = printable(fact.text)
    segments: list[tuple[str, str]] = [(lead, _BLUE), (text, _BOLD if fact.spot is None else "")]
    if fact.spot is None and fact.when:
        segments.append((" in every combination" if fact.when == "true" else f" when cfg({printable(fact.when)})", ""))
    if fact.gate:
        segments.append((f"  {printable(fact.gate)}", "yellow"))
    if fact.spot is not None:
        segments.append((f"  {printable(str(fact.spot))}", "cyan"))
    if fact.is_missing:
        segments.append(("  <- configured out where it fails" if fact.spot else "", _RED))
    return tuple(segments)


def _table(table: Table) -> Iterator[Line]:
    labels = [f"{row.label}{f'  {row.spot}' if row.spot is not None else ''}" for row in table.rows]
    first = max([*(width(printable(label)) for label in labels), *(width(option) for option in table.options)])
    first = min(first, 78)

    def line(label: str, cells: Sequence[str], style: str) -> Line:
        shown = printable(label)
        shown = shown if width(shown) <= first else "..." + shown[-(first - 3) :]
        return ((f"{shown}{' ' * (first - width(shown))} ", ""), ("".join(f"{cell:^7}" for cell in cells), style))

    for index, option in enumerate(table.options):
        yield line(option, [_value(column[index]) for column in table.columns], _BLUE)
    yield ((" " * 0 + "-" * (first + 1 + 7 * len(table.columns)), _BLUE),)
    for label, row in zip(labels, table.rows, strict=True):
        yield line(label, ["yes" if cell else "." for cell in row.cells], "")
    if any(table.failing):
        yield line("", ["FAILS" if failing else "" for failing in table.failing], _RED)
    for reason in table.impossible:
        yield (("not a combination without the other: ", ""), (printable(reason), ""))


def _value(value: bool | None) -> str:
    return "any" if value is None else "on" if value else "off"


def _repairs(explanation: Explanation) -> Iterator[Line]:
    if not explanation.repairs:
        return
    yield ()
    for number, repair in enumerate(explanation.repairs, 1):
        yield (f"{number}. {repair.kind}", _BOLD), (f" {repair.file}:{repair.line} {repair.replacement}", "")

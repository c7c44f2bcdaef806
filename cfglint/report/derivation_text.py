"""The derivation of an explanation for a terminal: the tree of facts, and the table of combinations."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from cfglint.graph.explanation import Fact, Table
from cfglint.report.terminal import Line, printable, width

_BOLD = "bold"
_BLUE = "bold blue"
_RED = "bold red"
_LABEL = 78
_CELL = 6


def tree_lines(facts: Sequence[Fact]) -> Iterator[Line]:
    """Every fact of the top on a line of its own, what it rests on as branches below."""
    for fact in facts:
        yield _fact(fact, "")
        yield from _branches(fact.children, "")


def table_lines(table: Table) -> Iterator[Line]:
    """Options first, then one line a gate, `FAILS` under the columns that fail."""
    labels = [printable(f"{row.label}  {row.spot}" if row.spot is not None else row.label) for row in table.rows]
    first = min(max(map(width, [*labels, *table.options])), _LABEL)
    for index, option in enumerate(table.options):
        yield _row(option, first, [_value(column[index]) for column in table.columns], _BLUE)
    yield (("-" * (first + 1 + _CELL * len(table.columns)), _BLUE),)
    for label, row in zip(labels, table.rows, strict=True):
        yield _row(label, first, ["yes" if cell else "." for cell in row.cells], "")
    if any(table.failing):
        yield _row("", first, ["FAILS" if failing else "" for failing in table.failing], _RED)


def _branches(facts: Sequence[Fact], indent: str) -> Iterator[Line]:
    for position, fact in enumerate(facts):
        last = position == len(facts) - 1
        yield _fact(fact, indent + ("└─ " if last else "├─ "))
        yield from _branches(fact.children, indent + ("   " if last else "│  "))


def _fact(fact: Fact, lead: str) -> Line:
    segments = [(lead, _BLUE), (printable(fact.text), "" if lead else _BOLD)]
    if not lead and fact.when:
        segments.append((" in every combination" if fact.when == "true" else f": cfg({printable(fact.when)})", ""))
    if fact.gate:
        segments.append((f"  {printable(fact.gate)}", "yellow"))
    if fact.spot is not None:
        segments.append((f"  {printable(str(fact.spot))}", "cyan"))
    if fact.is_missing and lead:
        segments.append(("  <- configured out where it fails", _RED))
    return tuple(segments)


def _row(label: str, first: int, cells: Sequence[str], style: str) -> Line:
    shown = printable(label)
    shown = shown if width(shown) <= first else "..." + shown[-(first - 3) :]
    return (f"{shown}{' ' * (first - width(shown))} ", ""), ("".join(f"{cell:^{_CELL}}" for cell in cells), style)


def _value(value: bool | None) -> str:
    return "any" if value is None else "on" if value else "off"

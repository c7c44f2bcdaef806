"""An explanation as a picture: from the crate root to the reference, and from there to what it names, gate by gate.

A gate that is off where the reference fails is drawn in red. The HTML page holds the same picture with the sentences,
the table and the repairs; it loads nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape

from cfglint.graph.explanation import Answer, Explanation, Fact, Table, Verdict
from cfglint.report import svg
from cfglint.report.terminal import printable

_GAP = 26
_COLUMN_GAP = 70
_MARGIN = 16

_PAGE = """<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>cfglint explain</title><style>
body{font:15px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:70rem;padding:0 1rem;color-scheme:light dark}
code,pre,td,th{font-family:ui-monospace,Menlo,Consolas,monospace;font-size:13px}
table{border-collapse:collapse}td,th{padding:.15rem .6rem;border-bottom:1px solid #8884;text-align:center}
td:first-child,th:first-child{text-align:left}.f{color:#cf222e;font-weight:bold}pre{overflow-x:auto}
.pic{overflow-x:auto}
</style></head><body>
"""


def answer_svg(answer: Answer) -> str:
    """Every explanation that is told in full, one below the other."""
    parts: list[str] = []
    wide, top = 0.0, float(_MARGIN)
    told = [each for each in answer.told if not each.same_as]
    for each in told:
        body, (across, high) = picture(each.explanation, (_MARGIN, top))
        parts += body
        wide, top = max(wide, across), top + high + 2 * _GAP
    title = told[0].explanation.headline if told else "nothing to explain"
    return svg.document(parts, (wide + _MARGIN, top), title)


def answer_html(answer: Answer) -> str:
    """The page."""
    parts = [_PAGE]
    for each in answer.told:
        if each.same_as:
            where = each.explanation.location
            place = escape(printable(f"{where.file}:{where.line}"))
            parts.append(
                f"<p>({each.number}) <code>{place}</code> fails for the same reason as ({each.same_as}).</p>\n"
            )
        else:
            parts += _section(each.explanation, each.number)
    return "".join([*parts, "</body></html>\n"])


def picture(explanation: Explanation, at: tuple[float, float]) -> tuple[list[str], tuple[float, float]]:
    """The shapes of one explanation from `at` on, and how far they reach to the right and down."""
    left, top = at
    style = "r" if explanation.verdict is Verdict.FAILS else "t"
    titles = [(explanation.headline, style)]
    if explanation.fails_when:
        titles.append((f"fails when cfg({explanation.fails_when})", "r"))
    body = [
        svg.text((left, top + 12 + svg.LINE * number), title, classes, most=svg.MOST_IN_TITLES)
        for number, (title, classes) in enumerate(titles)
    ]
    top += 3 * svg.LINE
    columns = [fact for fact in explanation.derivation if fact.children and fact.when]
    wide, deep = left, top
    source: tuple[float, float] | None = None
    for number, column in enumerate(columns):
        shapes, across, down, first, last = _column(column, (wide, top))
        body += shapes
        if number == 0:
            source = last
        elif source is not None:
            middle = wide - _COLUMN_GAP / 2
            body.append(svg.arrow([source, (middle, source[1]), (middle, first[1]), (first[0], first[1])]))
        wide, deep = across + _COLUMN_GAP, max(deep, down)
    titled = max(len(svg.shortened(title, most=svg.MOST_IN_TITLES)) for title, _ in titles)
    across = max(wide - _COLUMN_GAP, left + svg.CHARACTER * titled)
    return body, (across, deep - at[1])


def _column(
    column: Fact, at: tuple[float, float]
) -> tuple[list[str], float, float, tuple[float, float], tuple[float, float]]:
    """Boxes below one another: shapes, right end, bottom, the left of the first box and the right of the last."""
    left, top = at
    head = f"{column.text}: {'always' if column.when == 'true' else f'cfg({column.when})'}"
    shapes = [svg.text((left, top + 12), head, "t", most=svg.MOST_IN_TITLES)]
    top += svg.LINE + 8
    texts = [_lines(fact) for fact in column.children]
    sizes = [svg.size_of(lines) for lines in texts]
    wide = max([size[0] for size in sizes])
    first = last = (left, top)
    for number, (fact, lines, size) in enumerate(zip(column.children, texts, sizes, strict=True)):
        shapes.append(svg.box((left, top), (wide, size[1]), "m" if fact.is_missing else "b", lines))
        if number == 0:
            first = (left, top + size[1] / 2)
        last = (left + wide, top + size[1] / 2)
        top += size[1]
        if number < len(texts) - 1:
            shapes.append(svg.arrow([(left + 30, top), (left + 30, top + _GAP)]))
            top += _GAP
    header = svg.CHARACTER * len(svg.shortened(head, most=svg.MOST_IN_TITLES))
    return shapes, left + max(wide, header), top, first, last


def _lines(fact: Fact) -> list[tuple[str, str]]:
    lines = [(fact.text, "t")]
    if fact.gate:
        lines.append((fact.gate, "g"))
    if fact.spot is not None:
        lines.append((str(fact.spot), "p"))
    for child in fact.children:
        lines.append((child.text, ""))
        if child.spot is not None:
            lines.append((str(child.spot), "p"))
    return lines


# HTML


def _section(explanation: Explanation, number: int) -> Iterator[str]:
    where = explanation.location
    lead = f"({number}) " if number else ""
    yield f"<h2>{lead}{_plain(explanation.headline)}</h2>\n"
    yield f"<p><code>{_plain(f'{where.file}:{where.line}:{where.column}')}</code></p>\n"
    yield "".join(f"<p><strong>{_plain(proviso)}</strong></p>\n" for proviso in explanation.provisos)
    yield "".join(f"<p>{_plain(sentence)}</p>\n" for sentence in explanation.sentences)
    body, (across, high) = picture(explanation, (_MARGIN, _MARGIN))
    drawn = svg.document(body, (across + _MARGIN, high + 2 * _MARGIN), explanation.headline)
    yield f'<div class="pic">{drawn}</div>\n'
    if explanation.table is not None:
        yield _html_table(explanation.table)
    if explanation.witness is not None and explanation.verdict is Verdict.FAILS:
        yield f"<pre>{_plain(explanation.witness.command)}</pre>\n"
    for place, repair in enumerate(explanation.repairs, 1):
        yield f"<h3>{place}. {_plain(repair.title)}</h3>\n<pre>{_lined(repair.patch)}</pre>\n"


def _html_table(table: Table) -> str:
    def row(cells: Sequence[str], tag: str = "td") -> str:
        return "<tr>" + "".join(f"<{tag}>{cell}</{tag}>" for cell in cells) + "</tr>\n"

    values = {True: "on", False: "off", None: "any"}
    rows = [
        row([_plain(option), *(values[column[index]] for column in table.columns)], "th")
        for index, option in enumerate(table.options)
    ]
    for line in table.rows:
        label = f"{line.label} {line.spot}" if line.spot is not None else line.label
        rows.append(row([_plain(label), *("yes" if cell else "&middot;" for cell in line.cells)]))
    rows.append(row(["", *('<span class="f">FAILS</span>' if failing else "" for failing in table.failing)]))
    return f"<table>\n{''.join(rows)}</table>\n"


def _plain(text: str) -> str:
    return escape(printable(text))


def _lined(text: str) -> str:
    return "\n".join(_plain(line) for line in text.splitlines())

"""An explanation for a terminal: what fails, why, as sentences, as a tree, as a table of combinations, and the repairs.

Fits one screen for what is common. Colours mark, they carry nothing that the words do not say.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from cfglint.finding import Repair
from cfglint.graph.explanation import Answer, Explanation, Told, Verdict
from cfglint.report.derivation_text import table_lines, tree_lines
from cfglint.report.snippet import Sources
from cfglint.report.terminal import Line, printable
from cfglint.report.text import reproduce

_BOLD = "bold"
_BLUE = "bold blue"
_RED = "bold red"
_GREEN = "bold green"
_STYLES = {
    Verdict.FAILS: _RED,
    Verdict.HOLDS: _GREEN,
    Verdict.UNDECIDED: "bold yellow",
    Verdict.NEVER_COMPILED: "bold yellow",
}
_MOST_LINES = 14
_HUNK = re.compile(r"@@ -(\d+)(?:,(\d+))? ")


def answer_lines(answer: Answer, sources: Sources) -> Iterator[Line]:
    """Every explanation, those with a cause that has been told on one line, and for a log what became of its errors."""
    for told in answer.told:
        if told.same_as:
            yield _same(told)
        else:
            yield from explanation_lines(told.explanation, sources, number=told.number)
        yield ()
    if answer.errors:
        yield ((_counts(answer), ""),)


def explanation_lines(explanation: Explanation, sources: Sources, *, number: int = 0) -> Iterator[Line]:
    """One explanation; a `number` other than 0 is printed so that later ones can refer to it."""
    yield from _head(explanation, sources, number)
    yield ()
    for sentence in explanation.sentences:
        yield ((printable(sentence), ""),)
    yield ()
    yield from tree_lines(explanation.derivation)
    if explanation.table is not None:
        yield ()
        yield from table_lines(explanation.table)
    if explanation.witness is not None and explanation.verdict is Verdict.FAILS:
        yield ()
        finding = explanation.finding
        command = explanation.witness.command if finding is None else reproduce(finding)
        yield ("reproduce", _BOLD), (f": {printable(command)}", "")
    if explanation.verdict is Verdict.FAILS:
        yield from _repairs(explanation)


def _head(explanation: Explanation, sources: Sources, number: int) -> Iterator[Line]:
    finding = explanation.finding
    title = explanation.verdict.value if finding is None else f"{finding.severity.value}[{finding.rule}]"
    style = _STYLES[explanation.verdict]
    yield (f"({number}) " if number else "", _BOLD), (title, style), (f": {printable(explanation.headline)}", _BOLD)
    for proviso in explanation.provisos:
        yield ("note", _BOLD), (f": {printable(proviso)}", "")
    where = explanation.location
    margin = len(str(where.line))
    of = f"package `{explanation.package}`, {explanation.target.kind} `{explanation.target.name}`"
    yield (" " * margin + "--> ", _BLUE), (printable(f"{where.file}:{where.line}:{where.column} ({of})"), "")
    end = where.end_column if where.end_line == where.line else 1 << 30
    snippet = sources.underlined(where.file, where.line, where.column, end)
    if snippet is not None:
        yield ((" " * margin + " |", _BLUE),)
        yield (f"{snippet.number:>{margin}} | ", _BLUE), (snippet.text, "")
        yield (" " * margin + " | ", _BLUE), (" " * snippet.indent + "^" * snippet.mark, style)


def _same(told: Told) -> Line:
    where = told.explanation.location
    place = printable(f"{where.file}:{where.line}:{where.column}")
    path = printable(told.explanation.path)
    return (f"({told.number}) ", _BOLD), (f"{place}: `{path}` fails for the same reason as ({told.same_as})", "")


def _repairs(explanation: Explanation) -> Iterator[Line]:
    yield ()
    if not explanation.repairs:
        yield (("No repair is known.", ""),)
        return
    yield (("Repairs, each tried in memory, the one that the code suggests first:", _BOLD),)
    for number, repair in enumerate(explanation.repairs, 1):
        yield from _repair(number, repair)


def _repair(number: int, repair: Repair) -> Iterator[Line]:
    yield (f"{number}. ", _BOLD), (printable(repair.title or repair.kind), _BOLD), (f" ({_outcome(repair)})", "")
    for left in repair.remains:
        yield ("   ", ""), (f"still fails when cfg({printable(left)})", _RED)
    for created in repair.creates[:4]:
        yield ("   ", ""), (f"then fails: {printable(created)}", _RED)
    shown = list(_patch(repair.patch))
    yield from shown[:_MOST_LINES]
    if len(shown) > _MOST_LINES:
        yield ((f"   ... {len(shown) - _MOST_LINES} more lines; `cfglint check --diff` prints the patch", ""),)


def _outcome(repair: Repair) -> str:
    if repair.creates:
        return f"makes {len(repair.creates)} new findings" if len(repair.creates) > 1 else "makes a new finding"
    if repair.leaves:
        return f"leaves {repair.leaves} failing combinations" if repair.leaves > 1 else "leaves a failing combination"
    return "leaves none failing" if repair.applicability == "machine-applicable" else "leaves none failing; look at it"


def _patch(patch: str) -> Iterator[Line]:
    """What changes, with file and line, without what stays."""
    file, line = "", 0
    announced = ""
    for text in patch.splitlines():
        hunk = _HUNK.match(text)
        if text.startswith("--- a/"):
            file = text.removeprefix("--- a/")
        elif hunk is not None:
            line, announced = int(hunk[1]) - 1, ""
        elif text.startswith(("-", "+")) and not text.startswith("+++ "):
            line += text[0] == "-"
            if not announced:
                announced = f"{file}:{max(line, 1) if text[0] == '-' else line + 1}"
                yield ("   ", ""), (printable(announced), "cyan")
            yield ("   ", ""), (printable(text), _RED if text[0] == "-" else _GREEN)
        elif text.startswith(" "):
            line += 1
            announced = ""


def _counts(answer: Answer) -> str:
    causes = sum(not told.same_as for told in answer.told)
    parts = [f"{len(answer.told)} explained by {_number(causes, 'cause')}" if answer.told else "none is a gate's doing"]
    if answer.following:
        parts.append(f"{answer.following} {'follows' if answer.following == 1 else 'follow'} from these")
    if answer.left_alone:
        parts.append(f"{answer.left_alone} not a gate's doing and left alone")
    if answer.elsewhere:
        parts.append(f"{answer.elsewhere} in files outside the workspace")
    return f"{_number(answer.errors, 'error')} in the log: {', '.join(parts)}"


def _number(count: int, noun: str) -> str:
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"

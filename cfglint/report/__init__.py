"""Reports: one renderer a format, and the table that finds it.

A renderer turns a Report into text and knows no rule. Writing the text, choosing the format and judging whether to
colour is the command line's work.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from cfglint.config import Format
from cfglint.finding import Report
from cfglint.report.places import Places, places
from cfglint.report.terminal import Line


@dataclass(frozen=True, slots=True)
class Presentation:
    """How to print: the root that locations are relative to, in colour or not, with or without the closing lines.

    `prefix` is where that root lies in its repository: empty, or such as `rust/`.
    """

    root: Path
    in_color: bool = False
    quiet: bool = False
    prefix: str = ""


def render(report: Report, format: Format, presentation: Presentation) -> str:  # noqa: A002  # the word for it
    """`report` as text in `format`, with a final newline unless it is empty."""
    return RENDERERS[format](report, presentation)


def _text(report: Report, presentation: Presentation) -> str:
    from cfglint.report.snippet import Sources
    from cfglint.report.text import closing, diagnostics

    lines = [*diagnostics(report, Sources(presentation.root)), *(() if presentation.quiet else closing(report))]
    return _print(lines, presentation)


def _concise(report: Report, presentation: Presentation) -> str:
    from cfglint.report.concise import concise_lines

    return _print(concise_lines(report), presentation)


def _json(report: Report, presentation: Presentation) -> str:
    del presentation  # the same bytes whatever is asked
    from cfglint.report.json import render_json

    return render_json(report)


def _json_lines(report: Report, presentation: Presentation) -> str:
    del presentation
    from cfglint.report.json import render_json_lines

    return render_json_lines(report)


def _github(report: Report, presentation: Presentation) -> str:
    from cfglint.report.github import github_lines

    return _lines(github_lines(report, _places(presentation)))


def _gitlab(report: Report, presentation: Presentation) -> str:
    from cfglint.report.gitlab import render_gitlab

    return render_gitlab(report, _places(presentation))


def _junit(report: Report, presentation: Presentation) -> str:
    from cfglint.report.junit import render_junit

    return render_junit(report, _places(presentation))


def _markdown(report: Report, presentation: Presentation) -> str:
    from cfglint.report.markdown import render_markdown

    return render_markdown(report, _places(presentation))


def _rdjson(report: Report, presentation: Presentation) -> str:
    from cfglint.report.rdjson import render_rdjson

    return render_rdjson(report, _places(presentation))


def _rustc_json(report: Report, presentation: Presentation) -> str:
    from cfglint.report.rustc_json import rustc_lines

    return _lines(rustc_lines(report, _places(presentation)))


def _sarif(report: Report, presentation: Presentation) -> str:
    from cfglint.report.sarif import render_sarif
    from cfglint.rulebook import rulebook

    return render_sarif(report, _places(presentation), rulebook())


def _places(presentation: Presentation) -> Places:
    return places(presentation.root, presentation.prefix)


def _lines(lines: Iterable[str]) -> str:
    return "".join(f"{line}\n" for line in lines)


def _print(lines: Iterable[Line], presentation: Presentation) -> str:
    from cfglint.report.terminal import colored, plain

    return colored(lines) if presentation.in_color else plain(lines)


RENDERERS: dict[Format, Callable[[Report, Presentation], str]] = {
    Format.TEXT: _text,
    Format.CONCISE: _concise,
    Format.JSON: _json,
    Format.JSON_LINES: _json_lines,
    Format.GITHUB: _github,
    Format.GITLAB: _gitlab,
    Format.JUNIT: _junit,
    Format.MARKDOWN: _markdown,
    Format.RDJSON: _rdjson,
    Format.RUSTC_JSON: _rustc_json,
    Format.SARIF: _sarif,
}
NOTES_ARE_SHOWN = frozenset({Format.TEXT, Format.JSON, Format.GITHUB, Format.MARKDOWN, Format.SARIF})
"""Formats that have a place for remarks on the run itself."""

"""One report in all the formats that were asked for, each where it was asked for.

The `github` format has a second half: the full table, appended to the job summary where GitHub names a file for it.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path

from cfglint.cli.output import append, wants_color, write
from cfglint.cli.repository import prefix_in_repository
from cfglint.config import Config, Format
from cfglint.errors import UsageError
from cfglint.finding import Report
from cfglint.report import NOTES_ARE_SHOWN, Presentation, render
from cfglint.report.terminal import printable

SUMMARY_VARIABLE = "GITHUB_STEP_SUMMARY"


def write_reports(report: Report, config: Config, root: Path) -> None:
    """Print `report`, whose locations are relative to `root`, as `config` says.

    Raises UsageError where a file cannot be written.
    """
    prefix = prefix_in_repository(root)
    for format_, file in destinations(config):
        in_color = wants_color(config.color, to_terminal=file is None and sys.stdout.isatty())
        presentation = Presentation(root, in_color=in_color, quiet=config.quiet, prefix=prefix)
        write(render(report, format_, presentation), file)
        if format_ is Format.GITHUB:
            _summarize(report, presentation)
    if config.format not in NOTES_ARE_SHOWN:
        for note in report.notes:
            print(f"cfglint: note: {printable(note)}", file=sys.stderr)


def destinations(config: Config) -> Iterator[tuple[Format, Path | None]]:
    """Formats and their files; None is stdout."""
    yield config.format, config.output_file
    yield from config.outputs


def format_and_file(text: str) -> tuple[Format, Path | None]:
    """`FORMAT` or `FORMAT=FILE`.

    Raises UsageError for a format that does not exist.
    """
    from cfglint.config import did_you_mean

    name, equals, file = text.partition("=")
    names = [member.value for member in Format]
    if name not in names:
        raise UsageError(f"unknown format `{name}`{did_you_mean(name, names)} (one of {', '.join(names)})")
    if equals and not file:
        raise UsageError(f"`{text}` names no file")
    return Format(name), Path(file) if file else None


def _summarize(report: Report, presentation: Presentation) -> None:
    file = os.environ.get(SUMMARY_VARIABLE)
    if file:
        from cfglint.report.markdown import SUMMARY_LIMIT, render_markdown
        from cfglint.report.places import places

        text = render_markdown(report, places(presentation.root, presentation.prefix), limit=SUMMARY_LIMIT)
        append(text, Path(file))

"""`cfglint explain`: why a reference is compiled, why what it names is not, and what would mend it.

Nothing of the workspace is run.
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from cfglint.cli.exit_codes import SUCCESS
from cfglint.cli.output import wants_color, write
from cfglint.config import ColorChoice, Config, check_jobs
from cfglint.errors import UsageError

if TYPE_CHECKING:
    from cfglint.graph.explanation import Answer

_FORMATS = ("text", "json", "svg", "html")


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Describe the command."""
    parser = commands.add_parser(
        "explain",
        help="explain a reference, a finding, or the errors of a build log",
        description="Tell why a reference is compiled, why what it names is configured out, in which combinations, and "
        "which edits would mend it.",
        allow_abbrev=False,
    )
    parser.set_defaults(run=run)
    parser.add_argument(
        "what", metavar="WHAT", help="FILE:LINE[:COLUMN], a fingerprint, or - to read a build log from standard input"
    )
    parser.add_argument(
        "path", nargs="?", type=Path, metavar="PATH", help="package or workspace (default: around WHAT)"
    )
    parser.add_argument("--target", action="append", metavar="TRIPLE", help="decide for this target (repeatable)")
    parser.add_argument("--format", choices=_FORMATS, default="text", help="text (default), json, svg, or html")
    parser.add_argument("--output-file", type=Path, metavar="FILE", help="write it there instead of to stdout")
    parser.add_argument(
        "--color", choices=[c.value for c in ColorChoice], default="auto", help="auto (default), always, or never"
    )
    parser.add_argument("-j", "--jobs", type=int, metavar="N", help="processes to read sources with")


def run(options: argparse.Namespace) -> int:
    """Run the command; returns the exit status."""
    from cfglint.cli.progress import progress_bar

    with progress_bar() as progress:
        config = Config(Path(), targets=tuple(options.target or ()), jobs=check_jobs(options.jobs))
        answer = _answer(replace(config, progress=progress), options)
    write(_rendered(answer, options), options.output_file)
    return SUCCESS


def _answer(config: Config, options: argparse.Namespace) -> Answer:
    from cfglint.inquiry import answers

    here = options.path if options.path is not None else Path()
    if options.what == "-":
        if sys.stdin.isatty():
            raise UsageError("`-` reads a log from standard input: `cargo check 2>&1 | cfglint explain -`")
        return answers.from_log(_at(config, here), sys.stdin.buffer.read().decode("utf-8", "replace"))
    place = answers.parse_place(options.what, Path.cwd())
    if place is None:
        if answers.is_fingerprint(options.what):
            return answers.by_fingerprint(_at(config, here), options.what)
        if options.what.endswith(".rs"):
            raise UsageError(f"which line? Give it too: {options.what}:LINE")
        raise UsageError(f"`{options.what}` is neither FILE:LINE, nor a fingerprint, nor `-`")
    if options.path is None and Path(place.file).parent.is_dir():
        here = Path(place.file).parent
    return answers.at_place(_at(config, here), place)


def _at(config: Config, path: Path) -> Config:
    if not path.exists():
        raise UsageError(f"no such file or directory: {path}")
    return replace(config, path=path)


def _rendered(answer: Answer, options: argparse.Namespace) -> str:
    if options.format == "json":
        from cfglint.report.explain_json import answer_json

        return answer_json(answer)
    if options.format in ("svg", "html"):
        from cfglint.report.explain_svg import answer_html, answer_svg

        return answer_svg(answer) if options.format == "svg" else answer_html(answer)
    from cfglint.report.explain_text import answer_lines
    from cfglint.report.snippet import Sources
    from cfglint.report.terminal import colored, plain

    lines = list(answer_lines(answer, Sources(answer.root)))
    to_terminal = options.output_file is None and sys.stdout.isatty()
    while lines and not lines[-1]:
        lines.pop()
    return colored(lines) if wants_color(ColorChoice(options.color), to_terminal=to_terminal) else plain(lines)

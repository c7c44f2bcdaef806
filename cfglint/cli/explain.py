"""`cfglint explain`: why a reference is compiled, why what it names is not, and what would mend it.

Nothing of the workspace is run.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from cfglint.cli.exit_codes import SUCCESS
from cfglint.cli.output import wants_color, write
from cfglint.config import ColorChoice, Config
from cfglint.errors import UsageError


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Describe the command."""
    parser = commands.add_parser(
        "explain",
        help="explain a reference, a finding, or the errors of a build log",
        description="Tell why a reference is compiled, why what it names is configured out, in which combinations, and which edits would mend it.",
        allow_abbrev=False,
    )
    parser.set_defaults(run=run)
    parser.add_argument(
        "what", metavar="WHAT", help="FILE:LINE[:COLUMN], a fingerprint, or - for a log on standard input"
    )
    parser.add_argument(
        "path", nargs="?", type=Path, default=None, metavar="PATH", help="package or workspace (default: .)"
    )
    parser.add_argument("--format", choices=["text", "json", "svg", "html"], default="text", help="text (default)")
    parser.add_argument("--color", choices=[choice.value for choice in ColorChoice], default="auto")
    parser.add_argument("--output-file", type=Path, metavar="FILE", help="write there instead of to stdout")


def run(options: argparse.Namespace) -> int:
    """Run the command; returns the exit status."""
    from cfglint import inquiry
    from cfglint.report.explain_text import explanation_lines
    from cfglint.report.snippet import Sources
    from cfglint.report.terminal import colored, plain

    place = inquiry.parse_place(options.what, Path.cwd())
    if place is None:
        raise UsageError(f"`{options.what}` is neither FILE:LINE nor a fingerprint")
    start = options.path or Path(place.file).parent
    answer = inquiry.at_place(Config(path=start), place)
    sources = Sources(answer.analysis.workspace_root)
    lines = [line for each in answer.explanations for line in (*explanation_lines(each, sources), ())]
    in_color = wants_color(ColorChoice(options.color), to_terminal=sys.stdout.isatty())
    write(colored(lines) if in_color else plain(lines), options.output_file)
    return SUCCESS

"""The entry points `cfglint` and `cargo cfglint`: parse the command line, run a command, end with a status.

Whatever goes wrong becomes one line on stderr; a traceback is shown only with CFGLINT_DEBUG=1. Start-up time counts in
a pre-commit hook, so a command imports what it needs when it runs.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import sys
from collections.abc import Sequence

from cfglint import __version__
from cfglint.cli import baseline, check, ci, completions, explain, graph, matrix, rule
from cfglint.cli import run as run_command
from cfglint.cli.exit_codes import FAILURE, INTERRUPTED
from cfglint.cli.help import lay_out
from cfglint.cli.output import excerpt, flush, prepare_streams
from cfglint.errors import CfglintError

_COMMANDS = (check, explain, graph, matrix, run_command, ci, baseline, rule, completions)


def main(argv: Sequence[str] | None = None) -> int:
    """`cfglint ...`; returns the exit status."""
    return _run(sys.argv[1:] if argv is None else argv, "cfglint")


def cargo_main(argv: Sequence[str] | None = None) -> int:
    """`cargo cfglint ...`: cargo calls `cargo-cfglint cfglint ...` (Cargo book, "Custom subcommands")."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    if arguments[:1] == ["cfglint"]:
        del arguments[0]
    return _run(arguments, "cargo cfglint")


def build_parser(program: str) -> argparse.ArgumentParser:
    """The parser of every command."""
    parser = argparse.ArgumentParser(
        prog=program,
        description="Decide every feature combination of a Cargo workspace from source: references to configured-out items.",
        epilog=f"`{program} COMMAND --help` tells the options of a command.",
        allow_abbrev=False,
    )
    parser.add_argument("-V", "--version", action="version", version=f"cfglint {__version__}")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    for command in _COMMANDS:
        command.add_parser(commands)
    lay_out(parser)
    return parser


def _run(arguments: Sequence[str], program: str) -> int:
    prepare_streams()
    try:
        options = build_parser(program).parse_args(arguments)
        status: int = options.run(options)
    except CfglintError as error:
        return _fail(str(error), excerpt(error))
    except KeyboardInterrupt:
        return INTERRUPTED
    except Exception as error:
        if os.environ.get("CFGLINT_DEBUG") == "1":
            raise
        return _fail(f"internal error: {type(error).__name__}: {error}, please report (CFGLINT_DEBUG=1 shows where)")
    finally:
        flush()
    return status


def _fail(message: str, below: Sequence[str] = ()) -> int:
    from cfglint.report.terminal import printable

    with contextlib.suppress(OSError):
        print("\n".join((f"cfglint: {printable(message)}", *below)), file=sys.stderr)
    return FAILURE

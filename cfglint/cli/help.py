"""How `--help` is laid out: the same under every version of Python, so that the documents can show it.

An option takes one line with its short form in front (`-p, --package NAME`), as Python 3.13 and cargo print it.
"""

from __future__ import annotations

import argparse


class Formatter(argparse.HelpFormatter):
    """argparse's own, with options as said above."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog, max_help_position=32)

    def _format_action_invocation(self, action: argparse.Action) -> str:
        if not action.option_strings or action.nargs == 0:
            return super()._format_action_invocation(action)
        value = self._format_args(action, self._get_default_metavar_for_optional(action))
        return f"{', '.join(action.option_strings)} {value}"


def lay_out(parser: argparse.ArgumentParser) -> None:
    """Have a parser, and those of its commands, print help like this."""
    parser.formatter_class = Formatter
    for action in parser._actions:  # noqa: SLF001  (argparse has no other way to reach them)
        if isinstance(action, argparse._SubParsersAction):  # noqa: SLF001
            for inner in action.choices.values():
                lay_out(inner)

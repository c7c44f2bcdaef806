"""Shell completions, generated from the command line's own parser by shtab.

    python -m tools.completions

writes them to cfglint/cli/data; `cfglint completions SHELL` prints what was written, so that shtab is no dependency of
the program. The tests compare.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator

import shtab

from cfglint.cli.completions import SHELLS, data_file
from cfglint.cli.main import build_parser
from cfglint.config import Format
from cfglint.rulebook import rulebook

_FILES = frozenset({"FILE", "PATH"})
_RULES = frozenset({"CODE", "CODES", "RULE"})


def generated(shell: str) -> str:
    """The completion script for a shell."""
    parser = build_parser("cfglint")
    codes = [rule.code for rule in rulebook()]
    formats = [member.value for member in Format]
    for action in _actions(parser):
        if action.metavar in _FILES:
            action.complete = shtab.FILE  # type: ignore[attr-defined]  # where shtab looks
        elif action.metavar in _RULES:
            action.choices = codes
        elif action.metavar == "FORMAT[=FILE]":
            action.choices = formats
    return str(shtab.complete(parser, shell))


def main() -> int:
    """Write them all."""
    for shell in SHELLS:
        file = data_file(shell)
        file.parent.mkdir(exist_ok=True)
        file.write_text(generated(shell), "utf-8", newline="\n")
    return 0


def _actions(parser: argparse.ArgumentParser) -> Iterator[argparse.Action]:
    for action in parser._actions:  # noqa: SLF001  # argparse has no other way to list them
        yield action
        if isinstance(action, argparse._SubParsersAction):  # noqa: SLF001
            for inner in dict.fromkeys(action.choices.values()):
                yield from _actions(inner)


if __name__ == "__main__":
    sys.exit(main())

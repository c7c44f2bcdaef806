"""`cfglint completions`: scripts that let a shell complete commands and options.

They are generated from the parser (tools/completions.py) and shipped as data; nothing is generated here.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from cfglint.cli.exit_codes import SUCCESS
from cfglint.cli.output import write

SHELLS = ("bash", "fish", "zsh")


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Describe the command."""
    parser = commands.add_parser(
        "completions",
        help="print completions for a shell",
        description="Print a script that completes commands and options of cfglint.",
        allow_abbrev=False,
    )
    parser.set_defaults(run=run)
    parser.add_argument("shell", choices=SHELLS, help="the shell")


def run(options: argparse.Namespace) -> int:
    """Run the command; returns the exit status."""
    write(data_file(options.shell).read_text("utf-8"), None)
    return SUCCESS


def data_file(shell: str) -> Path:
    """Where the script for a shell is."""
    return Path(__file__).parent / "data" / f"cfglint.{shell}"

"""`cfglint rule`: a rule's documentation, offline."""

from __future__ import annotations

import argparse
import json
import sys
from typing import TYPE_CHECKING

from cfglint.cli.exit_codes import SUCCESS
from cfglint.cli.output import wants_color, write
from cfglint.config import ColorChoice, did_you_mean
from cfglint.errors import UsageError

if TYPE_CHECKING:
    from cfglint.rulebook import Rule


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Describe the command."""
    parser = commands.add_parser(
        "rule",
        help="explain a rule",
        description="Print the documentation of a rule, or the list of all rules.",
        allow_abbrev=False,
    )
    parser.set_defaults(run=run)
    which = parser.add_mutually_exclusive_group(required=True)
    which.add_argument("rule", nargs="?", metavar="RULE", help="a code (CFG001) or a name (configured-out-item)")
    which.add_argument("--all", action="store_true", help="list all rules")
    parser.add_argument("--format", choices=["text", "json"], default="text", help="text (default) or json")
    parser.add_argument("--color", choices=[choice.value for choice in ColorChoice], default="auto")


def run(options: argparse.Namespace) -> int:
    """Run the command; returns the exit status."""
    from cfglint.rulebook import find, rulebook

    if options.all:
        rules = rulebook()
        text = _json([_object(rule) for rule in rules]) if options.format == "json" else "".join(map(_line, rules))
    else:
        rule = find(options.rule)
        if rule is None:
            words = [word for known in rulebook() for word in (known.code, known.name)]
            raise UsageError(f"unknown rule `{options.rule}`{did_you_mean(options.rule, words)}")
        text = _json(_object(rule)) if options.format == "json" else _page(rule, ColorChoice(options.color))
    write(text, None)
    return SUCCESS


def _object(rule: Rule) -> dict[str, object]:
    return {
        "code": rule.code,
        "name": rule.name,
        "severity": rule.severity,
        "since": rule.since,
        "summary": rule.summary,
        "documentation": rule.body,
    }


def _json(value: object) -> str:
    return json.dumps(value, indent=2) + "\n"


def _line(rule: Rule) -> str:
    return f"{rule.code}  {rule.severity:<7}  {rule.name}: {rule.summary}\n"


def _page(rule: Rule, choice: ColorChoice) -> str:
    """The page as Markdown; drawn by rich where it goes to a terminal."""
    title = f"# {rule.code}: {rule.name}\n\n{rule.summary} ({rule.severity}, since {rule.since})\n\n"
    source = title + rule.body
    if not wants_color(choice, to_terminal=sys.stdout.isatty()):
        return source
    from rich.console import Console
    from rich.markdown import Markdown

    console = Console(force_terminal=True, no_color=False)
    with console.capture() as capture:
        console.print(Markdown(source))
    return capture.get()

"""Options that several commands share: which packages and configurations are decided, and which rules count.

Those that cargo has too are spelled as cargo spells them.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from cfglint.config import Level, Narrowing, did_you_mean
from cfglint.errors import UsageError


def add_packages(parser: argparse.ArgumentParser) -> argparse._ArgumentGroup:
    """Which packages; returns the group of options, so that more can stand there."""
    group = parser.add_argument_group("what to check")
    group.add_argument("-p", "--package", action="append", metavar="NAME", help="only this member (repeatable)")
    group.add_argument("--workspace", action="store_true", help="all members, wherever PATH is")
    group.add_argument("--exclude", action="append", metavar="NAME", help="not this member (repeatable)")
    group.add_argument("--manifest-path", type=Path, metavar="FILE", help="path to a Cargo.toml, instead of PATH")
    parser.set_defaults(target=None, features=None, no_default_features=False, all_features=False)
    return group


_KINDS = {
    "lib": "only the library, without its unit tests",
    "bins": "only programs, without their unit tests",
    "tests": "only tests, unit tests among them",
    "examples": "only examples",
    "benches": "only benches",
}
"""Selections of crate roots under Cargo's names, and what they select."""


def add_kinds(group: argparse._ArgumentGroup) -> None:
    """Which crate roots."""
    for kind, what in _KINDS.items():
        group.add_argument(f"--{kind}", dest="kinds", action="append_const", const=kind, help=what)
    group.add_argument("--all-targets", action="store_true", help="all of these (default)")


def add_configurations(group: argparse._ArgumentGroup) -> None:
    """Which of their configurations."""
    group.add_argument("--target", action="append", metavar="TRIPLE", help="decide for this target (repeatable)")
    group.add_argument("-F", "--features", action="append", metavar="NAMES", help="only builds with these features")
    group.add_argument("--no-default-features", action="store_true", help="only builds without the default features")
    group.add_argument("--all-features", action="store_true", help="only the build with all features")


def add_rules(parser: argparse.ArgumentParser) -> None:
    """Rules and their levels."""
    parser.set_defaults(levels=())
    group = parser.add_argument_group("rules")
    group.add_argument("--select", action="append", metavar="CODES", help="only these rules; a prefix selects several")
    group.add_argument("--ignore", action="append", metavar="CODES", help="not these rules")
    group.add_argument("-A", dest="levels", action=_AddLevel, const=Level.ALLOW, metavar="CODE", help="allow a rule")
    group.add_argument(
        "-W", dest="levels", action=_AddLevel, const=Level.WARN, metavar="CODE", help="make it a warning"
    )
    group.add_argument("-D", dest="levels", action=_AddLevel, const=Level.DENY, metavar="CODE", help="make it an error")


def narrowing(options: argparse.Namespace) -> Narrowing:
    """What the options take away. Features are separated by commas or blanks, as cargo takes them."""
    return Narrowing(
        features=tuple(name for value in options.features or () for name in value.replace(",", " ").split()),
        without_default=options.no_default_features,
        all_features=options.all_features,
        exclude=tuple(options.exclude or ()),
        whole_workspace=options.workspace,
    )


def codes(*values: str) -> tuple[str, ...]:
    """The codes (or beginnings of codes) that comma-separated words stand for.

    Raises UsageError for a word that no rule fits.
    """
    return tuple(_code(word.strip()) for value in values for word in value.split(",") if word.strip())


def _code(word: str) -> str:
    from cfglint.rulebook import codes_for, rulebook

    code = codes_for(word)
    if code is None:
        words = (word for rule in rulebook() for word in (rule.code, rule.name))
        raise UsageError(f"unknown rule `{word}`{did_you_mean(word, words)}")
    return code


class _AddLevel(argparse.Action):
    """Appends (code, level) to `levels`, so that `-A`, `-W` and `-D` keep their order."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: str | Sequence[Any] | None,
        option_string: str | None = None,
    ) -> None:
        del parser, option_string
        namespace.levels = (*namespace.levels, *((code, self.const) for code in codes(str(values))))

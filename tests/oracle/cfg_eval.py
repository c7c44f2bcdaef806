"""A second, plain reading of `cfg` predicates, so that the tests do not ask cfglint what cfglint means.

It knows `all`, `any`, `not`, `true`, `false`, `feature = "x"` and bare flags. It deliberately knows no other key: a
key that is not asked for in `flags` is an error here, for a comparison must not pass by accident.
"""

from __future__ import annotations

import re
from collections.abc import Collection

_TOKEN = re.compile(r'\s*(?:([A-Za-z_][A-Za-z0-9_]*)|("(?:[^"\\]|\\.)*")|([(),=]))')


class CfgSyntaxError(ValueError):
    """The text is not a predicate of the language above."""


def evaluate(text: str, features: Collection[str], flags: Collection[str] = ()) -> bool:
    """Tell whether the predicate `text` holds where exactly `features` are enabled and `flags` are set.

    `flags` holds bare names and `key="value"` pairs. Raises CfgSyntaxError.
    """
    tokens = _tokens(text)
    value, rest = _predicate(tokens, 0, features, flags)
    if rest != len(tokens):
        raise CfgSyntaxError(f"text after the predicate: {text!r}")
    return value


def mentioned_features(text: str) -> frozenset[str]:
    """The names in every `feature = "name"` of a source text."""
    return frozenset(re.findall(r'feature\s*=\s*"([^"]*)"', text))


def _tokens(text: str) -> list[str]:
    tokens: list[str] = []
    position = 0
    text = text.rstrip()
    while position < len(text):
        match = _TOKEN.match(text, position)
        if match is None:
            raise CfgSyntaxError(f"cannot read {text[position:]!r} in {text!r}")
        tokens.append(match.group(match.lastindex or 0))
        position = match.end()
    return tokens


def _predicate(tokens: list[str], at: int, features: Collection[str], flags: Collection[str]) -> tuple[bool, int]:
    if at >= len(tokens):
        raise CfgSyntaxError("the predicate ends early")
    word = tokens[at]
    following = tokens[at + 1] if at + 1 < len(tokens) else ""
    if following == "(":
        values, end = _arguments(tokens, at + 2, features, flags)
        if word == "all":
            return all(values), end
        if word == "any":
            return any(values), end
        if word == "not" and len(values) == 1:
            return not values[0], end
        raise CfgSyntaxError(f"unknown predicate {word}(..) with {len(values)} arguments")
    if following == "=":
        if at + 2 >= len(tokens) or not tokens[at + 2].startswith('"'):
            raise CfgSyntaxError(f"no string after {word} =")
        value = tokens[at + 2][1:-1]
        if word == "feature":
            return value in features, at + 3
        if f'{word}="{value}"' in flags:
            return True, at + 3
        if any(flag.startswith(f"{word}=") for flag in flags):
            return False, at + 3
        raise CfgSyntaxError(f'{word} = "{value}" is not a matter of features')
    if word in ("true", "false"):
        return word == "true", at + 1
    if not word[0].isalpha() and word[0] != "_":
        raise CfgSyntaxError(f"unexpected {word!r}")
    return word in flags, at + 1


def _arguments(tokens: list[str], at: int, features: Collection[str], flags: Collection[str]) -> tuple[list[bool], int]:
    values: list[bool] = []
    while at < len(tokens) and tokens[at] != ")":
        value, at = _predicate(tokens, at, features, flags)
        values.append(value)
        if at < len(tokens) and tokens[at] == ",":
            at += 1
        elif at >= len(tokens) or tokens[at] != ")":
            raise CfgSyntaxError("expected `,` or `)`")
    if at >= len(tokens):
        raise CfgSyntaxError("missing `)`")
    return values, at + 1

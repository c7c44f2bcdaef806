"""`cfg(..)` texts for the fixture tests: a parser and an evaluator that share nothing with cfglint's own.

Predicates as in the Reference, Conditional compilation. Unstable forms (`version(..)`, `target(..)`) are not known here.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

_TOKEN = re.compile(
    r'\s*(?:r(?P<hash>#*)"(?P<raw>.*?)"(?P=hash)|"(?P<string>[^"]*)"|(?P<name>(?:r#)?\w+)|(?P<sign>[=(),]))'
)


@dataclass(frozen=True, slots=True)
class Predicate:
    """`name`, `name = "value"`, or one of `all`, `any`, `not` over `args` (then `args` is not None)."""

    name: str
    value: str | None = None
    args: tuple[Predicate, ...] | None = None


def parse(text: str) -> Predicate:
    """The predicate written in `text`, with or without the `cfg(..)` around it.

    Raises ValueError on anything else.
    """
    tokens = _tokens(text)
    predicate, end = _predicate(tokens, 0)
    if end != len(tokens):
        raise ValueError(f"not one cfg predicate: {text}")
    if predicate.name == "cfg" and predicate.args is not None and len(predicate.args) == 1:
        return predicate.args[0]
    return predicate


def evaluate(predicate: Predicate, holds: Callable[[str, str | None], bool]) -> bool:
    """Its truth, with `holds` telling which options are set."""
    if predicate.args is None:
        if predicate.value is None and predicate.name in ("true", "false"):
            return predicate.name == "true"
        return holds(predicate.name.removeprefix("r#"), predicate.value)
    values = [evaluate(arg, holds) for arg in predicate.args]
    match predicate.name:
        case "all":
            return all(values)
        case "any":
            return any(values)
        case "not" if len(values) == 1:
            return not values[0]
    raise ValueError(f"not a cfg predicate: {predicate.name} of {len(values)}")


def mentions(predicate: Predicate, name: str) -> bool:
    """Whether the bare option `name` occurs in it."""
    if predicate.args is None:
        return predicate.name == name and predicate.value is None
    return any(mentions(arg, name) for arg in predicate.args)


def _tokens(text: str) -> list[tuple[str, str]]:
    tokens: list[tuple[str, str]] = []
    position, end = 0, len(text.rstrip())
    while position < end:
        match = _TOKEN.match(text, position)
        if match is None:
            raise ValueError(f"not a cfg predicate: {text}")
        kind = next(k for k in ("raw", "string", "name", "sign") if match[k] is not None)
        tokens.append(("string" if kind == "raw" else kind, match[kind]))
        position = match.end()
    return tokens


def _predicate(tokens: list[tuple[str, str]], at: int) -> tuple[Predicate, int]:
    kind, name = _peek(tokens, at)
    if kind != "name":
        raise ValueError(f"a name was expected, not {name!r}")
    at += 1
    if _peek(tokens, at) == ("sign", "="):
        kind, value = _peek(tokens, at + 1)
        if kind != "string":
            raise ValueError(f"a string was expected, not {value!r}")
        return Predicate(name, value), at + 2
    if _peek(tokens, at) != ("sign", "("):
        return Predicate(name), at
    at += 1
    args: list[Predicate] = []
    while _peek(tokens, at) != ("sign", ")"):
        arg, at = _predicate(tokens, at)
        args.append(arg)
        if _peek(tokens, at) == ("sign", ","):
            at += 1
        elif _peek(tokens, at) != ("sign", ")"):
            raise ValueError("a comma or a closing parenthesis was expected")
    return Predicate(name, None, tuple(args)), at + 1


def _peek(tokens: list[tuple[str, str]], at: int) -> tuple[str, str]:
    return tokens[at] if at < len(tokens) else ("end", "the end")

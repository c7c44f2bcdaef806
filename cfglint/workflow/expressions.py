"""GitHub's `${{ }}` expressions, as far as the workflow itself decides them.

Known are literals, `matrix`, `env` and `inputs`, comparison and the logical operators (GitHub docs, evaluate expressions).
What a run would have to tell, such as outputs of steps, is unknown, and so is all that rests on it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import TypeAlias

UNKNOWN = "\ue000"
"""Stands for text that only a run would know."""

Value: TypeAlias = "str | bool | float | None"
Lookup: TypeAlias = Callable[[str], "str | None"]
"""The text of a dotted name such as `matrix.os`; None where it is not known."""

EXPRESSION = re.compile(r"\$\{\{(.*?)\}\}", re.DOTALL)
_TOKEN = re.compile(
    r"\s*(?:(?P<string>'(?:[^']|'')*')|(?P<number>-?\d+(?:\.\d+)?)|(?P<name>[A-Za-z_][\w.*-]*)"
    r"|(?P<operator>\|\||&&|==|!=|<=|>=|[!()<>,\[\]]))"
)
_LONGEST = 4_000


def is_known(text: str) -> bool:
    """Whether no part of the text is unknown."""
    return UNKNOWN not in text


def filled(text: str, lookup: Lookup) -> str:
    """`text` with every expression replaced by its value."""
    return EXPRESSION.sub(lambda found: value_of(found[1], lookup), text) if "${{" in text else text


def value_of(expression: str, lookup: Lookup) -> str:
    """The value of one expression as text."""
    found = _evaluate(expression, lookup)
    return UNKNOWN if isinstance(found, _NotKnown) else _as_text(found)


def truth_of(condition: str, lookup: Lookup) -> bool | None:
    """What an `if:` comes to; None where it is not known. Status functions hold."""
    bare = EXPRESSION.fullmatch(condition.strip())
    found = _evaluate(bare[1] if bare else condition, lookup)
    return None if isinstance(found, _NotKnown) else _is_true(found)


def names(text: str) -> Mapping[str, str]:
    """The expressions in a text, by their spelling."""
    return {found[0]: found[1].strip() for found in EXPRESSION.finditer(text)}


class _NotKnown:
    """The one value that nothing is known of."""


_NOT_KNOWN = _NotKnown()
_Found: TypeAlias = "Value | _NotKnown"


class _SyntaxError(Exception):
    """Not an expression that we read. Never leaves this module."""


def _evaluate(expression: str, lookup: Lookup) -> _Found:
    if len(expression) > _LONGEST:
        return _NOT_KNOWN
    tokens: list[tuple[str, str]] = []
    at = 0
    stripped = expression.rstrip()
    while at < len(stripped):
        found = _TOKEN.match(stripped, at)
        if found is None or found.end() == at:
            return _NOT_KNOWN
        kind = found.lastgroup or ""
        tokens.append((kind, found[kind]))
        at = found.end()
    reader = _Reader(tokens, lookup)
    try:
        value = reader.either()
    except (_SyntaxError, RecursionError):
        return _NOT_KNOWN
    return value if reader.at == len(tokens) else _NOT_KNOWN


class _Reader:
    """Recursive descent, evaluating on the way."""

    def __init__(self, tokens: list[tuple[str, str]], lookup: Lookup) -> None:
        self.tokens = tokens
        self.lookup = lookup
        self.at = 0

    def either(self) -> _Found:
        left = self.both()
        while self.take("||"):
            right = self.both()
            if isinstance(left, _NotKnown):
                continue
            left = left if _is_true(left) else right
        return left

    def both(self) -> _Found:
        left = self.comparison()
        while self.take("&&"):
            right = self.comparison()
            if isinstance(left, _NotKnown):
                left = False if not isinstance(right, _NotKnown) and not _is_true(right) else left
            else:
                left = right if _is_true(left) else left
        return left

    def comparison(self) -> _Found:
        left = self.negation()
        for operator in ("==", "!="):
            if self.take(operator):
                right = self.negation()
                if isinstance(left, _NotKnown) or isinstance(right, _NotKnown):
                    return _NOT_KNOWN
                same = _as_text(left).casefold() == _as_text(right).casefold()
                return same if operator == "==" else not same
        for operator in ("<=", ">=", "<", ">"):
            if self.take(operator):
                self.negation()
                return _NOT_KNOWN
        return left

    def negation(self) -> _Found:
        if self.take("!"):
            value = self.negation()
            return _NOT_KNOWN if isinstance(value, _NotKnown) else not _is_true(value)
        return self.primary()

    def primary(self) -> _Found:
        if self.take("("):
            value = self.either()
            self.expect(")")
            return value
        kind, text = self.next()
        if kind == "string":
            return text[1:-1].replace("''", "'")
        if kind == "number":
            return float(text)
        if kind != "name":
            raise _SyntaxError
        if self.take("("):
            return self.call(text.casefold())
        if text in ("true", "false", "null"):
            return {"true": True, "false": False, "null": None}[text]
        while self.take("["):
            kind, key = self.next()
            self.expect("]")
            text += f".{key[1:-1]}" if kind == "string" else ".*"
        found = self.lookup(text)
        return _NOT_KNOWN if found is None or not is_known(found) else found

    def call(self, name: str) -> _Found:
        arguments: list[_Found] = []
        if not self.take(")"):
            arguments.append(self.either())
            while self.take(","):
                arguments.append(self.either())
            self.expect(")")
        if name in ("success", "always"):
            return True
        if name in ("failure", "cancelled"):
            return False
        known = [_as_text(value) for value in arguments if not isinstance(value, _NotKnown)]
        if len(known) < len(arguments):
            return _NOT_KNOWN
        if name in ("contains", "startswith", "endswith") and len(known) == 2:
            one, other = known[0].casefold(), known[1].casefold()
            checks = {"contains": other in one, "startswith": one.startswith(other), "endswith": one.endswith(other)}
            return checks[name]
        if name == "format" and known:
            return re.sub(r"\{(\d+)\}", lambda found: _nth(known, int(found[1]) + 1), known[0])
        return _NOT_KNOWN

    def next(self) -> tuple[str, str]:
        if self.at >= len(self.tokens):
            raise _SyntaxError
        self.at += 1
        return self.tokens[self.at - 1]

    def take(self, operator: str) -> bool:
        if self.at < len(self.tokens) and self.tokens[self.at] == ("operator", operator):
            self.at += 1
            return True
        return False

    def expect(self, operator: str) -> None:
        if not self.take(operator):
            raise _SyntaxError


def _nth(values: list[str], index: int) -> str:
    return values[index] if index < len(values) else ""


def _is_true(value: Value) -> bool:
    return value not in (None, False, "", 0.0) and value == value  # noqa: PLR0124  (NaN is false)


def _as_text(value: Value) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return f"{value:g}"
    return value

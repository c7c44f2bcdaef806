"""A cfg predicate from text, wherever there is text and no syntax tree: manifest keys, options, tests.

Accepts what rustc accepts in `#[cfg(...)]` on a stable toolchain (Reference, conditional compilation; rustc 1.95). What
it rejects is `Invalid`, as small a part as the commas allow: in `all(unix, version("1.88"))` only the second argument.

What this deliberately does not do: raise, whatever the text; or decide what an option means. Keywords of any edition are
taken as keywords of every edition.
"""

from __future__ import annotations

import re
import unicodedata
from typing import Literal as OneOf
from typing import NamedTuple, TypeAlias

from cfglint.condition.predicate import All, Any, Invalid, Literal, Not, Option, Predicate

DEPTH_CAP = 128
"""Predicates within predicates beyond which the whole text is invalid."""

LENGTH_CAP = 500_000
"""Characters beyond which the whole text is invalid; a gate on two thousand features has 50,000."""


def parse_predicate(text: str) -> Predicate:
    """The predicate that `text` spells, either bare (`all(unix, loom)`) or as `cfg(all(unix, loom))`.

    Never raises. Text that is not one predicate (none, several, unbalanced, nested too deeply) is `Invalid` as a whole.
    """
    if len(text) > LENGTH_CAP:
        return Invalid(text)
    try:
        return _Parser(text).whole()
    except _UnreadableError:
        return Invalid(text)


class _UnreadableError(Exception):
    """No part of the text can be kept. Never leaves this module."""


_Kind: TypeAlias = OneOf["name", "raw name", "string", "(", ")", ",", "=", "other", "end"]


class _Token(NamedTuple):
    kind: _Kind
    value: str
    start: int
    end: int


class _Parser:
    """Recursive descent over the tokens of one text."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._tokens = _tokens(text)
        self._at = 0

    def whole(self) -> Predicate:
        wrapped = self._tokens[0].value == "cfg" and self._tokens[0].kind == "name" and self._tokens[1].kind == "("
        if wrapped:
            self._at = 2
        args = self._args(0)
        if wrapped:
            self._expect(")")
        self._expect("end")
        if len(args) != 1:
            raise _UnreadableError
        return args[0]

    def _args(self, depth: int) -> tuple[Predicate, ...]:
        """Predicates with commas between them, and perhaps one behind, up to what closes the list."""
        args: list[Predicate] = []
        while self._kind not in (")", "end"):
            args.append(self._predicate(depth))
            if self._kind == ",":
                self._at += 1
        return tuple(args)

    def _predicate(self, depth: int) -> Predicate:
        if depth > DEPTH_CAP:
            raise _UnreadableError
        start = self._tokens[self._at].start
        parsed = self._known(depth)
        if parsed is not None and self._kind in (")", ",", "end"):
            return parsed
        self._skip()
        return Invalid(self._text[start : self._tokens[self._at].start].rstrip())

    def _known(self, depth: int) -> Predicate | None:
        """A predicate of the stable language; None, with the parentheses so far balanced, if it is something else."""
        token = self._tokens[self._at]
        is_raw = token.kind == "raw name"
        if token.kind not in ("name", "raw name") or token.value in (_NEVER_RAW if is_raw else _KEYWORDS):
            return None
        self._at += 1
        if not is_raw and token.value in ("true", "false"):
            return Literal(token.value == "true")
        if self._kind == "=":
            self._at += 1
            value = self._tokens[self._at]
            if value.kind != "string":
                return None
            self._at += 1
            return Option(token.value, value.value)
        if self._kind != "(":
            return Option(token.value)
        if token.value not in ("all", "any", "not"):
            return None
        self._at += 1
        args = self._args(depth + 1)
        self._expect(")")
        if token.value == "not":
            return Not(args[0]) if len(args) == 1 else None
        return All(args) if token.value == "all" else Any(args)

    def _skip(self) -> None:
        """Past what is not understood, to the comma or parenthesis that ends it."""
        depth = 0
        while self._kind != "end" and not (depth == 0 and self._kind in (")", ",")):
            depth += {"(": 1, ")": -1}.get(self._kind, 0)
            self._at += 1

    @property
    def _kind(self) -> _Kind:
        return self._tokens[self._at].kind

    def _expect(self, kind: _Kind) -> None:
        if self._kind != kind:
            raise _UnreadableError
        self._at += 1


# White space is Unicode's Pattern_White_Space; whether a name is one is asked later. A comment that documents (`///`, `/**`) is an attribute and has no place here.
_TOKEN = re.compile(
    r"""
      (?P<space> [\t\n\v\f\r\ \x85\u200e\u200f\u2028\u2029]+ | //(?![/!])[^\n]* | ////[^\n]* )
    | (?P<comment> /\*(?![*!]) | /\*\*(?=[*/]) )
    | r(?P<hashes> \#*)"
    | (?P<name> (?P<raw> r\#)? (?:[a-zA-Z_]|{wide}) (?:[a-zA-Z_0-9]|{wide})* )
    | (?P<quote> ")
    | (?P<mark> [(),] | =(?![=>]) )
    """.replace("{wide}", r"[^\x00-\x7f\x85\u200e\u200f\u2028\u2029]"),
    re.VERBOSE,
)
_COMMENT_EDGE = re.compile(r"/\*|\*/")
_STRING = re.compile(r'((?:[^"\\]|\\.)*)"', re.DOTALL)
_SUFFIX = re.compile(r"\w")
_ESCAPE = re.compile(
    r"\\(?:([nrt0\\'\"])|x([0-7][0-9a-fA-F])|u\{([0-9a-fA-F_]{1,32})\}|(\n[\t\n\r ]*)|(.?))", re.DOTALL
)
_ESCAPED = {"n": "\n", "r": "\r", "t": "\t", "0": "\0", "\\": "\\", "'": "'", '"': '"'}

_NEVER_RAW = frozenset({"crate", "self", "super", "Self", "_"})
_KEYWORDS = _NEVER_RAW | frozenset(
    """
    abstract as async await become box break const continue do dyn else enum extern final fn for if impl in let loop
    macro match mod move mut override priv pub ref return static struct trait try type typeof unsafe unsized use
    virtual where while yield
    """.split()
)


def _tokens(text: str) -> list[_Token]:
    """The tokens of `text` and an end.

    Raises:
        _UnreadableError: at a string or a comment without end, or an escape that Rust does not have.
    """
    tokens: list[_Token] = []
    at = 0
    while at < len(text):
        match = _TOKEN.match(text, at)
        if match is None:
            tokens.append(_Token("other", text[at], at, at + 1))
            at += 1
            continue
        start, at = at, match.end()
        if match["comment"] is not None:
            at = _comment_end(text, start)
        elif match["hashes"] is not None:
            closing = '"' + match["hashes"]
            end = text.find(closing, at)
            if end < 0:
                raise _UnreadableError
            tokens.append(_string(text, text[at:end], start, end + len(closing)))
            at = end + len(closing)
        elif match["quote"] is not None:
            body = _STRING.match(text, at)
            if body is None:
                raise _UnreadableError
            at = body.end()
            tokens.append(_string(text, _ESCAPE.sub(_unescaped, body[1]), start, at))
        elif match["name"] is not None:
            name = unicodedata.normalize("NFC", match["name"].removeprefix(match["raw"] or ""))
            kind: _Kind = "raw name" if match["raw"] else "name"
            tokens.append(_Token(kind if name.isidentifier() else "other", name, start, at))
        elif match["mark"] is not None:
            tokens.append(_Token(_MARKS[match["mark"]], match["mark"], start, at))
    tokens.append(_Token("end", "", at, at))
    return tokens


_MARKS: dict[str, _Kind] = {"(": "(", ")": ")", ",": ",", "=": "="}


def _string(text: str, value: str, start: int, end: int) -> _Token:
    """A string literal; one with a suffix (`"x"u8`) is something else."""
    return _Token("other" if _SUFFIX.match(text, end) else "string", value, start, end)


def _comment_end(text: str, start: int) -> int:
    """Block comments nest."""
    depth = 0
    for edge in _COMMENT_EDGE.finditer(text, start):
        depth += 1 if edge[0] == "/*" else -1
        if depth == 0:
            return edge.end()
    raise _UnreadableError


def _unescaped(escape: re.Match[str]) -> str:
    """Reference, tokens: quote, ASCII and Unicode escapes, and the string continuation."""
    simple, ascii_code, code, continuation, _ = escape.groups()
    if simple is not None:
        return _ESCAPED[simple]
    if ascii_code is not None:
        return chr(int(ascii_code, 16))
    if continuation is not None:
        return ""
    if code is None or code.startswith("_"):
        raise _UnreadableError
    digits = code.replace("_", "")
    point = int(digits, 16)
    if len(digits) > 6 or point > 0x10FFFF or 0xD800 <= point <= 0xDFFF:
        raise _UnreadableError
    return chr(point)

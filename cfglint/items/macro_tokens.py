"""Rust tokens as `macro_rules!` sees them: a lexer, and streams of tokens with their groups paired.

Tokens are taken from the text, not from the parser's tree: inside macros that tree has gaps (lifetimes, prefixed
strings, separators of repetitions). Operators are kept as single characters that know whether the next one adjoins, so
that `>>` can be met as one token and be split by a type. Nothing is interpreted here.
Source: Reference, tokens; doc comments are attributes (Reference, comments).
"""

from __future__ import annotations

import enum
import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

OWN = -1
"""The order of tokens that the called macro itself writes."""


DOC = "doc"
"""The `fragment` of tokens that a doc comment stands for. A matcher passes over them."""


class UncertainError(Exception):
    """The tokens cannot be understood with certainty."""


class Kind(enum.IntEnum):
    """What a token is. FRAGMENT is a captured piece of syntax that is one unit from then on."""

    __hash__ = int.__hash__  # that of Enum is slow

    IDENT = 0
    LIFETIME = 1
    LITERAL = 2
    PUNCT = 3
    OPEN = 4
    CLOSE = 5
    FRAGMENT = 6


class Token(NamedTuple):
    """One token. `joint`: an operator character follows directly.

    `order` counts the tokens of the call, and is negative for those of a macro (OWN for the macro that is called);
    `start` and `end` are byte offsets in the file that the token comes from. `fragment` is the specifier under which
    the token was captured; `inner` belongs to FRAGMENT. Such a token is of the call when all of its `inner` are, and
    `order` is then that of the first.
    """

    kind: Kind
    text: str
    start: int
    end: int
    joint: bool
    order: int
    fragment: str = ""
    inner: tuple[Token, ...] = ()

    @property
    def from_call(self) -> bool:
        """Whether the token is the caller's, not the macro's."""
        return self.order >= 0


_IDENT = rb"[A-Za-z_\x80-\xff][A-Za-z0-9_\x80-\xff]*"
_LEXER = re.compile(
    rb"(?P<space>\s+)"
    rb"|(?P<line>//[^\n]*)"
    rb"|(?P<block>/\*)"
    rb'|(?P<raw>(?:b|c)?r(?P<hashes>#*)".*?"(?P=hashes))'
    rb'|(?P<string>[bc]?"(?:[^"\\]|\\.)*"' + rb")"
    rb"|(?P<char>b?'(?:[^'\\\n\t\x80-\xff]|[\xc0-\xff][\x80-\xbf]+|\\x[0-9a-fA-F]{2}|\\u\{[^}']*\}|\\.)')"
    rb"|(?P<lifetime>'(?:r#)?" + _IDENT + rb")"
    rb"|(?P<ident>(?:r#)?" + _IDENT + rb")"
    rb"|(?P<number>0[xob][0-9a-fA-F_]+(?:[iu][0-9]+|[iu]size)?"
    rb"|[0-9][0-9_]*(?:\.(?![.A-Za-z_\x80-\xff])[0-9_]*)?(?:[eE][+-]?[0-9_]+)?(?:[A-Za-z_][A-Za-z0-9_]*)?)"
    rb"|(?P<open>[(\[{])|(?P<close>[)\]}])"
    rb"|(?P<punct>[-!#$%&*+,./:;<=>?@^|~])",
    re.DOTALL,
)
_COMMENT_MARK = re.compile(rb"/\*|\*/")
_PUNCTUATION = frozenset(b"-!#$%&*+,./:;<=>?@^|~")
_PARTNER = {"(": ")", "[": "]", "{": "}"}
_KINDS = {
    "raw": Kind.LITERAL,
    "string": Kind.LITERAL,
    "char": Kind.LITERAL,
    "number": Kind.LITERAL,
    "lifetime": Kind.LIFETIME,
    "ident": Kind.IDENT,
    "open": Kind.OPEN,
    "close": Kind.CLOSE,
    "punct": Kind.PUNCT,
}
_THREE = frozenset({"<<=", ">>=", "...", "..="})
_TWO = frozenset("== <= >= != && || << >> += -= *= /= %= ^= &= |= .. :: -> => <-".split())


def lex_call(source: bytes, start: int, end: int) -> list[Token]:
    """The tokens between two offsets, as a macro gets them: doc comments are `#[doc = ".."]`.

    Raises UncertainError on what is no token.
    """
    tokens: list[Token] = []
    position = start
    while position < end:
        found, name = _next(source, position, end)
        if name in ("line", "block"):
            mark = _doc_mark(source[position:found])
            for text in mark:
                tokens.append(_doc_token(text, position, found, len(tokens)))
        elif name != "space":
            tokens.append(_token(source, position, found, name, len(tokens)))
        position = found
    return tokens


def lex_definition(source: bytes, start: int, origin: int) -> tuple[str, list[Token]]:
    """The name and the rules of the `macro_rules!` whose name stands at `start`, up to the end of its one group.

    `origin` is the negative order that its tokens get. Raises UncertainError when there is no such group.
    """
    tokens: list[Token] = []
    depth = 0
    position = start
    name = ""
    while position < len(source):
        found, kind = _next(source, position, len(source))
        if kind in ("line", "block") and name:
            tokens += [_doc_token(text, position, found, origin) for text in _doc_mark(source[position:found])]
        elif kind not in ("line", "block", "space"):
            token = _token(source, position, found, kind, origin)
            if name:
                tokens.append(token)
                depth += (token.kind is Kind.OPEN) - (token.kind is Kind.CLOSE)
                if depth <= 0:
                    break
            elif token.kind is Kind.IDENT:
                name = token.text.removeprefix("r#")
            else:
                raise UncertainError
        position = found
    if len(tokens) < 2 or depth != 0:
        raise UncertainError
    return name, tokens


def _next(source: bytes, position: int, end: int) -> tuple[int, str]:
    match = _LEXER.match(source, position, end)
    if match is None:
        raise UncertainError
    name = match.lastgroup or ""
    if name == "hashes":
        name = "raw"
    if name == "block":
        return _block_end(source, position, end), name
    return match.end(), name


def _block_end(source: bytes, position: int, end: int) -> int:
    depth = 0
    for mark in _COMMENT_MARK.finditer(source, position, end):
        depth += 1 if mark.group() == b"/*" else -1
        if depth == 0:
            return mark.end()
    raise UncertainError


def _token(source: bytes, start: int, end: int, name: str, order: int) -> Token:
    joint = name == "punct" and end < len(source) and source[end] in _PUNCTUATION
    return Token(_KINDS[name], source[start:end].decode("utf-8", "replace"), start, end, joint, order)


def _doc_mark(comment: bytes) -> tuple[str, ...]:
    if comment.startswith((b"//!", b"/*!")):
        return ("#", "!", "[", "doc", "=", '""', "]")
    outer = (comment.startswith(b"///") and not comment.startswith(b"////")) or (
        comment.startswith(b"/**") and not comment.startswith(b"/***") and len(comment) > 4
    )
    return ("#", "[", "doc", "=", '""', "]") if outer else ()


def _doc_token(text: str, start: int, end: int, order: int) -> Token:
    kind = {"[": Kind.OPEN, "]": Kind.CLOSE, "doc": Kind.IDENT, '""': Kind.LITERAL}.get(text, Kind.PUNCT)
    return Token(kind, text, start, end, joint=False, order=order, fragment=DOC)


class Stream:
    """A run of tokens with paired groups. Raises UncertainError when the delimiters do not pair."""

    __slots__ = ("close", "known", "tokens")

    def __init__(self, tokens: Sequence[Token]) -> None:
        self.tokens = tokens
        self.known = spelled(tokens)
        """What `at` gives, with some empty strings behind the end."""
        self.close = [-1] * len(tokens)
        """For the opening of a group, the position of its closing."""
        stack: list[int] = []
        for position, token in enumerate(tokens):
            if token.kind is Kind.OPEN:
                stack.append(position)
            elif token.kind is Kind.CLOSE:
                if not stack or _PARTNER[tokens[stack[-1]].text] != token.text:
                    raise UncertainError
                self.close[stack.pop()] = position
        if stack:
            raise UncertainError

    def __len__(self) -> int:
        return len(self.tokens)

    def at(self, position: int) -> str:
        """What stands here, for comparing: an identifier, delimiter or whole operator as itself.

        A literal is `"`, a lifetime `'`, a fragment `$kind`, and the end is the empty string.
        """
        return self.known[position]

    def spelling(self, position: int) -> tuple[str, int]:
        """The text of the whole token here and how many positions it takes."""
        token = self.tokens[position]
        if token.kind is Kind.PUNCT:
            text = self.known[position]
            return text, len(text)
        return token.text, 1

    def after(self, position: int) -> int:
        """The position after the token tree that starts here."""
        if self.close[position] >= 0:
            return self.close[position] + 1
        return position + self.spelling(position)[1]

    def is_kind(self, position: int, kind: Kind) -> bool:
        """Whether a token of that kind stands here."""
        return position < len(self.tokens) and self.tokens[position].kind is kind


def spelled(tokens: Sequence[Token]) -> list[str]:
    """What stands at each position, as Stream.at gives it; a few more positions follow the end."""
    known: list[str] = []
    for position, token in enumerate(tokens):
        kind = token.kind
        if kind is Kind.PUNCT:
            known.append(_operator(tokens, position) if token.joint else token.text)
        elif kind is Kind.LITERAL:
            known.append('"')
        elif kind is Kind.LIFETIME:
            known.append("'")
        elif kind is Kind.FRAGMENT:
            known.append("$" + token.fragment)
        else:
            known.append(token.text)
    known += ["", "", "", "", ""]
    return known


def _operator(tokens: Sequence[Token], position: int) -> str:
    first = tokens[position].text
    if position + 1 >= len(tokens) or tokens[position + 1].kind is not Kind.PUNCT:
        return first
    second = tokens[position + 1]
    two = first + second.text
    if second.joint and position + 2 < len(tokens):
        third = tokens[position + 2]
        if third.kind is Kind.PUNCT and two + third.text in _THREE:
            return two + third.text
    return two if two in _TWO else first


def flattened(tokens: Iterable[Token]) -> list[Token]:
    """The tokens with fragments taken apart."""
    result: list[Token] = []
    for token in tokens:
        if token.kind is Kind.FRAGMENT:
            result.extend(flattened(token.inner))
        else:
            result.append(token)
    return result


def split_last(tokens: Sequence[Token]) -> tuple[Token, ...]:
    """The tokens, the last of which no longer adjoins what followed it."""
    if tokens and tokens[-1].joint:
        return (*tokens[:-1], tokens[-1]._replace(joint=False))
    return tuple(tokens)

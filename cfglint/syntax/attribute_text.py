"""Attributes in the source text: where they stand from an offset on, what they are attached to, and what follows them.

A scanner over bytes that knows comments, strings and brackets. It works inside macro calls as well, where there is no
tree, and reads no meaning: for that there is `attributes`. Source: Reference, comments, tokens and attributes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

_BLANK = re.compile(rb"(?:\s|//[^\n]*(?:\n|\Z))+")
_COMMENT_MARK = re.compile(rb"/\*|\*/")
_STRING = re.compile(rb'b?c?"(?:[^"\\]|\\.)*"', re.DOTALL)
_RAW_STRING = re.compile(rb'(?:b|c)?r(#*)"')
_CHARACTER = re.compile(rb"'(?:[^'\\\n]|\\[^\n]{1,9})'")
_WORD = re.compile(rb"\w+")
_HEAD = re.compile(rb"#(!?)\s*\[\s*(?:(cfg_attr|cfg)(?!\w))?")
_OPENING = {b"(": b")", b"[": b"]", b"{": b"}"}
_ITEM = re.compile(
    rb"(?:pub\s*(?:\([^)]*\)\s*)?)?"
    rb"(?:(?:default|const|async|unsafe|safe|extern(?:\s*\"[^\"]*\")?|auto)\s+)*"
    rb"(?P<kind>fn|struct|enum|union|trait|mod|use|type|static|const|impl|macro_rules!|extern\s+crate)(?!\w)\s*"
    rb"(?P<name>(?:r#)?\w+)?"
)
_KINDS = {
    b"fn": "function",
    b"mod": "module",
    b"type": "type alias",
    b"const": "constant",
    b"use": "import",
    b"macro_rules!": "macro",
}


class AttributeText(NamedTuple):
    """One attribute: `#` to `]`. `name` is `cfg`, `cfg_attr` or "" for any other; `inside` is what `cfg(..)` holds."""

    start: int
    end: int
    is_inner: bool
    name: str
    inside: tuple[int, int]


def attributes_from(source: bytes, start: int) -> tuple[AttributeText, ...]:
    """The run of attributes that begins at `start`, comments between them passed over."""
    return tuple(_attributes(source, start))


def attributes_end(source: bytes, start: int) -> int:
    """Where the code begins that the attributes from `start` on belong to."""
    at = start
    for attribute in _attributes(source, start):
        at = attribute.end
    return skip_blank(source, at)


def skip_blank(source: bytes, at: int) -> int:
    """The next byte that is neither white space nor comment."""
    while True:
        blank = _BLANK.match(source, at)
        if blank is not None:
            at = blank.end()
        elif source.startswith(b"/*", at):
            at = _comment_end(source, at)
        else:
            return at


def subject_at(source: bytes, at: int) -> tuple[str, str]:
    """What the code at `at` is: rustc's word for an item and its name, else ("", the first line of it)."""
    at = attributes_end(source, at)
    item = _ITEM.match(source, at)
    if item is not None:
        kind = b" ".join(item["kind"].split())
        word = "crate" if kind == b"extern crate" else _KINDS.get(kind, kind.decode())
        name = (item["name"] or b"").removeprefix(b"r#").decode("utf-8", "replace")
        if kind == b"impl" or kind == b"use":
            name = first_line(source, item.end("kind"))
        return word, name
    return "", first_line(source, at)


def first_line(source: bytes, at: int, *, most: int = 60) -> str:
    """The text from `at` to the end of its line, without an opening brace, cut where it is long."""
    end = source.find(b"\n", at)
    text = source[at : end if end != -1 else len(source)].decode("utf-8", "replace").strip()
    text = text.removesuffix("{").removesuffix(";").strip()
    return text if len(text) <= most else text[: most - 3] + "..."


def group_end(source: bytes, at: int) -> int:
    """The offset behind the bracketed group that opens at `at`; the end of the source where it is not closed."""
    closing: list[bytes] = []
    while at < len(source):
        here = source[at : at + 1]
        if here in _OPENING:
            closing.append(_OPENING[here])
            at += 1
        elif closing and here == closing[-1]:
            closing.pop()
            at += 1
            if not closing:
                return at
        else:
            at = next_token(source, at)
    return len(source)


def next_token(source: bytes, at: int) -> int:
    """The offset behind one token, comment or byte: strings and characters are passed over whole."""
    if source.startswith((b"//", b"/*"), at):
        return skip_blank(source, at)
    raw = _RAW_STRING.match(source, at)
    if raw is not None:
        end = source.find(b'"' + raw[1], raw.end())
        return len(source) if end == -1 else end + 1 + len(raw[1])
    literal = _STRING.match(source, at) or _CHARACTER.match(source, at)
    if literal is not None:
        return literal.end()
    word = _WORD.match(source, at)
    return word.end() if word is not None else at + 1


def line_start(source: bytes, at: int) -> int:
    """The offset of the first byte of the line that holds `at`."""
    return source.rfind(b"\n", 0, at) + 1


def _attributes(source: bytes, at: int) -> Iterator[AttributeText]:
    while True:
        at = skip_blank(source, at)
        head = _HEAD.match(source, at)
        if head is None:
            return
        bracket = source.index(b"[", at)
        end = group_end(source, bracket)
        name = (head[2] or b"").decode()
        inside = (end, end)
        if name:
            opening = skip_blank(source, head.end())
            if source[opening : opening + 1] == b"(":
                inside = (opening + 1, group_end(source, opening) - 1)
            else:
                name = ""
        yield AttributeText(at, end, bool(head[1]), name, inside)
        at = end


def _comment_end(source: bytes, at: int) -> int:
    depth = 0
    for mark in _COMMENT_MARK.finditer(source, at):
        depth += 1 if mark[0] == b"/*" else -1
        if depth == 0:
            return mark.end()
    return len(source)

"""Which names a rule of a `macro_rules!` may declare where it is called, read off its transcriber alone.

A name is declared by the word before it (`fn`, `struct`, `use`, ...) or by another macro that gets it. Names of local
variables count only where the caller's own are bound: those of the macro are hygienic. Nothing is expanded here.
Source: Reference, macros by example, "Hygiene"; the grammar of each item.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from cfglint.items.macro_tokens import Kind, Token
from cfglint.items.std_macros import EXPRESSION_MACROS, SILENT

ITEM_WORDS = frozenset("fn struct enum union mod const static type trait".split())
_BINDING_WORDS = frozenset({"let", "ref", "mut", "for", "|"})
_BETWEEN = frozenset({"mut", "unsafe", "async", "extern", '"C"'})
SPREADING = frozenset({"item", "tt", "stmt", "block"})
"""Fragments that may declare names of the caller's wherever they are put."""
INVENTING = frozenset({"paste", "concat_idents", "item", "include"})
"""Macros by which any name may come: they make names of parts of names, or read another file."""
_HARMLESS = (EXPRESSION_MACROS | SILENT | {"addr_of", "addr_of_mut"}) - INVENTING

UNKNOWN_MACRO = "$"
"""Stands among the called macros for one whose name the caller gives."""


class Declares(NamedTuple):
    """What one rule may declare.

    `names` stand where an item's name stands. With `binds` a name of the caller's may stand there, or in a pattern.
    `calls` are the macros that it calls, without those of std that declare nothing; `written` are the identifiers
    that they get, and with `hands_on` they get some of the caller's. `makes_macros`: a macro may be among what it
    declares.
    """

    names: frozenset[str]
    binds: bool
    calls: frozenset[str]
    written: frozenset[str]
    hands_on: bool
    makes_macros: bool


def declares(body: Sequence[Token], variables: frozenset[str]) -> Declares:
    """Read a transcriber with these metavariables. Where in doubt, more is said to be declared."""
    reading = _Reading(variables)
    texts = [token.text for token in body]
    for i, text in enumerate(texts):
        kind = body[i].kind
        if kind is Kind.IDENT:
            if text in ITEM_WORDS:
                reading.name_after(body, texts, i)
            elif text in ("use", "crate") and (text == "use" or texts[i - 1 : i] == ["extern"]):
                reading.names_until(body, texts, i + 1, ";")
            elif text == "macro_rules" or text == "macro":
                reading.makes_macros = True
                reading.name_after(body, texts, i + (texts[i + 1 : i + 2] == ["!"]))
            elif text in _BINDING_WORDS:
                reading.pattern_after(texts, i)
        elif text == "|":
            reading.pattern_after(texts, i)
        elif text == "!" and i > 0 and i + 1 < len(body) and body[i + 1].kind is Kind.OPEN:
            reading.call(body, texts, i)
        elif text == "=" and texts[i + 1 : i + 2] == [">"] and i > 1 and texts[i - 2] == "$":
            reading.binds = True
    return Declares(
        frozenset(reading.names),
        reading.binds,
        frozenset(reading.calls),
        frozenset(reading.written),
        reading.hands_on,
        reading.makes_macros,
    )


class _Reading:
    """What has been found so far."""

    def __init__(self, variables: frozenset[str]) -> None:
        self.variables = variables
        self.names: set[str] = set()
        self.calls: set[str] = set()
        self.written: set[str] = set()
        self.binds = False
        self.hands_on = False
        self.makes_macros = False

    def is_variable(self, texts: list[str], i: int) -> bool:
        """Whether a metavariable, or a repetition, begins here."""
        following = texts[i + 1] if i + 1 < len(texts) else ""
        return texts[i] == "$" and (following == "(" or following.removeprefix("r#") in self.variables)

    def name_after(self, body: Sequence[Token], texts: list[str], i: int) -> None:
        """The name that follows the word at `i`."""
        i += 1
        while i < len(texts) and texts[i] in _BETWEEN:
            i += 1
        if i >= len(texts):
            return
        if body[i].kind is Kind.IDENT:
            self.names.add(texts[i].removeprefix("r#"))
        elif self.is_variable(texts, i):
            self.binds = True

    def names_until(self, body: Sequence[Token], texts: list[str], i: int, end: str) -> None:
        """All names of a `use` tree or an `extern crate`."""
        self.makes_macros = True
        while i < len(texts) and texts[i] != end:
            if self.is_variable(texts, i):
                self.binds = True
            elif body[i].kind is Kind.IDENT:
                self.names.add(texts[i].removeprefix("r#"))
            i += 1

    def pattern_after(self, texts: list[str], i: int) -> None:
        """A pattern that begins after the word at `i`: up to what can follow it, or just what stands next."""
        ends = {"let": "=", "for": "in"}.get(texts[i])
        stop = i + 2 if ends is None else min(len(texts), i + 200)
        for at in range(i + 1, min(stop, len(texts))):
            if texts[at] == ends:
                break
            if self.is_variable(texts, at):
                self.binds = True
                break

    def call(self, body: Sequence[Token], texts: list[str], i: int) -> None:
        """A macro call whose `!` stands at `i`."""
        before = body[i - 1]
        if before.kind is Kind.IDENT:
            name = texts[i - 1].removeprefix("r#")
            if name == "macro_rules" or name in _HARMLESS:
                return
            self.calls.add(UNKNOWN_MACRO if texts[i - 2 : i - 1] == ["$"] and name != "crate" else name)
        elif texts[i - 1] in ("*", "+", "?") and i > 1 and body[i - 2].kind is Kind.CLOSE:
            self.calls.add(UNKNOWN_MACRO)
        else:
            return
        depth = 0
        for at in range(i + 1, len(texts)):
            kind = body[at].kind
            depth += (kind is Kind.OPEN) - (kind is Kind.CLOSE)
            if depth == 0:
                break
            if self.is_variable(texts, at):
                self.hands_on = True
            elif kind is Kind.IDENT:
                self.written.add(texts[at].removeprefix("r#"))

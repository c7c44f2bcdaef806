"""Which item a stretch of a macro's expansion declares: its name, its kind, and whether others see it.

Only the head is read. What may declare names that do not stand in the head (imports, `extern`, macro definitions) is
uncertain.
Source: Reference, items.
"""

from __future__ import annotations

from typing import NamedTuple

from cfglint.items.fragments import Fragments
from cfglint.items.item_extents import is_item, visibility
from cfglint.items.macro_tokens import Kind, UncertainError

KINDS = {
    "fn": "function",
    "const": "constant",
    "static": "static",
    "struct": "struct",
    "union": "union",
    "enum": "enum",
    "trait": "trait",
    "type": "type alias",
    "mod": "module",
}
"""Words that begin an item, and rustc's words for what they declare."""
_QUALIFIERS = frozenset({"unsafe", "async", "safe", "default", "auto", "extern", '"', "$literal"})


class Declaration(NamedTuple):
    """The head of an item. `kind` is rustc's word."""

    name: str
    kind: str
    is_public: bool


def declaration(f: Fragments, i: int) -> Declaration | None:
    """What the item or statement that begins at `i`, its attributes passed, declares around it; None for nothing.

    Raises UncertainError where that is not in its head.
    """
    if not is_item(f, i) or f.at(i) in ("$item", "impl"):
        return None
    is_public = f.at(i) == "pub" or (f.at(i) == "$vis" and bool(f.stream.tokens[i].inner))
    i = visibility(f, i)
    while f.at(i) in _QUALIFIERS or (f.at(i) == "const" and f.at(i + 1) in ("fn", "unsafe", "async", "extern")):
        i += 1
    word = f.at(i)
    if word == "impl":
        return None
    if word not in KINDS:
        raise UncertainError
    i += 2 if f.at(i + 1) == "mut" else 1
    if not f.stream.is_kind(i, Kind.IDENT):
        if f.at(i) == "_":
            return None
        raise UncertainError
    name = f.stream.tokens[i].text.removeprefix("r#")
    return None if name == "_" else Declaration(name, KINDS[word], is_public)

"""The outline of one file: which items are where, and what its comments stand before.

For those who know a place in a file and ask what it belongs to: fingerprints, suppressions. It knows no conditions, looks
into no macro, and is made only for files about which there is something to say. Time grows with the file alone: nodes
are not asked for their siblings, which tree-sitter looks up anew each time.
"""

from __future__ import annotations

import bisect
import enum
import functools
import itertools
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import tree_sitter

from cfglint.syntax import grammar as g
from cfglint.syntax.parser import parse

_NAMED = """
function_item function_signature_item struct_item union_item enum_item trait_item mod_item const_item static_item
type_item macro_definition
""".split()
_LISTS = """
source_file declaration_list block match_block use_list arguments parameters array_expression tuple_expression
field_declaration_list enum_variant_list field_initializer_list
""".split()
_ITEMS = "\n".join((*(f"({kind}) @item" for kind in _NAMED), "(impl_item) @impl", "(attribute_item) @attribute"))
_COMMENTS = "\n".join(
    (
        _ITEMS,
        *(f"({kind} (_) @other)" for kind in _LISTS),
        "(block) @other",
        "(inner_attribute_item) @inner",
        "(token_tree) @tokens",
        '(token_tree ";" @semicolon)',
        "(line_comment) @comment",
    )
)
_BETWEEN = re.compile(rb"(?:\s|//[^\n]*\n|/\*.*?\*/)*", re.DOTALL)
_MOST_NAME = 200
_MOST_IN_ERROR = 5_000
_Captures: TypeAlias = Mapping[str, Sequence[tree_sitter.Node]]


@dataclass(frozen=True, slots=True)
class Extent:
    """An item: its name (`<impl Trait for Type>` for an impl) and its bytes, attributes included."""

    name: str
    is_module: bool
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Comment:
    """A `//` comment that is no documentation.

    `start` and `end` are its bytes, `text` is what follows the slashes. `is_alone` tells whether nothing stands before it
    on its line; `covers_to` is the end of the item, statement, arm or field that follows such a comment (its own end where
    nothing does); `is_first` whether only comments and inner attributes precede it in the file.
    """

    start: int
    end: int
    text: str
    is_alone: bool
    covers_to: int
    is_first: bool


def items_in(source: bytes) -> tuple[Extent, ...]:
    """The items of a file by start, outer ones before inner ones. Never raises for any input."""
    found = _captured(source, _ITEMS)
    attributes = sorted((node.start_byte, node.end_byte) for node in found.get("attribute", ()))
    items = [
        Extent(name, node.kind_id == g.MOD_ITEM, _with_attributes(node.start_byte, attributes, source), node.end_byte)
        for node, name in itertools.chain(
            ((node, _text(node.child_by_field_id(g.F_NAME))) for node in found.get("item", ())),
            ((node, _impl_name(node)) for node in found.get("impl", ())),
        )
    ]
    return tuple(sorted(items, key=lambda item: (item.start, -item.end)))


def comments_in(source: bytes) -> tuple[Comment, ...]:
    """The comments of a file by start. Never raises for any input."""
    return tuple(_comments(_captured(source, _COMMENTS), source))


def _captured(source: bytes, query: str) -> _Captures:
    root = parse(source).root_node
    return {} if _is_hopeless(root) else tree_sitter.QueryCursor(_query(query)).captures(root)


@functools.cache
def _query(text: str) -> tree_sitter.Query:
    query: tree_sitter.Query = tree_sitter.Query(g.LANGUAGE, text)
    return query


def _is_hopeless(root: tree_sitter.Node) -> bool:
    """Whether a stretch that is no Rust has so many tokens that a query, which takes their square, would not end."""
    pending = [root] if root.has_error else []
    while pending:
        node = pending.pop()
        if node.kind_id == g.ERROR and node.child_count > _MOST_IN_ERROR:
            return True
        pending.extend(child for child in node.children if child.has_error)
    return False


def _impl_name(node: tree_sitter.Node) -> str:
    of, for_ = _text(node.child_by_field_id(g.F_TRAIT)), _text(node.child_by_field_id(g.F_TYPE))
    return f"<impl {of} for {for_}>" if of else f"<impl {for_}>"


def _text(node: tree_sitter.Node | None) -> str:
    """The text of a node without its line breaks, cut where it is long."""
    if node is None or node.text is None:
        return ""
    return " ".join(node.text[: 4 * _MOST_NAME].decode("utf-8", "replace").split())[:_MOST_NAME]


def _with_attributes(start: int, attributes: Sequence[tuple[int, int]], source: bytes) -> int:
    """Where the attributes right before `start` begin; `start` where there is none."""
    at = bisect.bisect_left(attributes, (start, 0)) - 1
    while at >= 0 and attributes[at][1] <= start and _BETWEEN.fullmatch(source, attributes[at][1], start):
        start = attributes[at][0]
        at -= 1
    return start


# Comments


def _comments(found: _Captures, source: bytes) -> Iterator[Comment]:
    spans = _spans(found, source)
    first = _first(spans, len(source))
    around: list[_Span] = []  # what surrounds the comment, outermost first
    position = 0
    for start, end in sorted((node.start_byte, node.end_byte) for node in found.get("comment", ())):
        while position < len(spans) and spans[position].start < start:
            around.append(spans[position])
            position += 1
        while around and around[-1].end <= start:
            around.pop()
        if _is_documentation(source, start):
            continue
        is_alone = not source[source.rfind(b"\n", 0, start) + 1 : start].strip()
        text = source[start:end].decode("utf-8", "replace").lstrip("/").strip()
        covers_to = max(_covered(spans, position, around, len(source)), end) if is_alone else end
        yield Comment(start, end, text, is_alone, covers_to, is_first=start < first)


def _is_documentation(source: bytes, start: int) -> bool:
    """`///` and `//!` are documentation, `////` is not (Reference, comments)."""
    head = source[start : start + 4]
    return head.startswith(b"//!") or (head.startswith(b"///") and head != b"////")


def _covered(spans: Sequence[_Span], position: int, around: Sequence[_Span], end: int) -> int:
    """The end of what follows, within what surrounds the comment; 0 where nothing does.

    Among the tokens of a macro call it reaches to the next `;` or pair of braces.
    """
    limit = around[-1].end if around else end
    if around and around[-1].kind is _Kind.GROUP:
        found = spans[position].tokens_to if position < len(spans) else None
        return found if found is not None and found <= limit else limit
    if position < len(spans) and spans[position].item_at is not None:
        following = spans[spans[position].item_at or 0]
        return following.end if following.start < limit else 0
    return 0


_NO_NODES = frozenset({*g.COMMENTS, g.SHEBANG, g.ATTRIBUTE_ITEM, g.INNER_ATTRIBUTE_ITEM})


class _Kind(enum.Enum):
    NODE = enum.auto()
    ATTRIBUTE = enum.auto()
    INNER = enum.auto()
    GROUP = enum.auto()
    SEMICOLON = enum.auto()


@dataclass(slots=True)
class _Span:
    """What a comment can be in or stand before.

    `item_at` is the position of the next span that is no attribute, itself included; `tokens_to` the end of the next `;` or
    pair of braces at the same depth.
    """

    start: int
    end: int
    kind: _Kind
    item_at: int | None = None
    tokens_to: int | None = None


def _spans(found: _Captures, source: bytes) -> list[_Span]:
    """Every span, outer ones before inner ones."""
    kinds = {
        "item": _Kind.NODE,
        "impl": _Kind.NODE,
        "other": _Kind.NODE,
        "attribute": _Kind.ATTRIBUTE,
        "inner": _Kind.INNER,
        "tokens": _Kind.GROUP,
        "semicolon": _Kind.SEMICOLON,
    }
    spans = [
        _Span(node.start_byte, node.end_byte, kind)
        for name, kind in kinds.items()
        for node in found.get(name, ())
        if kind is not _Kind.NODE or node.kind_id not in _NO_NODES
    ]
    spans.sort(key=lambda span: (span.start, -span.end))
    starts = [span.start for span in spans]
    for at in range(len(spans) - 1, -1, -1):
        span = spans[at]
        behind = bisect.bisect_left(starts, span.end)
        after = spans[behind] if behind < len(spans) else None
        span.item_at = at if span.kind is not _Kind.ATTRIBUTE else after.item_at if after else None
        is_end = span.kind is _Kind.SEMICOLON or source[span.start : span.start + 1] == b"{"
        span.tokens_to = span.end if is_end else after.tokens_to if after else None
    return spans


def _first(spans: Sequence[_Span], end: int) -> int:
    """Where the first thing stands that is no inner attribute."""
    passed = 0
    for span in spans:
        if span.start >= passed:
            if span.kind is not _Kind.INNER:
                return span.start
            passed = span.end
    return end

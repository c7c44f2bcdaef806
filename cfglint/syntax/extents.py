"""Which named item each stretch of a file belongs to: items and members with the bytes that they take, nested.

Looks into the braces of macro calls as far as what stands there parses as code. It knows no conditions.
"""

from __future__ import annotations

from typing import NamedTuple

import tree_sitter

from cfglint.syntax import grammar as g
from cfglint.syntax.parser import parse, parse_inside

Node = tree_sitter.Node

_NAMED = frozenset(
    {
        g.FUNCTION_ITEM,
        g.FUNCTION_SIGNATURE_ITEM,
        g.STRUCT_ITEM,
        g.UNION_ITEM,
        g.ENUM_ITEM,
        g.TRAIT_ITEM,
        g.MOD_ITEM,
        g.CONST_ITEM,
        g.STATIC_ITEM,
        g.TYPE_ITEM,
        g.ASSOCIATED_TYPE,
        g.MACRO_DEFINITION,
    }
)
_MAX_NESTING = 8


class Extent(NamedTuple):
    """An item from its first attribute to its end; `name_start` is where its name stands, -1 for an impl block."""

    start: int
    end: int
    name_start: int


def named_extents(source: bytes) -> list[Extent]:
    """Every named item, member and impl block of a file, outer before inner."""
    found: list[Extent] = []
    _collect(source, parse(source).root_node, found, 0)
    return sorted(found, key=lambda extent: (extent.start, -extent.end))


def innermost(extents: list[Extent], offset: int) -> list[Extent]:
    """The extents around an offset, the innermost first."""
    return [extent for extent in reversed(extents) if extent.start <= offset < extent.end]


def _collect(source: bytes, root: Node, found: list[Extent], depth: int) -> None:
    stack = [root]
    while stack:
        node = stack.pop()
        kind = node.kind_id
        if kind in _NAMED:
            name = node.child_by_field_id(g.F_NAME)
            if name is not None:
                found.append(Extent(_first(node), node.end_byte, name.start_byte))
        elif kind == g.IMPL_ITEM:
            found.append(Extent(_first(node), node.end_byte, -1))
        elif kind == g.TOKEN_TREE:
            if depth < _MAX_NESTING and source[node.start_byte : node.start_byte + 1] == b"{":
                inside = parse_inside(source, node)
                if inside is not None and not inside.root_node.has_error:
                    _collect(source, inside.root_node, found, depth + 1)
            continue
        stack.extend(node.named_children)


def _first(node: Node) -> int:
    start = node.start_byte
    before = node.prev_named_sibling
    while before is not None and (before.kind_id == g.ATTRIBUTE_ITEM or before.kind_id in g.COMMENTS):
        if before.kind_id == g.ATTRIBUTE_ITEM:
            start = before.start_byte
        before = before.prev_named_sibling
    return start

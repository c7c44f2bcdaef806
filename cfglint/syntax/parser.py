"""Parsing Rust with tree-sitter: whole files, and stretches of a file that a macro will see as code.

Parsing never fails: what the grammar does not understand becomes ERROR nodes. It does not interpret the tree.
"""

from __future__ import annotations

import tree_sitter

from cfglint.syntax import grammar as g

TERMINATOR = b";"
"""What `terminated` puts behind a source for the stretches of it that want a semicolon."""

_parser = tree_sitter.Parser(g.LANGUAGE)


def parse(source: bytes) -> tree_sitter.Tree:
    """The tree of a whole file."""
    return _parse_ranges(source, [])


def parse_stretch(source: bytes, first: tree_sitter.Node, last: tree_sitter.Node) -> tree_sitter.Tree:
    """The tree of the bytes from the start of `first` to the end of `last`, as if they were a file.

    Positions in the tree are those of the whole file, which is why the stretch is not cut out.
    """
    return _parse_ranges(source, [_range_of(first, last)])


def parse_inside(source: bytes, delimited: tree_sitter.Node) -> tree_sitter.Tree | None:
    """The tree of what stands between the delimiters of a token tree; None when there is nothing."""
    if delimited.child_count < 3:
        return None
    children = delimited.children
    opening, closing = children[0], children[-1]
    inside = tree_sitter.Range(opening.end_point, closing.start_point, opening.end_byte, closing.start_byte)
    return _parse_ranges(source, [inside])


def terminated(source: bytes) -> bytes:
    """The source as `parse_expression` wants it."""
    return source + TERMINATOR


def parse_expression(source: bytes, first: tree_sitter.Node, last: tree_sitter.Node) -> tree_sitter.Node | None:
    """The one expression that stands from the start of `first` to the end of `last`; None when there is no such.

    `source` is a `terminated` one: the parser is given its last byte behind the stretch, for only a statement stands
    alone in a file. To have it guess the missing semicolon takes ten times as long.
    """
    behind, end = last.end_point, len(source)
    semicolon = tree_sitter.Range(behind, behind, end - len(TERMINATOR), end)
    root = _parse_ranges(source, [_range_of(first, last), semicolon]).root_node
    statements = [c for c in root.named_children if c.kind_id not in _NO_STATEMENT]
    if root.kind_id != g.SOURCE_FILE or len(statements) != 1 or statements[0].kind_id != g.EXPRESSION_STATEMENT:
        return None
    return statements[0].named_child(0)


_NO_STATEMENT = g.COMMENTS | {g.EMPTY_STATEMENT}


def _range_of(first: tree_sitter.Node, last: tree_sitter.Node) -> tree_sitter.Range:
    return tree_sitter.Range(first.start_point, last.end_point, first.start_byte, last.end_byte)


def _parse_ranges(source: bytes, ranges: list[tree_sitter.Range]) -> tree_sitter.Tree:
    _parser.included_ranges = ranges
    return _parser.parse(source)

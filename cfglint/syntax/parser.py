"""Parsing Rust with tree-sitter: whole files, and stretches of a file that a macro will see as code.

Parsing never fails: what the grammar does not understand becomes ERROR nodes. It does not interpret the tree.
"""

from __future__ import annotations

import tree_sitter

from cfglint.syntax.grammar import LANGUAGE

_parser = tree_sitter.Parser(LANGUAGE)


def parse(source: bytes) -> tree_sitter.Tree:
    """The tree of a whole file."""
    _parser.included_ranges = []
    return _parser.parse(source)


def parse_stretch(source: bytes, first: tree_sitter.Node, last: tree_sitter.Node) -> tree_sitter.Tree:
    """The tree of the bytes from the start of `first` to the end of `last`, as if they were a file.

    Positions in the tree are those of the whole file, which is why the stretch is not cut out.
    """
    return _parse_range(source, tree_sitter.Range(first.start_point, last.end_point, first.start_byte, last.end_byte))


def parse_inside(source: bytes, delimited: tree_sitter.Node) -> tree_sitter.Tree | None:
    """The tree of what stands between the delimiters of a token tree; None when there is nothing."""
    children = delimited.children
    if len(children) < 3:
        return None
    opening, closing = children[0], children[-1]
    return _parse_range(
        source, tree_sitter.Range(opening.end_point, closing.start_point, opening.end_byte, closing.start_byte)
    )


def _parse_range(source: bytes, stretch: tree_sitter.Range) -> tree_sitter.Tree:
    _parser.included_ranges = [stretch]
    return _parser.parse(source)

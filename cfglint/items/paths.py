"""Paths as written: nodes to segments. Type-qualified paths (`<T as Trait>::x`) have no segments; their parts are walked."""

from __future__ import annotations

import functools
import re

from cfglint.items import model as m
from cfglint.items.walk import Node, Walk
from cfglint.syntax import grammar as g
from cfglint.syntax.attributes import spelled_name

_SEGMENT_KINDS = frozenset(
    {
        g.IDENTIFIER,
        g.TYPE_IDENTIFIER,
        g.CRATE,
        g.SELF,
        g.SUPER,
        g.METAVARIABLE,
        g.PRIMITIVE_TYPE,
        g.SHORTHAND_FIELD_IDENTIFIER,
    }
)
_SCOPED_KINDS = frozenset({g.SCOPED_IDENTIFIER, g.SCOPED_TYPE_IDENTIFIER})
_GENERIC_KINDS = frozenset({g.GENERIC_TYPE, g.GENERIC_TYPE_TURBOFISH})
_NAME_KINDS = frozenset({g.IDENTIFIER, g.TYPE_IDENTIFIER})
PATH_KINDS = _NAME_KINDS | _SCOPED_KINDS | _GENERIC_KINDS

_PLAIN = re.compile(rb"(?:::)?(?:r#)?[A-Za-z_$][A-Za-z0-9_]*(?:::(?:r#)?[A-Za-z_][A-Za-z0-9_]*)*")


@functools.lru_cache(maxsize=1 << 16)
def spelled_path(raw: bytes) -> m.Path | None:
    """The segments of a path's text; None when it holds anything but names and `::`. Equal paths are one tuple."""
    if not _PLAIN.fullmatch(raw):
        return None
    return tuple([spelled_name(segment) for segment in raw.split(b"::")])


def path_of(w: Walk, node: Node | None) -> m.Path | None:
    """The segments of a path node without its generic arguments; None when it is no plain path."""
    segments: list[str] = []
    while node is not None:
        kind = node.kind_id
        if kind in _SEGMENT_KINDS:
            if not segments:
                return (w.name(node),)
            segments.append(w.name(node))
            break
        if kind in _SCOPED_KINDS:
            if not segments:
                plain = spelled_path(w.source[node.start_byte : node.end_byte])
                if plain is not None:
                    return plain
            name = node.child_by_field_id(g.F_NAME)
            if name is None:
                return None
            segments.append(w.name(name))
            node = node.child_by_field_id(g.F_PATH)
            if node is None:
                segments.append("")
        elif kind in _GENERIC_KINDS:
            node = node.child_by_field_id(g.F_TYPE)
        elif kind == g.GENERIC_FUNCTION:
            node = node.child_by_field_id(g.F_FUNCTION)
        else:
            return None
    segments.reverse()
    return tuple(segments)


def visit_generic_arguments(w: Walk, node: Node, gate: int) -> None:
    """Walk what stands in angle brackets anywhere along a path."""
    stack = [node]
    while stack:
        part = stack.pop()
        for child in part.named_children:
            kind = child.kind_id
            if kind == g.TYPE_ARGUMENTS or kind == g.BRACKETED_TYPE:
                w.visit(child, gate)
            elif kind in _SCOPED_KINDS or kind in _GENERIC_KINDS:
                stack.append(child)


def reference(w: Walk, node: Node, space: m.Space, gate: int) -> None:
    """Record the path at `node`, and walk its generic arguments."""
    start, end = node.start_byte, node.end_byte
    path = spelled_path(w.source[start:end])
    if path is not None:
        w.reference(path, space, start, end, gate)
        return
    path = path_of(w, node)
    if path is None:
        _qualified(w, node, space, gate)
    elif path[0] != "self" or len(path) > 1:
        inner = node
        while inner.kind_id in _GENERIC_KINDS:
            inner = inner.child_by_field_id(g.F_TYPE) or inner
        w.reference(path, space, start, inner.end_byte, gate)
    visit_generic_arguments(w, node, gate)


def _qualified(w: Walk, node: Node, space: m.Space, gate: int) -> None:
    """`<T as Trait>::name` names an item of the trait."""
    bracketed = node.child_by_field_id(g.F_PATH)
    name = node.child_by_field_id(g.F_NAME)
    if bracketed is None or name is None or bracketed.kind_id != g.BRACKETED_TYPE:
        return
    inside = bracketed.named_children
    if len(inside) == 1 and inside[0].kind_id == g.QUALIFIED_TYPE:
        path = path_of(w, inside[0].child_by_field_id(g.F_ALIAS))
        if path is not None:
            w.reference((*path, w.name(name)), space, name.start_byte, name.end_byte, gate)

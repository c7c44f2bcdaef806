"""Uses of members that need no types: fields of struct expressions and patterns, arms of a match, `self.member`.

Only what is written is kept. Which type is meant, and what it declares, is name resolution's business. An expression or
pattern that is not fully understood is left out.
"""

from __future__ import annotations

from collections.abc import Iterator

from cfglint.items import model as m
from cfglint.items.paths import PATH_KINDS, path_of
from cfglint.items.walk import FieldsBelow, Node, Walk
from cfglint.syntax import grammar as g


def open_fields(w: Walk) -> None:
    """Enter a struct expression or pattern: fields are its own until `close_fields`."""
    w.fields.append(FieldsBelow())


def field_use(w: Walk, node: Node, gate: int) -> None:
    """A field that is given a value or matched. `node` is its initializer or pattern; a number names none."""
    name = node.child_by_field_id(g.F_NAME) or node.child_by_field_id(g.F_FIELD)
    if name is None and node.kind_id == g.SHORTHAND_FIELD_INITIALIZER:
        name = next((child for child in node.named_children if child.kind_id == g.IDENTIFIER), None)
    below = w.fields[-1]
    if name is None or name.kind_id == g.INTEGER_LITERAL:
        below.is_open = True
    else:
        below.fields.append(m.FieldUse(w.name(name), gate, name.start_byte, name.end_byte))


def close_fields(w: Walk, node: Node, head: Node | None, gate: int) -> None:
    """Leave a struct expression or pattern, and note it. `..`, and what the parser did not expect, may be any field."""
    below = w.fields.pop()
    path = path_of(w, head)
    if head is None or path is None or node.has_error:
        return
    body = node if node.kind_id == g.STRUCT_PATTERN else node.child_by_field_id(g.F_BODY)
    rest = (g.BASE_FIELD_INITIALIZER, g.REMAINING_FIELD_PATTERN)
    is_open = below.is_open or body is None or any(child.kind_id in rest for child in body.named_children)
    is_pattern = node.kind_id == g.STRUCT_PATTERN
    start, end = (node.start_byte, node.end_byte) if is_pattern else (head.start_byte, head.end_byte)
    w.shapes.append(m.Shape(w.scope, gate, path, start, end, is_pattern, is_open, tuple(below.fields)))


def arm(w: Walk, pattern: Node | None, gate: int) -> None:
    """An arm of the innermost match, if all that it matches are paths; else nothing is said of that match."""
    arms = w.arms[-1] if w.arms else None
    if arms is None:
        return
    read = None if pattern is None or pattern.has_error else _read_arm(w, pattern, gate)
    if read is None:
        w.arms[-1] = None
    else:
        arms.append(read)


def close_match(w: Walk, node: Node, gate: int) -> None:
    """Leave a match, and note it. rustc points at what is matched (E0004)."""
    arms = w.arms.pop()
    value = node.child_by_field_id(g.F_VALUE)
    if arms and value is not None and not node.has_error:
        w.matches.append(m.Match(w.scope, gate, value.start_byte, value.end_byte, tuple(arms)))


def _read_arm(w: Walk, pattern: Node, gate: int) -> m.Arm | None:
    """An arm whose pattern is one or several paths, perhaps with parts of their own; None for any other."""
    found: list[m.Path] = []
    has_name = False
    for node in _alternatives(pattern):
        has_name = has_name or node.kind_id == g.IDENTIFIER
        is_head = node.kind_id in (g.TUPLE_STRUCT_PATTERN, g.STRUCT_PATTERN)
        head = node.child_by_field_id(g.F_TYPE) if is_head else node
        path = path_of(w, head) if head is not None and head.kind_id in PATH_KINDS else None
        if path is None:
            return None
        found.append(path)
    has_guard = pattern.child_by_field_id(g.F_CONDITION) is not None
    return m.Arm(gate, tuple(found), has_guard, has_name) if found else None


def _alternatives(pattern: Node) -> Iterator[Node]:
    """The parts of `A | B`, without the `&` or `name @` that may stand before them."""
    condition = pattern.child_by_field_id(g.F_CONDITION)
    stack = [child for child in reversed(pattern.named_children) if child != condition]
    while stack:
        node = stack.pop()
        if node.kind_id in (g.OR_PATTERN, g.REFERENCE_PATTERN):
            stack.extend(c for c in reversed(node.named_children) if c.kind_id not in g.COMMENTS | {g.MUTABLE})
        elif node.kind_id == g.CAPTURED_PATTERN:
            stack.append(node.named_children[-1])
        elif node.kind_id not in g.COMMENTS and node.kind_id != g.ATTRIBUTE_ITEM:
            yield node


def member_of_self(w: Walk, node: Node, gate: int, *, is_call: bool) -> None:
    """`self.name` in a method whose `self` is declared without a type of its own."""
    name = node.child_by_field_id(g.F_FIELD)
    if w.has_plain_self and name is not None and name.kind_id == g.FIELD_IDENTIFIER:
        key = (w.scope, gate, w.name(name), is_call)
        w.self_uses.setdefault(key, []).append((name.start_byte, name.end_byte))


def is_of_self(node: Node) -> bool:
    """Whether a node is `self.name`."""
    if node.kind_id != g.FIELD_EXPRESSION:
        return False
    value = node.child_by_field_id(g.F_VALUE)
    return value is not None and value.kind_id == g.SELF


def has_plain_self(function: Node) -> bool:
    """Whether a function has the parameter `self`, `&self` or `&mut self`."""
    parameters = function.child_by_field_id(g.F_PARAMETERS)
    return parameters is not None and any(
        child.kind_id == g.SELF_PARAMETER and not child.has_error for child in parameters.named_children
    )

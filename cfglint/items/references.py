"""Bodies, types and patterns: which paths they name, and which local variables hide items.

Fields and methods need types and are left alone here. A path that is only a local variable is no reference.
"""

from __future__ import annotations

from cfglint.items import model as m
from cfglint.items.paths import PATH_KINDS, path_of, reference, visit_generic_arguments
from cfglint.items.walk import ITEM_HANDLERS, SKIPPED, Node, Walk, handles
from cfglint.syntax import grammar as g

# Paths


@handles(g.IDENTIFIER, g.SCOPED_IDENTIFIER)
def value_path(w: Walk, node: Node, gate: int) -> None:
    """A path in expression position."""
    reference(w, node, m.Space.VALUE, gate)


@handles(g.TYPE_IDENTIFIER, g.SCOPED_TYPE_IDENTIFIER, g.GENERIC_TYPE)
def type_path(w: Walk, node: Node, gate: int) -> None:
    """A path in type position."""
    reference(w, node, m.Space.TYPE, gate)


@handles(g.TYPE_ARGUMENTS)
def type_arguments(w: Walk, node: Node, gate: int) -> None:
    """A plain name may be a type or a constant (Reference, generic arguments)."""
    for child in node.named_children:
        if child.kind_id == g.TYPE_IDENTIFIER:
            reference(w, child, m.Space.ANY, gate)
        else:
            w.visit(child, gate)


@handles(g.TRAIT_BOUNDS, g.ABSTRACT_TYPE, g.DYNAMIC_TYPE)
def bounds(w: Walk, node: Node, gate: int) -> None:
    """Traits, where only traits can stand."""
    for child in node.named_children:
        if child.kind_id in (g.TYPE_IDENTIFIER, g.SCOPED_TYPE_IDENTIFIER, g.GENERIC_TYPE):
            reference(w, child, m.Space.TRAIT, gate)
        else:
            w.visit(child, gate)


@handles(g.STRUCT_EXPRESSION)
def struct_expression(w: Walk, node: Node, gate: int) -> None:
    """A struct literal."""
    name, body = node.child_by_field_id(g.F_NAME), node.child_by_field_id(g.F_BODY)
    if name is not None:
        reference(w, name, m.Space.STRUCT, gate)
    if body is not None:
        w.visit_children(body.named_children, gate)


@handles(g.FIELD_INITIALIZER, g.SHORTHAND_FIELD_INITIALIZER)
def field_initializer(w: Walk, node: Node, gate: int) -> None:
    """Its attributes are its own children and gate all of it."""
    attributes = [c for c in node.named_children if c.kind_id == g.ATTRIBUTE_ITEM]
    if attributes:
        gate = w.gate(gate, w.attributes(attributes).gate, attributes[0].start_byte)
    for child in node.named_children:
        if child.kind_id != g.ATTRIBUTE_ITEM:
            w.visit(child, gate)


@handles(g.TYPE_BINDING)
def type_binding(w: Walk, node: Node, gate: int) -> None:
    """`Item = T` in generic arguments: the name is of the trait."""
    name = node.child_by_field_id(g.F_NAME)
    for child in node.named_children:
        if child != name:
            w.visit(child, gate)


@handles(g.TYPE_PARAMETER, g.CONST_PARAMETER)
def type_parameter(w: Walk, node: Node, gate: int) -> None:
    """Bounds and default of a generic parameter; its name is no reference."""
    name = node.child_by_field_id(g.F_NAME)
    for child in node.named_children:
        if child != name:
            w.visit(child, gate)


@handles(g.CALL_EXPRESSION)
def call(w: Walk, node: Node, gate: int) -> None:
    """A call: the function is named as a value."""
    function = node.child_by_field_id(g.F_FUNCTION)
    if function is not None and function.kind_id in (g.IDENTIFIER, g.SCOPED_IDENTIFIER):
        reference(w, function, m.Space.CALL, gate)
    elif function is not None:
        w.visit(function, gate)
    for child in node.named_children:
        if child != function:
            w.visit(child, gate)


# Scopes and local variables


@handles(g.BLOCK)
def block(w: Walk, node: Node, gate: int) -> None:
    """A block: a scope of its own where it holds items, and a frame of local variables."""
    children = node.named_children
    inner = [c for c in children if c.kind_id == g.INNER_ATTRIBUTE_ITEM]
    if inner:
        gate = w.gate(gate, w.attributes(inner).gate, inner[0].start_byte)
    outer = w.scope
    if any(c.kind_id in ITEM_HANDLERS or _is_macro_statement(c) for c in children):
        w.scope = w.open_scope(m.ScopeKind.BLOCK, gate, "", node.start_byte)
    w.frames.append({})
    w.visit_children(children, gate)
    w.frames.pop()
    w.scope = outer


def _is_macro_statement(node: Node) -> bool:
    if node.kind_id == g.MACRO_INVOCATION:
        return True
    return (
        node.kind_id == g.EXPRESSION_STATEMENT
        and node.named_child_count > 0
        and node.named_children[0].kind_id == g.MACRO_INVOCATION
    )


@handles(g.LET)
def let(w: Walk, node: Node, gate: int) -> None:
    """A `let`: its variables are visible after it."""
    pattern_node = node.child_by_field_id(g.F_PATTERN)
    for child in node.named_children:
        if child != pattern_node:
            w.visit(child, gate)
    if pattern_node is not None:
        pattern(w, pattern_node, gate)


@handles(g.LET_CONDITION)
def let_condition(w: Walk, node: Node, gate: int) -> None:
    """`let` in a condition."""
    value, pattern_node = node.child_by_field_id(g.F_VALUE), node.child_by_field_id(g.F_PATTERN)
    if value is not None:
        w.visit(value, gate)
    if pattern_node is not None:
        pattern(w, pattern_node, gate)


@handles(g.IF, g.WHILE)
def if_or_while(w: Walk, node: Node, gate: int) -> None:
    """Variables of `if let` are visible in the consequence, not in `else`."""
    alternative = node.child_by_field_id(g.F_ALTERNATIVE)
    w.frames.append({})
    for child in node.named_children:
        if child != alternative:
            w.visit(child, gate)
    w.frames.pop()
    if alternative is not None:
        w.visit(alternative, gate)


@handles(g.FOR)
def for_loop(w: Walk, node: Node, gate: int) -> None:
    """A `for` loop."""
    value, pattern_node, body = (node.child_by_field_id(f) for f in (g.F_VALUE, g.F_PATTERN, g.F_BODY))
    if value is not None:
        w.visit(value, gate)
    w.frames.append({})
    if pattern_node is not None:
        pattern(w, pattern_node, gate)
    if body is not None:
        w.visit(body, gate)
    w.frames.pop()


@handles(g.MATCH_ARM)
def match_arm(w: Walk, node: Node, gate: int) -> None:
    """A match arm: its attributes are its own children."""
    children = node.named_children
    attributes = [c for c in children if c.kind_id == g.ATTRIBUTE_ITEM]
    if attributes:
        gate = w.gate(gate, w.attributes(attributes).gate, attributes[0].start_byte)
    w.frames.append({})
    for child in children:
        kind = child.kind_id
        if kind == g.MATCH_PATTERN:
            condition = child.child_by_field_id(g.F_CONDITION)
            for part in child.named_children:
                if part != condition:
                    pattern(w, part, gate)
            if condition is not None:
                w.visit(condition, gate)
        elif kind != g.ATTRIBUTE_ITEM:
            w.visit(child, gate)
    w.frames.pop()


@handles(g.CLOSURE)
def closure(w: Walk, node: Node, gate: int) -> None:
    """A closure and its parameters."""
    w.frames.append({})
    for child in node.named_children:
        if child.kind_id == g.CLOSURE_PARAMETERS:
            for parameter_node in child.named_children:
                own = w.unblanked(parameter_node, gate)
                if parameter_node.kind_id == g.PARAMETER:
                    parameter(w, parameter_node, own)
                else:
                    pattern(w, parameter_node, own)
        else:
            w.visit(child, gate)
    w.frames.pop()


@handles(g.PARAMETER)
def parameter(w: Walk, node: Node, gate: int) -> None:
    """A parameter of a function or closure."""
    pattern_node = node.child_by_field_id(g.F_PATTERN)
    for child in node.named_children:
        if child != pattern_node:
            w.visit(child, gate)
    if pattern_node is not None:
        pattern(w, pattern_node, gate)


# Patterns


def pattern(w: Walk, node: Node, gate: int) -> None:
    """Bind the variables of a pattern and record the paths in it.

    A single identifier may be a constant or unit struct; where that is configured out it silently becomes a
    variable, so it never fails and is taken as one (Reference, identifier patterns).
    """
    kind = node.kind_id
    if kind in SKIPPED:
        return
    gate = w.unblanked(node, gate)
    if kind in (g.IDENTIFIER, g.SHORTHAND_FIELD_IDENTIFIER):
        w.bind(w.name(node), gate, node.start_byte)
    elif kind == g.SCOPED_IDENTIFIER:
        reference(w, node, m.Space.VALUE, gate)
    elif kind in (g.TUPLE_STRUCT_PATTERN, g.STRUCT_PATTERN):
        head = node.child_by_field_id(g.F_TYPE)
        if head is not None:
            space = m.Space.TUPLE_PATTERN if kind == g.TUPLE_STRUCT_PATTERN else m.Space.STRUCT
            if head.kind_id in PATH_KINDS:
                reference(w, head, space, gate)
            else:
                visit_generic_arguments(w, head, gate)
        _patterns(w, [c for c in node.named_children if c != head], gate)
    elif kind == g.FIELD_PATTERN:
        attributes = [c for c in node.named_children if c.kind_id == g.ATTRIBUTE_ITEM]
        if attributes:
            gate = w.gate(gate, w.attributes(attributes).gate, attributes[0].start_byte)
        _patterns(w, [c for c in node.named_children if c.kind_id not in (g.FIELD_IDENTIFIER, g.ATTRIBUTE_ITEM)], gate)
    elif kind == g.RANGE_PATTERN:
        for child in node.named_children:
            w.visit(child, gate)
    elif kind == g.MACRO_INVOCATION or kind == g.BLOCK:
        w.visit(node, gate)
    elif kind in (g.GENERIC_TYPE, g.GENERIC_TYPE_TURBOFISH):
        reference(w, node, m.Space.VALUE, gate)
    elif kind == g.ERROR:
        w.gap(node, "not understood by the parser")
    else:
        _patterns(w, node.named_children, gate)


def _patterns(w: Walk, nodes: list[Node], gate: int) -> None:
    for node in nodes:
        if path_of(w, node) is None or node.kind_id != g.TYPE_IDENTIFIER:
            pattern(w, node, gate)

"""Bodies, types and patterns: which paths they name, and which local variables hide items.

Fields and methods need types and are left alone here. A path that is only a local variable is no reference.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from cfglint.items import model as m
from cfglint.items.paths import PATH_KINDS, plain_code, reference, visit_generic_arguments
from cfglint.items.walk import ITEM_HANDLERS, OPERANDS, SKIPPED, Node, Walk, handles
from cfglint.syntax import grammar as g
from cfglint.syntax.attributes import spelled_name

VALUE, TYPE, ANY, CALL, TRAIT = m.Space.VALUE, m.Space.TYPE, m.Space.ANY, m.Space.CALL, m.Space.TRAIT

# Paths


@handles(g.IDENTIFIER, g.SCOPED_IDENTIFIER)
def value_path(w: Walk, node: Node, gate: int) -> None:
    """A path in an expression."""
    reference(w, node, VALUE, gate)


@handles(g.TYPE_IDENTIFIER, g.SCOPED_TYPE_IDENTIFIER, g.GENERIC_TYPE)
def type_path(w: Walk, node: Node, gate: int) -> None:
    """A path in a type."""
    reference(w, node, TYPE, gate)


@handles(g.TYPE_ARGUMENTS)
def type_arguments(w: Walk, node: Node, gate: int) -> None:
    """A plain name may be a type or a constant (Reference, generic arguments)."""
    for child in node.named_children:
        if child.kind_id == g.TYPE_IDENTIFIER:
            reference(w, child, ANY, gate)
        else:
            w.visit(child, gate)


_BOUND_KINDS = frozenset({g.TYPE_IDENTIFIER, g.SCOPED_TYPE_IDENTIFIER, g.GENERIC_TYPE})


@handles(g.TRAIT_BOUNDS, g.ABSTRACT_TYPE, g.DYNAMIC_TYPE)
def bounds(w: Walk, node: Node, gate: int) -> None:
    """Paths in bounds, and behind `impl` and `dyn`, name traits."""
    for child in node.named_children:
        if child.kind_id in _BOUND_KINDS:
            reference(w, child, TRAIT, gate)
        else:
            w.visit(child, gate)


@handles(g.STRUCT_EXPRESSION)
def struct_expression(w: Walk, node: Node, gate: int) -> None:
    """`Path { field: value }`."""
    name, body = node.child_by_field_id(g.F_NAME), node.child_by_field_id(g.F_BODY)
    if name is not None:
        reference(w, name, m.Space.STRUCT, gate)
    if body is not None:
        w.visit_children(body.named_children, gate, OPERANDS)


@handles(g.FIELD_INITIALIZER, g.SHORTHAND_FIELD_INITIALIZER)
def field_initializer(w: Walk, node: Node, gate: int) -> None:
    """Its attributes are its own children and gate all of it."""
    attributes, rest = _apart(node.named_children)
    gate = w.gated_by(attributes, gate)
    for child in rest:
        w.visit(child, gate)


@handles(g.TYPE_BINDING, g.TYPE_PARAMETER, g.CONST_PARAMETER)
def after_name(w: Walk, node: Node, gate: int) -> None:
    """What declares or names something that is no item: all but the name."""
    name = node.child_by_field_id(g.F_NAME)
    for child in node.named_children:
        if child != name:
            w.visit(child, gate)


@handles(
    g.CALL_EXPRESSION,
    g.FIELD_EXPRESSION,
    g.ARGUMENTS,
    g.ARRAY_EXPRESSION,
    g.ASSIGNMENT,
    g.AWAIT,
    g.BINARY,
    g.COMPOUND_ASSIGNMENT,
    g.INDEX,
    g.PARENTHESIZED,
    g.REFERENCE,
    g.RETURN,
    g.TRY,
    g.TUPLE_EXPRESSION,
    g.UNARY,
)
def operation(w: Walk, node: Node, gate: int) -> None:
    """An expression of other expressions; called paths may be functions, tuple structs or variants."""
    if plain_code(w, node, gate):
        return
    is_function = node.kind_id == g.CALL_EXPRESSION
    if not is_function:
        w.visit_children(node.named_children, gate, OPERANDS)
        return
    for child in node.named_children:
        if is_function and child.kind_id in _CALLED:
            reference(w, child, CALL, gate)
        else:
            w.visit(child, gate)
        is_function = False


_CALLED = frozenset({g.IDENTIFIER, g.SCOPED_IDENTIFIER})


@handles(g.SELF_PARAMETER, g.UNIT_TYPE, g.FUNCTION_MODIFIERS, g.LIFETIME_PARAMETER, g.CONTINUE, g.MUTABLE)
def nothing(w: Walk, node: Node, gate: int) -> None:
    """There is no path in these, unless the parser was led astray."""
    if node.has_error:
        w.visit_children(node.named_children, gate, OPERANDS)


# Scopes and local variables


@handles(g.BLOCK)
def block(w: Walk, node: Node, gate: int) -> None:
    """A block is a scope of its own, an anonymous module if it declares items (Reference, block expressions)."""
    children = node.named_children
    outer = w.scope
    inner: list[Node] = []
    is_module = False
    for child in children:
        kind = child.kind_id
        if kind == g.INNER_ATTRIBUTE_ITEM:
            inner.append(child)
        elif kind in ITEM_HANDLERS or (kind == g.EXPRESSION_STATEMENT and _is_macro_statement(w, child)):
            is_module = True
    gate = w.gated_by(inner, gate)
    if is_module:
        w.scope = w.open_scope(m.ScopeKind.BLOCK, gate, "", node.start_byte)
    w.frames.append({})
    w.visit_children(children, gate)
    w.frames.pop()
    w.scope = outer


def _is_macro_statement(w: Walk, statement: Node) -> bool:
    if not _MACRO_CALL.match(w.source, statement.start_byte):
        return False
    parts = statement.named_children
    return bool(parts) and parts[0].kind_id == g.MACRO_INVOCATION


_MACRO_CALL = re.compile(rb"[\w\s:#$\x80-\xff]*!", re.ASCII)


@handles(g.LET)
def let(w: Walk, node: Node, gate: int) -> None:
    """The variables of `let` are visible behind it, not in it."""
    head = _PLAIN_LET.match(w.source, node.start_byte)
    if head and plain_code(w, node, gate, head.end()):
        if head[1] != b"_":
            w.bind(spelled_name(head[1]), gate, head.start(1))
        return
    pattern_node = _pattern_of(node)
    for child in node.named_children:
        if child != pattern_node:
            w.visit(child, gate)
    if pattern_node is not None:
        pattern(w, pattern_node, gate)


_PLAIN_LET = re.compile(rb"let +(?:mut +)?([A-Za-z_][A-Za-z0-9_]*) *= *(?![=>])")


def _pattern_of(node: Node) -> Node | None:
    """The pattern of a `let` or parameter; it may be the token `_`."""
    for child in node.children:
        if child.kind_id not in _BEFORE_PATTERN:
            return child
    return None


_BEFORE_PATTERN = frozenset({g.token("let"), g.MUTABLE, *g.COMMENTS})


@handles(g.LET_CONDITION)
def let_condition(w: Walk, node: Node, gate: int) -> None:
    """`let pattern = value` in a condition: its variables live as long as the innermost frame."""
    value, pattern_node = node.child_by_field_id(g.F_VALUE), node.child_by_field_id(g.F_PATTERN)
    if value is not None:
        w.visit(value, gate)
    if pattern_node is not None:
        pattern(w, pattern_node, gate)


@handles(g.IF, g.WHILE)
def if_or_while(w: Walk, node: Node, gate: int) -> None:
    """Variables of `if let` are visible in the consequence, not in `else`."""
    alternative: Node | None = None
    w.frames.append({})
    for child in node.named_children:
        if child.kind_id == g.ELSE:
            alternative = child
        else:
            w.visit(child, gate)
    w.frames.pop()
    if alternative is not None:
        w.visit(alternative, gate)


@handles(g.FOR)
def for_loop(w: Walk, node: Node, gate: int) -> None:
    """The variables of the pattern are visible in the body, not in what is iterated over."""
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
    """The variables of an arm's pattern are visible in its guard and its value; its attributes are its children."""
    attributes, rest = _apart(node.named_children)
    gate = w.gated_by(attributes, gate)
    w.frames.append({})
    for child in rest:
        if child.kind_id == g.MATCH_PATTERN:
            condition = child.child_by_field_id(g.F_CONDITION)
            for part in child.named_children:
                if part != condition:
                    pattern(w, part, gate)
            if condition is not None:
                w.visit(condition, gate)
        else:
            w.visit(child, gate)
    w.frames.pop()


@handles(g.CLOSURE)
def closure(w: Walk, node: Node, gate: int) -> None:
    """The parameters of a closure are visible in its body."""
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
    """`pattern: type`."""
    pattern_node = _pattern_of(node)
    for child in node.named_children:
        if child != pattern_node:
            w.visit(child, gate)
    if pattern_node is not None:
        pattern(w, pattern_node, gate)


# Patterns

_BINDING_KINDS = frozenset({g.IDENTIFIER, g.SHORTHAND_FIELD_IDENTIFIER})


def pattern(w: Walk, node: Node, gate: int) -> None:
    """Bind the variables of a pattern and record the paths in it.

    A single identifier may be a constant or unit struct; where that is configured out it silently becomes a
    variable, so it never fails and is taken as one (Reference, identifier patterns).
    """
    kind = node.kind_id
    if kind in SKIPPED:
        return
    if w.blanked:
        gate = w.unblanked(node, gate)
    if kind in _BINDING_KINDS:
        w.bind(w.name(node), gate, node.start_byte)
    elif kind == g.SCOPED_IDENTIFIER:
        reference(w, node, VALUE, gate)
    elif kind == g.TUPLE_STRUCT_PATTERN or kind == g.STRUCT_PATTERN:
        head = node.child_by_field_id(g.F_TYPE)
        if head is not None:
            space = m.Space.TUPLE_PATTERN if kind == g.TUPLE_STRUCT_PATTERN else m.Space.STRUCT
            if head.kind_id in PATH_KINDS:
                reference(w, head, space, gate)
            else:
                visit_generic_arguments(w, head, gate)
        _patterns(w, [c for c in node.named_children if c != head], gate)
    elif kind == g.FIELD_PATTERN:
        attributes, rest = _apart(node.named_children)
        _patterns(w, [c for c in rest if c.kind_id != g.FIELD_IDENTIFIER], w.gated_by(attributes, gate))
    elif kind == g.RANGE_PATTERN:
        for child in node.named_children:
            w.visit(child, gate)
    elif kind == g.MACRO_INVOCATION or kind == g.BLOCK:
        w.visit(node, gate)
    elif kind == g.GENERIC_TYPE or kind == g.GENERIC_TYPE_TURBOFISH:
        reference(w, node, VALUE, gate)
    elif kind == g.ERROR:
        w.gap(node, "not understood by the parser")
    else:
        _patterns(w, node.named_children, gate)


def _patterns(w: Walk, nodes: Iterable[Node], gate: int) -> None:
    for node in nodes:
        if node.kind_id != g.TYPE_IDENTIFIER:
            pattern(w, node, gate)


def _apart(nodes: Sequence[Node]) -> tuple[list[Node], list[Node]]:
    """Attributes that are children of what they stand on, and the other children."""
    attributes = [c for c in nodes if c.kind_id == g.ATTRIBUTE_ITEM]
    return attributes, [c for c in nodes if c.kind_id != g.ATTRIBUTE_ITEM] if attributes else list(nodes)

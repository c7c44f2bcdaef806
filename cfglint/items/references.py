"""Bodies, types and patterns: which paths they name, and which local variables hide items.

Fields and methods need types and are left alone here. A path that is only a local variable is no reference.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from cfglint.items import model as m
from cfglint.items.member_uses import (
    arm,
    close_fields,
    close_match,
    field_use,
    is_of_self,
    member_of_self,
    open_fields,
)
from cfglint.items.paths import PATH_KINDS, reference, spelled_path, visit_generic_arguments
from cfglint.items.walk import ITEM_HANDLERS, OPERANDS, SKIPPED, Node, Walk, handles
from cfglint.syntax import grammar as g
from cfglint.syntax.tree import named_children

VALUE, TYPE, ANY, CALL, TRAIT = m.Space.VALUE, m.Space.TYPE, m.Space.ANY, m.Space.CALL, m.Space.TRAIT

# Paths


@handles(g.IDENTIFIER, g.SCOPED_IDENTIFIER)
def value_path(w: Walk, node: Node, gate: int) -> None:
    """A path in an expression."""
    start, end = node.start_byte, node.end_byte
    path = spelled_path(w.source[start:end])
    if path is None:
        reference(w, node, VALUE, gate)
    else:
        w.reference(path, VALUE, start, end, gate)


@handles(g.TYPE_IDENTIFIER, g.SCOPED_TYPE_IDENTIFIER, g.GENERIC_TYPE)
def type_path(w: Walk, node: Node, gate: int) -> None:
    """A path in a type."""
    reference(w, node, TYPE, gate)


@handles(g.TYPE_ARGUMENTS)
def type_arguments(w: Walk, node: Node, gate: int) -> None:
    """A plain name may be a type or a constant, or an associated type before its bounds (Reference, paths)."""
    for child in named_children(node):
        if child.kind_id == g.TYPE_IDENTIFIER:
            bounded = child.next_named_sibling
            if bounded is None or bounded.kind_id != g.TRAIT_BOUNDS:
                reference(w, child, ANY, gate)
        else:
            w.visit(child, gate)


_BOUND_KINDS = frozenset({g.TYPE_IDENTIFIER, g.SCOPED_TYPE_IDENTIFIER, g.GENERIC_TYPE})


@handles(g.TRAIT_BOUNDS, g.ABSTRACT_TYPE, g.DYNAMIC_TYPE)
def bounds(w: Walk, node: Node, gate: int) -> None:
    """Paths in bounds, and behind `impl` and `dyn`, name traits."""
    for child in named_children(node):
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
    open_fields(w)
    if body is not None:
        w.visit_children(named_children(body), gate, OPERANDS)
    close_fields(w, node, name, gate)


@handles(g.FIELD_INITIALIZER, g.SHORTHAND_FIELD_INITIALIZER)
def field_initializer(w: Walk, node: Node, gate: int) -> None:
    """Its attributes are its own children and gate all of it."""
    attributes, rest = _apart(named_children(node))
    gate = w.gated_by(attributes, gate)
    if w.fields:
        field_use(w, node, gate)
    for child in rest:
        w.visit(child, gate)


@handles(g.TYPE_BINDING, g.TYPE_PARAMETER, g.CONST_PARAMETER)
def after_name(w: Walk, node: Node, gate: int) -> None:
    """What declares or names something that is no item: all but the name."""
    name = node.child_by_field_id(g.F_NAME)
    for child in named_children(node):
        if child != name:
            w.visit(child, gate)


@handles(g.CALL_EXPRESSION)
def call(w: Walk, node: Node, gate: int) -> None:
    """`function(arguments)`; what is called may be a function, a tuple struct or a variant."""
    if node.child_count != 2:  # there are comments, or errors
        _call_among_others(w, node, gate)
        return
    function, arguments = node.child(0), node.child(1)
    _callee(w, function, gate)
    if arguments.named_child_count:
        w.visit_children(named_children(arguments), gate, OPERANDS)


def _call_among_others(w: Walk, node: Node, gate: int) -> None:
    is_function = True
    for child in named_children(node):
        if is_function:
            _callee(w, child, gate)
        else:
            w.visit(child, gate)
        is_function = False


def _callee(w: Walk, function: Node, gate: int) -> None:
    if function.kind_id in _CALLED:
        reference(w, function, CALL, gate)
    elif is_of_self(function):
        member_of_self(w, function, gate, is_call=True)
    else:
        w.visit(function, gate)


@handles(g.GENERIC_FUNCTION)
def generic_function(w: Walk, node: Node, gate: int) -> None:
    """`function::<T>`, which may be a method."""
    for child in named_children(node):
        if is_of_self(child):
            member_of_self(w, child, gate, is_call=True)
        else:
            w.visit(child, gate)


_CALLED = frozenset({g.IDENTIFIER, g.SCOPED_IDENTIFIER})


@handles(g.FIELD_EXPRESSION, g.AWAIT, g.TRY)
def postfix(w: Walk, node: Node, gate: int) -> None:
    """`value.field`, `value.await` and `value?`: only of `self` the field is looked up."""
    if node.has_error:
        w.visit_children(named_children(node), gate, OPERANDS)
        return
    value = node.child(0)
    if value.kind_id != g.SELF:
        w.visit(value, gate)
    elif node.kind_id == g.FIELD_EXPRESSION:
        member_of_self(w, node, gate, is_call=False)


@handles(g.REFERENCE_TYPE)
def reference_type(w: Walk, node: Node, gate: int) -> None:
    """`&'a mut T`."""
    target = node.child_by_field_id(g.F_TYPE)
    if target is None or node.has_error:
        w.visit_children(named_children(node), gate, OPERANDS)
    else:
        w.visit(target, gate)


@handles(g.SELF_PARAMETER, g.UNIT_TYPE, g.FUNCTION_MODIFIERS, g.LIFETIME_PARAMETER, g.CONTINUE, g.MUTABLE)
def nothing(w: Walk, node: Node, gate: int) -> None:
    """There is no path in these, unless the parser was led astray."""
    if node.has_error:
        w.visit_children(named_children(node), gate, OPERANDS)


# Scopes and local variables


@handles(g.BLOCK)
def block(w: Walk, node: Node, gate: int) -> None:
    """A block is a scope of its own, an anonymous module if it declares items (Reference, block expressions)."""
    children = node.named_children
    outer = w.scope
    inner: list[Node] = []
    is_module = False
    has_macros = w.source.find(b"!", node.start_byte, node.end_byte) != -1
    for child in children:
        kind = child.kind_id
        if has_macros and (call := _statement_call(w, child)) is not None:
            w.statement_calls.add(call.start_byte)
            is_module = True
        elif kind == g.INNER_ATTRIBUTE_ITEM:
            inner.append(child)
        elif kind in ITEM_HANDLERS:
            is_module = True
    gate = w.gated_by(inner, gate)
    if is_module:
        w.scope = w.open_scope(m.ScopeKind.BLOCK, gate, "", node.start_byte)
    w.frames.append([])
    w.visit_children(children, gate)
    w.close_frame()
    w.scope = outer


def _statement_call(w: Walk, child: Node) -> Node | None:
    """The macro call that is a statement, though the parser may take it for the beginning of an expression.

    Source: Reference, statements: a call with braces ends its statement unless `.` or `?` follows.
    """
    if not _MACRO_CALL.match(w.source, child.start_byte):
        return None
    if child.kind_id == g.EXPRESSION_STATEMENT and child.named_child(0).kind_id == g.MACRO_INVOCATION:
        return child.named_child(0)
    node = child
    while node.kind_id != g.MACRO_INVOCATION and node.child_count:
        node = node.child(0)
    if node.kind_id != g.MACRO_INVOCATION or w.source[node.end_byte - 1 : node.end_byte] != b"}":
        return None
    return None if _GOES_ON.match(w.source, node.end_byte) else node


_MACRO_CALL = re.compile(rb"[\w\s:#$\x80-\xff]*!", re.ASCII)
_GOES_ON = re.compile(rb"(?:\s|//[^\n]*\n)*(?:\?|\.(?!\.))")


@handles(g.LET)
def let(w: Walk, node: Node, gate: int) -> None:
    """The variables of `let` are visible behind it, not in it."""
    _declared(w, node, gate)


def _declared(w: Walk, node: Node, gate: int) -> None:
    """The parts of a `let` or parameter, the pattern last; that may be the token `_`."""
    pattern_node = node.child_by_field_id(g.F_PATTERN)
    if node.has_error:
        for child in named_children(node):
            if child != pattern_node:
                w.visit(child, gate)
    else:
        for field in (g.F_TYPE, g.F_VALUE, g.F_ALTERNATIVE):
            part = node.child_by_field_id(field)
            if part is not None:
                w.visit(part, gate)
    if pattern_node is not None:
        pattern(w, pattern_node, gate)


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
    w.frames.append([])
    for child in named_children(node):
        if child.kind_id == g.ELSE:
            alternative = child
        else:
            w.visit(child, gate)
    w.close_frame()
    if alternative is not None:
        w.visit(alternative, gate)


@handles(g.FOR)
def for_loop(w: Walk, node: Node, gate: int) -> None:
    """The variables of the pattern are visible in the body, not in what is iterated over."""
    value, pattern_node, body = (node.child_by_field_id(f) for f in (g.F_VALUE, g.F_PATTERN, g.F_BODY))
    if value is not None:
        w.visit(value, gate)
    w.frames.append([])
    if pattern_node is not None:
        pattern(w, pattern_node, gate)
    if body is not None:
        w.visit(body, gate)
    w.close_frame()


@handles(g.MATCH)
def match(w: Walk, node: Node, gate: int) -> None:
    """What is matched, and the arms."""
    value, body = node.child_by_field_id(g.F_VALUE), node.child_by_field_id(g.F_BODY)
    if value is None or body is None:
        w.visit_children(named_children(node), gate, OPERANDS)
        return
    w.visit(value, gate)
    w.arms.append([])
    w.visit_children(named_children(body), gate, OPERANDS)
    close_match(w, node, gate)


@handles(g.MATCH_ARM)
def match_arm(w: Walk, node: Node, gate: int) -> None:
    """The variables of an arm's pattern are visible in its guard and its value; its attributes are its children."""
    attributes, rest = _apart(named_children(node))
    gate = w.gated_by(attributes, gate)
    arm(w, node.child_by_field_id(g.F_PATTERN), gate)
    w.frames.append([])
    for child in rest:
        if child.kind_id == g.MATCH_PATTERN:
            condition = child.child_by_field_id(g.F_CONDITION)
            for part in named_children(child):
                if part != condition:
                    pattern(w, part, gate)
            if condition is not None:
                w.visit(condition, gate)
        else:
            w.visit(child, gate)
    w.close_frame()


@handles(g.CLOSURE)
def closure(w: Walk, node: Node, gate: int) -> None:
    """The parameters of a closure are visible in its body."""
    w.frames.append([])
    for child in named_children(node):
        if child.kind_id == g.CLOSURE_PARAMETERS:
            for parameter_node in named_children(child):
                own = w.unblanked(parameter_node, gate)
                if parameter_node.kind_id == g.PARAMETER:
                    parameter(w, parameter_node, own)
                else:
                    pattern(w, parameter_node, own)
        else:
            w.visit(child, gate)
    w.close_frame()


@handles(g.PARAMETER)
def parameter(w: Walk, node: Node, gate: int) -> None:
    """`pattern: type`."""
    _declared(w, node, gate)


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
        open_fields(w)
        _patterns(w, [c for c in named_children(node) if c != head], gate)
        if kind == g.STRUCT_PATTERN:
            close_fields(w, node, head, gate)
        else:
            w.fields.pop()
    elif kind == g.FIELD_PATTERN:
        attributes, rest = _apart(named_children(node))
        gate = w.gated_by(attributes, gate)
        if w.fields:
            field_use(w, node, gate)
        _patterns(w, [c for c in rest if c.kind_id != g.FIELD_IDENTIFIER], gate)
    elif kind == g.RANGE_PATTERN:
        for child in named_children(node):
            w.visit(child, gate)
    elif kind == g.MACRO_INVOCATION or kind == g.BLOCK:
        w.visit(node, gate)
    elif kind == g.GENERIC_TYPE or kind == g.GENERIC_TYPE_TURBOFISH:
        reference(w, node, VALUE, gate)
    elif kind == g.ERROR:
        w.gap(node, "not understood by the parser")
    else:
        _patterns(w, named_children(node), gate)


def _patterns(w: Walk, nodes: Iterable[Node], gate: int) -> None:
    for node in nodes:
        if node.kind_id != g.TYPE_IDENTIFIER:
            pattern(w, node, gate)


def _apart(nodes: Sequence[Node]) -> tuple[list[Node], list[Node]]:
    """Attributes that are children of what they stand on, and the other children."""
    attributes = [c for c in nodes if c.kind_id == g.ATTRIBUTE_ITEM]
    return attributes, [c for c in nodes if c.kind_id != g.ATTRIBUTE_ITEM] if attributes else list(nodes)

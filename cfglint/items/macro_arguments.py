"""The argument of a macro call as code: the readings that are tried, in this order, until one fits.

A reading fits when the whole argument parses that way. Paths in what nothing fits are found by token_paths.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from collections.abc import Set as AbstractSet

import tree_sitter

from cfglint.condition.predicate import Invalid, MacroGate, Predicate
from cfglint.items import model as m
from cfglint.items.std_macros import FORMATTING
from cfglint.items.token_paths import captured_variables, identifiers, scan_paths, scan_run
from cfglint.items.walk import ITEM_HANDLERS, OPERANDS, STATEMENTS, Node, Walk
from cfglint.syntax import grammar as g
from cfglint.syntax.attributes import predicate_of
from cfglint.syntax.parser import parse_expression, parse_inside, parse_stretch
from cfglint.syntax.tree import named_children

_BESIDE = frozenset({g.ATTRIBUTE_ITEM, g.INNER_ATTRIBUTE_ITEM, *g.COMMENTS})
_MESSAGE = re.compile(rb'[(\[]\s*"(?:[^"\\]|\\.)*"\s*,?\s*[)\]]', re.DOTALL)
"""An argument that is one string and nothing else."""
_STATEMENT_END = re.compile(rb"[;!{]")


def is_braced(w: Walk, tokens: Node) -> bool:
    """Whether a token tree has braces for delimiters."""
    return w.source.startswith(b"{", tokens.start_byte)


def items(w: Walk, tokens: Node, gate: int, call: int) -> tuple[bool, tuple[Predicate, bool] | None]:
    """Walk the argument as items or statements when it is such; a leading `#![meta]` is given back, not applied."""
    if not _may_be_statements(w, tokens):
        return False, None
    tree = parse_inside(w.source, tokens)
    if tree is None or tree.root_node.has_error:
        return False, None
    children = tree.root_node.named_children
    if not any(c.kind_id in ITEM_HANDLERS or c.kind_id == g.EXPRESSION_STATEMENT for c in children):
        return False, None
    meta: tuple[Predicate, bool] | None = None
    inner = [c for c in children if c.kind_id == g.INNER_ATTRIBUTE_ITEM]
    if inner:
        read = w.attributes(inner[:1])
        if read.gate is not None:
            meta = read.gate, True
        elif read.others:
            meta = predicate_of(read.others[0].meta), False
        else:
            meta = Invalid("an inner attribute passed to a macro"), False
    _visit_parts(w, children, gate, call)
    return True, meta


def _may_be_statements(w: Walk, tokens: Node) -> bool:
    """False where the parser need not be asked: what ends no statement is none, and no statement has a bare `=>`."""
    if not _STATEMENT_END.search(w.source, tokens.start_byte + 1, tokens.end_byte - 1):
        return False
    children = tokens.children
    if w.source.find(b"=>", tokens.start_byte, tokens.end_byte) != -1 and any(c.kind_id == g.ARROW for c in children):
        return False
    for child in children:
        kind = child.kind_id
        if kind == g.SEMICOLON or kind == g.BANG or (kind == g.TOKEN_TREE and is_braced(w, child)):
            return True
    return False


def _visit_parts(w: Walk, nodes: Sequence[Node], gate: int, call: int, apart: AbstractSet[int] = STATEMENTS) -> None:
    """Walk parts of a macro's argument, each under the gate that the macro puts around that very part."""
    outer = w.blanked
    w.blanked = {n.start_byte: MacroGate(call, n.start_byte) for n in nodes if n.kind_id not in _BESIDE}
    w.visit_children(nodes, gate, apart)
    w.blanked = outer


def groups_of_items(w: Walk, tokens: Node, gate: int, call: int) -> bool:
    """Walk items after some words, in braces, or after `=>`, in the argument of a macro of another shape.

    True if there are such and all parse.
    """
    inside = [c for c in tokens.children[1:-1] if c.kind_id not in g.COMMENTS]
    arrow = next((n for n, c in enumerate(inside) if c.kind_id == g.ARROW), -1)
    if arrow >= 0 and arrow + 1 < len(inside):
        return _visit_items(w, [parse_stretch(w.source, inside[arrow + 1], inside[-1])], gate, call)
    first = next((n for n, c in enumerate(inside) if _begins_item(w, c)), -1)
    while first > 1 and inside[first - 2].kind_id == g.HASH:  # its attributes
        first -= 2
    if first >= 0 and _visit_items(w, [parse_stretch(w.source, inside[first], inside[-1])], gate, call):
        return True
    groups: list[Node] = []
    for child in inside:
        if child.kind_id == g.TOKEN_TREE and is_braced(w, child):
            if child.child_count > 2:
                groups.append(child)
        elif _begins_item(w, child):
            return False  # what follows in braces may be the body of an item
    return _visit_items(w, [t for group in groups if (t := parse_inside(w.source, group)) is not None], gate, call)


_ITEM_WORDS = frozenset(b"pub mod fn struct enum union trait impl type const static use unsafe extern async".split())


def _begins_item(w: Walk, token: Node) -> bool:
    """Whether a token may be the first word of an item."""
    return token.child_count == 0 and w.source[token.start_byte : token.end_byte] in _ITEM_WORDS


def _visit_items(w: Walk, trees: Sequence[tree_sitter.Tree], gate: int, call: int) -> bool:
    roots = [tree.root_node for tree in trees]
    if not roots or any(r.has_error or not any(c.kind_id in ITEM_HANDLERS for c in r.named_children) for r in roots):
        return False
    for root in roots:
        _visit_parts(w, root.named_children, gate, call)
    return True


def matches(w: Walk, tokens: Node, gate: int) -> bool:
    """`matches!(value, pattern if guard)`: value and guard are expressions; of the pattern the paths are read."""
    inside = [c for c in tokens.children[1:-1] if c.kind_id not in g.COMMENTS]
    comma = next((n for n, c in enumerate(inside) if c.kind_id == g.COMMA), -1)
    if comma < 1:
        return False
    guard = next((n for n, c in enumerate(inside) if n > comma and w.text(c) == "if"), len(inside))
    bare_expression(w, inside[:comma], gate)
    w.frames.append([])
    for part in inside[comma + 1 : guard]:
        if part.kind_id == g.TOKEN_TREE:
            scan_paths(w, part, gate)
            for bound in identifiers(w, part):
                w.bind(bound, gate, part.start_byte)
        elif part.kind_id == g.IDENTIFIER:
            w.bind(w.name(part), gate, part.start_byte)
    scan_run(w, inside[comma + 1 : guard], gate)
    rest = [c for c in inside[guard + 1 :] if c.kind_id != g.COMMA]
    if rest:
        bare_expression(w, rest, gate)
    w.close_frame()
    return True


def std_expressions(w: Walk, name: str, tokens: Node, gate: int) -> bool:
    """Walk the argument of a macro of std as a list of expressions when it parses as one."""
    if tokens.child_count <= 2:
        return True
    if is_braced(w, tokens):
        return False
    if not _MESSAGE.fullmatch(w.source, tokens.start_byte, tokens.end_byte):
        expression = parse_expression(w.terminated, tokens, tokens)
        if expression is None or expression.has_error:
            return False
        arguments: Sequence[Node] = named_children(expression)
        if name in FORMATTING:
            arguments = [(c.child_by_field_id(g.F_RIGHT) or c) if c.kind_id == g.ASSIGNMENT else c for c in arguments]
        w.frames.append([])
        w.visit_children(arguments, gate, OPERANDS)
        w.close_frame()
    if name in FORMATTING:
        captured_variables(w, name, tokens, gate)
    return True


def expressions(w: Walk, tokens: Node, gate: int, call: int) -> bool:
    """Walk the argument of the macro call `call` as a list of expressions when it parses as one, each under its gate.

    A macro of the project may take a name as a type, a constant or no path at all.
    """
    if tokens.child_count <= 2:
        return True
    if is_braced(w, tokens):
        return False
    expression = parse_expression(w.terminated, tokens, tokens)
    if expression is None or expression.has_error:
        return False
    w.frames.append([])
    arguments: Sequence[Node] = named_children(expression)
    for argument in arguments:
        if argument.kind_id == g.IDENTIFIER:
            start = argument.start_byte
            under = w.gate(gate, MacroGate(call, start), start)
            w.reference((w.name(argument),), m.Space.ANY, start, argument.end_byte, under)
    _visit_parts(w, [a for a in arguments if a.kind_id != g.IDENTIFIER], gate, call, OPERANDS)
    w.close_frame()
    return True


def bare_expression(w: Walk, tokens: Sequence[Node], gate: int) -> None:
    """Walk a bare run of tokens as an expression, or else scan it for paths."""
    expression = parse_expression(w.terminated, tokens[0], tokens[-1])
    if expression is not None and not expression.has_error:
        w.visit(expression, gate)
    else:
        for token in tokens:
            if token.kind_id == g.TOKEN_TREE:
                scan_paths(w, token, gate)

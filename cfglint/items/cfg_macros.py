"""Macro invocations: `cfg_if!` and `cfg_select!` as gates, the arguments of other macros as code under a macro gate.

What a macro of the project does with its argument is not known here: the argument gets the predicate
`MacroGate(call)`, and name resolution says what that means once it knows which macro the call names.
"""

from __future__ import annotations

from collections.abc import Iterator

from cfglint.condition.predicate import All, Any, Literal, MacroGate, Not, Predicate
from cfglint.items import macro_arguments as arguments
from cfglint.items import model as m
from cfglint.items.paths import path_of
from cfglint.items.std_macros import EXPRESSION_MACROS
from cfglint.items.token_paths import identifiers, scan_paths
from cfglint.items.walk import OPERANDS, Node, Walk, handles, handles_item
from cfglint.syntax import grammar as g
from cfglint.syntax.attributes import Attributes, metas_of_tokens, predicate_of
from cfglint.syntax.parser import parse_inside, parse_stretch
from cfglint.syntax.tree import named_children

_MAX_FRAMES = 240
_UNREAD = m.Call(0, 0, (), 0, 0, in_items=False, names=(), meta=None, parsed=False)
"""Keeps the place of a call while its argument is read."""


@handles_item(g.MACRO_INVOCATION)
def macro_item(w: Walk, node: Node, gate: int, found: Attributes) -> None:
    """A call among items or statements, which may declare names."""
    invocation(w, node, gate, in_items=True)


@handles(g.MACRO_INVOCATION)
def macro_operand(w: Walk, node: Node, gate: int) -> None:
    """A call that is an operand or an argument, a type or a pattern, and can declare nothing, or a statement of its own."""
    invocation(w, node, gate, in_items=node.start_byte in w.statement_calls)


@handles(g.EXPRESSION_STATEMENT)
def expression_statement(w: Walk, node: Node, gate: int) -> None:
    """A statement that is an expression, perhaps a macro call."""
    expression = node.child(0)
    if expression.kind_id == g.MACRO_INVOCATION and node.named_child_count == 1:
        invocation(w, expression, gate, in_items=True)
    elif node.has_error:
        w.visit_children(named_children(node), gate, OPERANDS)
    else:
        w.visit(expression, gate)


def invocation(w: Walk, node: Node, gate: int, *, in_items: bool) -> None:
    """One macro call, in item or statement position or as an expression, type or pattern."""
    macro_node, tokens = node.child(0), node.child(node.child_count - 1)
    path = path_of(w, macro_node)
    if path is None or tokens.kind_id != g.TOKEN_TREE:
        w.gap(node, "a macro call that the parser does not understand")
        return
    name = path[-1]
    if name == "cfg_if":
        if not _cfg_if(w, tokens, gate, in_items=in_items):
            w.gap(node, "a cfg_if! that is not understood", w.scope)
    elif name == "cfg_select":
        if not _cfg_select(w, node, tokens, gate, in_items=in_items):
            w.gap(node, "a cfg_select! that is not understood", w.scope)
    elif name == "compile_error":
        w.guards.append(m.Guard(gate, node.start_byte, node.end_byte))
    elif name == "cfg":
        for meta in metas_of_tokens(w.source, tokens.children[1:-1]):
            w.note_predicate(meta)
    else:
        w.reference(path, m.Space.MACRO, macro_node.start_byte, macro_node.end_byte, gate)
        if len(w.frames) > _MAX_FRAMES:
            w.gap(node, "macro calls nested too deeply")
        else:
            _call(w, node, path, tokens, gate, in_items=in_items)


def _call(w: Walk, node: Node, path: m.Path, tokens: Node, gate: int, *, in_items: bool) -> None:
    """A call of a macro that gates nothing by its name: its argument as code, under the gate of the call."""
    name, start, end = path[-1], node.start_byte, node.end_byte
    call = len(w.calls)
    w.calls.append(_UNREAD)
    meta: tuple[Predicate, bool] | None = None
    names: tuple[str, ...] = ()
    if name in EXPRESSION_MACROS:
        inner = w.gate(gate, MacroGate(call), start)
        if name == "matches":
            parsed = arguments.matches(w, tokens, inner)
        else:
            parsed = arguments.std_expressions(w, name, tokens, inner)
    else:
        parsed = False
        if in_items:
            parsed, meta = arguments.items(w, tokens, gate, call)
            names = identifiers(w, tokens)
        is_member = in_items and w.scopes[w.scope].kind in (m.ScopeKind.IMPL, m.ScopeKind.TRAIT)
        # What is no item, given to a macro among the items of an impl, is seldom an expression.
        parsed = parsed or (not is_member and arguments.expressions(w, tokens, gate, call))
        parsed = parsed or (in_items and arguments.groups_of_items(w, tokens, gate, call))
    if not parsed:
        scan_paths(w, tokens, gate, call)
        kind = w.scopes[w.scope].kind
        if kind == m.ScopeKind.BLOCK:
            for bound in names:
                w.bind(bound, gate, start)
        elif in_items and kind in (m.ScopeKind.IMPL, m.ScopeKind.TRAIT):
            w.members.setdefault(w.scope, []).append(m.Member("", "macro", gate, start))
    predicate, is_cfg = meta if meta is not None else (None, False)
    file = _literal(w, tokens) if name == "include" and in_items else ""
    w.calls[call] = m.Call(w.scope, gate, path, start, end, in_items, names, predicate, parsed, is_cfg, file)


def _literal(w: Walk, tokens: Node) -> str:
    """The text of a plain string literal that is all of the argument, else nothing."""
    inner = [token for token in named_children(tokens) if token.kind_id not in g.COMMENTS]
    if len(inner) != 1 or inner[0].kind_id != g.STRING_LITERAL:
        return ""
    text = w.text(inner[0])[1:-1]
    return "" if "\\" in text else text


# Gate macros of the ecosystem


def _cfg_if(w: Walk, tokens: Node, gate: int, *, in_items: bool) -> bool:
    """`if #[cfg(a)] { .. } else if #[cfg(b)] { .. } else { .. }`: each branch where no earlier predicate holds."""
    before: list[Predicate] = []
    children = [c for c in tokens.children[1:-1] if c.kind_id not in g.COMMENTS]
    branches: list[tuple[Predicate, Node]] = []
    index = 0
    while index < len(children):
        texts = [w.text(c) if c.child_count == 0 else "" for c in children[index : index + 2]]
        if texts and texts[0] == "else":
            index += 1
            if index < len(children) and children[index].kind_id == g.TOKEN_TREE:
                branches.append((All(tuple(Not(p) for p in before)), children[index]))
                index += 1
                continue
        if index + 3 >= len(children) or w.text(children[index]) != "if" or children[index + 1].kind_id != g.HASH:
            return False
        metas = metas_of_tokens(w.source, children[index + 2].children[1:-1])
        if len(metas) != 1 or metas[0].path != ("cfg",) or not metas[0].args:
            return False
        w.note_predicate(metas[0].args[0])
        predicate = predicate_of(metas[0].args[0])
        branches.append((All((predicate, *(Not(p) for p in before))), children[index + 3]))
        before.append(predicate)
        index += 4
    understood = [
        _branch(w, body, w.gate(gate, predicate, body.start_byte), in_items=in_items) for predicate, body in branches
    ]
    return all(understood)


def _cfg_select(w: Walk, node: Node, tokens: Node, gate: int, *, in_items: bool) -> bool:
    """`predicate => payload` arms; the first true one is compiled, and one must be (stable since 1.95)."""
    before: list[Predicate] = []
    understood = True
    for predicate_tokens, body in _select_arms(w, tokens):
        if len(predicate_tokens) == 1 and w.text(predicate_tokens[0]) == "_":
            predicate: Predicate = Literal(True)
        else:
            metas = metas_of_tokens(w.source, predicate_tokens)
            if len(metas) != 1:
                return False
            w.note_predicate(metas[0])
            predicate = predicate_of(metas[0])
        inner = w.gate(gate, All((predicate, *(Not(p) for p in before))), predicate_tokens[0].start_byte)
        before.append(predicate)
        if len(body) == 1 and body[0].kind_id == g.TOKEN_TREE and arguments.is_braced(w, body[0]):
            understood &= _branch(w, body[0], inner, in_items=in_items)
        elif body:
            arguments.bare_expression(w, body, inner)
    scope = w.scope if in_items else -1
    w.selects.append(m.Select(gate, Any(tuple(before)), node.start_byte, node.end_byte, scope))
    return understood


def _select_arms(w: Walk, tokens: Node) -> Iterator[tuple[list[Node], list[Node]]]:
    head: list[Node] = []
    body: list[Node] | None = None
    for child in tokens.children[1:-1]:
        if child.kind_id in g.COMMENTS:
            continue
        if body is None:
            if child.kind_id == g.ARROW:
                body = []
            else:
                head.append(child)
            continue
        is_block = child.kind_id == g.TOKEN_TREE and not body and arguments.is_braced(w, child)
        if child.kind_id != g.COMMA:
            body.append(child)
        if is_block or child.kind_id == g.COMMA:
            if head:
                yield head, body
            head, body = [], None
    if head and body is not None:
        yield head, body


def _branch(w: Walk, body: Node, gate: int, *, in_items: bool) -> bool:
    """Walk `{ .. }` as items and statements of the scope that the macro call stands in, or as an operand's block."""
    block = _only_block(parse_stretch(w.source, body, body).root_node)
    if block is None:
        return False
    if block.has_error:
        inside = parse_inside(w.source, body)
        if inside is None or inside.root_node.has_error:
            w.gap(body, "not understood by the parser", w.scope)
            scan_paths(w, body, w.doubtful(gate, body))
            return True
        w.visit_children(inside.root_node.named_children, gate)
        return True
    if not in_items:
        w.visit(block, gate)
        return True
    children = block.named_children
    inner = [c for c in children if c.kind_id == g.INNER_ATTRIBUTE_ITEM]
    if inner:
        gate = w.gate(gate, w.attributes(inner).gate, body.start_byte)
    w.visit_children(children, gate)
    return True


def _only_block(root: Node) -> Node | None:
    children = [c for c in root.named_children if c.kind_id not in g.COMMENTS]
    if len(children) != 1:
        return None
    block = children[0]
    if block.kind_id == g.EXPRESSION_STATEMENT and block.named_child_count:
        block = block.named_children[0]
    return block if block.kind_id == g.BLOCK else None

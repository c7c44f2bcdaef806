"""Macro invocations: `cfg_if!` and `cfg_select!` as gates, the arguments of other macros as code under a macro gate.

What a macro of the project does with its argument is not known here: the argument gets the predicate
`MacroGate(call)`, and name resolution says what that means once it knows which macro the call names.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence

from cfglint.condition.predicate import All, Any, Invalid, Literal, MacroGate, Not, Option, Predicate
from cfglint.items import model as m
from cfglint.items.paths import path_of
from cfglint.items.references import pattern
from cfglint.items.walk import ITEM_HANDLERS, Node, Walk, handles, handles_item
from cfglint.syntax import grammar as g
from cfglint.syntax.attributes import Attributes, metas_of_tokens, predicate_of
from cfglint.syntax.parser import parse_inside, parse_stretch

FORMATTING = frozenset(
    "format print println eprint eprintln write writeln panic assert assert_eq assert_ne debug_assert debug_assert_eq "
    "debug_assert_ne todo unimplemented unreachable format_args".split()
)
EXPRESSION_MACROS = FORMATTING | {"vec", "dbg", "try", "matches"}
"""std macros whose arguments are all compiled as expressions, whatever the configuration."""

_CAPTURE = re.compile(rb"(?<!\{)(?<!\\u)(?:\{\{)*\{([A-Za-z_][A-Za-z0-9_]*)")
_FORMAT_AT = {
    **dict.fromkeys(("write", "writeln", "assert", "debug_assert"), 1),
    **dict.fromkeys(("assert_eq", "assert_ne", "debug_assert_eq", "debug_assert_ne"), 2),
}
"""Which argument is the format string, where it is not the first."""
_BESIDE = frozenset({g.ATTRIBUTE_ITEM, g.INNER_ATTRIBUTE_ITEM, *g.COMMENTS})
_DECLARING = frozenset({g.SOURCE_FILE, g.DECLARATION_LIST, g.BLOCK, g.ERROR})
_MAX_NAMES = 20_000
_MAX_DEPTH = 60


@handles_item(g.MACRO_INVOCATION)
def macro_item(w: Walk, node: Node, gate: int, found: Attributes) -> None:
    """A call among items or statements may declare names; one that is an operand or an argument cannot."""
    parent = node.parent
    invocation(w, node, gate, in_items=parent is None or parent.kind_id in _DECLARING)


@handles(g.EXPRESSION_STATEMENT)
def expression_statement(w: Walk, node: Node, gate: int) -> None:
    """A statement that is nothing but a macro call may declare names."""
    children = node.named_children
    if len(children) == 1 and children[0].kind_id == g.MACRO_INVOCATION:
        invocation(w, children[0], gate, in_items=True)
    else:
        w.visit_children(children, gate)


def invocation(w: Walk, node: Node, gate: int, *, in_items: bool) -> None:
    """One macro call, in item or statement position or as an expression, type or pattern."""
    macro_node = node.child_by_field_id(g.F_MACRO)
    path = path_of(w, macro_node) if macro_node is not None else None
    tokens = next((c for c in node.named_children if c.kind_id == g.TOKEN_TREE), None)
    if path is None or macro_node is None or tokens is None:
        w.gap(node, "a macro call that the parser does not understand")
        return
    name = path[-1]
    if name == "cfg_if":
        if not _cfg_if(w, tokens, gate):
            w.gap(node, "a cfg_if! that is not understood", w.scope)
        return
    if name == "cfg_select":
        if not _cfg_select(w, node, tokens, gate):
            w.gap(node, "a cfg_select! that is not understood", w.scope)
        return
    if name == "compile_error":
        w.guards.append(m.Guard(gate, node.start_byte, node.end_byte))
        return
    if name == "cfg":
        for option in metas_of_tokens(w.source, tokens.children[1:-1]):
            w.note_predicate(option)
        return
    w.reference(path, m.Space.MACRO, macro_node.start_byte, macro_node.end_byte, gate)
    if len(w.generics) > _MAX_DEPTH or len(w.frames) > 4 * _MAX_DEPTH:
        w.gap(node, "macro calls nested too deeply")
        return
    call = len(w.calls)
    w.calls.append(m.Call(w.scope, gate, path, node.start_byte, node.end_byte, in_items, (), None, False))
    meta: tuple[Predicate, bool] | None = None
    names: tuple[str, ...] = ()
    if name in EXPRESSION_MACROS:
        inner = w.gate(gate, MacroGate(call), node.start_byte)
        parsed = _matches(w, tokens, inner) if name == "matches" else _expressions(w, name, tokens, inner, -1)
    else:
        parsed = False
        if in_items:
            parsed, meta = _items(w, tokens, gate, call)
            names = _identifiers(w, tokens)
        parsed = parsed or _expressions(w, name, tokens, gate, call)
        parsed = parsed or (in_items and _groups_of_items(w, tokens, gate, call))
    if not parsed:
        _scan_paths(w, tokens, gate, call)
        for bound in names if w.scopes[w.scope].kind == m.ScopeKind.BLOCK else ():
            w.bind(bound, gate, node.start_byte)
        if in_items and w.scopes[w.scope].kind in (m.ScopeKind.IMPL, m.ScopeKind.TRAIT):
            w.members.setdefault(w.scope, []).append(m.Member("", "macro", gate, node.start_byte))
    predicate, is_cfg = meta if meta is not None else (None, False)
    w.calls[call] = m.Call(
        w.scope, gate, path, node.start_byte, node.end_byte, in_items, names, predicate, parsed, is_cfg
    )


@handles(g.MACRO_INVOCATION)
def macro_expression(w: Walk, node: Node, gate: int) -> None:
    """A macro call in an expression, type or pattern."""
    invocation(w, node, gate, in_items=False)


# Gate macros of the ecosystem


def _cfg_if(w: Walk, tokens: Node, gate: int) -> bool:
    """`if #[cfg(a)] { .. } else if #[cfg(b)] { .. } else { .. }`: each branch where no earlier predicate holds."""
    before: list[Predicate] = []
    children = [c for c in tokens.children[1:-1] if c.kind_id not in g.COMMENTS]
    branches: list[tuple[Predicate, Node]] = []
    index = 0
    while index < len(children):
        texts = [w.text(c) if c.child_count == 0 else "" for c in children[index : index + 2]]
        if texts and texts[0] == "else":
            index += 1
            texts = texts[1:] if len(texts) > 1 else []
            if index < len(children) and children[index].kind_id == g.TOKEN_TREE:
                branches.append((All(tuple(Not(p) for p in before)), children[index]))
                index += 1
                continue
        if index + 3 >= len(children) or w.text(children[index]) != "if" or children[index + 1].type != "#":
            return False
        metas = metas_of_tokens(w.source, children[index + 2].children[1:-1])
        if len(metas) != 1 or metas[0].path != ("cfg",) or not metas[0].args:
            return False
        w.note_predicate(metas[0].args[0])
        predicate = predicate_of(metas[0].args[0])
        branches.append((All((predicate, *(Not(p) for p in before))), children[index + 3]))
        before.append(predicate)
        index += 4
    return all(_branch(w, body, w.gate(gate, predicate, body.start_byte)) for predicate, body in branches)


def _cfg_select(w: Walk, node: Node, tokens: Node, gate: int) -> bool:
    """`predicate => payload` arms; the first true one is compiled, and one must be (stable since 1.95)."""
    before: list[Predicate] = []
    understood = True
    for predicate_tokens, body in _select_arms(tokens):
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
        if len(body) == 1 and body[0].kind_id == g.TOKEN_TREE and body[0].children[0].type == "{":
            understood &= _branch(w, body[0], inner)
        elif body:
            _expression_tokens(w, body, inner)
    w.selects.append(m.Select(gate, Any(tuple(before)), node.start_byte, node.end_byte))
    return understood


def _select_arms(tokens: Node) -> Iterator[tuple[list[Node], list[Node]]]:
    head: list[Node] = []
    body: list[Node] | None = None
    for child in tokens.children[1:-1]:
        if child.kind_id in g.COMMENTS:
            continue
        if body is None:
            if child.type == "=>":
                body = []
            else:
                head.append(child)
            continue
        block = child.kind_id == g.TOKEN_TREE and not body and child.children[0].type == "{"
        if child.type == "," and not child.is_named:
            if head:
                yield head, body
            head, body = [], None
        else:
            body.append(child)
            if block:
                yield head, body
                head, body = [], None
    if head and body is not None:
        yield head, body
    elif head and all(c.type == "," for c in head):
        return


def _branch(w: Walk, body: Node, gate: int) -> bool:
    """Walk `{ .. }` as items and statements of the scope that the macro call stands in."""
    tree = parse_stretch(w.source, body, body)
    block = _only_expression(tree.root_node)
    if block is None or block.kind_id != g.BLOCK:
        return False
    if block.has_error:
        inside = parse_inside(w.source, body)
        if inside is None or inside.root_node.has_error:
            w.gap(body, "not understood by the parser", w.scope)
            _scan_paths(w, body, w.doubtful(gate, body))
            return True
        w.visit_children(inside.root_node.named_children, gate)
        return True
    children = block.named_children
    inner = [c for c in children if c.kind_id == g.INNER_ATTRIBUTE_ITEM]
    if inner:
        gate = w.gate(gate, w.attributes(inner).gate, body.start_byte)
    w.visit_children(children, gate)
    return True


# Arguments of other macros


def _items(w: Walk, tokens: Node, gate: int, call: int) -> tuple[bool, tuple[Predicate, bool] | None]:
    """Walk the argument as items or statements when it is such; a leading `#![meta]` is given back, not applied."""
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


def _visit_parts(w: Walk, nodes: Sequence[Node], gate: int, call: int) -> None:
    """Walk parts of a macro's argument, each under the gate that the macro puts around that very part."""
    outer, w.blanked = (
        w.blanked,
        {n.start_byte: MacroGate(call, n.start_byte) for n in nodes if n.kind_id not in _BESIDE},
    )
    w.visit_children(nodes, gate)
    w.blanked = outer


def _groups_of_items(w: Walk, tokens: Node, gate: int, call: int) -> bool:
    """Walk items in braces, or after `=>`, in the argument of a macro of another shape; True if there are such and all parse."""
    inside = tokens.children[1:-1]
    arrow = next((n for n, c in enumerate(inside) if c.type == "=>"), -1)
    trees = []
    if arrow >= 0 and arrow + 1 < len(inside):
        trees.append(parse_stretch(w.source, inside[arrow + 1], inside[-1]))
    else:
        groups = [c for c in inside if c.kind_id == g.TOKEN_TREE and c.children[0].type == "{" and c.child_count > 2]
        trees.extend(t for group in groups if (t := parse_inside(w.source, group)) is not None)
    roots = [tree.root_node for tree in trees]
    if not roots or any(r.has_error or not any(c.kind_id in ITEM_HANDLERS for c in r.named_children) for r in roots):
        return False
    for root in roots:
        _visit_parts(w, root.named_children, gate, call)
    return True


def _only_expression(root: Node) -> Node | None:
    children = [c for c in root.named_children if c.kind_id not in g.COMMENTS]
    if len(children) != 1:
        return None
    statement = children[0]
    if root.kind_id == g.ERROR:
        return statement
    if statement.kind_id == g.ERROR and len(statement.children) == 1:
        return statement.children[0]  # an expression without the semicolon that makes it a statement
    if statement.kind_id == g.EXPRESSION_STATEMENT and statement.named_child_count:
        return statement.named_children[0]
    return statement if statement.kind_id == g.BLOCK else None


def _matches(w: Walk, tokens: Node, gate: int) -> bool:
    """`matches!(value, pattern if guard)`: value and guard are expressions; of the pattern the paths are read."""
    inside = [c for c in tokens.children[1:-1] if c.kind_id not in g.COMMENTS]
    comma = next((n for n, c in enumerate(inside) if c.type == ","), -1)
    if comma < 1:
        return False
    guard = next((n for n, c in enumerate(inside) if n > comma and w.text(c) == "if"), len(inside))
    _expression_tokens(w, inside[:comma], gate)
    w.frames.append({})
    for part in inside[comma + 1 : guard]:
        if part.kind_id == g.TOKEN_TREE:
            _scan_paths(w, part, gate)
            for bound in _identifiers(w, part):
                w.bind(bound, gate, part.start_byte)
        elif part.kind_id == g.IDENTIFIER:
            w.bind(w.name(part), gate, part.start_byte)
    _scan_run(w, inside[comma + 1 : guard], gate)
    rest = [c for c in inside[guard + 1 :] if c.type != ","]
    if rest:
        _expression_tokens(w, rest, gate)
    w.frames.pop()
    return True


def _expressions(w: Walk, name: str, tokens: Node, gate: int, call: int) -> bool:
    """Walk the argument as a list of expressions when it parses as one; with `call`, each under the gate of its part."""
    children = tokens.children
    if len(children) <= 2:
        return True
    if children[0].type == "{":
        return False
    tree = parse_stretch(w.source, tokens, tokens)
    expression = _only_expression(tree.root_node)
    if expression is None or expression.has_error:
        return False
    w.frames.append({})
    arguments = expression.named_children
    if name not in EXPRESSION_MACROS:
        # A macro of the project may take a name as a type, a constant or no path at all.
        for argument in arguments:
            if argument.kind_id == g.IDENTIFIER:
                under = w.gate(gate, MacroGate(call, argument.start_byte), argument.start_byte)
                w.reference((w.name(argument),), m.Space.ANY, argument.start_byte, argument.end_byte, under)
        _visit_parts(w, [a for a in arguments if a.kind_id != g.IDENTIFIER], gate, call)
        w.frames.pop()
        return True
    if name in FORMATTING:
        arguments = [(c.child_by_field_id(g.F_RIGHT) or c) if c.kind_id == g.ASSIGNMENT else c for c in arguments]
    w.visit_children(arguments, gate)
    w.frames.pop()
    if name in FORMATTING:
        _captures(w, name, children, gate)
    return True


def _captures(w: Walk, name: str, tokens: Sequence[Node], gate: int) -> None:
    """`{NAME}` in a format string names a value (Reference of std::fmt, named parameters)."""
    named = {w.name(t) for t, after in itertools.pairwise(tokens) if after.type == "="}
    position = _FORMAT_AT.get(name, 0)
    for token in tokens[1:-1]:
        if token.type == "," and not token.is_named:
            position -= 1
        if position == 0 and token.kind_id == g.STRING_LITERAL:
            for found in _CAPTURE.finditer(w.source, token.start_byte, token.end_byte):
                captured = found.group(1).decode()
                if captured not in named:
                    w.reference((captured,), m.Space.VALUE, found.start(1), found.end(1), gate)
            return


def _expression_tokens(w: Walk, tokens: Sequence[Node], gate: int) -> None:
    """Walk a bare run of tokens as an expression, or else scan it for paths."""
    expression = _only_expression(parse_stretch(w.source, tokens[0], tokens[-1]).root_node)
    if expression is not None and not expression.has_error:
        w.visit(expression, gate)
    else:
        for token in tokens:
            if token.kind_id == g.TOKEN_TREE:
                _scan_paths(w, token, gate)


def _scan_paths(w: Walk, tokens: Node, gate: int, call: int = -1) -> None:
    """Record paths of two or more segments among tokens that nobody can parse; with `call`, under the gates of their parts."""
    stack = [tokens]
    while stack:
        tree = stack.pop()
        stack.extend(c for c in tree.named_children if c.kind_id == g.TOKEN_TREE)
        _scan_run(w, tree.children, gate, call)


def _scan_run(w: Walk, children: Sequence[Node], gate: int, call: int = -1) -> None:
    """Record the paths in one run of tokens, not those in its groups."""
    index = 0
    while index < len(children):
        child = children[index]
        if child.kind_id in (g.IDENTIFIER, g.CRATE, g.SELF, g.SUPER) and (
            index == 0 or children[index - 1].type not in ("::", ".", "$")
        ):
            index = _scan_one(w, children, index, gate, call)
        index += 1


def _scan_one(w: Walk, children: Sequence[Node], index: int, gate: int, call: int) -> int:
    first = children[index]
    if call >= 0:
        gate = w.gate(gate, MacroGate(call, first.start_byte), first.start_byte)
    path = [w.name(first)]
    end = first.end_byte
    while (
        index + 2 < len(children)
        and children[index + 1].type == "::"
        and children[index + 2].kind_id in (g.IDENTIFIER, g.SELF, g.SUPER)
    ):
        path.append(w.name(children[index + 2]))
        end = children[index + 2].end_byte
        index += 2
    following = children[index + 1].type if index + 1 < len(children) else ""
    if following == "!" and index + 2 < len(children) and children[index + 2].kind_id == g.TOKEN_TREE:
        w.reference(tuple(path), m.Space.MACRO, first.start_byte, end, gate)
    elif len(path) > 1 and following != "::":
        w.reference(tuple(path), m.Space.ANY, first.start_byte, end, gate)
    return index


def _identifiers(w: Walk, tokens: Node) -> tuple[str, ...]:
    """Every identifier in an invocation: the only names that a macro of the project can bring from outside itself.

    With a `*` among them if there is a glob import, which may bring any.
    """
    names: set[str] = set()
    stack = [tokens]
    while stack and len(names) < _MAX_NAMES:
        tree = stack.pop()
        before = ""
        for child in tree.children:
            if child.kind_id == g.TOKEN_TREE:
                stack.append(child)
            elif child.kind_id == g.IDENTIFIER:
                names.add(w.name(child))
            elif child.type == "*" and before == "::":
                names.add("*")
            before = child.type
    return tuple(sorted(names))


__all__ = ["EXPRESSION_MACROS", "FORMATTING", "Option", "invocation", "pattern"]

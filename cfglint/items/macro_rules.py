"""What a `macro_rules!` does with its argument, as far as it only gates it or passes it on.

`cfg_rt! { items }` is worth as much as `#[cfg(..)]` on each item; most conditions of some projects are written that
way. A rule that does anything else is opaque. Nothing is expanded here.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from cfglint.condition.predicate import Any, Literal, Option, Predicate, conjunction
from cfglint.items import model as m
from cfglint.items.walk import Node
from cfglint.syntax import grammar as g
from cfglint.syntax.attributes import attributes_of_metas, metas_of_tokens, name_of, predicate_of, text_of

_OPAQUE = m.MacroArm(False, True, Literal(True), ())
_SILENT = frozenset({"stringify", "concat", "compile_error", "include_str", "env", "option_env", "line", "file"})


class _Use(NamedTuple):
    """One place where a rule puts its argument: the gates around it and the macro it is handed to, if any."""

    predicate: Predicate
    nested: m.Path | None
    meta: Predicate | None = None
    meta_is_cfg: bool = False


def summarize(source: bytes, node: Node) -> tuple[tuple[m.MacroArm, ...], tuple[tuple[m.Path, int, int], ...]]:
    """The rules of a macro definition, and the `$crate` paths and macro calls in their bodies.

    Which of the paths a call compiles, and where, is not known here; macro calls in a body end in "!".
    """
    arms: list[m.MacroArm] = []
    paths: list[tuple[m.Path, int, int]] = []
    for rule in [c for c in node.named_children if c.kind_id == g.MACRO_RULE]:
        parts = [c for c in rule.named_children if c.kind_id not in g.COMMENTS]
        if len(parts) != 2 or rule.has_error:
            arms.append(_OPAQUE)
            continue
        matcher, body = parts
        arms.append(_arm(source, matcher, body))
        _collect(source, body, paths)
    return tuple(arms), tuple(paths)


def _collect(source: bytes, tree: Node, paths: list[tuple[m.Path, int, int]]) -> None:
    """`$crate` paths and macro calls below a token tree."""
    children = tree.children
    for index, child in enumerate(children):
        kind = child.kind_id
        if kind == g.CRATE or (kind == g.METAVARIABLE and text_of(source, child) == "$crate"):
            path = ["$crate"]
            end = child.end_byte
            at = index + 1
            while at + 1 < len(children) and children[at].type == "::" and children[at + 1].kind_id == g.IDENTIFIER:
                path.append(name_of(source, children[at + 1]))
                end = children[at + 1].end_byte
                at += 2
            if len(path) > 1:
                paths.append((tuple(path), child.start_byte, end))
        elif child.type == "!" and index > 0 and children[index - 1].kind_id == g.IDENTIFIER:
            paths.append(((name_of(source, children[index - 1]), "!"), child.start_byte, child.end_byte))
        elif kind in (g.TOKEN_TREE, g.TOKEN_REPETITION):
            _collect(source, child, paths)


def _arm(source: bytes, matcher: Node, body: Node) -> m.MacroArm:
    variables = _variables(source, matcher)
    takes_meta = any(kind == "meta" for kind in variables.values()) and text_of(source, matcher)[
        1:
    ].lstrip().startswith(("#!", "$(#!"))
    content = {name: kind for name, kind in variables.items() if kind not in ("meta", "vis", "lifetime")}
    if not content or any(kind in ("ident", "literal") for kind in content.values()):
        return _OPAQUE
    uses: list[_Use] = []
    kinds = set(content.values())
    if not _scan(source, body.children[1:-1], frozenset(content), uses, Literal(True), items=kinds <= {"item", "tt"}):
        return _OPAQUE
    if not uses or any(not _mentions(source, body, frozenset({name})) for name in content):
        return _OPAQUE  # what a rule drops is not compiled
    if any(use.nested is not None for use in uses):
        if len(uses) > 1 or uses[0].nested is None:
            return _OPAQUE
        return m.MacroArm(takes_meta, False, uses[0].predicate, (uses[0].nested,), uses[0].meta, uses[0].meta_is_cfg)
    predicates = tuple(dict.fromkeys(use.predicate for use in uses))
    return m.MacroArm(takes_meta, False, predicates[0] if len(predicates) == 1 else Any(predicates), ())


def _variables(source: bytes, matcher: Node) -> dict[str, str]:
    """Metavariables of a matcher and their fragment kinds."""
    found: dict[str, str] = {}
    stack = [matcher]
    while stack:
        node = stack.pop()
        if node.kind_id == g.TOKEN_BINDING_PATTERN:
            name, kind = node.child_by_field_id(g.F_NAME), node.child_by_field_id(g.F_TYPE)
            if name is not None and kind is not None:
                found[text_of(source, name)] = text_of(source, kind)
        else:
            stack.extend(node.named_children)
    return found


def _scan(
    source: bytes, tokens: Sequence[Node], wanted: frozenset[str], uses: list[_Use], gate: Predicate, *, items: bool
) -> bool:
    """Find where `wanted` variables go; False when the rule does more with them than gate or pass on."""
    pending: list[Predicate] = []
    index = 0
    while index < len(tokens):
        token = tokens[index]
        kind = token.kind_id
        following = tokens[index + 1] if index + 1 < len(tokens) else None
        if token.type == "#" and following is not None and following.kind_id == g.TOKEN_TREE:
            metas = metas_of_tokens(source, following.children[1:-1])
            gated = attributes_of_metas(metas).gate
            if len(metas) == 1 and metas[0].path and metas[0].path[0].startswith("$") and metas[0].args is None:
                gated = Option("#meta")
            if gated is not None:
                pending.append(gated)
            index += 2
            continue
        under = conjunction((*((gate,) if gate != Literal(True) else ()), *pending))
        if kind == g.METAVARIABLE:
            if text_of(source, token) in wanted:
                uses.append(_Use(under, None))
            pending = []
        elif kind == g.TOKEN_REPETITION:
            if pending:  # the attribute would only belong to the first repetition
                return False
            inner = token.children
            start = next((i for i, c in enumerate(inner) if c.type == "("), -1)
            end = max((i for i, c in enumerate(inner) if c.type == ")"), default=-1)
            if not _scan(source, inner[start + 1 : end], wanted, uses, under, items=items):
                return False
            pending = []
        elif kind == g.IDENTIFIER and following is not None and following.type == "!":
            path = _macro_path(source, tokens, index)
            content = tokens[index + 2] if index + 2 < len(tokens) else None
            if content is not None and content.kind_id == g.TOKEN_TREE and path[-1] not in _SILENT:
                inner_uses: list[_Use] = []
                inside, meta, is_cfg = _leading_meta(source, content.children[1:-1])
                if not _scan(source, inside, wanted, inner_uses, under, items=items):
                    return False
                if inner_uses:
                    if len({u.predicate for u in inner_uses}) > 1 or any(u.nested for u in inner_uses):
                        return False
                    uses.append(_Use(inner_uses[0].predicate, path, meta, is_cfg))
            elif content is not None and content.kind_id == g.TOKEN_TREE and _mentions(source, content, wanted):
                return False
            index += 3
            pending = []
            continue
        elif kind == g.TOKEN_TREE:
            if (
                items
                and _mentions(source, token, wanted)
                and index > 0
                and tokens[index - 1].kind_id in (g.IDENTIFIER, g.TOKEN_TREE, g.METAVARIABLE)
            ):
                return False
            if pending and _mentions(source, token, wanted) and token.children[0].type != "{":
                return False
            if not _scan(source, token.children[1:-1], wanted, uses, under, items=items):
                return False
            pending = []
        elif token.type in (";", ","):
            pending = []
        elif pending and token.is_named and not items:
            # a gated statement or expression of the rule's own: what it holds is not followed
            end = index
            while end < len(tokens) and tokens[end].type != ";":
                if _mentions(source, tokens[end], wanted):
                    return False
                end += 1
            index = end
            pending = []
        index += 1
    return True


def _leading_meta(source: bytes, tokens: Sequence[Node]) -> tuple[Sequence[Node], Predicate | None, bool]:
    """`#![meta]` at the head of what is passed to a nested macro, and the rest."""
    if len(tokens) < 3 or tokens[0].type != "#" or tokens[1].type != "!" or tokens[2].kind_id != g.TOKEN_TREE:
        return tokens, None, False
    metas = metas_of_tokens(source, tokens[2].children[1:-1])
    if len(metas) != 1:
        return tokens, None, False
    gate = attributes_of_metas(metas).gate
    return tokens[3:], predicate_of(metas[0]) if gate is None else gate, gate is not None


def _mentions(source: bytes, tree: Node, wanted: frozenset[str]) -> bool:
    stack = [tree]
    while stack:
        node = stack.pop()
        if node.kind_id == g.METAVARIABLE and text_of(source, node) in wanted:
            return True
        stack.extend(node.named_children)
    return False


def _macro_path(source: bytes, tokens: Sequence[Node], index: int) -> m.Path:
    """The path that ends in the identifier at `index` (before its `!`)."""
    path = [name_of(source, tokens[index])]
    while (
        index >= 2
        and tokens[index - 1].type == "::"
        and tokens[index - 2].kind_id in (g.IDENTIFIER, g.METAVARIABLE, g.CRATE)
    ):
        index -= 2
        path.insert(0, text_of(source, tokens[index]))
    return tuple(path)

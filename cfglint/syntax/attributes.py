"""Attributes: `#[path(args)]` and `#[path = "value"]` as values, `cfg` as predicates, `cfg_attr` expanded.

Reads both attribute nodes and the flat tokens of macro bodies. It does not know what any attribute other than
`cfg` and `cfg_attr` means.
Source: Reference, attributes and conditional compilation; rustc expands `cfg_attr` left to right and nested.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import tree_sitter

from cfglint.condition.predicate import All, Any, Invalid, Literal, Not, Option, Predicate, conjunction
from cfglint.syntax import grammar as g

ALWAYS = Literal(True)
MAX_NESTING = 128


class Meta(NamedTuple):
    """One meta item. `path` is empty when the tokens are none (a literal, or something unknown)."""

    path: tuple[str, ...]
    args: tuple[Meta, ...] | None
    value: str | None
    start: int
    end: int


class Attribute(NamedTuple):
    """An attribute other than `cfg`, with the predicate of the `cfg_attr`s around it."""

    when: Predicate
    meta: Meta


class Attributes(NamedTuple):
    """Everything the attributes of one node say: its gate (None when there is no cfg) and the rest."""

    gate: Predicate | None
    others: tuple[Attribute, ...]


NO_ATTRIBUTES = Attributes(None, ())


def text_of(source: bytes, node: tree_sitter.Node) -> str:
    """The node's text; bytes that are no UTF-8 are replaced."""
    return source[node.start_byte : node.end_byte].decode("utf-8", "replace")


@functools.lru_cache(maxsize=1 << 16)
def spelled_name(raw: bytes) -> str:
    """The name that these bytes spell: a raw identifier without its `r#`. Equal names are one string."""
    return raw.decode("utf-8", "replace").removeprefix("r#")


def name_of(source: bytes, node: tree_sitter.Node) -> str:
    """The node's text as a name: a raw identifier without its `r#`."""
    return spelled_name(source[node.start_byte : node.end_byte])


def metas_of_attributes(source: bytes, nodes: Iterable[tree_sitter.Node]) -> list[Meta]:
    """The meta items of `nodes` (attribute items, outer or inner), in source order."""
    metas: list[Meta] = []
    for node in nodes:
        start = node.start_byte
        text = source[start : node.end_byte]
        known = _known.get(text)
        if known is None:
            read = [attribute_meta(source, child) for child in node.named_children if child.kind_id == g.ATTRIBUTE]
            known = tuple([_moved(meta, -start) for meta in read])
            if len(text) < _KNOWN_BYTES and not node.has_error:
                if len(_known) >= _KNOWN_TEXTS:
                    _known.clear()
                _known[text] = known
        metas += [_moved(meta, start) for meta in known]
    return metas


_known: dict[bytes, tuple[Meta, ...]] = {}
"""Attributes that have been read, by their text, with offsets from its start. Most attributes are a few over and over."""
_KNOWN_TEXTS = 4096
_KNOWN_BYTES = 256


def _moved(meta: Meta, by: int) -> Meta:
    path, args, value, start, end = meta
    return Meta(path, args and tuple([_moved(arg, by) for arg in args]), value, start + by, end + by)


def read_attributes(source: bytes, nodes: Iterable[tree_sitter.Node]) -> Attributes:
    """What the attributes of `nodes` say (attribute items, outer or inner)."""
    return attributes_of_metas(metas_of_attributes(source, nodes))


def attributes_of_metas(metas: Iterable[Meta]) -> Attributes:
    """What attributes with these meta items say, `cfg_attr`s expanded."""
    gates: list[Predicate] = []
    others: list[Attribute] = []
    for meta in metas:
        _expand(meta, ALWAYS, gates, others)
    return Attributes(conjunction(tuple(gates)) if gates else None, tuple(others))


def attribute_meta(source: bytes, node: tree_sitter.Node) -> Meta:
    """The meta item of an `attribute` node; `unsafe(...)` is looked through."""
    start, end = node.start_byte, node.end_byte
    parts = node.named_children
    if len(parts) == 1 and parts[0].kind_id != g.TOKEN_TREE:
        return Meta(_attribute_path(source, parts[0]), None, None, start, end)
    args = node.child_by_field_id(g.F_ARGUMENTS)
    value = node.child_by_field_id(g.F_VALUE)
    path = _attribute_path(source, parts[0]) if parts and parts[0] not in (args, value) else ()
    inner = read_metas(source, args) if args is not None else None
    if path == ("unsafe",) and inner:
        return inner[0]
    literal = _string(source, value) if value is not None else None
    return Meta(path, inner, literal, start, end)


def _attribute_path(source: bytes, node: tree_sitter.Node) -> tuple[str, ...]:
    return tuple(part.strip().removeprefix("r#") for part in text_of(source, node).split("::"))


def read_metas(source: bytes, token_tree: tree_sitter.Node, depth: int = 0) -> tuple[Meta, ...]:
    """The comma-separated meta items between the delimiters of `token_tree`."""
    return metas_of_tokens(source, token_tree.children[1:-1], depth)


def metas_of_tokens(source: bytes, tokens: Sequence[tree_sitter.Node], depth: int = 0) -> tuple[Meta, ...]:
    """The comma-separated meta items of a flat run of tokens."""
    result: list[Meta] = []
    group: list[tree_sitter.Node] = []
    for token in tokens:
        if token.kind_id in g.COMMENTS:
            continue
        if token.kind_id == g.COMMA:
            result.append(_meta(source, group, depth))
            group = []
        else:
            group.append(token)
    if group:
        result.append(_meta(source, group, depth))
    return tuple(result)


def _meta(source: bytes, group: Sequence[tree_sitter.Node], depth: int) -> Meta:
    if not group or depth > MAX_NESTING:
        return Meta((), None, None, 0, 0)
    start, end = group[0].start_byte, group[-1].end_byte
    path: list[str] = []
    index = 0
    while index < len(group):
        node = group[index]
        if node.kind_id == g.BOOLEAN_LITERAL and not path:
            path.append("=" + text_of(source, node))
        elif node.kind_id == g.TOKEN_TREE:
            break
        elif node.is_named and node.kind_id not in (g.STRING_LITERAL, g.RAW_STRING_LITERAL, g.INTEGER_LITERAL):
            path.append(name_of(source, node))
        elif node.type in ("::", "crate", "self", "super") or (node.type.isidentifier() and not path):
            if node.type != "::":
                path.append(node.type)
        else:
            break
        index += 1
    rest = group[index:]
    if not rest:
        return Meta(tuple(path), None, None, start, end)
    if len(rest) == 1 and rest[0].kind_id == g.TOKEN_TREE:
        return Meta(tuple(path), read_metas(source, rest[0], depth + 1), None, start, end)
    if len(rest) == 2 and rest[0].type == "=":
        literal = _string(source, rest[1])
        if literal is not None:
            return Meta(tuple(path), None, literal, start, end)
        return (
            Meta(tuple(path), None, text_of(source, rest[1]), start, end) if path else Meta((), None, None, start, end)
        )
    return Meta((), None, text_of(source, group[0]), start, end)


def _string(source: bytes, node: tree_sitter.Node) -> str | None:
    if node.kind_id == g.RAW_STRING_LITERAL:
        text = text_of(source, node).lstrip("r")
        hashes = len(text) - len(text.lstrip("#"))
        return text[hashes + 1 : len(text) - hashes - 1]
    if node.kind_id == g.STRING_LITERAL:
        return text_of(source, node)[1:-1]
    return None


def predicate_of(meta: Meta) -> Predicate:
    """The cfg predicate that a meta item spells; `Invalid` for what rustc's stable channel rejects."""
    if len(meta.path) != 1:
        return Invalid("::".join(meta.path) or (meta.value or ""))
    name = meta.path[0]
    if name in ("=true", "=false"):
        return Literal(name == "=true")
    if meta.args is not None:
        args = tuple(predicate_of(arg) for arg in meta.args)
        if name == "all":
            return All(args)
        if name == "any":
            return Any(args)
        if name == "not" and len(args) == 1:
            return Not(args[0])
        return Invalid(name)
    return Option(name, meta.value)


def _expand(meta: Meta, when: Predicate, gates: list[Predicate], others: list[Attribute], depth: int = 0) -> None:
    if meta.path == ("cfg",) and meta.args is not None:
        gate = predicate_of(meta.args[0]) if len(meta.args) == 1 else Invalid("cfg")
        gates.append(gate if when is ALWAYS else Any((Not(when), gate)))
    elif meta.path == ("cfg_attr",) and meta.args and depth < MAX_NESTING:
        condition = predicate_of(meta.args[0])
        inner = condition if when is ALWAYS else All((when, condition))
        for arg in meta.args[1:]:
            _expand(arg, inner, gates, others, depth + 1)
    else:
        others.append(Attribute(when, meta))

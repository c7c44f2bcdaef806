"""cfgs among the tokens of a macro: attributes, and the branches of `cfg_if!` and `cfg_select!`.

What they mean is said by syntax.attributes; here is only their reading from tokens.
Source: Reference, conditional compilation; documentation of the crate cfg-if and of `std::cfg_select`.
"""

from __future__ import annotations

from collections.abc import Sequence

from cfglint.condition.predicate import All, Literal, Not, Option, Predicate, conjunction
from cfglint.items.fragments import Fragments
from cfglint.items.macro_tokens import Kind, Stream, Token, UncertainError, flattened
from cfglint.syntax.attributes import MAX_NESTING, Meta, attributes_of_metas, predicate_of

_UNKNOWN = Meta((), None, None, 0, 0)


def attribute_gate(tokens: Sequence[Token]) -> Predicate | None:
    """The gate of an attribute with these tokens in its brackets; `#[test]` is one."""
    found = attributes_of_metas(metas(tokens))
    gates = [found.gate] if found.gate is not None else []
    if any(a.meta.path and a.meta.path[-1] in ("test", "bench") and a.when == Literal(True) for a in found.others):
        gates.append(Option("test"))
    return conjunction(tuple(gates)) if gates else None


def has_gate(tokens: Sequence[Token]) -> bool:
    """Whether an attribute with these tokens says anything about configurations."""
    return attribute_gate(tokens) is not None


def metas(tokens: Sequence[Token], depth: int = 0) -> tuple[Meta, ...]:
    """The comma-separated meta items in a run of tokens without fragments."""
    stream = Stream(tokens)
    result: list[Meta] = []
    start = i = 0
    while i < len(tokens):
        if stream.at(i) == ",":
            result.append(_meta(tokens[start:i], depth))
            start = i = i + 1
        else:
            i = stream.after(i)
    if start < len(tokens):
        result.append(_meta(tokens[start:], depth))
    return tuple(result)


def _meta(tokens: Sequence[Token], depth: int) -> Meta:
    if not tokens or depth > MAX_NESTING:
        return _UNKNOWN
    path: list[str] = []
    i = 0
    while i < len(tokens) and (tokens[i].kind is Kind.IDENT or tokens[i].text == ":"):
        if tokens[i].kind is Kind.IDENT:
            truth = tokens[i].text in ("true", "false")
            path.append(("=" if truth else "") + tokens[i].text.removeprefix("r#"))
        i += 1
    rest = tokens[i:]
    if not rest:
        return Meta(tuple(path), None, None, 0, 0)
    if rest[0].kind is Kind.OPEN and Stream(rest).close[0] == len(rest) - 1:
        inner = metas(rest[1:-1], depth + 1)
        if path == ["unsafe"] and inner:
            return inner[0]
        return Meta(tuple(path), inner, None, 0, 0)
    if len(rest) == 2 and rest[0].text == "=" and rest[1].kind is Kind.LITERAL:
        return Meta(tuple(path), None, _value(rest[1].text), 0, 0)
    return Meta((), None, rest[0].text, 0, 0)


def _value(literal: str) -> str:
    if literal.startswith("r"):
        literal = literal[1:].strip("#")
    return literal[1:-1] if literal.startswith('"') else literal


def if_branches(f: Fragments, i: int, end: int) -> list[tuple[Predicate, int, int]]:
    """The branches of `cfg_if!`: what must hold, and the group of each. Raises UncertainError on anything else."""
    before: list[Predicate] = []
    branches: list[tuple[Predicate, int, int]] = []
    while i < end:
        if f.at(i) == "else" and f.at(i + 1) == "{":
            after = f.group(i + 1, "{")
            branches.append((All(tuple(Not(p) for p in before)), i + 1, after))
            if after != end:
                raise UncertainError
            break
        i += bool(before) and f.at(i) == "else"
        i = f.expect(f.expect(i, "if"), "#")
        after = f.group(i, "[")
        found = metas(flattened(f.stream.tokens[i + 1 : after - 1]))
        if len(found) != 1 or found[0].path != ("cfg",) or not found[0].args:
            raise UncertainError
        predicate = predicate_of(found[0].args[0])
        i = f.group(after, "{")
        branches.append((All((predicate, *(Not(p) for p in before))), after, i))
        before.append(predicate)
    return branches


def select_arms(f: Fragments, i: int, end: int) -> list[tuple[Predicate, int, int]]:
    """The arms of `cfg_select!`: what must hold, and the payload of each. Raises UncertainError on anything else."""
    before: list[Predicate] = []
    arms: list[tuple[Predicate, int, int]] = []
    while i < end:
        start = i
        while f.at(i) != "=>":
            if i >= end:
                raise UncertainError
            i = f.stream.after(i)
        found = metas(flattened(f.stream.tokens[start:i]))
        if len(found) != 1:
            raise UncertainError
        predicate: Predicate = Literal(True) if found[0].path == ("_",) else predicate_of(found[0])
        i += 2
        after = f.group(i, "{") if f.at(i) == "{" else f.expression(i)
        arms.append((All((predicate, *(Not(p) for p in before))), i, after))
        before.append(predicate)
        i = after + (f.at(after) == ",")
    return arms

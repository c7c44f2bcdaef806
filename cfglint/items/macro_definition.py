"""A `macro_rules!` definition as data: compiled matchers and parsed transcribers.

Nothing is matched here. Metavariable expressions (`${..}`, unstable) are not understood.
Source: Reference, macros by example; rustc_expand's `mbe::quoted`.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import NamedTuple, TypeAlias

from cfglint.items.declaring import Declares, declares
from cfglint.items.macro_tokens import (
    DOC,
    OWN,
    Kind,
    Stream,
    Token,
    UncertainError,
    lex_definition,
    spelled,
    split_last,
)

FRAGMENTS = frozenset("block expr expr_2021 ident item lifetime literal meta pat pat_param path stmt tt ty vis".split())


class Variable(NamedTuple):
    """`$name`, in a matcher with a fragment specifier."""

    name: str
    kind: str


class Repetition(NamedTuple):
    """`$( .. ) separator operator`."""

    parts: tuple[Part, ...]
    separator: tuple[Token, ...]
    operator: str


Part: TypeAlias = "Token | Variable | Repetition"


class Rule(NamedTuple):
    """One rule: the compiled matcher, and the transcriber, which is None when it is not understood.

    `declares` is what the transcriber may declare.
    """

    places: tuple[Place, ...]
    body: tuple[Part, ...] | None
    declares: Declares


class Definition(NamedTuple):
    """A macro: its name and rules."""

    name: str
    rules: tuple[Rule, ...]


class Place(NamedTuple):
    """One step of a compiled matcher.

    `what` is "token" (text), "variable" (text: name, kind), "repeat" (names, target: after it), "again" (text: the
    operator, target: the first step inside) after a repetition without separator, "separator" (text) and "next"
    (target), which follow one with a separator, or "end".
    """

    what: str
    text: str = ""
    kind: str = ""
    target: int = -1
    names: tuple[str, ...] = ()


@functools.lru_cache(maxsize=4096)
def definition(source: bytes, start: int, origin: int = OWN) -> Definition:
    """The macro whose name stands at `start`; its tokens are marked as being of `origin`.

    Raises UncertainError where a rule is not understood.
    """
    name, tokens = lex_definition(source, start, origin)
    while tokens[0].fragment == DOC:
        del tokens[0]
    if tokens[0].text == "!":
        raise UncertainError
    stream = Stream(tokens)
    if stream.close[0] != len(tokens) - 1:
        raise UncertainError
    rules: list[Rule] = []
    i = 1
    while i < len(tokens) - 1:
        end = _group_end(stream, i)
        parts, names = _matcher(Stream(tokens[i + 1 : end - 1]))
        places: list[Place] = []
        _compile(parts, places)
        places.append(Place("end"))
        if stream.at(end) != "=>":
            raise UncertainError
        body = _group_end(stream, end + 2)
        rules.append(_rule(places, names, tokens[end + 3 : body - 1]))
        i = body
        if i < len(tokens) - 1:
            if stream.at(i) != ";":
                raise UncertainError
            i += 1
    return Definition(name, tuple(rules))


def _rule(places: list[Place], variables: list[str], body: Sequence[Token]) -> Rule:
    names = frozenset(variables)
    try:
        return Rule(tuple(places), _transcriber(Stream(body), names), declares(body, names))
    except UncertainError:
        return Rule(tuple(places), None, declares(body, names))


def _group_end(stream: Stream, i: int) -> int:
    if not stream.is_kind(i, Kind.OPEN):
        raise UncertainError
    return stream.close[i] + 1


def _matcher(stream: Stream) -> tuple[tuple[Part, ...], list[str]]:
    parts: list[Part] = []
    names: list[str] = []
    i = 0
    while i < len(stream):
        token = stream.tokens[i]
        if token.fragment == DOC:
            i += 1
        elif token.text != "$" or token.kind is not Kind.PUNCT or stream.at(i + 1) == "crate":
            parts.append(token)
            i += 1
        elif stream.at(i + 1) == "(":
            end = stream.close[i + 1]
            inner, inner_names = _matcher(Stream(stream.tokens[i + 2 : end]))
            separator, operator, i = _repetition_operator(stream, end + 1)
            parts.append(Repetition(inner, separator, operator))
            names += inner_names
        elif stream.is_kind(i + 1, Kind.IDENT) and stream.at(i + 2) == ":" and stream.at(i + 3) in FRAGMENTS:
            names.append(stream.at(i + 1).removeprefix("r#"))
            parts.append(Variable(names[-1], stream.at(i + 3)))
            i += 4
        else:
            raise UncertainError
    if len(set(names)) != len(names):
        raise UncertainError
    return tuple(parts), names


def _transcriber(stream: Stream, variables: frozenset[str]) -> tuple[Part, ...]:
    parts: list[Part] = []
    i = 0
    while i < len(stream):
        token = stream.tokens[i]
        following = stream.at(i + 1)
        if token.kind is not Kind.PUNCT or token.text != "$":
            parts.append(token)
            i += 1
        elif following == "crate":
            parts.append(
                Token(Kind.IDENT, "$crate", token.start, stream.tokens[i + 1].end, joint=False, order=token.order)
            )
            i += 2
        elif following == "(":
            end = stream.close[i + 1]
            inner = _transcriber(Stream(stream.tokens[i + 2 : end]), variables)
            separator, operator, i = _repetition_operator(stream, end + 1)
            parts.append(Repetition(inner, separator, operator))
        elif following in ("{", "$"):
            raise UncertainError
        elif (name := following.removeprefix("r#")) in variables:
            parts.append(Variable(name, ""))
            i += 2
        else:
            parts.append(token)
            i += 1
    return tuple(parts)


def _repetition_operator(stream: Stream, i: int) -> tuple[tuple[Token, ...], str, int]:
    """The separator and operator after `$( .. )`, and the position after them."""
    if i < len(stream) and stream.tokens[i].kind is Kind.PUNCT and stream.tokens[i].text in "*+?":
        return (), stream.tokens[i].text, i + 1
    if i >= len(stream) or stream.tokens[i].kind in (Kind.OPEN, Kind.CLOSE):
        raise UncertainError
    after = stream.after(i)
    if stream.at(after)[:1] not in ("*", "+", "?"):
        raise UncertainError
    return split_last(stream.tokens[i:after]), stream.tokens[after].text, after + 1


def _compile(parts: Sequence[Part], places: list[Place]) -> None:
    run: list[Token] = []

    def tokens() -> None:
        # operators are whole tokens of the matcher: `$a:expr =>` holds one token after the variable
        i = 0
        stream = _Unpaired(run)
        while i < len(run):
            text, length = stream.spelling(i)
            places.append(Place("token", text))
            i += length
        run.clear()

    for part in parts:
        if isinstance(part, Token):
            run.append(part)
            continue
        tokens()
        if isinstance(part, Variable):
            kind = part.kind
            places.append(Place("variable", part.name, kind))
            continue
        names = tuple(variables_of(part.parts))
        at = len(places)
        places.append(Place("repeat"))
        _compile(part.parts, places)
        if part.separator:
            places.append(Place("separator", "".join(t.text for t in part.separator)))
            places.append(Place("next", target=at + 1))
        else:
            places.append(Place("again", part.operator, target=at + 1))
        places[at] = Place("repeat", part.operator, target=len(places), names=names)
    tokens()
    for at in range(len(places) - 1):
        following = places[at + 1].what in ("token", "separator") and places[at + 1].text == "|"
        if places[at].what == "variable" and places[at].kind == "pat" and following:
            # only editions before 2021 allow this, and there `pat` has no alternatives
            places[at] = places[at]._replace(kind="pat_param")


def variables_of(parts: Sequence[Part]) -> list[str]:
    """The names of the metavariables in some parts, also in repetitions."""
    names: list[str] = []
    for part in parts:
        if isinstance(part, Variable):
            names.append(part.name)
        elif isinstance(part, Repetition):
            names += variables_of(part.parts)
    return names


class _Unpaired(Stream):
    """Tokens of which no group need be whole."""

    __slots__ = ()

    def __init__(self, tokens: Sequence[Token]) -> None:
        self.tokens = tokens
        self.known = spelled(tokens)
        self.close = []

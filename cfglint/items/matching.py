"""Matching the tokens of a call against the rules of a `macro_rules!`.

The matcher keeps all places of a rule where it may be at once, as rustc does, parses a fragment only when that is the
one way to go on, and gives up where rustc would report an ambiguity. What rustc's edition decides is not guessed.
Source: Reference, macros by example; rustc_expand's `macro_parser`.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

from cfglint.items.fragments import Fragments
from cfglint.items.item_extents import item, meta, visibility
from cfglint.items.macro_tokens import OWN, Kind, Stream, Token, UncertainError, lex_definition, split_last
from cfglint.items.type_extents import PATH_WORDS, RESERVED

FRAGMENTS = frozenset("block expr expr_2021 ident item lifetime literal meta pat pat_param path stmt tt ty vis".split())


@dataclass(frozen=True, slots=True)
class Capture:
    """The tokens that a metavariable stands for."""

    kind: str
    tokens: tuple[Token, ...]


Binding: TypeAlias = "Capture | tuple[Binding, ...]"


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
    """One rule: the compiled matcher, and the tokens of its transcriber without the delimiters."""

    places: tuple[Place, ...]
    variables: tuple[str, ...]
    body: tuple[Token, ...]


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
        rules.append(Rule(tuple(places), tuple(names), tuple(tokens[end + 3 : body - 1])))
        i = body
        if i < len(tokens) - 1:
            if stream.at(i) != ";":
                raise UncertainError
            i += 1
    return Definition(name, tuple(rules))


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
        if token.text != "$" or token.kind is not Kind.PUNCT or stream.at(i + 1) == "crate":
            parts.append(token)
            i += 1
        elif stream.at(i + 1) == "(":
            end = stream.close[i + 1]
            inner, inner_names = _matcher(Stream(stream.tokens[i + 2 : end]))
            separator, operator, i = repetition_operator(stream, end + 1)
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


def repetition_operator(stream: Stream, i: int) -> tuple[tuple[Token, ...], str, int]:
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
        names = tuple(_names(part.parts))
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


def _names(parts: Sequence[Part]) -> list[str]:
    names: list[str] = []
    for part in parts:
        if isinstance(part, Variable):
            names.append(part.name)
        elif isinstance(part, Repetition):
            names += _names(part.parts)
    return names


class _Unpaired(Stream):
    """Tokens of which no group need be whole."""

    __slots__ = ()

    def __init__(self, tokens: Sequence[Token]) -> None:
        self.tokens = tokens
        self.close = []


class _Event(NamedTuple):
    """What happened on the way to a place, the latest first."""

    before: _Event | None
    what: str
    names: tuple[str, ...] = ()
    capture: Capture | None = None


class _Thread(NamedTuple):
    place: int
    events: _Event | None


def match_rule(rule: Rule, stream: Stream) -> dict[str, Binding] | None:
    """The metavariables of `rule` for these tokens; None when they do not match.

    Raises UncertainError where rustc reports an error instead of trying the next rule, and where it is not certain.
    """
    fragments = Fragments(stream)
    current = [_Thread(0, None)]
    i = 0
    total = len(stream)
    while True:
        text, length = stream.spelling(i) if i < total else ("", 0)
        is_fragment = i < total and stream.tokens[i].kind is Kind.FRAGMENT
        literal, variables, ends = _step(rule, current, None if is_fragment else text, fragments, i)
        if i >= total:
            if len(ends) > 1:
                raise UncertainError
            return _bindings(ends[0].events) if ends else None
        if len(variables) > 1 or (variables and literal):
            raise UncertainError
        if literal:
            current = literal
            i += length
        elif variables:
            thread = variables[0]
            place = rule.places[thread.place]
            end = fragment_end(fragments, i, place.kind)
            capture = Capture(place.kind, split_last(stream.tokens[i:end]))
            current = [_Thread(thread.place + 1, _Event(thread.events, "bind", (place.text,), capture))]
            i = end
        else:
            return None


def _step(
    rule: Rule, threads: list[_Thread], text: str | None, fragments: Fragments, i: int
) -> tuple[list[_Thread], list[_Thread], list[_Thread]]:
    """Where one token leads: the threads that take it as it is, those that want a fragment, those at the end."""
    literal: list[_Thread] = []
    variables: list[_Thread] = []
    ends: list[_Thread] = []
    pending = threads
    budget = 10_000
    while pending:
        budget -= 1
        if budget == 0:
            raise UncertainError
        thread = pending.pop()
        at, events = thread
        place = rule.places[at]
        match place.what:
            case "token":
                if text == place.text:
                    literal.append(_Thread(at + 1, events))
            case "repeat":
                if place.text in ("*", "?"):
                    pending.append(_Thread(place.target, _Event(events, "skip", place.names)))
                pending.append(_Thread(at + 1, _Event(events, "enter", place.names)))
            case "again":
                pending.append(_Thread(at + 1, _Event(events, "exit")))
                if place.text != "?":
                    pending.append(_Thread(place.target, _Event(events, "next")))
            case "separator":
                pending.append(_Thread(at + 2, _Event(events, "exit")))
                if text == place.text:
                    literal.append(_Thread(at + 1, events))
            case "next":
                pending.append(_Thread(place.target, _Event(events, "next")))
            case "variable":
                if i < len(fragments.stream) and may_begin(fragments, i, place.kind):
                    variables.append(thread)
            case _:
                ends.append(thread)
    return literal, variables, ends


def _bindings(events: _Event | None) -> dict[str, Binding]:
    order: list[_Event] = []
    while events is not None:
        order.append(events)
        events = events.before
    root: dict[str, Binding] = {}
    frames: list[tuple[tuple[str, ...], list[dict[str, Binding]]]] = [((), [root])]
    for event in reversed(order):
        iteration = frames[-1][1][-1]
        if event.what == "bind":
            assert event.capture is not None
            iteration[event.names[0]] = event.capture
        elif event.what == "skip":
            iteration.update(dict.fromkeys(event.names, ()))
        elif event.what == "enter":
            frames.append((event.names, [{}]))
        elif event.what == "next":
            frames[-1][1].append({})
        else:
            names, iterations = frames.pop()
            for name in names:
                frames[-1][1][-1][name] = tuple(one[name] for one in iterations)
    return root


_TYPE_STARTS = frozenset("( [ ! * & && ? ' < << <- ::".split())
_TYPE_WORDS = frozenset("_ for impl fn unsafe extern typeof dyn".split())
_PATTERN_STARTS = frozenset('( [ & && - " .. ... :: < << <-'.split())


def may_begin(f: Fragments, i: int, kind: str) -> bool:
    """Whether rustc would try to parse a fragment of that kind at this token."""
    here = f.at(i)
    identifier = f.stream.is_kind(i, Kind.IDENT)
    closing = f.stream.is_kind(i, Kind.CLOSE)
    match kind:
        case "tt" | "item" | "stmt":
            return not closing
        case "ident":
            return identifier and here != "_"
        case "lifetime":
            return here in ("'", "$lifetime")
        case "literal":
            return here in ('"', "-", "true", "false", "$literal")
        case "vis":
            return here in (",", "$vis") or identifier or _may_begin_type(f, i)
        case "block":
            return here in ("{", "$block")
        case "path":
            return here in ("::", "$path") or identifier
        case "meta":
            return here in ("::", "$meta", "$path") or identifier
        case "ty":
            return _may_begin_type(f, i)
        case "pat" | "pat_param":
            return (
                identifier
                or here in _PATTERN_STARTS
                or (kind == "pat" and here in ("|", "||"))
                or here
                in (
                    "$pat",
                    "$pat_param",
                    "$literal",
                    "$path",
                    "$expr",
                )
            )
        case _:
            if here in ("const", "_") and kind == "expr":  # since edition 2024
                raise UncertainError
            return here not in ("let", "const", "_") and f.may_begin_expression(i)


def _may_begin_type(f: Fragments, i: int) -> bool:
    here = f.at(i)
    if f.stream.is_kind(i, Kind.IDENT):
        return here not in RESERVED or here in PATH_WORDS or here in _TYPE_WORDS
    return here in _TYPE_STARTS or here in ("$ty", "$path", "$lifetime")


def fragment_end(f: Fragments, i: int, kind: str) -> int:
    """Where the fragment of that kind that begins at `i` ends."""
    if f.at(i) == "$" + kind:
        return i + 1
    match kind:
        case "tt":
            return f.stream.after(i)
        case "ident" | "lifetime":
            return i + 1
        case "item":
            return item(f, i)
        case "stmt":
            return f.statement(i)
        case "block":
            return f.block(i)
        case "expr" | "expr_2021":
            return f.expression(i)
        case "ty":
            return f.type(i)
        case "pat":
            return f.pattern(i)
        case "pat_param":
            return f.single_pattern(i)
        case "path":
            return f.path(i, in_type=True)
        case "meta":
            return meta(f, i)
        case "vis":
            return visibility(f, i)
        case _:
            return f.expect(i, "-") + 1 if f.at(i) == "-" else i + 1

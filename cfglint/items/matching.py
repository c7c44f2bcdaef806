"""Matching the tokens of a call against the rules of a `macro_rules!`.

The matcher keeps all places of a rule where it may be at once, as rustc does, parses a fragment only when that is the
one way to go on, and gives up where rustc would report an ambiguity. What rustc's edition decides is not guessed.
Source: Reference, macros by example; rustc_expand's `macro_parser`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

from cfglint.items.fragments import Fragments
from cfglint.items.item_extents import item, meta, visibility
from cfglint.items.macro_definition import Rule
from cfglint.items.macro_tokens import Kind, Stream, Token, UncertainError, lex_call, split_last
from cfglint.items.type_extents import PATH_WORDS, RESERVED


@dataclass(frozen=True, slots=True)
class Capture:
    """The tokens that a metavariable stands for."""

    kind: str
    tokens: tuple[Token, ...]


Binding: TypeAlias = "Capture | tuple[Binding, ...]"


class _Event(NamedTuple):
    """What happened on the way to a place, the latest first."""

    before: _Event | None
    what: str
    names: tuple[str, ...] = ()
    capture: Capture | None = None


class _Thread(NamedTuple):
    place: int
    events: _Event | None


def arguments(source: bytes, start: int, end: int) -> Stream:
    """The tokens between the delimiters of the invocation at `start..end`.

    Raises UncertainError when there is none.
    """
    tokens = lex_call(source, start, end)
    stream = Stream(tokens)
    for i in range(len(tokens) - 1):
        if tokens[i].text == "!" and tokens[i + 1].kind is Kind.OPEN:
            return Stream(tokens[i + 2 : stream.close[i + 1]])
    raise UncertainError


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
    if f.at(i) == "$" + kind and kind not in ("expr", "expr_2021", "pat", "pat_param"):
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

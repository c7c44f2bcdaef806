"""What a call of a `macro_rules!` compiles of its argument, and under which cfgs: one expansion, read symbolically.

The call is matched and transcribed as rustc does it, and the result is read for the conditions around each captured
piece: attributes of the macro's own, and `cfg_if!` and `cfg_select!` in it. Calls of the macro to itself are expanded
too. What other macros do with a piece is not known here unless `lookup` gives their definitions: the piece names them.
The source texts of nested definitions are never searched here.
Source: Reference, macros by example; conditional compilation.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, TypeAlias

from cfglint.condition.predicate import Predicate, conjunction
from cfglint.items.expanded import BodyPath, Expansion, MadeItem, Piece
from cfglint.items.fragments import Fragments
from cfglint.items.gate_tokens import attribute_gate, has_gate, if_branches, select_arms
from cfglint.items.item_extents import element
from cfglint.items.macro_definition import Definition, definition
from cfglint.items.macro_tokens import OWN, Kind, Stream, Token, UncertainError, flattened
from cfglint.items.made_items import declaration
from cfglint.items.matching import arguments, match_rule
from cfglint.items.model import Path
from cfglint.items.std_macros import EXPRESSION_MACROS
from cfglint.items.transcribing import transcribe
from cfglint.items.type_extents import PATH_WORDS, RESERVED, Role

Lookup: TypeAlias = Callable[[Path], "tuple[bytes, int] | None"]
"""Source and start of the name of the macro that a path in the expansion means, if that is certain."""

_SILENT = frozenset(
    "stringify concat compile_error include include_str include_bytes env option_env line column file module_path cfg "
    "concat_idents".split()
)
_TRANSPARENT = EXPRESSION_MACROS | {"thread_local", "addr_of", "addr_of_mut"}
_ROOTS = frozenset({"$crate", "crate"})
_MAX_DEPTH = 64
_MAX_TOKENS = 10_000


class _Context(NamedTuple):
    """Where the walk stands."""

    gates: tuple[Predicate, ...] = ()
    nested: tuple[Path, ...] = ()
    scoped: bool = False

    def under(self, gate: Predicate | None) -> _Context:
        return self if gate is None or gate in self.gates else self._replace(gates=(*self.gates, gate))


class _Run(NamedTuple):
    """A piece that may still grow: token numbers and bytes."""

    context: _Context
    kind: str
    first: int
    last: int
    start: int
    end: int
    notable: bool


def expand(
    macro_source: bytes,
    name_start: int,
    call_source: bytes,
    call_start: int,
    call_end: int,
    lookup: Lookup | None = None,
) -> Expansion | None:
    """Expand one call; None when no rule matches, or when it is not certain which does, or how.

    `name_start` is where the name in `macro_rules! name` stands, `call_start..call_end` is the whole invocation.
    With `lookup`, macros that the expansion calls are expanded as well; it returns None for those not known for certain.
    """
    try:
        macro = definition(macro_source, name_start)
        given = arguments(call_source, call_start, call_end)
        walk = _Walk(lookup)
        arm = walk.expand(macro, given, _Context(), depth=0)
    except (UncertainError, RecursionError):
        return None
    return None if arm is None else walk.result(arm)


class _Walk:
    """The pieces and paths found so far."""

    def __init__(self, lookup: Lookup | None) -> None:
        self.lookup = lookup
        self.runs: list[_Run] = []
        self.paths: dict[BodyPath, None] = {}
        self.complete = True
        self.plain = True
        self.items: dict[MadeItem, None] = {}
        self.budget = _MAX_TOKENS
        self.macro: list[tuple[Definition, int]] = []
        self.origins: dict[tuple[bytes, int], int] = {}

    def result(self, arm: int) -> Expansion:
        pieces = [
            Piece(r.start, r.end, r.kind, conjunction(r.context.gates), r.context.nested, r.context.scoped)
            for r in self.runs
            if r.notable
        ]
        paths, items = tuple(self.paths), tuple(self.items)
        return Expansion(arm, tuple(dict.fromkeys(pieces)), paths, self.complete, items, self.plain)

    def expand(self, macro: Definition, given: Stream, context: _Context, depth: int) -> int | None:
        """Match and transcribe `macro`, then walk what it writes. Gives the rule that matched."""
        for number, rule in enumerate(macro.rules):
            bindings = match_rule(rule, given)
            if bindings is None:
                continue
            if rule.body is None:
                self.complete = False
                return number
            try:
                stream = Stream(transcribe(rule.body, bindings))
            except UncertainError:
                self.complete = False
                return number
            self.budget -= len(stream)
            self.macro.append((macro, depth))
            self._statements(Fragments(stream), 0, len(stream), context)
            self.macro.pop()
            return number
        return None

    # Sequences

    def _statements(self, f: Fragments, i: int, end: int, context: _Context) -> None:
        """Items, statements or an expression; what is none of these is searched for pieces all the same."""
        while i < end and f.at(i) == "#" and f.at(i + 1) == "!":
            gate = None if f.stream.tokens[i].from_call else self._gate(f, i + 2)
            if context.nested and not f.stream.tokens[i].from_call and gate is None:
                self.complete = False  # an argument of the macro that gets it
            after = f.group(i + 2, "[")
            self._emit_captured(f, i, after, context)
            context = context.under(gate)
            i = after
        while i < end:
            start = i
            i, own, foreign = self._attributes(f, i, end)
            if i >= end:
                self._emit_captured(f, start, i, context)
                break
            if f.at(i) in (";", ","):
                self._emit_captured(f, start, i + 1, context)
                i += 1
                continue
            inner = context
            for gate in own:
                inner = inner.under(gate)
            try:
                after = f.statement(i) if not own else _whole_statement(f, i, end)
            except UncertainError:
                if own:
                    self.complete = False
                self.plain &= context.scoped
                self._emit_captured(f, start, i, inner)
                self._flat(f, i, end, inner)
                return
            self._element(f, start, i, after, inner, foreign)
            i = after

    def _list(self, f: Fragments, i: int, end: int, context: _Context, role: Role) -> None:
        """Elements between commas."""
        try:
            plan = self._elements(f, i, end, context, role)
        except UncertainError:
            self.plain &= context.scoped
            self._flat(f, i, end, context)
            return
        position = i
        for start, begin, after, inner, foreign in plan:
            self._emit_captured(f, position, start, context)
            self._element(f, start, begin, after, inner, foreign)
            position = after
        self._emit_captured(f, position, end, context)

    def _elements(
        self, f: Fragments, i: int, end: int, context: _Context, role: Role
    ) -> list[tuple[int, int, int, _Context, list[Predicate]]]:
        plan: list[tuple[int, int, int, _Context, list[Predicate]]] = []
        while i < end:
            start = i
            i, own, foreign = self._attributes(f, i, end)
            if i >= end:
                break
            inner = context
            for gate in own:
                inner = inner.under(gate)
            after = element(f, i, role)
            plan.append((start, i, after, inner, foreign))
            i = after
            if f.at(i) in (",", ";"):
                i += 1
            elif i < end and role is not Role.ARMS:
                raise UncertainError
        return plan

    def _element(
        self, f: Fragments, start: int, begin: int, end: int, context: _Context, foreign: list[Predicate]
    ) -> None:
        """One thing with the attributes before it. Those of the caller count when the thing is not all the caller's."""
        if foreign and not all(token.from_call for token in f.stream.tokens[begin:end]):
            for gate in foreign:
                context = context.under(gate)
        else:
            self._emit_captured(f, start, begin, context)
        if not context.scoped:
            self._note_item(f, begin, context)
        self._flat(f, begin, end, context)

    def _note_item(self, f: Fragments, i: int, context: _Context) -> None:
        """Take down what the item at `i` declares at the call."""
        try:
            found = declaration(f, i)
        except UncertainError:
            self.plain = False
        else:
            if found is not None:
                self.items[MadeItem(found, conjunction(context.gates))] = None

    def _attributes(self, f: Fragments, i: int, end: int) -> tuple[int, list[Predicate], list[Predicate]]:
        """Pass outer attributes: the position after them, the gates the macro writes, and those of the caller."""
        own: list[Predicate] = []
        foreign: list[Predicate] = []
        while i < end and f.at(i) == "#":
            opening = i + 1 + (f.at(i + 1) == "!")
            if f.at(opening) != "[":
                break
            gate = self._gate(f, opening)
            if gate is not None:
                (foreign if f.stream.tokens[i].from_call else own).append(gate)
            i = f.stream.close[opening] + 1
        return i, own, foreign

    def _gate(self, f: Fragments, opening: int) -> Predicate | None:
        return attribute_gate(flattened(f.stream.tokens[opening + 1 : f.stream.close[opening]]))

    # Tokens

    def _flat(self, f: Fragments, i: int, end: int, context: _Context) -> None:
        """Everything in one run of tokens whose own conditions are known."""
        tokens = f.stream.tokens
        while i < end:
            token = tokens[i]
            if token.kind is Kind.IDENT:
                i = self._path(f, i, end, context)
            elif token.kind is Kind.FRAGMENT:
                if token.from_call:
                    self._emit(token, token, context)
                elif token.inner:
                    inner = Fragments(Stream(token.inner))
                    self._statements(inner, 0, len(token.inner), context)
                i += 1
            elif token.kind is Kind.OPEN:
                close = f.stream.close[i]
                if token.from_call:
                    self._emit(token, tokens[close], context)
                else:
                    self._group(f, i, context)
                i = close + 1
            elif token.text == "#" and not token.from_call and f.at(i + 1 + (f.at(i + 1) == "!")) == "[":
                opening = i + 1 + (f.at(i + 1) == "!")
                if has_gate(flattened(tokens[opening + 1 : f.stream.close[opening]])):
                    self.complete = False
                i = f.stream.close[opening] + 1
            else:
                if token.from_call:
                    self._emit(token, token, context)
                i += 1

    def _group(self, f: Fragments, i: int, context: _Context) -> None:
        braces = f.at(i) == "{"
        role = f.roles.get(i, Role.STATEMENTS if braces else Role.ARGUMENTS)
        if braces:
            context = context._replace(scoped=True)
        if role is Role.STATEMENTS:
            self._statements(f, i + 1, f.stream.close[i], context)
        else:
            self._list(f, i + 1, f.stream.close[i], context, role)

    def _path(self, f: Fragments, i: int, end: int, context: _Context) -> int:
        """A path, or any other word, that begins at `i`; gives the position after it."""
        tokens = f.stream.tokens
        segments = [i]
        after = i + 1
        while f.at(after) == "::" and after + 2 < end and tokens[after + 2].kind is Kind.IDENT:
            segments.append(after + 2)
            after += 3
        path = tuple(tokens[s].text.removeprefix("r#") for s in segments)
        is_word = f.at(i) in RESERVED and f.at(i) not in PATH_WORDS
        if f.at(after) == "!" and not is_word and after + 1 < end:
            if path == ("macro_rules",):
                return f.stream.after(after + 2)
            if tokens[after + 1].kind is Kind.OPEN and not tokens[after + 1].from_call:
                self._emit_captured(f, i, after, context)
                if i >= 2 and f.at(i - 2) == "::":
                    path = ("", *path)
                own = all(tokens[s].order == OWN for s in segments)
                if own and not context.nested:
                    self._note_path(path, tokens[i].start, tokens[after - 1].end, context, is_macro=True)
                self._call(f, path, after + 1, context)
                return f.stream.close[after + 1] + 1
        written = next((n for n, s in enumerate(segments) if tokens[s].order != OWN), len(segments))
        if written > 1 and path[0] in _ROOTS and not context.nested and (i < 2 or f.at(i - 2) != "::"):
            is_call = written == len(segments) and f.at(after) == "("
            where = tokens[i].start, tokens[segments[written - 1]].end
            self._note_path(path[:written], *where, context, is_macro=False, is_call=is_call)
        self._emit_captured(f, i, after, context)
        return after

    def _note_path(
        self, path: Path, start: int, end: int, context: _Context, *, is_macro: bool, is_call: bool = False
    ) -> None:
        self.paths[BodyPath(path, start, end, conjunction(context.gates), is_macro, is_call)] = None

    # Macro calls in the expansion

    def _call(self, f: Fragments, path: Path, opening: int, context: _Context) -> None:
        """What is handed to another macro."""
        close = f.stream.close[opening]
        name = path[-1]
        rooted = len(path) == 1 or path[0] in ("", "std", "core", "alloc")
        if name in _SILENT and rooted:
            return
        if name in _TRANSPARENT and rooted:
            self._list(f, opening + 1, close, context, Role.ARGUMENTS)
            return
        if name in ("cfg_if", "cfg_select") and not self._is_self(path):
            self._choice(f, name, opening, context)
            return
        if not context.nested:
            target = self._definition(path)
            if target is not None and self._expand_nested(target, f, opening, context):
                return
            if self._is_self(path):
                self.complete = False
        self.plain &= context.scoped
        self._statements(f, opening + 1, close, context._replace(nested=(*context.nested, path)))

    def _is_self(self, path: Path) -> bool:
        return path[-1] == self.macro[-1][0].name and (len(path) == 1 or (len(path) == 2 and path[0] in _ROOTS))

    def _definition(self, path: Path) -> Definition | None:
        if self._is_self(path):
            return self.macro[-1][0]
        found = self.lookup(path) if self.lookup is not None else None
        if found is None:
            return None
        origin = self.origins.setdefault(found, OWN - 1 - len(self.origins))
        try:
            return definition(*found, origin)
        except UncertainError:
            return None

    def _expand_nested(self, target: Definition, f: Fragments, opening: int, context: _Context) -> bool:
        depth = self.macro[-1][1] + 1
        if depth > _MAX_DEPTH or self.budget < 0:
            return False
        given = Stream(f.stream.tokens[opening + 1 : f.stream.close[opening]])
        try:
            return self.expand(target, given, context, depth) is not None
        except UncertainError:
            return False

    def _choice(self, f: Fragments, name: str, opening: int, context: _Context) -> None:
        """`cfg_if!` or `cfg_select!` around pieces."""
        choose = if_branches if name == "cfg_if" else select_arms
        try:
            branches = choose(f, opening + 1, f.stream.close[opening])
        except UncertainError:
            self.complete = self.plain = False
            self._flat(f, opening + 1, f.stream.close[opening], context)
            return
        for gate, start, end in branches:
            inner = context.under(gate)
            if f.stream.close[start] == end - 1 and f.at(start) == "{" and not f.stream.tokens[start].from_call:
                self._statements(f, start + 1, end - 1, inner)
            else:
                self._flat(f, start, end, inner)

    # Pieces

    def _emit_captured(self, f: Fragments, i: int, end: int, context: _Context) -> None:
        """The caller's tokens in a run that holds nothing else of interest."""
        while i < end:
            token = f.stream.tokens[i]
            last = max(i, f.stream.close[i])
            if token.from_call:
                self._emit(token, f.stream.tokens[last], context)
            i = last + 1

    def _emit(self, first: Token, last: Token, context: _Context) -> None:
        kind = first.fragment
        notable = any(t.kind not in (Kind.PUNCT, Kind.LIFETIME) for t in first.inner or (first,))
        run = _Run(context, kind, first.order, last.order, first.start, last.end, notable)
        before = self.runs[-1] if self.runs else None
        if (
            before is not None
            and kind == before.kind == "tt"
            and before.last + 1 == run.first
            and before.context == context
        ):
            notable = notable or before.notable
            self.runs[-1] = run._replace(first=before.first, start=before.start, notable=notable)
        else:
            self.runs.append(run)


def _whole_statement(f: Fragments, start: int, end: int) -> int:
    """Where a gated statement ends. Raises UncertainError when something follows that follows no statement."""
    after = f.statement(start)
    last = f.stream.tokens[after - 1]
    if (
        after >= end
        or f.at(after) in (";", ",")
        or last.text in ("}", ";")
        or (last.kind is Kind.FRAGMENT and last.fragment in ("item", "stmt", "block"))
    ):
        return after
    raise UncertainError

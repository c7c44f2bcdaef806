"""How far a fragment of Rust reaches in a stream of tokens: statements and expressions, and what they are made of.

This is rustc's grammar without the insides of delimiters: a group is one unit, and what it is (a block, match arms,
fields) is noted for whoever wants to look inside. It accepts more than rustc does, which is harmless: rustc does not
try the next rule of a macro when a fragment fails to parse, it reports an error.
Source: Reference, the grammar of each construct; rustc_parse's `parse_nonterminal`.
"""

from __future__ import annotations

from collections.abc import Callable

from cfglint.items.macro_tokens import Kind, UncertainError
from cfglint.items.type_extents import PATH_WORDS, RESERVED, Role, Types

_EXPRESSION_WORDS = frozenset(
    "async do box break const continue false for if let loop match move return true try unsafe while yield static "
    "become gen".split()
)
_EXPRESSION_STARTS = frozenset("( [ { \" ' ! - * | || & && .. ... ..= < << <- :: #".split())
_BINARY = frozenset("+ - * / % ^ & | && || << >> == != < > <= >= = += -= *= /= %= ^= &= |= <<= >>= <-".split())
_EXPRESSION_FRAGMENTS = frozenset({"$expr", "$literal", "$block", "$path", "$ty"})


class Fragments(Types):
    """Extents in one stream: each method takes a position and gives the one after the construct.

    All raise UncertainError when the tokens are not that construct for certain.
    """

    __slots__ = ()

    def may_begin_expression(self, i: int) -> bool:
        """Whether rustc would try to parse an expression here."""
        here = self.at(i)
        if self.stream.is_kind(i, Kind.IDENT):
            return here not in RESERVED or here in PATH_WORDS or here in _EXPRESSION_WORDS
        return here in _EXPRESSION_STARTS or here in _EXPRESSION_FRAGMENTS or here == "$lifetime"

    def expression(self, i: int) -> int:
        """Pass an expression."""
        return self._binary(self._unary(i, self._literal), self._literal)

    def condition(self, i: int) -> int:
        """Pass the expression of an `if` or `match`, where `{` does not begin a struct literal."""
        return self._binary(self._unary(i, self._no_literal), self._no_literal)

    def _literal(self, i: int) -> int:
        return self.group(i, "{", Role.INITIALIZERS) if self.at(i) == "{" else i

    def _no_literal(self, i: int) -> int:
        return i

    def _binary(self, i: int, literal: Callable[[int], int]) -> int:
        while True:
            here = self.at(i)
            if not self.stream.is_kind(i, Kind.PUNCT):
                if here != "as":
                    return i
                i = self.type_without_bounds(i + 1)
            elif here in _BINARY:
                i = self._unary(i + (1 if here == "<-" else len(here)), literal)
            elif here in ("..", "..=", "..."):
                i = self._optional(i + len(here), literal)
            else:
                return i

    def _optional(self, i: int, literal: Callable[[int], int]) -> int:
        if not self.may_begin_expression(i) or (self.at(i) == "{" and literal == self._no_literal):
            return i
        return self._binary(self._unary(i, literal), literal)

    def _unary(self, i: int, literal: Callable[[int], int]) -> int:
        i = self.attributes(i)
        here = self.at(i)
        if self.stream.is_kind(i, Kind.PUNCT):
            if here in ("-", "*", "!"):
                return self._unary(i + 1, literal)
            if here in ("&", "&&"):
                i += len(here)
                if self.at(i) == "raw" and self.at(i + 1) in ("const", "mut"):
                    i += 2
                return self._unary(i + (self.at(i) == "mut"), literal)
            if here in ("..", "..=", "..."):
                return self._optional(i + len(here), literal)
            if here in ("|", "||"):
                return self._closure(i, literal)
        if here in ("return", "break", "yield", "become"):
            i += 1
            if here == "break" and self.at(i) in ("'", "$lifetime") and self.at(i + 1) != ":":
                i += 1
            return self._optional(i, literal)
        if here == "continue":
            return i + 1 + (self.at(i + 1) in ("'", "$lifetime"))
        if here == "let":
            i = self.expect(self.pattern(i + 1), "=")
            return self._unary(i, literal)
        if here == "for" and self.at(i + 1) == "<":
            return self._closure(self.generics(i + 1), literal)
        if here in ("move", "async", "static", "const") and self._closes_over(i):
            return self._closure(i, literal)
        return self._postfix(self._primary(i, literal))

    def _closes_over(self, i: int) -> bool:
        while self.at(i) in ("move", "async", "static", "const"):
            i += 1
        return self.at(i) in ("|", "||")

    def _closure(self, i: int, literal: Callable[[int], int]) -> int:
        while self.at(i) in ("move", "async", "static", "const"):
            i += 1
        if self.at(i) == "||":
            i += 2
        else:
            i = self.expect(i, "|")
            while self.at(i) != "|":
                i = self.single_pattern(self.attributes(i))
                if self.at(i) == ":":
                    i = self.type(i + 1)
                if self.at(i) == ",":
                    i += 1
                elif self.at(i) != "|":
                    raise UncertainError
            i += 1
        if self.at(i) == "->":
            i = self.type_without_bounds(i + 2)
            return self.block(i)
        return self._binary(self._unary(i, literal), literal)

    def block(self, i: int) -> int:
        """Pass a block."""
        return i + 1 if self.at(i) == "$block" else self.group(i, "{", Role.STATEMENTS)

    def is_block_like(self, i: int) -> bool:
        """Whether an expression begins here that ends a statement with its `}`."""
        here = self.at(i)
        if here in ("'", "$lifetime"):
            return self.at(i + 1) == ":"
        if here in ("unsafe", "try", "const"):
            return self.at(i + 1) in ("{", "$block")
        if here in ("async", "gen"):
            return self.at(i + 1) in ("{", "$block") or (self.at(i + 1) == "move" and self.at(i + 2) == "{")
        return here in ("{", "$block", "if", "match", "while", "loop") or (here == "for" and self.at(i + 1) != "<")

    def _primary(self, i: int, literal: Callable[[int], int]) -> int:
        here = self.at(i)
        if self.is_block_like(i):
            return self._block_like(i)
        if here in ('"', "true", "false", "$expr", "$literal", "_"):
            return i + 1
        if here in ("(", "["):
            return self.any_group(i)
        start = i
        i = self.path(i, in_type=False)
        if here == "$ty" and i == start + 1:
            if self.at(i) not in ("{", "("):
                raise UncertainError
        if self.at(i) == "!" and self.stream.is_kind(i + 1, Kind.OPEN):
            return self.any_group(i + 1)
        return literal(i)

    def _block_like(self, i: int) -> int:
        here = self.at(i)
        if here in ("'", "$lifetime"):
            i += 2
            here = self.at(i)
        if here == "if":
            i = self.block(self.condition(i + 1))
            if self.at(i) == "else":
                return self._block_like(i + 1)
            return i
        if here == "match":
            return self.group(self.condition(i + 1), "{", Role.ARMS)
        if here == "while":
            return self.block(self.condition(i + 1))
        if here == "for":
            i = self.expect(self.pattern(i + 1), "in")
            return self.block(self.condition(i))
        if here in ("loop", "unsafe", "try", "const"):
            return self.block(i + 1)
        if here in ("async", "gen"):
            return self.block(i + 1 + (self.at(i + 1) == "move"))
        return self.block(i)

    def _postfix(self, i: int) -> int:
        while True:
            here = self.at(i)
            if here == "?":
                i += 1
            elif here in ("(", "["):
                i = self.any_group(i)
            elif here == ".":
                i += 1
                if self.at(i) in ('"', "$literal"):
                    i += 1
                    continue
                if not self.stream.is_kind(i, Kind.IDENT):
                    raise UncertainError
                i += 1
                if self.at(i) == "::":
                    i = self.generics(i + 2)
            else:
                return i

    def statement_expression(self, i: int) -> int:
        """Pass an expression in statement position: one that ends with a block goes on only by `.` or `?`."""
        start = self.attributes(i)
        if self.is_block_like(start):
            end = self._block_like(start)
            if self.at(end) not in (".", "?"):
                return end
            return self._binary(self._postfix(end), self._literal)
        braced = self._braced_macro(start)
        if braced and self.at(braced) not in (".", "?"):
            return braced
        return self.expression(start)

    def _braced_macro(self, i: int) -> int:
        """The end of a macro call with braces, which is a statement of its own; 0 when there is none."""
        if not self.stream.is_kind(i, Kind.IDENT) and self.at(i) not in ("::", "$path"):
            return 0
        try:
            i = self.path(i, in_type=False)
        except UncertainError:
            return 0
        return self.group(i + 1, "{") if self.at(i) == "!" and self.at(i + 1) == "{" else 0

    def statement(self, i: int) -> int:
        """Pass a statement, without the semicolon that ends a `let` or an expression."""
        from cfglint.items.item_extents import is_item, item  # the two grammars contain each other

        start = self.attributes(i)
        here = self.at(start)
        if here in ("$stmt", "$item", ";"):
            return start + 1
        if is_item(self, start):
            return item(self, start)
        if here != "let":
            return self.statement_expression(start)
        i = self.pattern(start + 1)
        if self.at(i) == ":":
            i = self.type(i + 1)
        if self.at(i) == "=":
            i = self.expression(i + 1)
            if self.at(i) == "else":
                i = self.block(i + 1)
        return i

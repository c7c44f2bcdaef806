"""How far a path, a type or a pattern reaches in a stream of tokens.

The part of the grammar of fragments.py that holds no code. Nothing is interpreted.
Source: Reference, paths, types, generics, patterns.
"""

from __future__ import annotations

import enum
from collections.abc import Callable

from cfglint.items.macro_tokens import Kind, Stream, UncertainError


class Role(enum.IntEnum):
    """What the group at some position holds."""

    STATEMENTS = 0
    INITIALIZERS = 1
    FIELDS = 2
    VARIANTS = 3
    ARMS = 4
    PARAMETERS = 5
    TUPLE = 6
    ARGUMENTS = 7
    PATTERN_FIELDS = 8


PATH_WORDS = frozenset({"self", "super", "crate", "Self", "$crate"})
RESERVED = frozenset(
    "as async await break const continue crate dyn else enum extern false fn for if impl in let loop match mod move mut "
    "pub ref return self Self static struct super trait true type unsafe use where while abstract become box do final "
    "macro override priv typeof unsized virtual yield try gen _".split()
)


class Types:
    """Extents in one stream: each method takes a position and gives the one after the construct.

    All raise UncertainError when the tokens are not that construct for certain.
    """

    __slots__ = ("known", "roles", "stream")

    def __init__(self, stream: Stream) -> None:
        self.stream = stream
        self.known = stream.known
        self.roles: dict[int, Role] = {}
        """What the groups that have been passed hold; other `{` hold statements, other groups arguments."""

    # Tokens

    def at(self, i: int) -> str:
        """See Stream.at."""
        return self.known[i]

    def expect(self, i: int, text: str) -> int:
        """Pass one token."""
        if self.at(i) != text:
            raise UncertainError
        return i + len(text) if self.stream.is_kind(i, Kind.PUNCT) else i + 1

    def group(self, i: int, delimiter: str, role: Role | None = None) -> int:
        """Pass a group."""
        if self.at(i) != delimiter or self.stream.close[i] < 0:
            raise UncertainError
        if role is not None:
            self.roles[i] = role
        return self.stream.close[i] + 1

    def any_group(self, i: int, role: Role | None = None) -> int:
        """Pass a group with any delimiter."""
        if not self.stream.is_kind(i, Kind.OPEN):
            raise UncertainError
        return self.group(i, self.at(i), role)

    def char(self, i: int, text: str) -> bool:
        """Whether this character is an operator's first, be it one of several: a type splits `>>`."""
        return self.stream.is_kind(i, Kind.PUNCT) and self.stream.tokens[i].text == text

    def word(self, i: int) -> bool:
        """Whether an identifier that is no keyword stands here (contextual keywords are identifiers)."""
        return self.stream.is_kind(i, Kind.IDENT) and self.at(i) not in RESERVED

    def name(self, i: int) -> int:
        """Pass a declared name; `[<a _b>]` is one to the macro `paste!`."""
        if self.at(i) == "[" and self.at(i + 1) == "<":
            return self.group(i, "[")
        if not (self.word(i) or self.at(i) == "_"):
            raise UncertainError
        return i + 1

    def attributes(self, i: int) -> int:
        """Pass any outer or inner attributes."""
        while self.at(i) == "#":
            opening = i + 2 if self.at(i + 1) == "!" else i + 1
            if self.at(opening) != "[":
                raise UncertainError
            i = self.group(opening, "[")
        return i

    # Paths and types

    def generics(self, i: int) -> int:
        """Pass `<..>`: arguments or parameters."""
        if not self.char(i, "<"):
            raise UncertainError
        i += 1
        while not self.char(i, ">"):
            i = self._generic(i)
            if self.at(i) == ",":
                i += 1
            elif not self.char(i, ">"):
                raise UncertainError
        return i + 1

    def _generic(self, i: int) -> int:
        i = self.attributes(i)
        here = self.at(i)
        if here == "'" or here == "$lifetime":
            return self.bounds(i + 2) if self.at(i + 1) == ":" else i + 1
        if here == "const":
            i = self.expect(self.name(i + 1), ":")
            i = self.type(i)
            return self._constant(i + 1) if self.at(i) == "=" else i
        if here in ('"', "{", "-", "true", "false", "$literal", "$expr", "$block"):
            return self._constant(i)
        i = self.type(i)
        if self.at(i) == ":":
            i = self.bounds(i + 1)
        if self.char(i, "="):
            i = self._constant(i + 1) if self.at(i + 1) in ('"', "{", "-", "true", "false") else self.type(i + 1)
        return i

    def _constant(self, i: int) -> int:
        if self.at(i) == "{":
            return self.group(i, "{")
        i += self.at(i) == "-"
        if self.at(i) in ('"', "true", "false", "$literal", "$expr", "$block") or self.word(i):
            return i + 1
        raise UncertainError

    def path(self, i: int, *, in_type: bool) -> int:
        """Pass a path; in types `<` opens arguments and `Fn(A) -> B` is one segment, in expressions `::<` does."""
        here = self.at(i)
        if here in ("<", "<<", "<-", "<=") and self.char(i, "<"):
            i = self.type(i + 1)
            if self.at(i) == "as":
                i = self.path(i + 1, in_type=True)
            if not self.char(i, ">"):
                raise UncertainError
            i = self.expect(i + 1, "::")
        elif here == "::":
            i += 2
        elif here in ("$path", "$ty"):
            if self.at(i + 1) != "::":
                return i + 1
            i += 3
        while True:
            if not (self.word(i) or self.at(i) in PATH_WORDS):
                raise UncertainError
            i += 1
            if in_type and self.at(i) in ("<", "<<", "<-"):
                i = self.generics(i)
            elif in_type and self.at(i) == "(":
                i = self.group(i, "(")
                if self.at(i) == "->":
                    i = self.type_without_bounds(i + 2)
            if self.at(i) != "::":
                return i
            after = i + 2
            if self.char(after, "<"):
                i = self.generics(after)
                if self.at(i) != "::":
                    return i
                after = i + 2
            elif in_type and self.at(after) == "(":
                i = self.group(after, "(")
                return self.type_without_bounds(i + 2) if self.at(i) == "->" else i
            if self.at(after) in ("{", "*"):
                return i
            i = after

    def bounds(self, i: int) -> int:
        """Pass `A + 'a + ?Sized`, perhaps nothing."""
        while True:
            here = self.at(i)
            if here in ("'", "$lifetime"):
                i += 1
            elif here == "(":
                i = self.group(i, "(")
            elif here == "use" and self.at(i + 1) == "<":
                i = self.generics(i + 1)
            elif (
                here in ("?", "~", "for", "::", "$path", "$ty", "async", "const", "<", "!", "[")
                or self.word(i)
                or here in PATH_WORDS
            ):
                i = self._bound(i)
            else:
                return i
            if self.at(i) != "+":
                return i
            i += 1

    def _bound(self, i: int) -> int:
        if self.at(i) == "[":
            i = self.group(i, "[")
        while self.at(i) in ("?", "~", "async", "const", "!"):
            i += 1
        if self.at(i) == "for":
            i = self.generics(i + 1)
        while self.at(i) in ("?", "~", "async", "const"):
            i += 1
        return self.path(i, in_type=True)

    def type_without_bounds(self, i: int) -> int:
        """Pass a type that `+` ends."""
        return self.type(i, self._no_bounds)

    def _no_bounds(self, i: int) -> int:
        return i

    def _more_bounds(self, i: int) -> int:
        return self.bounds(i + 1) if self.at(i) == "+" else i

    def type(self, i: int, more: Callable[[int], int] | None = None) -> int:
        """Pass a type."""
        more = more or self._more_bounds
        here = self.at(i)
        if here in ("&", "&&"):
            i += len(here)
            i += self.at(i) in ("'", "$lifetime")
            i += self.at(i) == "mut"
            if self.at(i) in ("dyn", "impl"):  # `&dyn A + B` is an error; `&dyn A` is not
                return self._bound(i + 1) if self.at(i + 1) != "(" else self.group(i + 1, "(")
            return self.type_without_bounds(i)
        if here == "*":
            if self.at(i + 1) not in ("const", "mut"):
                raise UncertainError
            return self.type_without_bounds(i + 2)
        if here == "(":
            return more(self.group(i, "("))
        if here == "[":
            return self.group(i, "[")
        if here in ("!", "_", "$ty"):
            return self.path(i, in_type=True) if here == "$ty" and self.at(i + 1) == "::" else i + 1
        if here == "impl" or (here == "dyn" and self.at(i + 1) != "::"):
            return self._bound(i + 1) if more == self._no_bounds and self.at(i + 1) != "'" else self.bounds(i + 1)
        if here in ("'", "?", "$lifetime"):
            return self.bounds(i)
        if here == "for":
            i = self.generics(i + 1)
            here = self.at(i)
        if here in ("unsafe", "extern", "fn", "safe"):
            while self.at(i) != "fn":
                if self.at(i) not in ("unsafe", "extern", '"', "safe", "$literal"):
                    raise UncertainError
                i += 1
            i = self.group(i + 1, "(", Role.PARAMETERS)
            return self.type_without_bounds(i + 2) if self.at(i) == "->" else i
        i = self.path(i, in_type=True)
        if self.at(i) == "!" and self.stream.is_kind(i + 1, Kind.OPEN):
            return self.any_group(i + 1)
        return more(i)

    # Patterns

    def pattern(self, i: int) -> int:
        """Pass a pattern with alternatives."""
        if self.at(i) in ("|", "||"):
            i += 1
        i = self.single_pattern(i)
        while self.at(i) == "|":
            i = self.single_pattern(i + 1)
        return i

    def single_pattern(self, i: int) -> int:
        """Pass a pattern without alternatives at its top."""
        here = self.at(i)
        if here in ("&", "&&"):
            i += len(here)
            return self.single_pattern(i + (self.at(i) == "mut"))
        if here in ("(", "["):
            return self.any_group(i)
        if here in ("_", "$pat", "$pat_param"):
            return i + 1
        if here in ("..", "..=", "..."):
            return self._range_end(i + len(here))
        if here == "box":
            return self.single_pattern(i + 1)
        if here in ("ref", "mut"):
            i = self.name(i + 1 + (here == "ref" and self.at(i + 1) == "mut"))
            return self.single_pattern(i + 1) if self.at(i) == "@" else i
        if here in ('"', "-", "true", "false", "$literal", "$expr"):
            i = self._constant(i)
        else:
            if self.word(i) and self.at(i + 1) == "@":
                return self.single_pattern(i + 2)
            i = self.path(i, in_type=False)
            if self.at(i) == "!" and self.stream.is_kind(i + 1, Kind.OPEN):
                return self.any_group(i + 1)
            if self.at(i) == "(":
                return self.group(i, "(")
            if self.at(i) == "{":
                return self.group(i, "{", Role.PATTERN_FIELDS)
        here = self.at(i)
        return self._range_end(i + len(here)) if here in ("..", "..=", "...") else i

    def _range_end(self, i: int) -> int:
        here = self.at(i)
        if here in ('"', "-", "$literal", "$expr"):
            return self._constant(i)
        if self.word(i) or here in PATH_WORDS or here in ("::", "<", "$path"):
            return self.path(i, in_type=False) if here != "if" else i
        return i

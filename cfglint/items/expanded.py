"""What one expansion of a macro comes to: pieces of the call, paths of the macro's own, and items that it makes.

Values only; `expansion` makes them.
"""

from __future__ import annotations

from dataclasses import dataclass

from cfglint.condition.predicate import Predicate
from cfglint.items.made_items import Declaration
from cfglint.items.model import Path


@dataclass(frozen=True, slots=True, order=True)
class Piece:
    """Bytes of the call that are compiled, at one of the places where the macro puts them.

    `kind` is the fragment specifier; neighbouring `tt`s are one piece. `nested` are the macros, outermost first, that
    get the piece instead of the compiler. `scoped`: it stands in an item or block of the macro's own, so that what it
    declares is not declared at the call.
    """

    start: int
    end: int
    kind: str
    predicate: Predicate
    nested: tuple[Path, ...] = ()
    scoped: bool = False


@dataclass(frozen=True, slots=True, order=True)
class BodyPath:
    """A path that the macro itself writes, with its offsets in the macro's file. It is resolved at each call.

    `is_call`: a parenthesis follows, so that it means a function or a tuple-like type.
    """

    path: Path
    start: int
    end: int
    predicate: Predicate
    is_macro: bool
    is_call: bool = False


@dataclass(frozen=True, slots=True, order=True)
class MadeItem:
    """An item that the expansion declares at the call, and when."""

    declaration: Declaration
    predicate: Predicate


@dataclass(frozen=True, slots=True)
class Expansion:
    """The first rule that matches, and what it makes of the call.

    Where it is `plain`, `items` are all that it declares beside what it is given. When it is not `complete`, nothing
    follows from a piece's predicate or from its absence.
    """

    arm: int
    pieces: tuple[Piece, ...]
    paths: tuple[BodyPath, ...]
    complete: bool
    items: tuple[MadeItem, ...] = ()
    plain: bool = False

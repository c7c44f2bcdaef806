"""What is said of a reference that may fail: absences, doubts, and their parts. Values only."""

from __future__ import annotations

import enum
from dataclasses import dataclass

from cfglint.condition.diagram import FALSE, Condition
from cfglint.items import model as m
from cfglint.nameres.model import Def, Found


class Kind(enum.Enum):
    """What is absent."""

    ITEM = "item"
    MACRO = "macro"
    CRATE = "crate"
    MEMBER = "member"
    FOREIGN = "foreign"
    OWN_LIBRARY = "own library"
    STD = "std"
    NEVER = "never"
    FIELD_GIVEN = "field of a pattern"
    FIELD_MISSING = "missing field"
    FIELD_UNMATCHED = "field that a pattern leaves out"
    VARIANT_UNMATCHED = "variant that no arm matches"
    NOT_IN_TRAIT = "item that the trait lacks"
    NOT_IN_IMPL = "item that the impl lacks"


LACKING = frozenset({Kind.FIELD_MISSING, Kind.FIELD_UNMATCHED, Kind.VARIANT_UNMATCHED, Kind.NOT_IN_IMPL})
"""A use names less than there is: nothing is configured out."""

DISAGREEMENTS = LACKING | {Kind.FIELD_GIVEN, Kind.NOT_IN_TRAIT}
"""What is no name that cannot be resolved: a use of a type or trait and its declaration do not agree."""


@dataclass(frozen=True, slots=True)
class Supplier:
    """A declaration that gives the absent name in other configurations. `start` is an offset, -1 for a manifest entry.

    `condition` is in the words of the root; `own` in those of the crate with number `crate`, which declares it.
    """

    file: str
    start: int
    kind: str
    name: str
    condition: Condition
    crate: int
    own: Condition


@dataclass(frozen=True, slots=True)
class Absence:
    """A reference and where it certainly fails. `segment` is the first one that is absent there.

    `raw` is where it resolves, with the features of other crates still in their own (qualified) words;
    `is_foreign_platform` whether it only fails on targets that the workspace does not name; `macro` is the macro of
    another crate that names the path, "" where the code does so itself. `gate` and `members` are of uses that disagree
    with a declaration: the gate of the use, and what is declared.
    """

    kind: Kind
    mount: int
    start: int
    end: int
    path: m.Path
    segment: int
    space: m.Space | None
    context: Condition
    resolved: Condition
    failing: Condition
    suppliers: tuple[Supplier, ...]
    scope: int
    raw: Condition = FALSE
    is_foreign_platform: bool = False
    macro: str = ""
    gate: int = -1
    members: tuple[Def, ...] = ()


@dataclass(frozen=True, slots=True)
class Doubt:
    """A reference that fails or not depending on something unknown."""

    mount: int
    start: int
    reason: str


@dataclass(frozen=True, slots=True)
class Question:
    """A path that may fail: where it is looked up (`scope`), and what its first n + 1 segments mean (`prefixes[n]`).

    The last of `prefixes` has its condition in the words of the root. `locals` are gated local variables of the name,
    as (gate, offset); `judged` is the import (scope, index) whose own path this is.
    """

    mount: int
    scope: int
    path: m.Path
    space: m.Space | None
    context: Condition
    prefixes: tuple[Found, ...]
    locals: tuple[tuple[int, int], ...] = ()
    judged: tuple[int, int] | None = None

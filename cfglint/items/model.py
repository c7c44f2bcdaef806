"""The ItemTree: everything name resolution needs to know about one file, and nothing about any other.

All indices are positions in the tree's own tables. Conditions are kept as predicates as written, in chains of gates:
what they mean depends on the crate that mounts the file. Offsets are in bytes; lines are worked out when a finding
needs them.
"""

from __future__ import annotations

import enum

import msgspec

from cfglint.condition.predicate import Predicate

Path = tuple[str, ...]
"""Segments as written: "crate", "self", "super", "Self", "$crate" stand for themselves; a leading "" is a leading `::`."""


class Struct(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """Base of the table rows: immutable, compact when serialized, not tracked by the garbage collector."""


class ScopeKind(enum.IntEnum):
    """What opens a scope. Only FILE and MODULE are modules; BLOCK is an anonymous one; IMPL and TRAIT give `Self`."""

    __hash__ = int.__hash__  # that of Enum is slow

    FILE = 0
    MODULE = 1
    BLOCK = 2
    IMPL = 3
    TRAIT = 4
    ADT = 5


class Space(enum.IntEnum):
    """Where a reference looks its last segment up."""

    __hash__ = int.__hash__  # that of Enum is slow

    TYPE = 0
    VALUE = 1
    MACRO = 2
    ANY = 3
    STRUCT = 4
    TUPLE_PATTERN = 5
    TRAIT = 6
    DERIVE = 7
    ATTRIBUTE = 8
    CALL = 9


class Gate(Struct, frozen=True):
    """One link of a chain of presence conditions: the parent link, what is added, and where it is written."""

    parent: int
    predicate: Predicate
    start: int


class Scope(Struct, frozen=True):
    """A region with names of its own. `gate` is the gate in effect inside it. `owner` is an index into impls or items."""

    kind: ScopeKind
    parent: int
    gate: int
    name: str
    start: int
    owner: int = -1


class Member(Struct, frozen=True):
    """An enum variant, a field, or an item of an impl or trait.

    `fields` are the named ones of a variant, `payload` the type names (and `!`) that stand in it.
    """

    name: str
    kind: str
    gate: int
    start: int
    visibility: Visibility | None = None
    has_body: bool = False
    fields: tuple[Member, ...] = ()
    payload: tuple[str, ...] = ()


class Visibility(Struct, frozen=True):
    """`pub` is path ("pub",); private is None at the use site; `pub(in a::b)` is that path."""

    path: Path


PUBLIC = Visibility(("pub",))


class Item(Struct, frozen=True):
    """A declared item with a name. `kind` is rustc's word (function, struct, enum, ...).

    `is_expanded`: an attribute stands on it that is a macro, a derive among them; `is_rewritten`: one that may change it.
    """

    kind: str
    name: str
    scope: int
    gate: int
    visibility: Visibility | None
    start: int
    end: int
    members: tuple[Member, ...] = ()
    shape: str = ""
    inner: int = -1
    derives: bool = False
    is_expanded: bool = False
    is_rewritten: bool = False


class ModuleFile(Struct, frozen=True):
    """`mod name;`: the file is looked for under `#[path]`s (predicate, path) first, each where its predicate holds."""

    name: str
    scope: int
    gate: int
    visibility: Visibility | None
    start: int
    end: int
    paths: tuple[tuple[Predicate, str], ...]
    macro_use: Predicate


class Import(Struct, frozen=True):
    """One leaf of a use tree, or an `extern crate` (`is_crate`).

    `shared` are the prefixes that it has in common with others, outermost first: how many segments the path has up to
    there, and where what is written of them begins and ends.
    """

    scope: int
    gate: int
    path: Path
    name: str
    is_glob: bool
    is_self: bool
    is_crate: bool
    visibility: Visibility | None
    start: int
    end: int
    macro_use: Predicate
    shared: tuple[tuple[int, int, int], ...] = ()


class Impl(Struct, frozen=True):
    """An impl block: the type and trait as paths when they are plain paths, else None. `is_rewritten` as of an item."""

    scope: int
    gate: int
    type_path: Path | None
    trait_path: Path | None
    is_trait: bool
    is_negative: bool
    start: int
    members: tuple[Member, ...]
    inner: int
    is_rewritten: bool = False


class MacroArm(Struct, frozen=True):
    """One rule of a `macro_rules!`, as far as it only gates or passes on what it is given.

    `opaque` arms do something else. `predicate` is the gate put around the argument: it may hold Option("$meta") for
    what the call gives in `#![..]`, or Option("#meta") where that is used as an attribute of its own;
    `nested` are macros that the argument is passed on to.
    """

    takes_meta: bool
    opaque: bool
    predicate: Predicate
    nested: tuple[Path, ...]
    nested_meta: Predicate | None = None
    nested_meta_is_cfg: bool = False


class Macro(Struct, frozen=True):
    """A `macro_rules!` definition. What its rules may declare is read off its source when a call needs it."""

    name: str
    scope: int
    gate: int
    start: int
    end: int
    exported: Predicate
    arms: tuple[MacroArm, ...]
    crate_paths: tuple[tuple[Path, int, int], ...]


class Call(Struct, frozen=True):
    """A macro invocation. `names` are the identifiers in an item-position invocation (else empty).

    `meta` is the predicate of a leading `#![..]` in the invocation, `meta_is_cfg` whether that is a whole `cfg(..)`.
    `file` is what an `include!` with a literal names.
    """

    scope: int
    gate: int
    path: Path
    start: int
    end: int
    in_items: bool
    names: tuple[str, ...]
    meta: Predicate | None
    parsed: bool
    meta_is_cfg: bool = False
    file: str = ""


class Reference(Struct, frozen=True):
    """A path in the code, and every place where this very path stands in this scope under this gate.

    `locals` are gates of local variables of that name, each hiding items where it holds, with their offsets.
    """

    scope: int
    gate: int
    path: Path
    space: Space
    spans: tuple[tuple[int, int], ...]
    locals: tuple[tuple[int, int], ...] = ()


class FieldUse(Struct, frozen=True):
    """A field that a struct expression or pattern names."""

    name: str
    gate: int
    start: int
    end: int


class Shape(Struct, frozen=True):
    """A struct expression (start and end are those of its path) or pattern, of a struct or of a variant.

    `is_open`: `..` or a base stands for the fields that it does not name.
    """

    scope: int
    gate: int
    path: Path
    start: int
    end: int
    is_pattern: bool
    is_open: bool
    fields: tuple[FieldUse, ...]


class Arm(Struct, frozen=True):
    """An arm of a match: the paths of its alternatives.

    `has_guard`: `if` follows; `has_name`: one alternative is a name alone, which may be a variable.
    """

    gate: int
    paths: tuple[Path, ...]
    has_guard: bool
    has_name: bool


class Match(Struct, frozen=True):
    """A match whose arms are paths all. Start and end are those of what is matched."""

    scope: int
    gate: int
    start: int
    end: int
    arms: tuple[Arm, ...]


class SelfUse(Struct, frozen=True):
    """`self.name`, or a call of it, and every place where it stands in this scope under this gate."""

    scope: int
    gate: int
    name: str
    is_call: bool
    spans: tuple[tuple[int, int], ...]


class Select(Struct, frozen=True):
    """A `cfg_select!`: some predicate must be true. `scope` is the one that its items belong to, -1 for an operand."""

    gate: int
    covered: Predicate
    start: int
    end: int
    scope: int = -1


class Guard(Struct, frozen=True):
    """A `compile_error!`: its gate must not hold."""

    gate: int
    start: int
    end: int


class Gap(Struct, frozen=True):
    """A stretch of the file that is not understood. `scope` is where names may be missing, -1 when none."""

    start: int
    end: int
    reason: str
    scope: int = -1
    names: tuple[str, ...] = ()


class CrateAttributes(Struct, frozen=True):
    """Attributes that only count at a crate root."""

    no_std: Predicate
    no_core: Predicate


class Opaque(Struct, frozen=True):
    """An item whose attribute macro or derive may bring items named after it."""

    scope: int
    gate: int
    stem: str


class Procedural(Struct, frozen=True):
    """A function that a procedural macro crate exports as the macro `name`."""

    name: str
    gate: int
    start: int


class ItemTree(Struct, frozen=True):
    """One file. Gate 0 is always true; scope 0 is the file, whose gate includes its `#![cfg]`."""

    gates: tuple[Gate, ...]
    scopes: tuple[Scope, ...]
    items: tuple[Item, ...]
    modules: tuple[ModuleFile, ...]
    imports: tuple[Import, ...]
    impls: tuple[Impl, ...]
    macros: tuple[Macro, ...]
    calls: tuple[Call, ...]
    references: tuple[Reference, ...]
    selects: tuple[Select, ...]
    guards: tuple[Guard, ...]
    gaps: tuple[Gap, ...]
    stems: tuple[Opaque, ...]
    crate: CrateAttributes
    cfg_options: tuple[tuple[str, str | None, int, int], ...]
    macro_use: tuple[tuple[int, Predicate], ...]
    procedural: tuple[Procedural, ...] = ()
    shapes: tuple[Shape, ...] = ()
    matches: tuple[Match, ...] = ()
    self_uses: tuple[SelfUse, ...] = ()

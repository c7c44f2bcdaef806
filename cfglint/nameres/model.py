"""The vocabulary of name resolution: definitions, hits, scopes, modules, mounts.

Values and plain tables; looking anything up is the work of the other modules of this room.
"""

from __future__ import annotations

import enum
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from cfglint.condition.diagram import FALSE, Condition
from cfglint.condition.predicate import Predicate
from cfglint.items import model as m
from cfglint.items.modules import Directory


class Namespace(enum.IntEnum):
    """The three namespaces that matter here (Reference, namespaces)."""

    __hash__ = int.__hash__  # that of Enum is slow

    TYPE = 0
    VALUE = 1
    MACRO = 2


class DefKind(enum.IntEnum):
    """What a name can mean."""

    __hash__ = int.__hash__  # that of Enum is slow

    MODULE = 0
    ITEM = 1
    MEMBER = 2
    MACRO = 3
    EXTERNAL = 4
    BUILTIN = 5
    ERROR = 6
    OPAQUE = 7
    PROCEDURAL = 8
    MADE = 9


class Def(NamedTuple):
    """A definition. `crate` and `at` identify the mount (or, for a module, the module); `index` is in its ItemTree.

    EXTERNAL is something in a crate that is not read, `name` being its path; BUILTIN is of the language or its
    prelude; ERROR is the dummy that rustc binds for a failed import; OPAQUE is a name that something unknown may bring;
    PROCEDURAL is a macro that a procedural macro crate exports; MADE is an item that a macro call (`index`) makes.
    """

    kind: DefKind
    crate: int
    at: int
    index: int  # type: ignore[assignment]
    name: str


ERROR_DEF = Def(DefKind.ERROR, -1, -1, -1, "")
PUBLIC = -1


class Hit(NamedTuple):
    """A definition that a name means, where it does, and to which module it is visible (PUBLIC for all)."""

    target: Def
    condition: Condition
    visibility: int


class Found(NamedTuple):
    """What a name means: hits, and the condition under which it means anything."""

    hits: tuple[Hit, ...]
    covered: Condition


NOTHING = Found((), FALSE)


class EntryKind(enum.IntEnum):
    """What declares a name in a scope; the index is into that table of the ItemTree."""

    __hash__ = int.__hash__  # that of Enum is slow

    ITEM = 0
    MODULE_FILE = 1
    IMPORT = 2


class Entry(NamedTuple):
    """A name's declaration in a scope."""

    kind: EntryKind
    index: int  # type: ignore[assignment]


@dataclass(slots=True)
class ScopeData:
    """One scope of one mount. `parent` is -1 at a file's root; `module` is the nearest enclosing module."""

    kind: m.ScopeKind
    parent: int
    module: int
    mount: int
    gate: int
    tree_scope: int
    names: dict[str, list[Entry]] = field(default_factory=dict)
    globs: list[int] = field(default_factory=list)
    macros: dict[str, list[int]] = field(default_factory=dict)
    macro_use: list[tuple[int, EntryKind, int]] = field(default_factory=list)
    calls: list[int] = field(default_factory=list)
    stems: list[int] = field(default_factory=list)
    gaps: list[int] = field(default_factory=list)
    included: list[int] = field(default_factory=list)


class Declaration(NamedTuple):
    """Where a module is declared: the entry in the parent's file, and which of its `#[path]` alternatives it is."""

    mount: int
    kind: EntryKind
    index: int  # type: ignore[assignment]
    alternative: int


@dataclass(slots=True)
class Module:
    """A module; the crate root has no declaration and parent -1."""

    parent: int
    name: str
    mount: int
    scope: int
    directory: Directory
    declaration: Declaration | None


@dataclass(slots=True)
class Mount:
    """One file in one place of the module tree. Scope i of the tree is scope `first_scope` + i of the DefMap.

    `by` is the `include!` that brings the file, if one does: its mount, gate and offset.
    """

    file: str
    tree: m.ItemTree
    module: int
    first_scope: int
    by: tuple[int, int, int] | None = None


class ModuleAlternative(NamedTuple):
    """A module that a `mod` declaration can mean: the position among its `#[path]` alternatives, and the module."""

    position: int
    module: int


class ExternCrate(NamedTuple):
    """A crate of the extern prelude: when it is there, and, if it is read, which one (else -1).

    `key` is its entry in the manifest; `reason` tells what makes it absent: "optional", "dev", "build", "target", or
    "" where it is always there.
    """

    condition: Condition
    crate: int
    key: str
    reason: str


@dataclass(frozen=True, slots=True)
class CrateConfig:
    """What name resolution must know about a crate root from its manifest and its world.

    `options` are those that the build script sets, with the predicate under which it does (None: not known).
    """

    name: str
    root_file: str
    edition: str
    condition: Condition
    extern: dict[str, ExternCrate]
    options: Mapping[tuple[str, str | None], Predicate | None] = field(default_factory=dict)
    opaque_options: frozenset[str] = frozenset()
    known_options: frozenset[str] | None = None
    test: Condition | None = None
    is_proc_macro: bool = False

    def is_opaque(self, option: str) -> bool:
        """Whether the option's value is up to the build script in a way that cannot be read.

        It is named there, or the script makes names up (`known_options` is given) and it is not known from elsewhere.
        """
        if option in self.opaque_options:
            return True
        return self.known_options is not None and option not in self.known_options

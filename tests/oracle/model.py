"""The generator's picture of a package: modules, pieces of text, and which names are where under which conditions.

Conditions are bit masks over the closed feature sets of the package. The picture is rough on purpose: it ignores
shadowing and the order of macros. It serves to write mostly correct code; rustc alone says what is correct.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, field

from .cargo_oracle import FeatureSet
from .cfg_eval import evaluate

Key = tuple[str, str]
"""A name and its namespace: `t`, `v` or `m`."""


@dataclass(frozen=True, slots=True)
class Gate:
    """A predicate, and the attributes that spell it."""

    text: str
    attributes: tuple[str, ...] = ()

    @property
    def conditions(self) -> tuple[str, ...]:
        return () if self.text == "all()" else (self.text,)


ALWAYS = Gate("all()")


@dataclass(eq=False, slots=True)
class Text:
    """Lines of source. With a unit number they may be dropped when rustc finds them wrong in every set."""

    lines: list[str]
    unit: int | None = None


@dataclass(eq=False, slots=True)
class Wrap:
    """Pieces inside `head` and `tail`: a gate macro, an arm of `cfg_select!`, a function that hosts references."""

    head: list[str]
    tail: list[str]
    body: list[Text | Wrap | Module] = field(default_factory=list)


@dataclass(eq=False, slots=True)
class Module:
    """A module, or an enum (whose variants are its names).

    `mask` and `why` are the condition of the module itself, with those of its parents. `file` is where its body is
    written, `directory` where the files of its children go. `otherwise` is the module that the same declaration means
    where `outer` is false: the declaration then chooses its file by `cfg_attr(.., path = "..")`.
    """

    name: str
    parent: Module | None
    mask: int
    why: tuple[str, ...]
    file: str
    directory: str
    inline: bool = False
    is_enum: bool = False
    visibility: str = "pub"
    outer: Gate = ALWAYS
    inner: Gate = ALWAYS
    path_attribute: str = ""
    body: list[Text | Wrap | Module] = field(default_factory=list)
    otherwise: Module | None = None
    macros: list[tuple[str, int, tuple[str, ...]]] = field(default_factory=list)

    def path(self) -> list[str]:
        """Its segments from the crate root, `crate` included."""
        return ["crate"] if self.parent is None else [*self.parent.path(), self.name]

    def within(self, other: Module) -> bool:
        """Whether it is `other` or below it."""
        at: Module | None = self
        while at is not None:
            if at is other:
                return True
            at = at.parent
        return False


@dataclass(frozen=True, slots=True)
class Cell:
    """One way in which a name is in a scope. `within` is the subtree that may see it, None for everybody."""

    kind: str
    mask: int
    why: tuple[str, ...]
    within: Module | None
    target: Module | None
    origin: int

    def visible_from(self, module: Module) -> bool:
        return self.within is None or module.within(self.within)


@dataclass(frozen=True, slots=True)
class Member:
    """An associated function or constant of a type."""

    name: str
    kind: str
    mask: int
    why: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Import:
    """A `use`: `name` is the source's name, or None for a glob."""

    owner: Module
    segments: tuple[str, ...]
    name: str | None
    alias: str
    gate: Gate
    within: Module | None


Scope = dict[Key, list[Cell]]


class World:
    """Everything that the pieces of the generator share while one package is written."""

    def __init__(
        self,
        rng: random.Random,
        features: dict[str, list[str]],
        sets: tuple[FeatureSet, ...],
        edition: str,
        platforms: tuple[str, ...] = (),
    ) -> None:
        self.rng = rng
        self.edition = edition
        self.me = ""
        self.platforms = platforms
        self.features = features
        self.sets = sets
        self.full = (1 << len(sets)) - 1
        self.root = Module("crate", None, self.full, (), "src/lib.rs", "src")
        self.modules = [self.root]
        self.enums: list[Module] = []
        self.own: dict[Module, list[tuple[Key, Cell]]] = {self.root: []}
        self.imports: list[Import] = []
        self.scopes: dict[Module, Scope] = {}
        self.units = 0
        self.names = 0
        self.members: dict[int, list[Member]] = {}
        self._masks: dict[str, int] = {}

    def mask(self, text: str) -> int:
        """The sets in which the predicate holds."""
        if text not in self._masks:
            holds = [evaluate(text, one.features, one.options) for one in self.sets]
            self._masks[text] = sum(1 << index for index, value in enumerate(holds) if value)
        return self._masks[text]

    def new_unit(self) -> int:
        self.units += 1
        return self.units

    def fresh(self, prefix: str) -> str:
        self.names += 1
        return f"{prefix}{self.names}"

    def chance(self, probability: float) -> bool:
        return self.rng.random() < probability

    def define(
        self, module: Module, key: Key, kind: str, gate: Gate, within: Module | None, target: Module | None = None
    ) -> Cell:
        """Put a definition into `module`. Fixpoints are taken by `settle`."""
        mask = module.mask & self.mask(gate.text)
        cell = Cell(kind, mask, module.why + gate.conditions, within, target, self.new_unit())
        self.own[module].append((key, cell))
        return cell

    def settle(self) -> None:
        """Recompute every scope from the definitions and imports, without shadowing."""
        scopes: dict[Module, Scope] = {}
        for module, cells in self.own.items():
            scope: Scope = {}
            for key, cell in cells:
                scope.setdefault(key, []).append(cell)
            scopes[module] = scope
        self.scopes = scopes
        changed = True
        rounds = 0
        while changed and rounds < 12:
            rounds += 1
            changed = any(self._spread(entry) for entry in self.imports)

    def walk(self, start: Module, segments: list[str], key: Key) -> list[Cell]:
        """The cells that `segments` and then `key` reach from `start`, with the conditions of the way joined."""
        return [cell for cell, _ in self.walk_from(start, segments, key)]

    def walk_from(self, start: Module, segments: list[str], key: Key) -> list[tuple[Cell, Module]]:
        states = self.walk_modules(start, segments)
        found: list[tuple[Cell, Module]] = []
        for module, mask, why in states:
            for cell in self.scopes[module].get(key, []):
                if cell.visible_from(start):
                    joined = Cell(
                        cell.kind, cell.mask & mask, _join(why, cell.why), cell.within, cell.target, cell.origin
                    )
                    found.append((joined, module))
        return found

    def walk_modules(self, start: Module, segments: list[str]) -> list[tuple[Module, int, tuple[str, ...]]]:
        states: list[tuple[Module, int, tuple[str, ...]]] = [(start, self.full, ())]
        for segment in segments:
            if segment == "self":
                continue
            if segment in ("crate", self.me):
                states = [(self.root, self.full, ())]
            elif segment == "super":
                states = [(module.parent, mask, why) for module, mask, why in states if module.parent is not None]
            else:
                following: list[tuple[Module, int, tuple[str, ...]]] = []
                for module, mask, why in states:
                    following += [
                        (cell.target, mask & cell.mask, _join(why, cell.why))
                        for cell in self.scopes[module].get((segment, "t"), [])
                        if cell.target is not None and cell.visible_from(start)
                    ]
                states = following
        return states

    def taken(self, module: Module, name: str, mask: int) -> bool:
        """Whether a definition or named import of `name` in `module` may be live in one of the sets of `mask`."""
        live = 0
        for (other, _), cell in self.own[module]:
            if other == name:
                live |= cell.mask
        for entry in self.imports:
            if entry.owner is module and entry.name is not None and entry.alias == name:
                live |= self.mask(entry.gate.text)
        return live & mask != 0

    def _spread(self, entry: Import) -> bool:
        changed = False
        scope = self.scopes[entry.owner]
        present = entry.owner.mask & self.mask(entry.gate.text)
        for module, mask, why in self.walk_modules(entry.owner, list(entry.segments)):
            for key, cells in list(self.scopes[module].items()):
                if entry.name is not None and key[0] != entry.name:
                    continue
                target_key = key if entry.name is None else (entry.alias, key[1])
                for cell in list(cells):
                    if not cell.visible_from(entry.owner) or (module is entry.owner and entry.name is None):
                        continue
                    joined = _join(_join(entry.owner.why + entry.gate.conditions, why), cell.why)
                    within = _narrower(entry.within, cell.within)
                    new = Cell(cell.kind, cell.mask & mask & present, joined, within, cell.target, cell.origin)
                    if new.mask:
                        changed |= _add(scope.setdefault(target_key, []), new)
        return changed


def reach(world: World, module: Module, visibility: str) -> Module | None:
    """The subtree that sees what is declared in `module` with this visibility; None for everybody."""
    if visibility == "pub":
        return None
    if visibility == "pub(crate)":
        return world.root
    if visibility == "pub(super)":
        return module.parent
    at: Module | None = module
    if visibility.startswith("pub(in "):
        while at is not None and "::".join(at.path()) != visibility[len("pub(in ") : -1]:
            at = at.parent
    return at


def narrow_visibilities(world: World, module: Module) -> tuple[str, ...]:
    """Some visibilities below `pub(crate)` that may be written in `module`."""
    if module.parent is None:
        return "pub", ""
    above = [module]
    while above[-1].parent is not None:
        above.append(above[-1].parent)
    return "pub(super)", "", world.rng.choice((f"pub(in {'::'.join(world.rng.choice(above).path())})", "pub(self)"))


def _add(cells: list[Cell], new: Cell) -> bool:
    covered = 0
    for cell in cells:
        if cell.origin == new.origin and (cell.within is None or cell.within is new.within):
            covered |= cell.mask
    if new.mask & ~covered == 0:
        return False
    cells.append(new)
    return True


def _narrower(one: Module | None, other: Module | None) -> Module | None:
    if one is None or other is None:
        return one or other
    return one if one.within(other) else other


def _join(one: tuple[str, ...], other: tuple[str, ...]) -> tuple[str, ...]:
    return one + tuple(text for text in other if text not in one)


def pieces(body: list[Text | Wrap | Module]) -> Iterator[Text | Wrap | Module]:
    """Every piece of a body, at any depth."""
    for piece in body:
        yield piece
        if not isinstance(piece, Text):
            yield from pieces(piece.body)
        if isinstance(piece, Module) and piece.otherwise is not None:
            yield from pieces([piece.otherwise])


def emit(root: Module, dropped: set[int]) -> dict[str, list[tuple[str, int | None]]]:
    """The lines of every file, each with the unit it belongs to; the units in `dropped` are left out."""
    files: dict[str, list[tuple[str, int | None]]] = {root.file: []}
    _emit(root.body, root.file, files, dropped, 0)
    return files


def _emit(
    body: list[Text | Wrap | Module],
    file: str,
    files: dict[str, list[tuple[str, int | None]]],
    dropped: set[int],
    depth: int,
) -> None:
    out = files[file]
    indent = "    " * depth
    for piece in body:
        if isinstance(piece, Text):
            if piece.unit is None or piece.unit not in dropped:
                out.extend((indent + line if line else line, piece.unit) for line in piece.lines)
        elif isinstance(piece, Wrap):
            out.extend((indent + line, None) for line in piece.head)
            _emit(piece.body, file, files, dropped, depth + 1)
            out.extend((indent + line, None) for line in piece.tail)
        else:
            _emit_module(piece, file, files, dropped, depth)


def _emit_module(
    module: Module, file: str, files: dict[str, list[tuple[str, int | None]]], dropped: set[int], depth: int
) -> None:
    out = files[file]
    indent = "    " * depth
    visibility = module.visibility + " " if module.visibility else ""
    if module.otherwise is not None:
        out.append((f'{indent}#[cfg_attr({module.outer.text}, path = "{module.path_attribute}")]', None))
    else:
        out.extend((indent + line, None) for line in module.outer.attributes)
        if module.path_attribute:
            out.append((f'{indent}#[path = "{module.path_attribute}"]', None))
    inner = [line.replace("#[", "#![", 1) for line in module.inner.attributes if not line.startswith("///")]
    if module.inline:
        out.append((f"{indent}{visibility}mod {module.name} {{", None))
        out.extend((f"{indent}    {line}", None) for line in inner)
        _emit(module.body, file, files, dropped, depth + 1)
        out.append((indent + "}", None))
        return
    out.append((f"{indent}{visibility}mod {module.name};", None))
    files[module.file] = [(line, None) for line in inner]
    _emit(module.body, module.file, files, dropped, 0)
    if module.otherwise is not None:
        files[module.otherwise.file] = []
        _emit(module.otherwise.body, module.otherwise.file, files, dropped, 0)

"""What a reference may point at, the paths that lead there, and the gate that makes it correct."""

from __future__ import annotations

from dataclasses import dataclass

from .gates import joined, spell
from .model import ALWAYS, Cell, Gate, Key, Module, World


@dataclass(frozen=True, slots=True)
class Target:
    """A name and a path that may reach it. `segments` leaves out the name itself."""

    kind: str
    name: str
    segments: tuple[str, ...]
    cells: tuple[Cell, ...]
    mask: int
    why: tuple[str, ...]

    @property
    def path(self) -> str:
        return "::".join((*self.segments, self.name))


def pick(world: World, start: Module, kinds: frozenset[str] | None) -> Target | None:
    """A random name that may be reached from `start`, with a random path to it."""
    for _ in range(30):
        home = world.rng.choice(world.modules + world.enums)
        keys = [key for key, cells in world.scopes[home].items() if kinds is None or cells[0].kind in kinds]
        if not keys:
            continue
        key: Key = world.rng.choice(sorted(keys))
        segments = route(world, start, home)
        cells = tuple(world.walk(start, segments, key))
        if not cells:
            continue
        mask = 0
        for cell in cells:
            mask |= cell.mask
        if mask:
            why = world.rng.choice(cells).why
            return Target(cells[0].kind, key[0], tuple(segments), cells, mask, why)
    return None


def route(world: World, start: Module, home: Module) -> list[str]:
    """One of the ways to write the path from `start` to `home`: absolute, relative, by `super`, by an alias."""
    absolute = home.path()
    ways: list[list[str]] = [absolute, absolute]
    mine = start.path()
    common = 0
    while common < min(len(mine), len(absolute)) and mine[common] == absolute[common]:
        common += 1
    rest = absolute[common:]
    climb = len(mine) - common
    if climb == 0:
        ways += [["self", *rest], rest, rest]
    elif climb <= 2 or not rest:
        ways += [["super"] * climb + rest, ["self"] + ["super"] * climb + rest]
    for module, scope in world.scopes.items():
        for (name, space), cells in scope.items():
            for cell in cells:
                aliased = cell.target
                if space != "t" or aliased is None or not home.within(aliased) or not cell.visible_from(start):
                    continue
                way = [*module.path(), name, *absolute[len(aliased.path()) :]]
                if module is start:
                    way = way[len(module.path()) :]
                if way not in ways:
                    ways.append(way)
    way = list(world.rng.choice(ways[:9]))
    if world.me and way[:1] == ["crate"] and len(way) > 1 and world.chance(0.3):
        way[0] = world.me
    return way


def natural(world: World, present: int, reached: int, why: tuple[str, ...], known: tuple[str, ...]) -> Gate | None:
    """The gate that makes a reference correct which is present in `present` and resolves in `reached`."""
    if present & ~reached == 0:
        return ALWAYS
    texts = [text for text in why if text not in known and present & ~world.mask(text)]
    if not texts:
        return None
    text = joined(tuple(texts))
    left = present & world.mask(text)
    return spell(world.rng, text) if left and left & ~reached == 0 else None

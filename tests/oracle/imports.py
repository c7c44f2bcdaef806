"""Imports of a random package: named ones, groups, globs, and modules that glob each other."""

from __future__ import annotations

from .gates import GateMacro, put, random_gate
from .model import Gate, Import, Key, Module, Text, World, narrow_visibilities, reach
from .targets import natural, pick


def globs(world: World) -> None:
    """Globs of the parent, and now and then two modules that glob each other."""
    pairs = [(module, module.parent) for module in world.modules if module.parent is not None and world.chance(0.2)]
    if len(world.modules) > 2 and world.chance(0.35):
        ring = world.rng.sample(world.modules[1:], min(len(world.modules) - 1, world.rng.choice((2, 3))))
        pairs += [(one, other) for one, other in zip(ring, ring[1:] + ring[:1], strict=True) if one is not other]
    for owner, source in pairs:
        reached = world.walk_modules(owner, source.path())
        mask = 0
        for _, way, _why in reached:
            mask |= way
        gate = natural(world, owner.mask, mask, source.why, owner.why)
        if gate is None:
            continue
        upward = source is owner.parent and world.chance(0.7)
        path = "super" if upward else "::".join(source.path())
        visibility, within = ("pub(crate) ", world.root) if world.chance(0.6) else ("", owner)
        segments = ("super",) if upward else tuple(source.path())
        world.imports.append(Import(owner, segments, None, "", gate, within))
        path = path if upward else spelled(world, tuple(source.path()))
        owner.body.append(Text([*gate.attributes, f"{visibility}use {path}::*;"], world.new_unit()))
    world.settle()


def spelled(world: World, segments: tuple[str, ...]) -> str:
    """The path of a `use`: in the 2015 edition it begins at the crate root, which need not be said."""
    if world.edition == "2015" and segments[0] == "crate" and len(segments) > 1 and world.chance(0.7):
        return ("::" if world.chance(0.2) else "") + "::".join(segments[1:])
    return "::".join(segments)


def single(world: World, owner: Module, gates: list[GateMacro]) -> None:
    """One `use` somewhere in `owner`, of a name, several names or all."""
    rng = world.rng
    target = pick(world, owner, None)
    if target is None or not target.segments:
        return
    glob = world.chance(0.3)
    cells = target.cells
    mask = owner.mask
    if glob:
        states = world.walk_modules(owner, list(target.segments))
        reached = 0
        for _, way, _why in states:
            reached |= way
        if any(module is owner for module, _, _ in states):
            return
        why = states[0][2]
    else:
        reached, why = target.mask, target.why
    gate = natural(world, mask, reached, why, owner.why)
    if gate is None or (world.chance(0.2) and not glob):
        gate = random_gate(world, 0.5)
    if mask & world.mask(gate.text) & ~reached and not world.chance(0.35):
        return
    widths: list[tuple[str, Module | None]] = [
        ("", owner),
        ("pub(crate) ", world.root),
        ("pub(crate) ", world.root),
        ("pub ", None),
        ("pub ", None),
    ]
    limit = [cell.within for cell in cells if cell.within is not None]
    if not glob and limit:
        widths = widths[:3] if all(within is world.root for within in limit) else widths[:1]
        if target.kind == "macro":
            widths = widths[:3]
    if owner is world.root and widths[-1][1] is None and not glob:
        widths = widths[1:]
    if owner is not world.root and world.chance(0.15):
        visibility = rng.choice(narrow_visibilities(world, owner))
        widths = [(f"{visibility} " if visibility else "", reach(world, owner, visibility))]
    visibility, within = rng.choice(widths)
    path = spelled(world, target.segments)
    unit = world.new_unit()
    if glob:
        world.imports.append(Import(owner, target.segments, None, "", gate, within))
        line = f"{visibility}use {path}::*;"
    else:
        alias = target.name
        live = owner.mask & world.mask(gate.text)
        if world.chance(0.35) or world.taken(owner, alias, live):
            alias = world.fresh(target.name[0])
        world.imports.append(Import(owner, target.segments, target.name, alias, gate, within))
        leaf = target.name if alias == target.name else f"{target.name} as {alias}"
        line = f"{visibility}use {path}::{leaf};"
        line = _grouped(world, owner, gate, within, target.segments, line, f"{path}::", leaf, visibility)
    lines = line.split("\n")
    if gate.text != "all()" and put(world, owner, Text(lines, unit), gate.text, gates):
        return
    owner.body.append(Text([*gate.attributes, *lines], unit))


def _grouped(
    world: World,
    owner: Module,
    gate: Gate,
    within: Module | None,
    segments: tuple[str, ...],
    line: str,
    prefix: str,
    leaf: str,
    visibility: str,
) -> str:
    """Now and then make the import a group with a second name from the same module."""
    if not world.chance(0.35):
        return line
    other = _companion(world, owner, gate, segments, leaf.split(" ", maxsplit=1)[0], within)
    if other is None:
        if len(segments) > 1 and world.chance(0.6):
            return f"{visibility}use {'::'.join(segments[:-1])}::{{{segments[-1]}::{{{leaf}}}}};"
        return line
    if len(segments) > 1 and segments[-1] not in ("self", "super", "crate") and world.chance(0.25):
        alias = world.fresh("m")
        world.imports.append(Import(owner, segments[:-1], segments[-1], alias, gate, within))
        return f"{visibility}use {prefix}{{self as {alias}, {{{leaf}}}}};"
    name, alias = other
    world.imports.append(Import(owner, segments, name, alias, gate, within))
    if world.chance(0.4):
        return f"{visibility}use {prefix}{{\n    {leaf},\n    {name} as {alias},\n}};"
    if len(segments) > 1 and world.chance(0.4):
        head, last = "::".join(segments[:-1]), segments[-1]
        return f"{visibility}use {head}::{{{last}::{leaf}, {last}::{{{name} as {alias}}}}};"
    return f"{visibility}use {prefix}{{{leaf}, {name} as {alias}}};"


def _companion(
    world: World, owner: Module, gate: Gate, segments: tuple[str, ...], taken: str, within: Module | None
) -> tuple[str, str] | None:
    states = world.walk_modules(owner, list(segments))
    names: list[Key] = []
    for module, _, _ in states:
        for key, cells in world.scopes[module].items():
            usable = all(cell.visible_from(owner) and cell.within is None for cell in cells)
            if usable and key[0] != taken and key[1] != "m" and (within is None or key not in names):
                names.append(key)
    world.rng.shuffle(names)
    for key in sorted(names[:4]):
        reached = 0
        for cell in world.walk(owner, list(segments), key):
            reached |= cell.mask
        wanted = owner.mask & world.mask(gate.text)
        if wanted & ~reached == 0 or world.chance(0.05):
            return key[0], world.fresh(key[0][0])
    return None

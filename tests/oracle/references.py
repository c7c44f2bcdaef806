"""The second half of a random package: references to everything that the first half defined.

Most references get the gate that makes them correct; some get none, or a random one. Which of them fail in which
feature sets is not decided here.
"""

from __future__ import annotations

from . import forms
from .gates import GateMacro, names_of, put, random_gate, random_text, spell
from .imports import spelled
from .model import Gate, Module, Text, World, Wrap, pieces
from .targets import Target, natural, pick


def write(world: World, gates: list[GateMacro], count: int) -> int:
    """Add about `count` references, in functions and at module level; gives how many."""
    _macro_bodies(world)
    written = 0
    for _ in range(20 * count):
        if written >= count:
            break
        module = world.rng.choice(world.modules)
        written += _module_level(world, module, gates) if world.chance(0.2) else _host(world, module)
    return written


def write_dependency(world: World, dependency: str) -> None:
    """References into an optional dependency, gated by one of the features or not at all."""
    rng = world.rng
    if world.edition == "2015":
        gate = random_gate(world, 0.6)
        world.root.body.append(Text([*gate.attributes, f"extern crate {dependency};"], world.new_unit()))
    for _ in range(rng.choice((1, 2, 3))):
        module = rng.choice(world.modules)
        present = [any(name == dependency for name, _ in one.dependencies) for one in world.sets]
        texts = [f'feature = "{name}"' for name in world.features]
        fitting = [text for text in texts if _implies(world.mask(text), present)]
        gate = spell(rng, rng.choice(fitting)) if fitting and rng.random() < 0.8 else random_gate(world, 0.7)
        name = rng.choice(("df0", "df0", "df1", "dm::df2"))
        prefix = rng.choice((dependency, f"::{dependency}"))
        path = f"{prefix}::{name}"
        unit = world.new_unit()
        if rng.random() < 0.4:
            alias = world.fresh("f")
            module.body.append(Text([*gate.attributes, f"use {path} as {alias};"], unit))
            host = Wrap([f"pub fn {world.fresh('host_')}() {{"], ["}"])
            lines = [line for line in gate.attributes if not line.startswith("///")]
            host.body.append(Text([*lines, f"let _ = {alias}();"], world.new_unit()))
        else:
            host = Wrap([f"pub fn {world.fresh('host_')}() {{"], ["}"])
            host.body.append(Text(_gated(world, gate, forms.statement(rng, "fn", path, "true"), f"{path}()"), unit))
        module.body.append(host)


def _implies(mask: int, present: list[bool]) -> bool:
    return all(present[index] for index in range(len(present)) if mask >> index & 1)


def _choose(
    world: World, module: Module, present: int, known: tuple[str, ...], kinds: frozenset[str]
) -> tuple[Target, Gate] | None:
    for _ in range(12):
        target = pick(world, module, kinds)
        if target is None:
            return None
        roll = world.rng.random()
        if roll < 0.1:
            gate = random_gate(world, 0.6)
            if present & world.mask(gate.text):
                return target, gate
        fitting = natural(world, present, target.mask, target.why, known)
        if fitting is not None and (fitting.text != "all()" or target.mask != world.full or world.chance(0.3)):
            return target, fitting
    return None


def _host(world: World, module: Module) -> int:
    """A function, method or block with one to five references in it; gives their number."""
    rng = world.rng
    gate = random_gate(world, 0.25)
    present = module.mask & world.mask(gate.text)
    if not present:
        return 0
    name = world.fresh("host_")
    shape = rng.randrange(8)
    head = [*gate.attributes, f"pub fn {name}() {{"]
    tail = ["}"]
    if shape == 0:
        head = [f"pub struct {name.upper()};", *gate.attributes, f"impl {name.upper()} {{", "pub fn run(&self) {"]
        tail = ["}", "}"]
    elif shape == 1:
        head = [*gate.attributes, f"pub trait {name.upper()} {{", "fn run(&self) {"]
        tail = ["}", "}"]
    elif shape == 2 and gate.text != "all()":
        head = [f"pub fn {name}() {{", f"#![cfg({gate.text})]"]
    elif shape == 3 and world.edition != "2015":
        head = [*gate.attributes, f"pub async fn {name}<X>(_: X) {{"]
    host = Wrap(head, tail)
    known = module.why + gate.conditions
    written = 0
    for _ in range(rng.choice((1, 2, 3, 3, 4, 5))):
        written += _one(world, module, host, present, known)
    if written:
        module.body.append(host)
    return written


def _one(world: World, module: Module, host: Wrap, present: int, known: tuple[str, ...]) -> int:
    rng = world.rng
    roll = rng.random()
    unit = world.new_unit()
    if roll < 0.08:
        host.body.append(Text(_shadow(world, module), unit))
        return 1
    if roll < 0.2:
        lines = _member(world, module, present, known)
        if lines is not None:
            host.body.append(Text(lines, unit))
        return 0 if lines is None else 1
    if roll < 0.3 and (textual := [entry for entry in _textual(world, module) if entry[1]]):
        path, mask, why = rng.choice(textual)
        fitting = natural(world, present, mask, why, known)
        gate = fitting if fitting is not None and rng.random() < 0.85 else random_gate(world, 0.5)
        statement = forms.statement(rng, "macro", path, "true")
        host.body.append(Text(_gated(world, gate, statement, forms.value("macro", path)), unit))
        return 1
    found = _choose(world, module, present, known, forms.KINDS)
    if found is None:
        return 0
    target, gate = found
    path = target.path
    if target.kind in ("fn", "unit", "tuple", "const", "trait", "macro") and target.segments and rng.random() < 0.15:
        host.body.append(Text(_local_use(world, target, gate, present), unit))
        return 1
    statement = forms.statement(rng, target.kind, path, random_text(rng, names_of(world), 1))
    value = forms.value(target.kind, path)
    host.body.append(Text(_gated(world, gate, statement, value), unit))
    return 1


def _gated(world: World, gate: Gate, statement: str, value: str | None) -> list[str]:
    """The statement under the gate, in one of the places where an attribute may stand."""
    rng = world.rng
    single = statement.count("; ") == 0 and not statement.startswith(("struct Local;",))
    if gate.text == "all()":
        return [statement] if single else ["{", f"    {statement}", "}"]
    roll = rng.random()
    if value is not None and roll < 0.3:
        shape = rng.choice(forms.GATED_VALUES)
        attribute = f"#[cfg({gate.text})]"
        return [line.format(a=attribute, e=value) for line in shape]
    if roll < 0.4:
        return [f"cfg_select! {{ {gate.text} => {{ {statement} }} _ => {{}} }}"]
    if roll < 0.46 and value is not None:
        return ["let _ = cfg_select! {", f"    {gate.text} => {{ {value} }}", "    _ => 0u32,", "};"]
    if roll < 0.62 or not single:
        return [*gate.attributes, "{", f"    {statement}", "}"]
    attributes = [line for line in gate.attributes if not line.startswith("///")]
    if roll < 0.68:
        return ["let _ = || {", *[f"    {line}" for line in (*attributes, statement)], "};"]
    return [*attributes, statement]


def _local_use(world: World, target: Target, gate: Gate, present: int) -> list[str]:
    """A `use` in a block and a statement that goes through it, each with a gate of its own."""
    rng = world.rng
    alias = target.name if rng.random() < 0.6 else world.fresh(target.name[0])
    renamed = "" if alias == target.name else f" as {alias}"
    use = [*gate.attributes, f"use {spelled(world, (*target.segments, target.name))}{renamed};"]
    if rng.random() < 0.2 and not renamed:
        use = [*gate.attributes, f"use {spelled(world, target.segments)}::*;"]
    inner = gate if rng.random() < 0.8 else random_gate(world, 0.5)
    second = [
        *(line for line in inner.attributes if not line.startswith("///")),
        forms.statement(rng, target.kind, alias, "true"),
    ]
    if second[-1].count("; ") and len(second) > 1:
        second = [*second[:-1], "{", second[-1], "}"]
    both = use + second if rng.random() < 0.7 or target.kind == "macro" else second + use
    return ["{", *[f"    {line}" for line in both], "}"]


def _shadow(world: World, module: Module) -> list[str]:
    """A local of the name of an item: not a reference to it."""
    names = sorted({name for (name, space) in world.scopes[module] if space == "v" and name[0] == "f"}) or ["f1"]
    types = sorted({name for (name, space) in world.scopes[module] if space == "t" and name[0] in "UTREAQ"})
    shape: tuple[str, ...]
    if types and world.chance(0.35):
        shape, name = world.rng.choice(forms.TYPE_SHADOWS), world.rng.choice(types)
    else:
        shape, name = world.rng.choice(forms.SHADOWS), world.rng.choice(names)
    return ["{", *[f"    {line.format(n=name)}" for line in shape], "}"]


def _member(world: World, module: Module, present: int, known: tuple[str, ...]) -> list[str] | None:
    """A path to an associated item or to a variant through its type."""
    rng = world.rng
    for _ in range(8):
        target = pick(world, module, frozenset({"unit", "tuple", "record", "enum"}))
        if target is None:
            return None
        cell = rng.choice(target.cells)
        options: list[tuple[str, int, tuple[str, ...]]] = []
        for member in world.members.get(cell.origin, []):
            call = f"{target.path}::{member.name}" + ("()" if member.kind == "fn" else "")
            options.append((f"let _ = {call};", member.mask, member.why))
        if cell.target is not None:
            for (name, space), cells in world.scopes[cell.target].items():
                if space == "v":
                    form = forms.statement(rng, cells[0].kind, f"{target.path}::{name}", "true")
                    options.append((form, cells[0].mask, cells[0].why))
        options = [option for option in options if option[1] & target.mask]
        if not options:
            continue
        statement, mask, why = rng.choice(options)
        joined = target.why + tuple(text for text in why if text not in target.why)
        gate = natural(world, present, target.mask & mask, joined, known)
        if gate is None or rng.random() < 0.12:
            gate = random_gate(world, 0.5)
        return _gated(world, gate, statement, None)
    return None


def _textual(world: World, module: Module) -> list[tuple[str, int, tuple[str, ...]]]:
    found: list[tuple[str, int, tuple[str, ...]]] = []
    at: Module | None = module
    while at is not None:
        found += at.macros
        at = at.parent
    return found


def _module_level(world: World, module: Module, gates: list[GateMacro]) -> int:
    found = _choose(world, module, module.mask, module.why, frozenset(forms.ITEMS))
    if found is None:
        return 0
    target, gate = found
    name = world.fresh("item_")
    unit = world.new_unit()
    if world.chance(0.15) and target.kind in forms.TYPE_KINDS:
        attribute = [f"    #[cfg({gate.text})]"] if gate.text != "all()" else []
        lines = [
            f"pub struct {name.upper()} {{",
            "    pub w: u32,",
            *attribute,
            f"    pub v: Option<{target.path}>,",
            "}",
        ]
        if world.chance(0.5):
            lines = [f"pub fn {name}(", *attribute, f"    _: Option<{target.path}>,", ") {}"]
        module.body.append(Text(lines, unit))
        return 1
    line = forms.item(world.rng, target.kind, target.path, name)
    several = line.startswith(("pub struct", "pub trait")) and " impl " in line
    if gate.text != "all()" and put(world, module, Text([line], unit), gate.text, gates):
        return 1
    attributes = list(gate.attributes)
    if several and attributes:
        first, _, second = line.partition(" impl ")
        module.body.append(Text([first, *attributes, f"impl {second}"], unit))
    else:
        module.body.append(Text([*attributes, line], unit))
    return 1


def _macro_bodies(world: World) -> None:
    """Give the macros that still need one a body: a path from the crate root."""
    for piece in list(pieces(world.root.body)):
        if not isinstance(piece, Text):
            continue
        for index, line in enumerate(piece.lines):
            if "BODY" not in line:
                continue
            target = pick(world, world.root, frozenset({"fn", "const"}))
            body = "1u32"
            if target is not None and target.segments[:1] == ("crate",) and world.chance(0.8):
                prefix = world.rng.choice(("$crate", "crate"))
                path = "::".join((prefix, *target.segments[1:], target.name))
                body = forms.value(target.kind, path) or body
            piece.lines[index] = line.replace("BODY", body)

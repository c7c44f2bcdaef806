"""The first half of a random package: features, modules, gated definitions, macros and imports.

References come afterwards (references.py). Everything is drawn from the one random generator of the World, so a
seed fixes the package.
"""

from __future__ import annotations

from . import imports
from .gates import GateMacro, joined, names_of, put, random_gate, random_text, spell
from .model import ALWAYS, Cell, Gate, Member, Module, Text, World, Wrap, narrow_visibilities, reach

ITEM_KINDS = (
    ("fn",) * 9
    + ("const",) * 2
    + ("static", "unit", "unit", "tuple", "tuple", "record", "enum", "enum", "alias", "trait", "trait")
)
_LETTER = {
    "fn": "f",
    "const": "C",
    "static": "S",
    "unit": "U",
    "tuple": "T",
    "record": "R",
    "enum": "E",
    "alias": "A",
    "trait": "Q",
}
_SPACES: dict[str, str] = {"fn": "v", "const": "v", "static": "v", "unit": "tv", "tuple": "tv"}


def build(world: World) -> list[GateMacro]:
    """Fill the world with everything but references; gives the gate macros for later use."""
    if world.chance(0.2):
        world.me = "me"
        gate = random_gate(world, 0.3)
        world.root.body.append(Text([*gate.attributes, "extern crate self as me;"]))
    gates = _gate_macros(world)
    _value_macros(world, world.root, count=world.rng.choice((1, 2, 3)), shared=True)
    _modules(world, gates)
    for module in list(world.modules):
        for _ in range(world.rng.choice((1, 2, 2, 3, 4))):
            _item(world, module, gates)
        if world.chance(0.2):
            _value_macros(world, module, count=1, shared=False)
    world.settle()
    imports.globs(world)
    for _ in range(world.rng.choice((3, 4, 5, 6, 8))):
        imports.single(world, world.rng.choice(world.modules), gates)
        world.settle()
    return gates


def assemble(world: World) -> None:
    """Mount a file a second time now and then; mix the order of the pieces, macros before what may use them."""
    for module in list(world.modules):
        if module.path_attribute and module.parent is not None and world.chance(0.12):
            gate = random_gate(world, 0.4)
            lines = [*gate.attributes, f'#[path = "{module.path_attribute}"]', f"pub mod {world.fresh('again_')};"]
            module.parent.body.append(Text(lines))
        first = [piece for piece in module.body if _defines_macro(piece)]
        rest = [piece for piece in module.body if not _defines_macro(piece)]
        world.rng.shuffle(rest)
        module.body = first + rest


def _defines_macro(piece: Text | Wrap | Module) -> bool:
    if isinstance(piece, Text):
        return any("macro_rules! " in line for line in piece.lines if not line.startswith(" "))
    return isinstance(piece, Module) and any("macro_use" in line for line in piece.outer.attributes)


def _gate_macros(world: World) -> list[GateMacro]:
    rng = world.rng
    lines = ["macro_rules! same { ($x:expr) => { $x } }"]
    gates: list[GateMacro] = []
    for _ in range(rng.choice((0, 1, 2, 3))):
        text = random_text(rng, names_of(world), 1)
        name = world.fresh("cfg_")
        rule = f"($($item:item)*) => {{ $( #[cfg({text})] $item )* }}"
        if gates and world.chance(0.3) and gates[-1].head[-1].endswith("! {"):
            outer = gates[-1]
            rule = f"($($item:item)*) => {{ {outer.head[0][:-2]} {{ $( #[cfg({text})] $item )* }} }}"
            text = joined((outer.text, text))
        lines += [f"macro_rules! {name} {{", f"    {rule}" + (";" if world.chance(0.5) else ""), "}"]
        gates.append(GateMacro((f"{name}! {{",), text))
    if world.chance(0.3):
        name = world.fresh("feature_")
        text = random_text(rng, names_of(world), 1)
        lines += [f"macro_rules! {name} {{", "    (#![$meta:meta] $($item:item)*) => { $( #[$meta] $item )* }", "}"]
        gates.append(GateMacro((f"{name}! {{", f"    #![cfg({text})]"), text))
    if world.chance(0.3):
        name = world.fresh("pick_")
        text = random_text(rng, names_of(world), 1)
        rule = "($p:meta => $($item:item)*) => { $( #[cfg($p)] $item )* }"
        lines += [f"macro_rules! {name} {{", f"    {rule}", "}"]
        gates.append(GateMacro((f"{name}! {{ {text} =>",), text))
    if world.chance(0.3):
        name = world.fresh("switch_")
        text = random_text(rng, names_of(world), 1)
        lines += [
            f"macro_rules! {name} {{",
            f"    (on $($item:item)*) => {{ $( #[cfg({text})] $item )* }};",
            f"    (off $($item:item)*) => {{ {name}! {{ @not $($item)* }} }};",
            f"    (@not $($item:item)*) => {{ $( #[cfg(not({text}))] $item )* }};",
            "    ($($item:item)*) => { $( $item )* }",
            "}",
        ]
        gates += [GateMacro((f"{name}! {{ on",), text), GateMacro((f"{name}! {{ off",), f"not({text})")]
    if world.chance(0.5):
        world.root.body.append(Text(lines))
    else:
        file = rng.choice(("src/gates.rs", "src/gates/mod.rs", ""))
        module = Module("gates", world.root, world.full, (), file or "src/lib.rs", "src/gates", inline=not file)
        module.visibility = ""
        module.outer = Gate("all()", ("#[macro_use]",))
        module.body.append(Text(lines))
        world.root.body.append(module)
    return gates


def _value_macros(world: World, module: Module, *, count: int, shared: bool) -> None:
    """Gated `macro_rules!`: seen by textual order, exported, or given a path by `use`."""
    home = module
    pieces: list[Text | Wrap | Module] = []
    if shared and world.chance(0.6):
        gate = random_gate(world, 0.4)
        mask = world.mask(gate.text)
        home = Module("mac", module, mask, gate.conditions, "src/mac.rs", "src/mac", inline=world.chance(0.4))
        home.file = "src/lib.rs" if home.inline else home.file
        home.visibility = "pub(crate)"
        home.outer = Gate(gate.text, (*gate.attributes, "#[macro_use]"))
        world.own[home] = []
        world.define(module, ("mac", "t"), "mod", gate, world.root, home)
    for _ in range(count):
        gate = random_gate(world, 0.7)
        name = world.fresh("k")
        exported = world.chance(0.25)
        texts = [gate]
        if gate.text != "all()" and world.chance(0.3):
            texts.append(spell(world.rng, f"not({gate.text})"))
        for one in texts:
            head = ["#[macro_export]"] if exported else []
            # The body may later become a path; see references.py.
            rule = world.rng.choice(("() => { 1u32 };", "() => { BODY };", "() => { 1u32 }; ($x:expr) => { $x }"))
            pieces.append(
                Text([*one.attributes, *head, f"macro_rules! {name} {{", f"    {rule}", "}"], world.new_unit())
            )
            home.macros.append((name, home.mask & world.mask(one.text), home.why + one.conditions))
            if exported:
                absolute = Gate(joined(home.why + one.conditions))
                world.define(world.root, (name, "m"), "macro", absolute, None)
        if not exported and world.chance(0.4):
            use = random_gate(world, 0.2) if world.chance(0.5) else gate
            pieces.append(Text([*use.attributes, f"pub(crate) use {name};"], world.new_unit()))
            for one in texts:
                both = Gate(joined((use.text, one.text)))
                world.define(home, (name, "m"), "macro", both, world.root)
    home.body.extend(pieces)
    if home is not module:
        module.body.append(home)
        module.macros.extend(home.macros)


def _modules(world: World, gates: list[GateMacro]) -> None:
    for _ in range(world.rng.choice((3, 4, 5, 6, 7))):
        parents = [module for module in world.modules if len(module.path()) < 4]
        parent = world.rng.choice(parents)
        gate = random_gate(world, 0.5)
        if gates and world.chance(0.2):
            gate = spell(world.rng, world.rng.choice(gates).text)
        name = world.fresh("m")
        first = _module(world, parent, name, gate, gates)
        if gate.text != "all()" and world.chance(0.25):
            _module(world, parent, name, spell(world.rng, f"not({gate.text})"), gates, sibling=first)


def _module(
    world: World, parent: Module, name: str, gate: Gate, gates: list[GateMacro], sibling: Module | None = None
) -> Module:
    rng = world.rng
    inner = random_gate(world, 0.12) if sibling is None else ALWAYS
    mask = parent.mask & world.mask(gate.text) & world.mask(inner.text)
    module = Module(name, parent, mask, parent.why + gate.conditions + inner.conditions, "", "")
    module.visibility = (
        sibling.visibility
        if sibling
        else rng.choice(
            ("pub", "pub", "pub(crate)", "" if parent is world.root else "pub", *narrow_visibilities(world, parent)[:1])
        )
    )
    module.outer, module.inner = gate, inner
    layout = rng.choice(("inline", "inline", "inline", "flat", "flat", "folder", "path"))
    chooses = sibling is not None and bool(sibling.path_attribute) and sibling in parent.body
    if chooses:
        layout = rng.choice(("flat", "folder"))
    elif sibling is not None and layout in ("flat", "folder"):
        layout = "path"
    if layout == "inline":
        module.inline, module.file, module.directory = True, parent.file, f"{parent.directory}/{name}"
    elif layout == "flat":
        module.file, module.directory = f"{parent.directory}/{name}.rs", f"{parent.directory}/{name}"
    elif layout == "folder":
        module.file, module.directory = f"{parent.directory}/{name}/mod.rs", f"{parent.directory}/{name}"
    else:
        module.path_attribute = f"odd_{name}{'' if sibling is None else '_too'}.rs"
        base = parent.directory if parent.inline else parent.file.rpartition("/")[0]
        module.file, module.directory = f"{base}/{module.path_attribute}", base
    within = reach(world, parent, module.visibility)
    world.define(parent, (name, "t"), "mod", Gate(joined((gate.text, inner.text))), within, module)
    world.own[module] = []
    world.modules.append(module)
    if chooses and sibling is not None:
        sibling.otherwise = module
    elif not put_module(world, parent, module, gates):
        parent.body.append(module)
    return module


def put_module(world: World, parent: Module, module: Module, gates: list[GateMacro]) -> bool:
    """Wrap the module in a gate macro instead of giving it attributes, where one fits."""
    outer = module.outer
    if outer.text == "all()":
        return False
    module.outer = ALWAYS
    if put(world, parent, module, outer.text, gates):
        return True
    module.outer = outer
    return False


def _item(world: World, module: Module, gates: list[GateMacro]) -> None:
    rng = world.rng
    kind = rng.choice(ITEM_KINDS)
    gate = random_gate(world, 0.55)
    if gates and world.chance(0.25):
        gate = spell(rng, rng.choice(gates).text)
    name = f"{_LETTER[kind]}{rng.randrange(12 if kind == 'fn' else 6)}"
    if world.taken(module, name, world.full):
        name = world.fresh(_LETTER[kind])
    visibility = rng.choice(("pub",) * 6 + ("pub(crate)", *narrow_visibilities(world, module)))
    _define_item(world, module, kind, name, gate, visibility, gates)
    if gate.text == "all()":
        return
    roll = rng.random()
    if roll < 0.25:
        _define_item(world, module, kind, name, spell(rng, f"not({gate.text})"), visibility, gates)
    elif roll < 0.35:
        rest = joined((random_text(rng, names_of(world), 1), f"not({gate.text})"))
        _define_item(world, module, kind, name, spell(rng, rest), visibility, gates)
    elif roll < 0.37 and kind in ("fn", "const"):
        _define_item(world, module, kind, name, random_gate(world, 1.0), visibility, gates)


def _define_item(
    world: World, module: Module, kind: str, name: str, gate: Gate, visibility: str, gates: list[GateMacro]
) -> None:
    within = reach(world, module, visibility)
    target: Module | None = None
    if kind == "enum":
        mask = module.mask & world.mask(gate.text)
        target = Module(name, module, mask, module.why + gate.conditions, module.file, "", is_enum=True)
        world.own[target] = []
        world.enums.append(target)
    cells = [world.define(module, (name, space), kind, gate, within, target) for space in _SPACES.get(kind, "t")]
    lines = _item_lines(world, kind, name, f"{visibility} " if visibility else "", target, within)
    if kind in ("unit", "tuple", "record", "enum") and world.chance(0.25):
        lines = [_derive(world), *lines]
    piece = Text([*gate.attributes, *lines])
    if gate.text == "all()" or not put(world, module, Text(lines), gate.text, gates):
        module.body.append(piece)
    if kind in ("unit", "tuple", "record", "enum") and world.chance(0.35):
        _impl(world, module, name, gate, cells)


def _derive(world: World) -> str:
    names = ", ".join(world.rng.sample(("Clone", "Debug", "PartialEq", "Hash"), world.rng.choice((1, 2))))
    return rf"#[derive({names})]" if world.chance(0.6) else f"#[cfg_attr({_text(world)}, derive({names}))]"


def _text(world: World) -> str:
    return random_text(world.rng, names_of(world))


def _item_lines(
    world: World, kind: str, name: str, visibility: str, target: Module | None, within: Module | None
) -> list[str]:
    if target is not None:
        lines = [f"{visibility}enum {name} {{", f"    {name}Z,"]
        shapes: list[tuple[str, str, str]] = [(f"{name}Z", "variant", "")]
        shapes += [(f"{name}{letter}", "variant", "") for letter in "AB"[: world.rng.choice((1, 2))]]
        if world.chance(0.6):
            shapes.append((f"{name}T", "tuple-variant", "(u32)"))
        for variant, shape, payload in shapes:
            gate = ALWAYS if variant.endswith("Z") else random_gate(world, 0.5)
            for space in "tv":
                world.define(target, (variant, space), shape, gate, within)
            if not variant.endswith("Z"):
                lines += [f"    {line}" for line in gate.attributes] + [f"    {variant}{payload},"]
        return [*lines, "}"]
    return {
        "fn": [f"{visibility}const fn {name}() -> u32 {{ 1 }}"],
        "const": [f"{visibility}const {name}: u32 = 1;"],
        "static": [f"{visibility}static {name}: u32 = 1;"],
        "unit": [f"{visibility}struct {name};"],
        "tuple": [f"{visibility}struct {name}(pub u32);"],
        "record": [f"{visibility}struct {name} {{", "    pub v: u32,", "}"],
        "alias": [f"{visibility}type {name} = u32;"],
        "trait": [f"{visibility}trait {name} {{}}"],
    }[kind]


def _impl(world: World, module: Module, name: str, gate: Gate, cells: list[Cell]) -> None:
    """An inherent impl under the gate of its type, with gated members and methods that use `Self::`."""
    members: list[Member] = []
    body: list[Text | Wrap | Module] = []
    for _ in range(world.rng.choice((1, 2))):
        own = random_gate(world, 0.7)
        kind = world.rng.choice(("fn", "fn", "const"))
        called = world.fresh("as" if kind == "fn" else "AC")
        line = f"pub const fn {called}() -> u32 {{ 1 }}" if kind == "fn" else f"pub const {called}: u32 = 1;"
        body.append(Text([*own.attributes, line]))
        members.append(Member(called, kind, cells[0].mask & world.mask(own.text), cells[0].why + own.conditions))
    for cell in cells:
        world.members[cell.origin] = members
    for member in members:
        if not member.mask or not world.chance(0.5):
            continue
        own = random_gate(world, 0.3) if world.chance(0.4) else spell(world.rng, _last(member, cells[0]))
        call = f"Self::{member.name}()" if member.kind == "fn" else f"Self::{member.name}"
        lines = [*own.attributes, f"pub fn {world.fresh('self_')}() -> u32 {{", f"    {call}", "}"]
        body.append(Text(lines, world.new_unit()))
    module.body.append(Wrap([*gate.attributes, f"impl {name} {{"], ["}"], body))


def _last(member: Member, cell: Cell) -> str:
    return member.why[-1] if len(member.why) > len(cell.why) else "all()"

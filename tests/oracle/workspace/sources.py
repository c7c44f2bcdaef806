"""The Rust of a random workspace: libraries with gated items, re-exports across members, and references to them.

A reference stands in a unit of its own that nothing else needs, so that one which fails can be blanked to see what
lies behind. Whether it fails, and where, is not decided here: the gates are guesses, good ones more often than not.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field, replace

from tests.oracle import forms
from tests.oracle.cfg_eval import evaluate
from tests.oracle.gates import joined, random_text, spell
from tests.oracle.model import ALWAYS, Gate, Module, Text, Wrap

from .manifests import Edge, Extra, Member, Workspace

_KINDS = ("fn",) * 5 + ("const", "static", "unit", "unit", "tuple", "record", "enum", "alias", "trait") + ("macro",) * 3
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
    "macro": "k",
}
_BODIES = {
    "fn": "pub const fn {n}() -> u32 {{ 1 }}",
    "const": "pub const {n}: u32 = 1;",
    "static": "pub static {n}: u32 = 1;",
    "unit": "pub struct {n};",
    "tuple": "pub struct {n}(pub u32);",
    "record": "pub struct {n} {{ pub v: u32 }}",
    "alias": "pub type {n} = u32;",
    "trait": "pub trait {n} {{}}",
}


@dataclass(frozen=True, slots=True)
class Export:
    """A public name of a library: the path from its root, the gates on the way in the library's own words.

    `units` are those that bring it: without them it is nowhere. A macro that `makes` items does so under that gate,
    which is in the words of its caller.
    """

    path: tuple[str, ...]
    kind: str
    gates: tuple[str, ...]
    units: frozenset[int] = frozenset()
    makes: str = ""


@dataclass(eq=False, slots=True)
class Crate:
    """One crate root being written. `exports` are what others may name."""

    member: Member
    extra: Extra | None
    root: Module
    exports: list[Export] = field(default_factory=list)

    @property
    def kind(self) -> str:
        """Cargo's word."""
        return "lib" if self.extra is None else self.extra.kind


class Sources:
    """All crate roots of a workspace. `inert` are the units that nothing else needs."""

    def __init__(self, rng: random.Random, workspace: Workspace) -> None:
        self.rng = rng
        self.workspace = workspace
        self.crates: list[Crate] = []
        self.libraries: dict[Member, Crate] = {}
        self.inert: set[int] = set()
        self.needs: dict[int, frozenset[int]] = {}
        self.units = 0
        self.names = 0
        for member in reversed(workspace.members):
            self.libraries[member] = self._crate(member, None)
            _Library(self, self.libraries[member]).write()
            for extra in member.targets:
                _Program(self, self._crate(member, extra)).write()

    def _crate(self, member: Member, extra: Extra | None) -> Crate:
        file = f"{member.root}/{extra.file if extra is not None else 'src/lib.rs'}"
        crate = Crate(member, extra, Module("crate", None, 0, (), file, f"{member.root}/src"))
        self.crates.append(crate)
        return crate

    def unit(self, *, inert: bool, needs: frozenset[int] = frozenset()) -> int:
        """A new unit, which stands or falls with those that it needs."""
        self.units += 1
        self.needs[self.units] = needs
        if inert:
            self.inert.add(self.units)
        return self.units

    def fallen(self, dropped: set[int]) -> set[int]:
        """What has to go when these units go, those that need them among it."""
        found = set(dropped)
        for unit in range(1, self.units + 1):  # what is needed has been made before
            if not found.isdisjoint(self.needs[unit]):
                found.add(unit)
        return found

    def fresh(self, prefix: str) -> str:
        """A name that nothing else has."""
        self.names += 1
        return f"{prefix}{self.names}"


class _Writer:
    """What a library and a program have in common: references to what is in other crates."""

    def __init__(self, sources: Sources, crate: Crate) -> None:
        self.sources = sources
        self.rng = sources.rng
        self.crate = crate
        self.member = crate.member
        self.names = [name for name in self.member.table() if name != "default"] or ["none"]

    def text(self, lines: list[str], *, inert: bool = True, needs: frozenset[int] = frozenset()) -> Text:
        """A unit."""
        return Text(lines, self.sources.unit(inert=inert, needs=needs))

    def gate(self, share: float, within: tuple[str, ...] = ()) -> Gate:
        """A random gate with probability `share`, one that may hold where `within` does."""
        if self.rng.random() >= share:
            return ALWAYS
        for _ in range(9):
            text = random_text(self.rng, self.names, 1)
            if any(all(evaluate(one, features) for one in (*within, text)) for features in self.member.closed()):
                return spell(self.rng, text)
        return ALWAYS

    def edges(self, *kinds: str) -> list[Edge]:
        """One edge for each key in tables of these kinds."""
        found: dict[str, Edge] = {}
        for edge in self.member.edges:
            if edge.kind in kinds:
                found.setdefault(edge.key, edge)
        return list(found.values())

    def fitting(self, edge: Edge, export: Export) -> Gate:
        """A gate that may make a reference correct: features that speak of the dependency, or nothing."""
        rng = self.rng
        roll = rng.random()
        speaking = [name for name in self.member.speaking_of(edge.key) if name in self.names]
        if roll < 0.15:
            return self.gate(0.8)
        if not speaking or (roll < 0.45 and not edge.optional) or (not export.gates and not edge.optional):
            return ALWAYS
        exact = [
            name
            for name in speaking
            for value in self.member.table()[name]
            if any(f'"{value.rpartition("/")[2]}"' in gate for gate in export.gates) and "/" in value
        ]
        texts = [f'feature = "{rng.choice(exact or speaking)}"']
        if edge.optional and rng.random() < 0.5:
            texts.append(f'feature = "{rng.choice(speaking)}"')
        return spell(rng, joined(tuple(texts)))

    def own_gate(self, export: Export) -> Gate:
        """The gate that makes a reference to something of the own package correct, more often than not."""
        if self.rng.random() < 0.25:
            return self.gate(0.7)
        return spell(self.rng, joined(export.gates)) if export.gates else ALWAYS

    def reference(self, prefix: str, export: Export, gate: Gate) -> Text | Wrap | Module:
        """One unit that names `prefix::export`, in one of many ways."""
        rng = self.rng
        path = "::".join((prefix, *export.path)) if prefix else "::".join(export.path)
        host = f"pub fn {self.sources.fresh('host_')}()"
        attributes = [line for line in gate.attributes if not line.startswith("///")]
        shape = rng.randrange(10)
        words = path.split("::")
        says = forms.statement(rng, export.kind, path, "true")

        def text(lines: list[str]) -> Text:
            return self.text(lines, needs=export.units)

        if shape == 0 and len(words) > 1:
            name = self.sources.fresh(_LETTER.get(export.kind, "n"))
            body = forms.statement(rng, export.kind, name, "true")
            use = f"use {path} as {name};"
            return text([f"{host} {{", *_indented([*attributes, use, *attributes, _block(body, attributes)]), "}"])
        if shape == 1 and len(words) > 1:
            use, body = f"use {'::'.join(words[:-1])}::*;", forms.statement(rng, export.kind, words[-1], "true")
            return text([f"{host} {{", *_indented([*attributes, use, *attributes, _block(body, attributes)]), "}"])
        if shape == 2 and len(words) > 2:
            use = f"use {'::'.join(words[:-1])};"
            body = forms.statement(rng, export.kind, "::".join(words[-2:]), "true")
            return text([f"{host} {{", *_indented([*attributes, use, *attributes, _block(body, attributes)]), "}"])
        if shape == 3 and export.kind in forms.TYPE_KINDS:
            name = self.sources.fresh("item_")
            line = forms.item(rng, "alias", path, name)
            return text([*gate.attributes, line]) if " impl " not in line else text([f"{host} {{}}"])
        if shape == 4 and prefix not in ("crate", "self", "") and words[0] != "":
            says = forms.statement(rng, export.kind, f"::{path}", "true")
        if shape == 5 and (value := forms.value(export.kind, path)) is not None:
            lines = [line.format(a=f"#[cfg({gate.text})]", e=value) for line in rng.choice(forms.GATED_VALUES)]
            return text([f"{host} {{", *_indented(lines), "}"])
        if shape == 6:
            return text([*gate.attributes, f"{host} {{", f"    {says}", "}"])
        return text([f"{host} {{", *_indented([*attributes, _block(says, attributes)]), "}"])

    def variants(self, prefix: str, export: Export, gate: Gate) -> Text:
        """A reference to a variant or an associated function of a type."""
        path = "::".join((prefix, *export.path))
        member = self.rng.choice(("VA", "VB", "VZ") if export.kind == "enum" else ("made", "gated"))
        says = f"let _ = {path}::{member};"
        attributes = [line for line in gate.attributes if not line.startswith("///")]
        host = f"pub fn {self.sources.fresh('host_')}()"
        return self.text([f"{host} {{", *_indented([*attributes, says]), "}"], needs=export.units)

    def add(self, body: list[Text | Wrap | Module], edge: Edge) -> None:
        """A reference to something of another member."""
        exports = [one for one in self.sources.libraries[edge.package].exports if one.kind != "maker"]
        if not exports:
            return
        export = self.rng.choice(exports)
        gate = self.fitting(edge, export)
        if export.kind in ("enum", "unit") and self.rng.random() < 0.4:
            body.append(self.variants(edge.crate, export, gate))
        else:
            body.append(self.reference(edge.crate, export, gate))


class _Library(_Writer):
    """A library: its own items, what it hands on of others, and references in it."""

    def write(self) -> None:
        """Fill the crate."""
        rng, root = self.rng, self.crate.root
        for _ in range(rng.choice((4, 5, 6, 7))):
            self._item(root, ())
        for _ in range(rng.choice((1, 1, 2))):
            self._module(root)
        for edge in self.edges("dependencies"):
            for _ in range(rng.choice((0, 1, 1, 2))):
                self._hand_on(edge)
            self._have_made(edge)
        for _ in range(rng.choice((4, 5, 6, 8)) if self.member.edges else rng.choice((1, 2))):
            self._reference()
        if self.edges("dev-dependencies") and rng.random() < 0.5:
            self._unit_tests()
        first = [piece for piece in root.body if isinstance(piece, Text) and _defines(piece)]
        rest = [piece for piece in root.body if piece not in first]
        rng.shuffle(rest)
        root.body = [*first, *rest]

    def _item(self, module: Module, above: tuple[str, ...]) -> None:
        rng = self.rng
        kind = rng.choice(_KINDS)
        if kind == "macro" and module is not self.crate.root:
            kind = "fn"
        gate = self.gate(0.6, above)
        name = self.sources.fresh(_LETTER[kind])
        gates = above + gate.conditions
        path = (*module.path()[1:], name)
        before = self.sources.units
        makes = ""
        if kind == "enum":
            self._enum(module, name, gate, above)
        elif kind == "macro":
            makes = self._macro(name, gate)
        else:
            module.body.append(self.text([*gate.attributes, _BODIES[kind].format(n=name)], inert=False))
        if kind == "unit":
            self._members(module, name, gate, above)
        kind = "maker" if makes else kind
        self.crate.exports.append(Export(path, kind, gates, frozenset({before + 1}), makes))
        if gate.text != "all()" and kind not in ("macro", "maker", "enum", "unit") and rng.random() < 0.2:
            other = spell(rng, f"not({gate.text})")
            module.body.append(self.text([*other.attributes, _BODIES[kind].format(n=name)], inert=False))

    def _enum(self, module: Module, name: str, gate: Gate, above: tuple[str, ...]) -> None:
        within = above + gate.conditions
        one, two = self.gate(0.7, within), self.gate(0.4, within)
        lines = [f"pub enum {name} {{", "    VZ,"]
        lines += [f"    {line}" for line in (*one.attributes, "VA,", *two.attributes, "VB,")]
        module.body.append(self.text([*gate.attributes, *lines, "}"], inert=False))

    def _members(self, module: Module, name: str, gate: Gate, above: tuple[str, ...]) -> None:
        own = self.gate(0.8, above + gate.conditions)
        lines = [*gate.attributes, f"impl {name} {{", "    pub const fn made() -> u32 { 1 }"]
        lines += [f"    {line}" for line in (*own.attributes, "pub const fn gated() -> u32 { 1 }")]
        module.body.append(self.text([*lines, "}"], inert=False))

    def _macro(self, name: str, gate: Gate) -> str:
        """An exported macro. What its body names, and its gates, are found where it is called.

        Gives the gate of what it makes, if it makes an item.
        """
        rng = self.rng
        named = [export for export in self.crate.exports if export.kind in ("fn", "const")]
        body = "1u32"
        if named and rng.random() < 0.6:
            export = rng.choice(named)
            value = forms.value(export.kind, "::".join(("$crate", *export.path))) or body
            body = value
            if rng.random() < 0.5:
                inner = random_text(rng, self.names, 1) if rng.random() < 0.5 else joined(export.gates) or "all()"
                body = f"{{ #[cfg({inner})] {{ let _ = {value}; }} 1u32 }}"
        if rng.random() < 0.25:
            inside = random_text(rng, self.names, 1) if rng.random() < 0.6 else "all()"
            rule = f"($name:ident) => {{ #[cfg({inside})] pub const fn $name() -> u32 {{ 1 }} }};"
            lines = [*gate.attributes, "#[macro_export]", f"macro_rules! {name} {{", f"    {rule}", "}"]
            self.crate.root.body.append(self.text(lines, inert=False))
            return inside
        rules = [f"() => {{ {body} }};"]
        if rng.random() < 0.3:
            rules.append("($x:expr) => { $x };")
        lines = [*gate.attributes, "#[macro_export]", f"macro_rules! {name} {{", *_indented(rules), "}"]
        self.crate.root.body.append(self.text(lines, inert=False))
        return ""

    def _module(self, parent: Module) -> None:
        rng = self.rng
        gate = self.gate(0.5)
        name = self.sources.fresh("m")
        inline = rng.random() < 0.5
        file = parent.file if inline else f"{self.crate.root.directory}/{name}.rs"
        module = Module(name, parent, 0, gate.conditions, file, f"{self.crate.root.directory}/{name}", inline=inline)
        module.outer = gate
        for _ in range(rng.choice((1, 2, 3))):
            self._item(module, gate.conditions)
        parent.body.append(module)

    def _hand_on(self, edge: Edge) -> None:
        """A `pub use` of something of another member, or of all of it."""
        rng = self.rng
        exports = self.sources.libraries[edge.package].exports
        if not exports:
            return
        export = rng.choice(exports)
        shape = rng.randrange(6)
        gate = self.fitting(edge, export)
        unit = self.sources.unit(inert=False, needs=export.units if shape > 1 else frozenset())
        out: list[Export] = []
        if shape == 0:
            name = self.sources.fresh("x")
            line = rng.choice((f"pub use {edge.crate} as {name};", f"pub extern crate {edge.crate} as {name};"))
            out += [replace(one, path=(name, *one.path), gates=gate.conditions) for one in exports]
        elif shape == 1:
            name = self.sources.fresh("g")
            line = f"pub mod {name} {{ pub use {edge.crate}::*; }}"
            out += [replace(one, path=(name, *one.path), gates=gate.conditions) for one in exports]
        elif shape == 2 and len(export.path) > 1:
            name = self.sources.fresh("m")
            line = f"pub use {edge.crate}::{export.path[0]} as {name};"
            within = [one for one in exports if one.path[0] == export.path[0] and len(one.path) > 1]
            out += [replace(one, path=(name, *one.path[1:]), gates=gate.conditions) for one in within]
        else:
            name = self.sources.fresh(_LETTER.get(export.kind, "n"))
            line = f"pub use {edge.crate}::{'::'.join(export.path)} as {name};"
            out.append(replace(export, path=(name,), gates=gate.conditions))
        self.crate.root.body.append(Text([*gate.attributes, line], unit))
        self.crate.exports += [replace(one, units=one.units | {unit}) for one in out]

    def _have_made(self, edge: Edge) -> None:
        """An item of this library that a macro of another member makes."""
        makers = [one for one in self.sources.libraries[edge.package].exports if one.kind == "maker"]
        if not makers or self.rng.random() < 0.3:
            return
        maker = self.rng.choice(makers)
        gate = self.fitting(edge, maker)
        name = self.sources.fresh("f")
        unit = self.sources.unit(inert=False, needs=maker.units)
        call = f"{edge.crate}::{'::'.join(maker.path)}!({name});"
        self.crate.root.body.append(Text([*gate.attributes, call], unit))
        gates = gate.conditions + (() if maker.makes == "all()" else (maker.makes,))
        self.crate.exports.append(Export((name,), "fn", gates, frozenset({unit})))

    def _reference(self) -> None:
        edges = self.edges("dependencies")
        exports = [export for export in self.crate.exports if export.kind not in ("macro", "maker")]
        if edges and self.rng.random() < 0.85:
            self.add(self.crate.root.body, self.rng.choice(edges))
        elif exports:
            export = self.rng.choice(exports)
            self.crate.root.body.append(self.reference("crate", export, self.own_gate(export)))

    def _unit_tests(self) -> None:
        name = self.sources.fresh("tests_")
        tests = Wrap(["#[cfg(test)]", f"mod {name} {{"], ["}"])
        for _ in range(self.rng.choice((1, 2))):
            self.add(tests.body, self.rng.choice(self.edges("dependencies", "dev-dependencies")))
        self.crate.root.body.append(tests)


class _Program(_Writer):
    """A program, test or example: it sees its own library as another crate."""

    def write(self) -> None:
        """Fill the crate."""
        root = self.crate.root
        library = self.member.library or self.member.name.replace("-", "_")
        kinds = ("dependencies",) if self.crate.kind == "bin" else ("dependencies", "dev-dependencies")
        edges = self.edges(*kinds)
        exports = [one for one in self.sources.libraries[self.member].exports if one.kind != "maker"]
        for _ in range(self.rng.choice((2, 3, 4))):
            if edges and self.rng.random() < 0.4:
                self.add(root.body, self.rng.choice(edges))
            elif exports:
                export = self.rng.choice(exports)
                gate = self.own_gate(export) if self.rng.random() < 0.6 else ALWAYS
                root.body.append(self.reference(library, export, gate))
        if self.crate.kind != "test":
            root.body.append(Text(["fn main() {}"]))


def _indented(lines: list[str]) -> list[str]:
    return [f"    {line}" for line in lines]


def _block(says: str, attributes: list[str]) -> str:
    """The statement, in a block where an attribute would only hold for the first half of it."""
    return f"{{ {says} }}" if attributes and says.count("; ") else says


def _defines(piece: Text) -> bool:
    return any("macro_rules! " in line for line in piece.lines)

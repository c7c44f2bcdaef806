"""Random packages about members: gated fields, variants, methods and trait items, and uses of them that need no types.

The packages of generate.py are about paths; here every use is a struct expression or pattern, a match, `self.member` or
an impl of a trait. Most uses carry the gate of the declaration, some another one, some none. Exhaustiveness is looked at
by rustc after everything else, so a package is about matches alone or about all the rest.
"""

from __future__ import annotations

import random
import shutil
from collections.abc import Callable
from pathlib import Path

from .cargo_oracle import Place, compile_all, feature_sets, read_crate
from .gates import feature_table, names_of, random_text
from .generate import GenerationError, Package, look_deeper, write_manifest, write_sources, wrong_units
from .model import Module, Text, World

_FIELDS = ("alpha", "buzz", "count")
"""So different that rustc takes none for a misspelling of another: then it is silent about the second."""


def generate_members(seed: int, directory: Path, scratch: Path, *, threads: int = 2) -> Package:
    """Write the package of `seed` into `directory`; `scratch` takes rustc's output. Raises GenerationError."""
    shutil.rmtree(directory, ignore_errors=True)
    directory.mkdir(parents=True)
    scratch.mkdir(parents=True, exist_ok=True)
    rng = random.Random(f"members {seed}")
    features = feature_table(rng, dependency="", most=4)
    edition = rng.choice(("2018", "2021", "2024"))
    write_manifest(directory, features, "", edition, f"members-{seed}")
    crate = read_crate(directory)
    sets = feature_sets(crate)
    world = World(rng, features, sets, edition)
    written = _Members(world).write()
    dropped: set[int] = set()
    for _ in range(9):
        owners: dict[Place, int | None] = write_sources(world, directory, dropped)
        verdicts = compile_all(crate, sets, scratch, threads=threads)
        wrong = wrong_units(owners, verdicts, rng)
        if not wrong:
            seen = {one: look_deeper(crate, one, verdict, owners, scratch) for one, verdict in verdicts.items()}
            return Package(seed, directory, crate, seen, written)
        dropped |= wrong
    raise GenerationError(f"members {seed}: too many repairs")


class _Members:
    """One draw."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.rng = world.rng
        self.home = Module("home", world.root, world.full, (), "src/lib.rs", "src", inline=True)
        self.aliases: list[str] = []

    def write(self) -> int:
        """Add some types and traits with their uses; gives the number of uses."""
        world, rng = self.world, self.rng
        world.root.body.append(self.home)
        draws: tuple[Callable[[], int], ...] = (self._enum,) if rng.random() < 0.4 else (self._struct, self._trait)
        return sum(rng.choice(draws)() for _ in range(rng.choice((2, 3, 4, 5))))

    # Gates

    def _text(self) -> str:
        """A predicate, "" for none."""
        return random_text(self.rng, names_of(self.world), 1) if self.rng.random() < 0.6 else ""

    def _use_of(self, text: str) -> str | None:
        """The gate of a use of what is under `text`; None to leave it out."""
        roll = self.rng.random()
        if roll < 0.7:
            return text
        if roll < 0.8:
            return ""
        return random_text(self.rng, names_of(self.world), 1) if roll < 0.93 else None

    def _gated(self, text: str, line: str) -> list[str]:
        if not text:
            return [line]
        return [f"#[cfg({text})] {line}"] if self.rng.random() < 0.5 else [f"#[cfg({text})]", line]

    # Places

    def _declare(self, name: str, lines: list[str]) -> str:
        """Put a declaration somewhere; gives a path to it from the crate root."""
        if self.rng.random() < 0.5:
            self.world.root.body.append(Text(lines))
            return name
        self.home.body.append(Text(lines))
        if self.rng.random() < 0.5:
            return f"home::{name}"
        alias = self.world.fresh("Alias")
        self.world.root.body.append(Text([f"use home::{name} as {alias};"]))
        return alias

    def _unit(self, lines: list[str]) -> int:
        self.world.root.body.append(Text(lines, self.world.new_unit()))
        return 1

    # Structs

    def _struct(self) -> int:
        rng, name = self.rng, self.world.fresh("S")
        generics = "<X>" if rng.random() < 0.2 else ""
        given = "<u8>" if generics else ""
        fields = [("k", "")] + [(field, self._text()) for field in _FIELDS[: rng.choice((1, 2, 3))]]
        lines = ["#[derive(Clone, Debug)]"] if rng.random() < 0.4 else []
        lines.append(f"pub struct {name}{generics} {{")
        lines += [line for field, text in fields for line in self._gated(text, f"    pub {field}: u32,")]
        lines += ["    pub x: Option<X>,", "}"] if generics else ["}"]
        rest = ["    x: None,"] if generics else []
        make = [line for field, text in fields for line in self._gated(text, f"    {field}: 1,")]
        lines += [f"impl {name}{given} {{", f"pub fn make() -> Self {{ {name} {{", *make, *rest, "} }", "}"]
        path = self._declare(name, lines)
        whole = f"{path}::{given}" if given else path
        uses = (
            lambda: self._expression(path, f"{whole}::make()", fields, rest),
            lambda: self._pattern(path, f"{whole}::make()", fields, generics),
            lambda: self._methods(f"{path}{given}", fields),
        )
        return sum(rng.choice(uses)() for _ in range(rng.choice((2, 3, 4))))

    def _expression(self, path: str, base: str, fields: list[tuple[str, str]], rest: list[str]) -> int:
        lines = [f"pub fn {self.world.fresh('give_')}() {{", f"    let _ = {path} {{"]
        shuffled = self.rng.sample(fields, len(fields))
        for field, text in shuffled:
            gate = self._use_of(text)
            if gate is not None:
                lines += self._gated(gate, f"{field}: 2,")
        lines += rest
        if self.rng.random() < 0.25:
            lines.append(f"..{base}")
        return self._unit([*lines, "    };", "}"])

    def _pattern(self, path: str, value: str, fields: list[tuple[str, str]], generics: str) -> int:
        is_let = self.rng.random() < 0.6
        head, tail = (f"let {path} {{", f"}} = {value};") if is_let else (f"match {value} {{ {path} {{", "} => {} }")
        lines = [f"pub fn {self.world.fresh('take_')}() {{", head]
        for field, text in fields:
            gate = self._use_of(text)
            if gate is not None:
                lines += self._gated(gate, self.rng.choice((f"{field}: _,", f"{field},", f"ref {field},")))
        if generics:
            lines.append("x: _,")
        if self.rng.random() < 0.4:
            lines.append("..")
        return self._unit([*lines, tail, "}"])

    def _methods(self, of: str, fields: list[tuple[str, str]]) -> int:
        """Two impls: methods with gates of their own, and one that uses them and the fields."""
        rng = self.rng
        methods = [(self.world.fresh("m"), self._text()) for _ in range(rng.choice((1, 2)))]
        lines = [f"impl {of} {{"]
        for method, text in methods:
            lines += self._gated(text, f"fn {method}{'<Y>' if method.endswith('3') else ''}(&self) -> u32 {{ 1 }}")
        self.world.root.body.append(Text([*lines, "}"]))
        receiver = rng.choice(("self", "&self", "&mut self"))
        for _ in range(rng.choice((1, 2))):
            lines = [f"impl {of} {{", f"pub fn {self.world.fresh('run_')}({receiver}) {{"]
            for name, text in rng.sample([*fields[1:], *methods], rng.choice((1, 2))):
                gate = self._use_of(text)
                call = name not in _FIELDS
                member = f"{name}{'::<u8>' if call and name.endswith('3') else ''}{'()' if call else ''}"
                form = rng.choice(
                    (f"let _ = self.{member};", f"let _ = [1u32].iter().map(|x| x + self.{member}).count();")
                )
                lines += self._gated(gate or "", form)
            self._unit([*lines, "}", "}"])
        return 2

    # Enums

    def _enum(self) -> int:
        rng, name = self.rng, self.world.fresh("E")
        variants = [("V0", "", "")]
        for index in range(rng.choice((1, 2, 3, 4))):
            body = rng.choice(("", "", "(u32)", " { v: u32 }"))
            variants.append((f"V{index + 1}", body, self._text()))
        lines = ["#[derive(Clone)]", f"pub enum {name} {{"]
        lines += [line for variant, body, text in variants for line in self._gated(text, f"    {variant}{body},")]
        path = self._declare(name, [*lines, "}"])
        return sum(self._match(path, variants) for _ in range(rng.choice((1, 2, 3))))

    def _match(self, path: str, variants: list[tuple[str, str, str]]) -> int:
        rng = self.rng
        by_glob = rng.random() < 0.2
        lines = [f"pub fn {self.world.fresh('which_')}(e: {rng.choice(('', '&'))}{path}) -> u32 {{"]
        if by_glob:
            lines.append(f"use {path}::*;")
        prefix = "" if by_glob else f"{path}::"
        lines.append(rng.choice(("match e {", "match (e) {", "let x = match e {")))
        is_let = lines[-1].startswith("let")
        for variant, body, text in rng.sample(variants, len(variants)):
            gate = self._use_of(text)
            if gate is None:
                continue
            held = {
                "": "",
                "(u32)": rng.choice(("(_)", "(..)", "(_x)")),
                " { v: u32 }": rng.choice((" { .. }", " { v: _ }")),
            }
            pattern = f"{prefix}{variant}{held[body]}"
            if by_glob and not body and (gate or text):
                pattern = f"{path}::{variant}"  # alone it would be a variable where the variant is not
            if rng.random() < 0.15:
                lines += self._gated(gate, f"{pattern} if 1u8 == 2 => 7,")
            if rng.random() < 0.1:
                pattern = f"y @ {pattern}" if "x" not in pattern and rng.random() < 0.5 else f"{pattern} | {pattern}"
            lines += self._gated(gate, f"{pattern} => {rng.randrange(9)},")
        if rng.random() < 0.2:
            lines.append(rng.choice(("_ => 10,", "_other => 10,")))
        return self._unit([*lines, "};" if is_let else "}", *(["x"] if is_let else []), "}"])

    # Traits

    def _trait(self) -> int:
        rng, name = self.rng, self.world.fresh("Q")
        items: list[tuple[str, str, str]] = []
        for index in range(rng.choice((2, 3, 4))):
            declared, given = rng.choice(
                (
                    (f"fn r{index}(&self);", f"fn r{index}(&self) {{}}"),
                    (f"fn r{index}() -> u32;", f"fn r{index}() -> u32 {{ 1 }}"),
                    (f"fn d{index}(&self) {{}}", f"fn d{index}(&self) {{}}"),
                    (f"const C{index}: u32;", f"const C{index}: u32 = 1;"),
                    (f"const D{index}: u32 = 1;", f"const D{index}: u32 = 2;"),
                    (f"type A{index};", f"type A{index} = u32;"),
                )
            )
            items.append((declared, given, self._text()))
        lines = [f"pub trait {name} {{"]
        lines += [line for declared, _, text in items for line in self._gated(text, f"    {declared}")]
        path = self._declare(name, [*lines, "}"])
        for _ in range(rng.choice((1, 2, 3))):
            own = self.world.fresh("I")
            self.world.root.body.append(Text([f"pub struct {own};"]))
            block = [f"impl {path} for {own} {{"]
            for _, given, text in rng.sample(items, len(items)):
                gate = self._use_of(text)
                if gate is not None:
                    block += self._gated(gate, f"    {given}")
            self._unit([*self._gated(self._text() if rng.random() < 0.2 else "", block[0]), *block[1:], "}"])
        return len(items)

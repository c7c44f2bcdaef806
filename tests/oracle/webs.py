"""Webs of imports: small random packages in which modules take names from each other by `use`, by glob, and in circles.

The packages of generate.py seldom hold an import that waits for another; here nearly every one does. What is wrong for
other reasons than a gate is taken out line by line, as rustc finds it.
"""

from __future__ import annotations

import random
import shutil
from pathlib import Path

from .cargo_oracle import DUPLICATE_CODES, Place, compile_all, feature_sets, read_crate
from .generate import GenerationError, Package, look_deeper

_FILE = "src/lib.rs"
_NAMES = ("f", "g", "S")
_MODULES = ("a", "b", "c", "d")
_VISIBILITIES = ("pub ", "pub ", "pub(crate) ", "")


def generate_web(seed: int, directory: Path, scratch: Path, *, threads: int = 2) -> Package:
    """Write the web of `seed` into `directory`; `scratch` takes rustc's output. Raises GenerationError."""
    shutil.rmtree(directory, ignore_errors=True)
    (directory / "src").mkdir(parents=True)
    scratch.mkdir(parents=True, exist_ok=True)
    rng = random.Random(f"web {seed}")
    edition = rng.choice(("2015", "2018", "2021", "2021"))
    features = 'x = []\ny = ["x"]\nz = []' if rng.random() < 0.3 else "x = []"
    manifest = f'[package]\nname = "web-{seed}"\nversion = "0.1.0"\nedition = "{edition}"\n\n[features]\n{features}\n'
    (directory / "Cargo.toml").write_text(manifest, "utf-8")
    crate = read_crate(directory)
    sets = feature_sets(crate)
    lines = _Web(rng, sorted(crate.manifest["features"])).lines()
    for _ in range(12):
        (directory / _FILE).write_text("\n".join(lines) + "\n", "utf-8")
        verdicts = compile_all(crate, sets, scratch, threads=threads)
        failing: dict[int, int] = {}
        wrong: set[int] = set()
        for verdict in verdicts.values():
            for number in {error.outermost.line for error in verdict.errors}:
                failing[number] = failing.get(number, 0) + 1
            wrong |= {e.outermost.line for e in verdict.errors if not e.expected or e.code in DUPLICATE_CODES}
        # Where a glob fails, rustc keeps silent about names that it might have brought.
        wrong |= {number for number, n in failing.items() if n == len(sets) or "::*" in lines[number - 1]}
        if not wrong:
            owners = {Place(_FILE, number): number for number in range(1, len(lines) + 1)}
            seen = {one: look_deeper(crate, one, verdict, owners, scratch) for one, verdict in verdicts.items()}
            return Package(seed, directory, crate, seen, sum("use " in line or "let " in line for line in lines))
        if any(lines[number - 1].endswith("{") for number in wrong):
            break
        lines = ["" if number in wrong else line for number, line in enumerate(lines, 1)]
    raise GenerationError(f"web {seed}: cannot be repaired")


class _Web:
    """One draw."""

    def __init__(self, rng: random.Random, features: list[str]) -> None:
        self.rng = rng
        self.features = features
        self.modules = _MODULES[: rng.choice((2, 3, 3, 4))]

    def lines(self) -> list[str]:
        """The source: some lines of the root, and modules, in any order."""
        rng = self.rng
        pieces = [[line] for line in self._body("", rng.choice((0, 1, 2, 3)))] + [self._module(m) for m in self.modules]
        rng.shuffle(pieces)
        macro = ["macro_rules! kept { ($($item:item)*) => { $( $item )* } }"]
        return macro + [line for piece in pieces for line in piece]

    def _module(self, name: str) -> list[str]:
        rng = self.rng
        gate = self._gate() if rng.random() < 0.2 else ""
        body = self._body(name, rng.choice((1, 2, 3, 4)))
        if rng.random() < 0.5:
            path = rng.choice(("f", "g", f"::{rng.choice(self.modules)}::f", f"super::{rng.choice(self.modules)}::g"))
            path = f"crate{path}" if path.startswith("::") else path
            body.append(f"pub fn h() {{ let _ = {path}; }}")
        return [f"{gate}pub mod {name} {{", *(f"    {line}" for line in body), "}"]

    def _body(self, module: str, count: int) -> list[str]:
        taken = set() if module else set(self.modules)
        found: list[str] = []
        for _ in range(count):
            name, text = self._item() if self.rng.random() < 0.3 else self._use(module)
            if name not in taken:
                found.append(self._late(self._gate() + text))
            if name:
                taken.add(name)
        return found

    def _late(self, text: str) -> str:
        """Now and then by way of a macro: then rustc comes upon it after all the rest."""
        roll = self.rng.random()
        if roll < 0.1:
            return f"kept! {{ {text} }}"
        return f"cfg_select! {{ all() => {{ {text} }} _ => {{}} }}" if roll < 0.15 else text

    def _gate(self) -> str:
        roll = self.rng.random()
        feature = f'feature = "{self.rng.choice(self.features)}"'
        return f"#[cfg({feature})] " if roll < 0.35 else f"#[cfg(not({feature}))] " if roll < 0.45 else ""

    def _item(self) -> tuple[str, str]:
        name = self.rng.choice(_NAMES)
        if name == "S":
            return name, "pub struct S;" if self.rng.random() < 0.7 else "#[derive(Clone)] pub struct S;"
        return name, f"pub fn {name}() {{}}"

    def _use(self, module: str) -> tuple[str, str]:
        """The name that an import takes, empty for a glob, and the import."""
        rng = self.rng
        path = [rng.choice(("crate", "super" if module else "self"))]
        if rng.random() < 0.8:
            path.append(rng.choice(self.modules))
        if rng.random() < 0.15:
            path.append(rng.choice(self.modules))
        if module and rng.random() < 0.1:
            path = ["self", rng.choice(self.modules)] if rng.random() < 0.3 else ["self"]
        if rng.random() < 0.08:
            path = [rng.choice(self.modules)]
        head = f"{rng.choice(_VISIBILITIES)}use {'::'.join(path)}"
        if rng.random() < 0.5:
            return "", f"{head}::*;"
        name = rng.choice((*_NAMES, *_NAMES, *_NAMES, *self.modules[:2]))
        alias = name if rng.random() < 0.75 else rng.choice(_NAMES)
        return alias, f"{head}::{name}{'' if alias == name else f' as {alias}'};"

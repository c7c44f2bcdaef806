"""Seeded random packages whose every reference is correct in some feature set, most in all, a few broken in some.

`generate` writes a package, asks rustc about it in every closed feature set, and takes out what is wrong for other
reasons than a gate: a line that never compiles, a type error, an ambiguity. What remains is a pure question of
configurations. The result depends on the seed and on rustc alone. Only own features vary; the host is the only
target and `test` is off.
"""

from __future__ import annotations

import enum
import random
import shutil
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from . import platforms, references, skeleton
from .cargo_oracle import (
    Crate,
    Error,
    FeatureSet,
    Place,
    Verdict,
    compile_all,
    compile_one,
    feature_sets,
    read_crate,
    rustc,
)
from .gates import feature_table
from .model import World, emit

_DEPENDENCY = """\
#[cfg(feature = "x")]
pub const fn df1() -> u32 { 1 }
pub const fn df0() -> u32 { 1 }
pub struct DU;
pub mod dm {
    pub const fn df2() -> u32 { 1 }
    #[cfg(not(feature = "x"))]
    pub const DC: u32 = 1;
}
"""
_MOST_BROKEN = 7


class Kind(enum.Enum):
    """What the gates of a package are about."""

    FEATURES = "package"
    PLATFORMS = "platform"


class GenerationError(Exception):
    """This draw cannot be repaired; the next one is taken."""


@dataclass(frozen=True, slots=True)
class Package:
    """A package on disk, with rustc's verdict in each of its feature sets."""

    seed: int
    directory: Path
    crate: Crate
    verdicts: Mapping[FeatureSet, Verdict]
    references: int

    @property
    def broken(self) -> int:
        """How many lines fail in some set."""
        return len({error.outermost for verdict in self.verdicts.values() for error in verdict.errors})

    @property
    def targets(self) -> tuple[str, ...]:
        """The targets that it is compiled for, none for the host alone."""
        return tuple(sorted({one.target for one in self.verdicts} - {""}))


def generate(seed: int, directory: Path, scratch: Path, *, threads: int = 2, kind: Kind = Kind.FEATURES) -> Package:
    """Write the package of `seed` into `directory`; `scratch` takes rustc's output. Raises GenerationError."""
    for attempt in range(8):
        for used in (directory, scratch):
            shutil.rmtree(used, ignore_errors=True)
            used.mkdir(parents=True)
        rng = random.Random(f"{seed}/{attempt}")
        try:
            return _attempt(seed, rng, directory, scratch, threads, kind)
        except GenerationError:
            continue
    raise GenerationError(f"seed {seed}: no draw could be repaired")


def judge(directory: Path, scratch: Path, *, threads: int = 2) -> Package:
    """rustc's verdicts on a package that is already there. `scratch` takes rustc's output."""
    scratch.mkdir(parents=True, exist_ok=True)
    crate = read_crate(directory.resolve())
    return Package(-1, crate.directory, crate, compile_all(crate, feature_sets(crate), scratch, threads=threads), 0)


def _attempt(seed: int, rng: random.Random, directory: Path, scratch: Path, threads: int, kind: Kind) -> Package:
    dependency = "depa" if rng.random() < 0.3 and kind is Kind.FEATURES else ""
    features = feature_table(rng, dependency=dependency, most=4 if kind is Kind.FEATURES else 2)
    edition = rng.choice(("2015", "2018", "2021", "2021", "2024"))
    write_manifest(directory, features, dependency, edition, f"gen-{seed}")
    crate = read_crate(directory)
    sets = feature_sets(crate)
    asked: tuple[str, ...] = ()
    if kind is Kind.PLATFORMS:
        asked = (*rng.sample(sorted(set(platforms.PREDICATES)), 5), "unix", "windows")
        sets = _on_targets(sets, platforms.draw(rng))
    world = World(rng, features, sets, edition, asked)
    gates = skeleton.build(world)
    written = references.write(world, gates, rng.choice((10, 15, 20, 25, 30, 40)))
    if dependency:
        references.write_dependency(world, dependency)
    skeleton.assemble(world)
    dropped: set[int] = set()
    for _ in range(9):
        owners = write_sources(world, directory, dropped)
        verdicts = compile_all(crate, sets, scratch, threads=threads)
        wrong = wrong_units(owners, verdicts, rng)
        if not wrong:
            seen = {one: look_deeper(crate, one, verdict, owners, scratch) for one, verdict in verdicts.items()}
            return Package(seed, directory, crate, seen, written)
        dropped |= wrong
    raise GenerationError("too many repairs")


def _on_targets(sets: tuple[FeatureSet, ...], targets: tuple[str, ...]) -> tuple[FeatureSet, ...]:
    compiler = str(rustc())
    return tuple(
        FeatureSet(one.features, options=platforms.options(compiler, target), target=target)
        for target in targets
        for one in sets
    )


def write_manifest(
    directory: Path, features: Mapping[str, Iterable[str]], dependency: str, edition: str, name: str
) -> None:
    lines = ["[package]", f'name = "{name}"', 'version = "0.1.0"', f'edition = "{edition}"', "", "[features]"]
    for feature, values in features.items():
        lines.append(f"{feature} = [{', '.join(f'{chr(34)}{value}{chr(34)}' for value in values)}]")
    if dependency:
        lines += ["", "[dependencies]", f'{dependency} = {{ path = "{dependency}", optional = true }}']
        inner = directory / dependency
        (inner / "src").mkdir(parents=True)
        manifest = f'[package]\nname = "{dependency}"\nversion = "0.1.0"\nedition = "2021"\n\n[features]\nx = []\n'
        (inner / "Cargo.toml").write_text(manifest, "utf-8")
        (inner / "src" / "lib.rs").write_text(_DEPENDENCY, "utf-8")
    (directory / "Cargo.toml").write_text("\n".join(lines) + "\n", "utf-8")


def write_sources(world: World, directory: Path, dropped: set[int]) -> dict[Place, int | None]:
    """Write the sources, and tell which unit owns each line."""
    owners: dict[Place, int | None] = {}
    shutil.rmtree(directory / "src", ignore_errors=True)
    for name, lines in emit(world.root, dropped).items():
        path = directory / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("".join(line + "\n" for line, _ in lines), "utf-8")
        for number, (_, unit) in enumerate(lines, 1):
            owners[Place(name, number)] = unit
    return owners


def wrong_units(
    owners: Mapping[Place, int | None], verdicts: Mapping[FeatureSet, Verdict], rng: random.Random
) -> set[int]:
    """The units to take out: wrong for other reasons than configuration, wrong everywhere, or one too many."""
    wrong: set[int] = set()
    failing: dict[int, set[FeatureSet]] = {}
    for one, verdict in verdicts.items():
        for error in verdict.errors:
            unit = next((owners.get(place) for place in (error.outermost, *error.places) if owners.get(place)), None)
            if unit is None:
                if not error.expected or error.code != "E0428":
                    raise GenerationError(f"error outside of every unit: {error}")
                continue
            if not error.expected:
                wrong.add(unit)
            failing.setdefault(unit, set()).add(one)
    wrong |= {unit for unit, sets in failing.items() if len(sets) == len(verdicts)}
    broken = sorted(set(failing) - wrong)
    if not wrong and len(broken) > _MOST_BROKEN:
        wrong |= set(rng.sample(broken, len(broken) - _MOST_BROKEN))
    return wrong


def look_deeper(
    crate: Crate, one: FeatureSet, verdict: Verdict, owners: Mapping[Place, int | None], scratch: Path
) -> Verdict:
    """Find what hides behind errors of name resolution, by blanking what has them: failed globs alone, or whole units."""
    if verdict.depth > 1 or not verdict.errors:
        return verdict
    copy = scratch / "blanked"
    shutil.rmtree(copy, ignore_errors=True)
    shutil.copytree(crate.directory, copy)
    below = verdict
    if _failed_globs(copy, verdict):
        behind: set[Error] = set()
        for _ in range(4):
            globs = _failed_globs(copy, below)
            if not globs:
                break
            _blank(copy, {above for place in globs for above in _with_attributes(copy, place)})
            below = compile_one(Crate(copy, crate.manifest), one, scratch)
            behind.update(below.errors)
        return Verdict(verdict.errors, 0 if _failed_globs(copy, below) else 1, tuple(sorted(behind)))
    later: set[Error] = set()
    for _ in range(4):
        early = [error for error in below.errors if error.phase == 1]
        later.update(error for error in below.errors if error.phase > 1)
        units = {owners.get(place) for error in early for place in (error.outermost, *error.places)} - {None}
        _blank(copy, {place for place, unit in owners.items() if unit in units})
        below = compile_one(Crate(copy, crate.manifest), one, scratch)
        if below.depth > 1:
            return Verdict(tuple(sorted({*verdict.errors, *later, *below.errors})), below.depth)
        if _failed_globs(copy, below):
            break
    return verdict


def _failed_globs(directory: Path, verdict: Verdict) -> set[Place]:
    found: set[Place] = set()
    for error in verdict.errors:
        lines = (directory / error.outermost.file).read_text("utf-8").splitlines()
        if error.code in ("E0432", "E0433") and "::*" in lines[error.outermost.line - 1]:
            found.add(error.outermost)
    return found


def _with_attributes(directory: Path, place: Place) -> Iterator[Place]:
    """The line, and the attributes and documentation directly above it."""
    yield place
    lines = (directory / place.file).read_text("utf-8").splitlines()
    number = place.line - 1
    while number > 0 and lines[number - 1].lstrip().startswith(("#[", "///")):
        yield Place(place.file, number)
        number -= 1


def _blank(directory: Path, places: Iterable[Place]) -> None:
    """Empty these lines."""
    blanked = set(places)
    for file in sorted({place.file for place in blanked}):
        lines = (directory / file).read_text("utf-8").splitlines()
        kept = ["" if Place(file, number) in blanked else line for number, line in enumerate(lines, 1)]
        (directory / file).write_text("\n".join(kept) + "\n", "utf-8")

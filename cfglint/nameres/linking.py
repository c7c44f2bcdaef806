"""Crates linked: which library a dependency means, and what its features mean in the build of a root.

Each library is resolved once, in its own words; what its features mean is asked anew for every root, in the standalone
world. Libraries from outside (`vendor/`, cargo's registry sources) are opened when a path first leads into them, and the
manifests of all dependencies are read when somebody asks for the first feature of one.
"""

from __future__ import annotations

import functools
import os
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from cfglint.condition.atom import Atom, feature, opaque
from cfglint.condition.diagram import FALSE, TRUE, Condition, literal
from cfglint.config import Dependencies
from cfglint.items import model as m
from cfglint.items.build_script import NO_SCRIPT, BuildScript, read
from cfglint.manifest.dependency import Dependency
from cfglint.manifest.feature_model import FeatureModel, feature_model
from cfglint.manifest.lockfile import LockedPackage
from cfglint.manifest.package import Package
from cfglint.manifest.sources import Sources, locate
from cfglint.manifest.space import TEST
from cfglint.manifest.targets import Target, TargetKind
from cfglint.manifest.unification import Setting, Side
from cfglint.manifest.workspace import Workspace
from cfglint.manifest.worlds import World, formulas_in
from cfglint.nameres.crate import QUALIFIER, Crate, Program, is_qualified
from cfglint.nameres.def_map import DefMap, build
from cfglint.nameres.files import Files, rust_files
from cfglint.nameres.model import CrateConfig
from cfglint.nameres.roots import crate_config, dev_units


@dataclass(slots=True)
class Linker:
    """Crates by package, made when they are first asked for."""

    workspace: Workspace
    files: Files
    program: Program
    sources: Sources
    setting: Setting
    wide: Setting
    dependencies: Dependencies
    models: dict[Package, FeatureModel] = field(default_factory=dict)
    libraries: dict[Package, int] = field(default_factory=dict)
    owners: dict[int, Package] = field(default_factory=dict)
    scripts: dict[Package, BuildScript] = field(default_factory=dict)
    reserved: dict[LockedPackage, int] = field(default_factory=dict)
    outside: set[Package] = field(default_factory=set)

    def setting_of(self, package: Package) -> Setting:
        """What has to be known of the build for the features of a package: of those outside, all packages there are."""
        return self.wide if self.is_outside(package) else self.setting

    def is_outside(self, package: Package) -> bool:
        """Whether a package is no part of this checkout."""
        return package in self.outside


def linker(
    workspace: Workspace, files: Files, program: Program, dependencies: Dependencies = Dependencies.READ
) -> Linker:
    """A linker for the crates of a workspace; `dependencies` says whether those from outside are read."""
    sources = locate(workspace)
    models: dict[Package, FeatureModel] = {}

    def model(package: Package) -> FeatureModel:
        if package not in models:
            models[package] = feature_model(package, workspace.resolver)
        return models[package]

    def package(owner: Package, dependency: Dependency) -> Package | None:
        return sources.local(owner, dependency)

    members = () if workspace.is_loose else workspace.packages
    setting = Setting(package, model, workspace.resolver, members, below=sources.below)
    wide = replace(setting, package=sources.package)
    return Linker(workspace, files, program, sources, setting, wide, dependencies, models)


def owner_of(linked: Linker, atom: Atom) -> tuple[Package, str]:
    """The package and the feature that a qualified atom is about."""
    number, _, name = atom.key.partition(QUALIFIER)
    return linked.owners[int(number)], name


def build_script(linked: Linker, package: Package) -> BuildScript:
    """What the package's build script may set."""
    if package not in linked.scripts:
        script = package.build_script
        source = linked.files.load(str(script.path)) if script is not None else None
        names = linked.setting.model(package).names
        linked.scripts[package] = NO_SCRIPT if source is None else read(source, names)
    return linked.scripts[package]


def library_of(linked: Linker, package: Package) -> int:
    """The crate number of a package's library; -1 if it has none that is read."""
    if package not in linked.libraries:
        linked.libraries[package] = -1
        target = package.library
        if target is not None:
            linked.libraries[package] = make_crate(linked, package, target).d.crate
    return linked.libraries[package]


def make_crate(linked: Linker, package: Package, target: Target) -> Crate:
    """The crate of one target, with its dependencies linked."""
    if target.kind is TargetKind.LIB and linked.libraries.get(package, -1) >= 0:
        return linked.program.crates[linked.libraries[package]]

    def crate_of(dependency: Dependency) -> int:
        found = linked.setting.package(package, dependency)
        if found is None:
            return _outside_library(linked, package, dependency)
        return -1 if found is package else library_of(linked, found)

    own = None
    if target.kind not in (TargetKind.LIB, TargetKind.BUILD_SCRIPT) and package.library is not None:
        own = (package.library.crate_name, library_of(linked, package))
    model = linked.setting.model(package)
    config = crate_config(package, model, target, own, build_script(linked, package), crate_of)
    number = len(linked.program.crates)
    crate = Crate(linked.program, build(number, config, linked.files.read))
    linked.program.crates.append(crate)
    linked.owners[number] = package
    if target.kind is TargetKind.LIB:
        linked.libraries[package] = number
    return crate


_CLOSED = CrateConfig("", "", "2021", TRUE, {})
_MOST_BYTES = 1_000_000
"""Source files of dependencies that are larger are generated, and are left alone."""
_MOST_SOURCE = 4_000_000
"""Libraries of more bytes are bindings to a platform, with a module for each; a look at one would cost too much."""


def _outside_library(linked: Linker, owner: Package, dependency: Dependency) -> int:
    """The number of the library of a package from outside, which is read once it is needed; -1 if there is none."""
    entry = None if linked.dependencies is Dependencies.SKIP else linked.sources.locked(owner, dependency)
    if entry is None or entry.source is None:
        return -1
    if entry not in linked.reserved:
        number = linked.reserved[entry] = len(linked.program.crates)
        linked.program.crates.append(Crate(linked.program, DefMap(number, _CLOSED)))
        linked.program.closed[number] = lambda: _open(linked, number, owner, dependency)
    return linked.reserved[entry]


def _open(linked: Linker, number: int, owner: Package, dependency: Dependency) -> Crate | None:
    """Read the root of a library from outside; None if it is not on disk, or a procedural macro."""
    package = linked.sources.package(owner, dependency)
    target = None if package is None else package.library
    if package is None or target is None or target.proc_macro or not linked.wide.model(package).names:
        return None
    if sum(size for _, size in rust_files(os.path.dirname(target.path))) > _MOST_SOURCE:
        return None

    def crate_of(inner: Dependency) -> int:
        found = linked.setting.package(package, inner)
        return _outside_library(linked, package, inner) if found is None else library_of(linked, found)

    def read_small(path: str) -> m.ItemTree | None:
        return linked.files.read_heads(path, _MOST_BYTES)

    model = linked.wide.model(package)
    config = crate_config(package, model, target, None, build_script(linked, package), crate_of)
    linked.owners[number] = package
    linked.outside.add(package)
    return Crate(linked.program, build(number, config, read_small, lazily=True))


def give_meaning(linked: Linker, package: Package, target: Target, crate: Crate) -> list[Condition]:
    """Let the crate know what features of other crates mean in its build; returns what that build forces on.

    The conditions returned hold in every build of this root: a feature that a dependency (or a dev-dependency, in test
    builds) turns on in the root itself.
    """
    dev = dev_units(target)
    crate.meaning = _meaning(linked, package, dev, of_host=target.kind is TargetKind.BUILD_SCRIPT)
    if target.kind is TargetKind.BUILD_SCRIPT:
        return []
    own = formulas_in(World.STANDALONE, package, linked.setting, dev_units=dev).of(package)
    if target.kind in (TargetKind.LIB, TargetKind.BIN) and linked.setting.resolver == "1":
        # Resolver 1 lets dev-dependencies turn features on in every build of this workspace. Those who depend on the
        # package have none of them, and it is their build that counts.
        own = formulas_in(World.STANDALONE, package, _resolver_two(linked.setting), dev_units=dev).of(package)
    model = linked.setting.model(package)
    forced = []
    for name in model.names:
        wish = own.feature(name)
        on = literal(feature(name))
        if wish is not on:
            forced.append(~wish | on)
    return [condition for condition in forced if condition is not TRUE]


def side_in(package: Package) -> Side:
    """On which side code that is compiled for the target sees a package: procedural macros run on the host."""
    is_procedural = package.library is not None and package.library.proc_macro
    return Side.HOST if is_procedural else Side.TARGET


# One object each, for formulas are kept by it.


@functools.lru_cache(maxsize=8)
def _about_host(setting: Setting) -> Setting:
    return replace(setting, host=None)


@functools.lru_cache(maxsize=8)
def _resolver_two(setting: Setting) -> Setting:
    return replace(setting, resolver="2")


def _meaning(linked: Linker, root: Package, dev: Condition, *, of_host: bool) -> Callable[[Atom], Condition | None]:
    """What features of other packages mean in the build of `root` alone.

    Worked out once for all targets of a package: those that differ do so in when dev-dependencies count. `of_host`: the
    root is a build script, whose words are about the host anyway (Cargo book: build dependencies are compiled for it).
    """
    test = {TEST: dev is TRUE} if dev is TRUE or dev is FALSE else {}

    def meaning(atom: Atom) -> Condition | None:
        if not is_qualified(atom):
            return None
        package, name = owner_of(linked, atom)
        setting = linked.setting_of(package)
        found = formulas_in(
            World.STANDALONE, root, _about_host(setting) if of_host else setting, dev_units=literal(TEST)
        ).of(package, Side.HOST if of_host else side_in(package))
        condition = found.feature(name)
        if linked.is_outside(package) and found.doubt is not FALSE:
            condition |= found.doubt & literal(opaque(f"features of `{package.name}`"))
        return condition.restrict(test) if test else condition

    return meaning

"""Crates linked: which library a dependency means, and what its features mean in the build of a root.

Each library is resolved once, in its own words; what its features mean is asked anew for every root, in the standalone
world. Libraries outside the workspace are not read.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from cfglint.condition.atom import Atom, AtomKind, feature
from cfglint.condition.diagram import FALSE, TRUE, Condition, literal
from cfglint.items.build_script import NO_SCRIPT, BuildScript, read
from cfglint.manifest.dependency import Dependency
from cfglint.manifest.feature_model import FeatureModel, feature_model
from cfglint.manifest.package import Package
from cfglint.manifest.sources import Sources, locate
from cfglint.manifest.space import TEST
from cfglint.manifest.targets import Target, TargetKind
from cfglint.manifest.unification import FeatureFormulas, Setting, Side
from cfglint.manifest.workspace import Workspace
from cfglint.manifest.worlds import World, formulas_in
from cfglint.nameres.crate import QUALIFIER, Crate, Program
from cfglint.nameres.def_map import build
from cfglint.nameres.files import Files
from cfglint.nameres.roots import crate_config


@dataclass(slots=True)
class Linker:
    """Crates by package, made when they are first asked for."""

    workspace: Workspace
    files: Files
    program: Program
    sources: Sources
    setting: Setting
    models: dict[Package, FeatureModel] = field(default_factory=dict)
    libraries: dict[Package, int] = field(default_factory=dict)
    owners: dict[int, Package] = field(default_factory=dict)
    scripts: dict[Package, BuildScript] = field(default_factory=dict)


def linker(workspace: Workspace, files: Files, program: Program) -> Linker:
    """A linker for the crates of a workspace."""
    sources = locate(workspace)
    models: dict[Package, FeatureModel] = {}

    def model(package: Package) -> FeatureModel:
        if package not in models:
            models[package] = feature_model(package, workspace.resolver)
        return models[package]

    def package(owner: Package, dependency: Dependency) -> Package | None:
        return sources.local(owner, dependency)

    setting = Setting(
        package, model, workspace.resolver, () if workspace.is_loose else workspace.packages, below=sources.below
    )
    return Linker(workspace, files, program, sources, setting, models)


def build_script(linked: Linker, package: Package) -> BuildScript:
    """What the package's build script may set."""
    if package not in linked.scripts:
        script = package.build_script
        source = linked.files.load(str(script.path)) if script is not None else None
        names = linked.setting.model(package).names
        linked.scripts[package] = NO_SCRIPT if source is None else read(source, names)
    return linked.scripts[package]


def library_of(linked: Linker, package: Package) -> int:
    """The crate number of a package's library; -1 if it has none that is read (a procedural macro is not)."""
    if package not in linked.libraries:
        linked.libraries[package] = -1
        target = package.library
        if target is not None and not target.proc_macro:
            linked.libraries[package] = make_crate(linked, package, target).d.crate
    return linked.libraries[package]


def make_crate(linked: Linker, package: Package, target: Target) -> Crate:
    """The crate of one target, with its dependencies linked."""
    if target.kind is TargetKind.LIB and linked.libraries.get(package, -1) >= 0:
        return linked.program.crates[linked.libraries[package]]
    number = len(linked.program.crates)
    crate: Crate | None = None

    def crate_of(dependency: Dependency) -> int:
        found = linked.setting.package(package, dependency)
        return -1 if found is None or found is package else library_of(linked, found)

    own = None
    if target.kind not in (TargetKind.LIB, TargetKind.BUILD_SCRIPT) and package.library is not None:
        own = (package.library.crate_name, library_of(linked, package))
    model = linked.setting.model(package)
    config = crate_config(package, model, target, own, build_script(linked, package), crate_of)
    number = len(linked.program.crates)
    crate = Crate(linked.program, build(number, config, linked.files.read))
    linked.program.crates.append(crate)
    linked.owners[number] = package
    if target.kind is TargetKind.LIB and not target.proc_macro:
        linked.libraries[package] = number
    return crate


def give_meaning(linked: Linker, package: Package, target: Target, crate: Crate) -> list[Condition]:
    """Let the crate know what features of other crates mean in its build; returns what that build forces on.

    The conditions returned hold in every build of this root: a feature that a dependency (or a dev-dependency, in test
    builds) turns on in the root itself.
    """
    dev = {
        TargetKind.TEST: TRUE,
        TargetKind.BENCH: TRUE,
        TargetKind.EXAMPLE: TRUE,
        TargetKind.BUILD_SCRIPT: FALSE,
    }.get(target.kind, literal(TEST))
    if target.kind is TargetKind.BUILD_SCRIPT:
        # Its words are about the host anyway (Cargo book, build dependencies are compiled for the host).
        formulas = formulas_in(World.STANDALONE, package, _about_host(linked.setting), dev_units=dev)
        crate.meaning = _meaning(linked, lambda other: formulas.of(other, Side.HOST))
        return []
    formulas = formulas_in(World.STANDALONE, package, linked.setting, dev_units=dev)
    crate.meaning = _meaning(linked, formulas.of)
    own = formulas.of(package)
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


# One object each, for formulas are kept by it.


@functools.lru_cache(maxsize=8)
def _about_host(setting: Setting) -> Setting:
    return replace(setting, host=None)


@functools.lru_cache(maxsize=8)
def _resolver_two(setting: Setting) -> Setting:
    return replace(setting, resolver="2")


def _meaning(linked: Linker, of: Callable[[Package], FeatureFormulas]) -> Callable[[Atom], Condition | None]:
    def meaning(atom: Atom) -> Condition | None:
        if atom.kind is not AtomKind.FEATURE or QUALIFIER not in atom.key:
            return None
        number, _, name = atom.key.partition(QUALIFIER)
        found = of(linked.owners[int(number)])
        return found.feature(name)

    return meaning

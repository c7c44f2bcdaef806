"""The crate roots of a workspace that are looked at, each in its space of configurations.

Deliberately not here: what is looked for in them (checks), and in which order or process (batches).
"""

from __future__ import annotations

from collections.abc import Iterable

from cfglint.condition.atom import Atom
from cfglint.config import Config
from cfglint.finding import Undecided
from cfglint.manifest.package import Package
from cfglint.manifest.space import TEST, ConfigSpace, fixing
from cfglint.manifest.targets import Target, TargetKind
from cfglint.manifest.workspace import Workspace, default_triples
from cfglint.nameres.analysis import Analysis, Root, guards, with_guards
from cfglint.nameres.linking import Linker, give_meaning, make_crate
from cfglint.nameres.roots import fixed_atoms
from cfglint.settings.space import asked_space, is_possible

_KIND_ORDER = (
    TargetKind.LIB,
    TargetKind.BIN,
    TargetKind.TEST,
    TargetKind.EXAMPLE,
    TargetKind.BENCH,
    TargetKind.BUILD_SCRIPT,
)


def selected(config: Config, workspace: Workspace) -> tuple[Package, ...]:
    """The packages that are asked for."""
    packages = workspace.packages if config.narrowing.whole_workspace or config.packages else workspace.selected
    return tuple(package for package in packages if config.includes(package.name))


def possible(analysis: Analysis, linked: Linker, packages: tuple[Package, ...]) -> tuple[Package, ...]:
    """The packages of which what is asked for leaves a configuration."""
    found = []
    for package in packages:
        if is_possible(analysis.config, package, linked.setting.model(package)):
            found.append(package)
        else:
            analysis.notes.append(f"package `{package.name}` has no configuration like the one asked for")
    return tuple(found)


def in_order(package: Package) -> list[Target]:
    """The targets of a package, its library first."""
    return sorted(package.targets, key=lambda target: (_KIND_ORDER.index(target.kind), target.name))


def roots_of(analysis: Analysis, numbers: Iterable[int]) -> list[Root]:
    """The crate roots with these numbers, resolved as far as they are asked about; unreadable ones are left out."""
    found = (root_of(analysis, *analysis.tasks[number]) for number in numbers)
    return [root for root in found if root is not None]


def root_of(analysis: Analysis, package: Package, target: Target) -> Root | None:
    """One crate root in its space of configurations: what its package's library forbids, it forbids for all."""
    linked = analysis.linked
    assert linked is not None, "made by analyze"
    crate = make_crate(linked, package, target)
    if not crate.d.modules:
        return None
    forced = give_meaning(linked, package, target, crate)
    own = with_guards(space_of(analysis, linked, package), guards(crate))
    own = with_guards(fixing(own, {**_mode(analysis.config, target), **fixed_atoms(target)}), forced)
    return Root(package, linked.setting.model(package), target, crate, own)


def modes_of(config: Config, target: Target) -> frozenset[bool]:
    """Whether a crate root is looked at as itself (False), as its unit tests (True), or both; nothing where not at all.

    Cargo book, cargo check, target selection: `--tests` takes the unit tests of libraries and programs too. A build
    script is compiled whatever is selected.
    """
    kinds = config.kinds
    if not kinds or target.kind is TargetKind.BUILD_SCRIPT:
        return frozenset({False, True})
    own = {
        TargetKind.LIB: "lib",
        TargetKind.BIN: "bins",
        TargetKind.TEST: "tests",
        TargetKind.EXAMPLE: "examples",
        TargetKind.BENCH: "benches",
    }[target.kind]
    has_unit_tests = target.kind in (TargetKind.LIB, TargetKind.BIN)
    return frozenset({False} if own in kinds else ()) | frozenset(
        {True} if has_unit_tests and "tests" in kinds and target.test else ()
    )


def _mode(config: Config, target: Target) -> dict[Atom, bool]:
    """What `cfg(test)` is in the builds of a library or program that are looked at."""
    modes = modes_of(config, target)
    return {TEST: True in modes} if len(modes) == 1 else {}


def space_of(analysis: Analysis, linked: Linker, package: Package) -> ConfigSpace:
    """The configurations of a package, without those that its library refuses to be built in."""
    known = analysis.spaces.get(package)
    if known is None:
        config, model = analysis.config, linked.setting.model(package)
        triples = config.targets_of(package.name) or default_triples(analysis.workspace)
        known = asked_space(config, package, model, triples)
        library = package.library
        if library is not None:
            crate = make_crate(linked, package, library)
            if crate.d.modules:
                known = with_guards(known, guards(crate))
        analysis.spaces[package] = known
    return known


def undecided_of(analysis: Analysis, root: Root) -> list[Undecided]:
    """What was not decided in a crate root, and why."""
    found = []
    for doubt in root.doubts:
        file = root.crate.d.mounts[doubt.mount].file
        line, _ = analysis.position(file, doubt.start)
        found.append(Undecided(analysis.display_path(file), line, doubt.reason))
    for mount in root.crate.d.mounts:
        for gap in mount.tree.gaps:
            line, _ = analysis.position(mount.file, gap.start)
            found.append(Undecided(analysis.display_path(mount.file), line, gap.reason))
    return found

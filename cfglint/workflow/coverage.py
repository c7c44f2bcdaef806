"""Which gates CI compiles, on and off, and in which jobs.

A gate is covered on one side where some build compiles its crate root in a configuration in which that side holds. What no
build covers comes with the least command that would. Values only leave this module, so a package can be looked at in
another process.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from cfglint.condition.diagram import FALSE, Condition
from cfglint.condition.display import shortest
from cfglint.manifest.configuration import Configuration
from cfglint.manifest.solver import GaveUpError, least
from cfglint.manifest.space import ConfigSpace, widened
from cfglint.manifest.targets import Target, TargetKind
from cfglint.matrix.combination import Selection, combination
from cfglint.matrix.cover import possible
from cfglint.matrix.gates import Gate, gates
from cfglint.matrix.goals import Unit, built_as, without_foreign_flags
from cfglint.nameres.analysis import Analysis, Root
from cfglint.nameres.crate import opaque_atoms
from cfglint.workflow.builds import Build, Units


@dataclass(frozen=True, slots=True)
class Side:
    """One side of a gate: whether any build could compile it, the jobs that do, and the command that would.

    `elsewhere` tells that it takes a target which is not looked at.
    """

    possible: bool
    jobs: tuple[str, ...] = ()
    command: str = ""
    elsewhere: bool = False

    @property
    def is_missing(self) -> bool:
        """Whether it could be compiled and is not."""
        return self.possible and not self.jobs


@dataclass(frozen=True, slots=True)
class CoveredGate:
    """A gate with both of its sides. `predicate` is what it adds, as text; `kind` and `name` are those of its root."""

    package: str
    kind: str
    name: str
    file: str
    line: int
    column: int
    predicate: str
    on: Side
    off: Side


@dataclass(frozen=True, slots=True)
class PackageCoverage:
    """The gates of a package, in source order, and roots that no build compiles: (kind, name, file, command).

    `builds` counts the different ways in which CI builds the package, `partial` the builds that only a run knows all of.
    """

    package: str
    gates: tuple[CoveredGate, ...]
    roots: tuple[tuple[str, str, str, str], ...]
    builds: int
    partial: int


@dataclass(frozen=True, slots=True)
class _Configurations:
    """Builds of one package without repetition: configurations by unit, with the jobs that have them.

    `derived` are the jobs that build whatever can be built.
    """

    package: str
    builds: tuple[tuple[Configuration, Units, tuple[str, ...]], ...]
    derived: tuple[str, ...] = ()
    memo: dict[tuple[Condition, str, str, bool], tuple[str, ...]] = field(default_factory=dict)

    def jobs(self, condition: Condition, target: Target, *, is_test: bool) -> tuple[str, ...]:
        """The jobs that compile a root where a condition (without `test`) holds."""
        key = (condition, target.kind.value, target.name, is_test)
        if key not in self.memo:
            found: dict[str, None] = {}
            for configuration, units, jobs in self.builds:
                if units.has(target.kind, target.name, is_test=is_test) and configuration.satisfies(condition):
                    found.update(dict.fromkeys(jobs))
            self.memo[key] = tuple(found)
        return self.memo[key]


def cover_package(
    analysis: Analysis,
    roots: Sequence[Root],
    space: ConfigSpace,
    builds: Iterable[Build],
    derived: tuple[str, ...] = (),
) -> PackageCoverage:
    """The coverage of one package by the builds of it; the jobs in `derived` build its derived matrix."""
    builds = list(builds)
    package = roots[0].package
    configurations = _distinct(package.name, builds, derived)
    # What an unknown macro does with its argument nobody can tell, so no command is asked to show both.
    own = [(root, [gate for gate in gates(root) if not opaque_atoms(gate.predicate)]) for root in roots]
    atoms = {atom for _, some in own for gate in some for atom in (gate.on | gate.off).atoms()}
    space, _ = without_foreign_flags(package, (gate for _, some in own for gate in some), atoms, space)
    found: dict[tuple[str, int, str], CoveredGate] = {}
    missing_roots = []
    for root, some in own:
        present = root.crate.module_condition(0)
        units = [Unit(root, is_test) for is_test in built_as(root.target)]
        if not configurations.derived and not any(
            configurations.jobs(unit.seen(present), root.target, is_test=unit.is_test) for unit in units
        ):
            command = _command(present, units[0], space)
            if command and root.target.kind is not TargetKind.BUILD_SCRIPT:
                file = analysis.display_path(str(root.target.path))
                missing_roots.append((root.target.kind.value, root.target.name, file, command))
        for gate in some:
            one = _covered(analysis, root, units, gate, configurations, space)
            key = (one.file, gate.start, one.predicate)
            found[key] = _joined(found[key], one) if key in found else one
    ordered = sorted(found.values(), key=lambda one: (one.file, one.line, one.column, one.predicate))
    partial = sum(build.partial for build in builds)
    ways = len({(build.features, build.flags, build.triple) for build in builds})
    return PackageCoverage(package.name, tuple(ordered), tuple(missing_roots), ways, partial)


def _covered(
    analysis: Analysis,
    root: Root,
    units: Sequence[Unit],
    gate: Gate,
    configurations: _Configurations,
    space: ConfigSpace,
) -> CoveredGate:
    line, column = analysis.position(gate.file, gate.start)
    on, off = (_side(root, units, condition, configurations, space) for condition in (gate.on, gate.off))
    order = {name: index for index, name in enumerate(root.model.names)}
    return CoveredGate(
        package=root.package.name,
        kind=root.target.kind.value,
        name=root.target.name,
        file=analysis.display_path(gate.file),
        line=line,
        column=column,
        predicate=shortest(gate.predicate, order=lambda atom: order.get(atom.key, 0)),
        on=on,
        off=replace(off, command="") if gate.takes_all else off,
    )


def _side(
    root: Root, units: Sequence[Unit], condition: Condition, configurations: _Configurations, space: ConfigSpace
) -> Side:
    jobs: dict[str, None] = {}
    reachable = None
    for unit in units:
        seen = unit.seen(condition)
        if seen is FALSE:
            continue
        jobs.update(dict.fromkeys(configurations.jobs(seen, root.target, is_test=unit.is_test)))
        if reachable is None and possible(seen, space):
            reachable = unit
    if reachable is not None:
        jobs.update(dict.fromkeys(configurations.derived))
    if jobs:
        return Side(possible=True, jobs=tuple(sorted(jobs)))
    if reachable is None:
        wide = widened(space)
        seen_by = (unit.seen(condition) for unit in units)
        return Side(possible=False, elsewhere=any(seen is not FALSE and possible(seen, wide) for seen in seen_by))
    return Side(possible=True, command=_command(condition, reachable, space))


def _command(condition: Condition, unit: Unit, space: ConfigSpace) -> str:
    """The least command that compiles the unit where the condition holds; empty where there is none."""
    root = unit.root
    try:
        found = least(unit.seen(condition), space)
    except GaveUpError:
        return ""
    if found is None:
        return ""
    selection = Selection.ALL if unit.needs_all_targets else Selection.PLAIN
    return combination(found, root.package, root.model, selection).command


def _joined(one: CoveredGate, other: CoveredGate) -> CoveredGate:
    """The same gate in another crate root."""

    def side(left: Side, right: Side) -> Side:
        jobs = tuple(sorted({*left.jobs, *right.jobs}))
        return Side(
            left.possible or right.possible,
            jobs,
            "" if jobs else left.command or right.command,
            elsewhere=not (left.possible or right.possible) and (left.elsewhere or right.elsewhere),
        )

    return CoveredGate(
        one.package,
        one.kind,
        one.name,
        one.file,
        one.line,
        one.column,
        one.predicate,
        side(one.on, other.on),
        side(one.off, other.off),
    )


def _distinct(package: str, builds: Iterable[Build], derived: tuple[str, ...]) -> _Configurations:
    found: dict[tuple[object, ...], tuple[Configuration, Units, dict[str, None]]] = {}
    for build in builds:
        key = (build.features, build.flags, build.triple, build.units)
        if key not in found:
            found[key] = (build.configuration(is_test=False), build.units, {})
        found[key][2][str(build.invocation.call.origin)] = None
    return _Configurations(package, tuple((one, units, tuple(jobs)) for one, units, jobs in found.values()), derived)


def summary(coverages: Iterable[PackageCoverage]) -> Mapping[str, int]:
    """How many gates there are, and how many of them are compiled on, off, and both."""
    every = [gate for coverage in coverages for gate in coverage.gates if gate.on.possible or gate.off.possible]
    return {
        "gates": len(every),
        "on": sum(not gate.on.is_missing for gate in every),
        "off": sum(not gate.off.is_missing for gate in every),
        "both": sum(not gate.on.is_missing and not gate.off.is_missing for gate in every),
    }

"""The matrix of one package: goals covered by as few builds as there need be, and what its features have to do with each other.

Plain builds and builds of all targets are one list, unless tests change what the library is built with (dev-dependencies
that turn on features): then the library is covered by builds without them, which is how its users build it.
"""

from __future__ import annotations

import enum
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from cfglint.condition.diagram import FALSE, TRUE, Condition
from cfglint.manifest.configuration import Configuration
from cfglint.manifest.dependency import Dependency, DependencyKind
from cfglint.manifest.feature_model import FeatureModel
from cfglint.manifest.package import Package
from cfglint.manifest.space import TEST, ConfigSpace, bits, fixing
from cfglint.manifest.unification import Setting
from cfglint.manifest.worlds import World, formulas_in, translate
from cfglint.matrix import strategies
from cfglint.matrix.combination import Combination, Selection, combination, has_more_targets
from cfglint.matrix.cover import cover
from cfglint.matrix.goals import Failure, Goals, find_goals
from cfglint.nameres.analysis import Root

FULL_LIMIT = 1_024
"""Combinations of one package that `Strategy.FULL` lists unless told otherwise."""


class Strategy(enum.Enum):
    """How to choose combinations."""

    DERIVED = "derived"
    EACH = "each"
    PAIRWISE = "pairwise"
    FULL = "full"
    DECLARED = "declared"


@dataclass(frozen=True, slots=True)
class PackageMatrix:
    """The combinations of one package.

    `features` are its own, without `default`; `meets` tells of each, as a mask over them, with which others it interacts,
    None where no code was looked at; `flags` are those that its code asks for and nothing declares; `too_large` counts
    conditions that could not be decided, so that the builds may lack something.
    """

    package: str
    combinations: tuple[Combination, ...]
    features: tuple[str, ...] = ()
    meets: tuple[int, ...] | None = None
    flags: tuple[str, ...] = ()
    too_large: int = 0

    def met_by(self, index: int) -> tuple[str, ...]:
        """The features with which the feature at `index` interacts."""
        mask = self.meets[index] if self.meets is not None else 0
        return tuple(self.features[other] for other in bits(mask))

    @property
    def pairs(self) -> int:
        """How many pairs of features there are."""
        return len(self.features) * (len(self.features) - 1) // 2

    @property
    def pairs_apart(self) -> int:
        """How many of them provably do not interact."""
        return self.pairs - sum(mask.bit_count() for mask in self.meets or ()) // 2


def derive(roots: Sequence[Root], space: ConfigSpace, setting: Setting, failures: Sequence[Failure]) -> PackageMatrix:
    """The shortest list that compiles every gate of a package on and off, and every interaction that its code makes.

    Parameters:
        roots: the crate roots of the package, one at least.
        space: its configurations.
        setting: the workspace around it.
        failures: what is known to fail, in all packages.
    """
    package, model = roots[0].package, roots[0].model
    own = [one for one in failures if one.package == package.name]
    goals, space = find_goals(roots, space, own, _broken_below(package, setting, failures))
    builds = _builds(package, goals, space, apart=tests_change_features(package, setting))
    return PackageMatrix(
        package.name,
        tuple(combination(configuration, package, model, selection) for configuration, selection in builds),
        _features(model),
        _meetings(goals, model),
        tuple(goals.left_out),
        goals.too_large,
    )


def listed(
    strategy: Strategy,
    package: Package,
    model: FeatureModel,
    space: ConfigSpace,
    *,
    limit: int = FULL_LIMIT,
    dependents: Iterable[Dependency] = (),
) -> PackageMatrix:
    """The combinations of a package by a strategy that does not look at its code; each builds all targets.

    Raises UsageError where there are too many to list.
    """
    space = fixing(space, {TEST: False})
    match strategy:
        case Strategy.EACH:
            found = strategies.each(model, space)
        case Strategy.PAIRWISE:
            found = strategies.pairwise(model, space)
        case Strategy.FULL:
            found = strategies.full(model, space, limit)
        case Strategy.DECLARED:
            found = strategies.declared(package, model, space, dependents)
        case Strategy.DERIVED:
            raise AssertionError("derived from code")
    selection = Selection.ALL if has_more_targets(package) else Selection.PLAIN
    return PackageMatrix(
        package.name, tuple(combination(one, package, model, selection) for one in found), _features(model)
    )


def tests_change_features(package: Package, setting: Setting) -> bool:
    """Whether a build with tests gives the library, or anything that it uses, features which it has not alone.

    A dependency that is not read is taken to be changed where a dev-dependency asks more of it (Cargo book, Feature
    resolver version 2: dev-dependencies are unified when tests are built).
    """
    normal = [entry for entry in package.dependencies if entry.kind is DependencyKind.NORMAL]
    for entry in package.dependencies:
        if entry.kind is not DependencyKind.DEV or setting.package(package, entry) is not None:
            continue
        for alike in normal:
            if alike.package == entry.package and (
                not set(entry.features) <= set(alike.features)
                or (entry.default_features and not alike.default_features)
            ):
                return True
    alone = formulas_in(World.STANDALONE, package, setting, dev_units=FALSE)
    tested = formulas_in(World.DEV, package, setting)
    for (other, side), formulas in alone.packages.items():
        with_tests = tested.of(other, side)
        for name in setting.model(other).names:
            if not with_tests.feature(name).implies(formulas.feature(name)):
                return True
    return False


def _builds(
    package: Package, goals: Goals, space: ConfigSpace, *, apart: bool
) -> list[tuple[Configuration, Selection]]:
    plain, tests = tuple(goals.plain) or (TRUE,), tuple(goals.tests)
    if not tests:
        return [(one, Selection.PLAIN) for one in cover(plain, space)]
    if apart:
        return [
            *((one, Selection.PLAIN) for one in cover(plain, space)),
            *((one, Selection.ALL) for one in cover(tests, space)),
        ]
    found = cover((*tests, *plain), space)
    needed = _needed(found, tests)
    more = has_more_targets(package)
    return [(one, Selection.ALL if more and index in needed else Selection.PLAIN) for index, one in enumerate(found)]


def _needed(configurations: Sequence[Configuration], tests: Sequence[Condition]) -> frozenset[int]:
    """Which of the configurations must build tests: as few as serve every goal of these, chosen greedily."""
    needed: set[int] = set()
    pending = set(tests)
    holds = [frozenset(goal for goal in tests if one.satisfies(goal)) for one in configurations]
    while pending:
        best = max(range(len(configurations)), key=lambda index: (len(holds[index] & pending), -index))
        needed.add(best)
        pending -= holds[best]
    return frozenset(needed)


def _broken_below(package: Package, setting: Setting, failures: Iterable[Failure]) -> Condition:
    """Where the library of a dependency is known not to compile, in the words of `package`."""
    broken = FALSE
    by_name = {member.name: member for member in setting.members}
    alone = None
    for one in failures:
        member = by_name.get(one.package)
        if one.kind != "lib" or member is None or member is package:
            continue
        if alone is None:
            alone = formulas_in(World.STANDALONE, package, setting)
        formulas = alone.of(member)
        broken |= translate(one.condition, formulas) & formulas.present
    return broken


def _features(model: FeatureModel) -> tuple[str, ...]:
    return tuple(name for name in model.names if name != "default")


def _meetings(goals: Goals, model: FeatureModel) -> tuple[int, ...]:
    """Which features meet in one condition, be it by themselves or by what they turn on.

    An error rests on one condition. Features that never meet cannot cause one together, in no combination.
    """
    names = _features(model)
    index = {name: number for number, name in enumerate(names)}
    direct = [0] * len(names)
    for together in goals.interacting:
        mask = sum(1 << index[name] for name in together if name in index)
        for number in bits(mask):
            direct[number] |= mask & ~(1 << number)
    closures = [sum(1 << index[other] for other in model.closure((name,)) if other in index) for name in names]
    reached = [_union(direct[inner] for inner in bits(closure)) for closure in closures]
    return tuple(
        sum(1 << other for other, closure in enumerate(closures) if other != number and reached[number] & closure)
        for number in range(len(names))
    )


def _union(masks: Iterable[int]) -> int:
    found = 0
    for mask in masks:
        found |= mask
    return found

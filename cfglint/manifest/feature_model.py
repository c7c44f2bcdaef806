"""What a feature table means: which features imply which, and when a dependency is there and with what.

Implications stay a table (`closure` walks it); they are never conjoined into a diagram, for the tables of large packages
would not fit. Conditions are over the package's own features, target options and the flag `test`.

Source: Cargo book, Features; Cargo's feature resolver, where the book is silent (`d/f` also enables a feature that is
called `d`, unless `dep:d` hides it). Other packages' tables are not looked at: which features a dependency then turns on
by itself is for the caller to follow.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from cfglint.condition.atom import feature, flag
from cfglint.condition.diagram import FALSE, TRUE, Condition, disjunction, literal
from cfglint.manifest.dependency import Dependency, DependencyKind
from cfglint.manifest.package import Package
from cfglint.manifest.target_predicate import target_condition

NORMAL_ONLY = frozenset({DependencyKind.NORMAL})
"""What a library or binary sees."""
WITH_DEV = frozenset({DependencyKind.NORMAL, DependencyKind.DEV})
"""What tests, examples and benches see."""
BUILD_ONLY = frozenset({DependencyKind.BUILD})
"""What the build script sees."""


@dataclass(frozen=True, slots=True, order=True)
class FeatureProblem:
    """A feature entry that Cargo rejects. `entry` is its index in the list of `feature`, None for the feature itself."""

    feature: str
    entry: int | None
    message: str


@dataclass(frozen=True, slots=True)
class Activation:
    """A feature entry about a dependency: `dep:d` (`requested` is None), `d/f`, or `d?/f` (`weak`)."""

    feature: str
    entry: int
    key: str
    requested: str | None
    weak: bool


@dataclass(frozen=True, slots=True, eq=False)
class FeatureModel:
    """The features of one package. Compared by identity.

    `names` in source order, implicit ones last; `implications` lists what each feature turns on directly; `implied` are
    the implications that depend on more than one feature (a target-specific optional dependency, a package that is its
    own dev-dependency): where the condition holds, so does the feature.
    """

    names: tuple[str, ...]
    implications: Mapping[str, tuple[str, ...]]
    implied: tuple[tuple[Condition, str], ...]
    implicit: frozenset[str]
    activations: tuple[Activation, ...]
    dependencies: tuple[Dependency, ...]
    unified: bool
    problems: tuple[FeatureProblem, ...]

    def closure(self, features: Iterable[str]) -> frozenset[str]:
        """`features` and all that they turn on; names that the table lacks are dropped, as nothing can enable them."""
        found: set[str] = set()
        pending = [name for name in features if name in self.implications]
        while pending:
            name = pending.pop()
            if name not in found:
                found.add(name)
                pending.extend(self.implications[name])
        return frozenset(found)

    def dependency_keys(self) -> tuple[str, ...]:
        """The keys of all dependencies, each once, in source order."""
        return tuple(dict.fromkeys(dependency.key for dependency in self.dependencies))

    def dependency_condition(self, key: str, kinds: Collection[DependencyKind] = NORMAL_ONLY) -> Condition:
        """When the dependency `key` is there for code that sees `kinds`; FALSE if no table has it."""
        activated = self._activated(key)
        return disjunction(
            _target(edge) & activated if edge.optional else _target(edge)
            for edge in self.dependencies
            if edge.key == key and edge.kind in kinds
        )

    def dependency_features(self, key: str, kinds: Collection[DependencyKind] = NORMAL_ONLY) -> Mapping[str, Condition]:
        """Which features (`default` among them) this package turns on in the dependency `key`, and when.

        Every condition implies `dependency_condition(key, kinds)`. With resolver 1 the features of all tables add up,
        whatever their kind and target (Cargo book, Feature resolver version 2).
        """
        present = self.dependency_condition(key, kinds)
        activated = self._activated(key)
        found: dict[str, Condition] = {}
        for edge in self.dependencies:
            if edge.key != key or (edge.kind not in kinds and not self.unified):
                continue
            live = TRUE if self.unified else _target(edge)
            base = live & activated if edge.optional else live
            requested = ("default", *edge.features) if edge.default_features else edge.features
            for name in requested:
                found[name] = found.get(name, FALSE) | (base & present)
            for activation in self.activations:
                if activation.key == key and activation.requested is not None:
                    name = activation.requested
                    found[name] = found.get(name, FALSE) | (literal(feature(activation.feature)) & base & present)
        return {name: found[name] for name in sorted(found) if found[name] is not FALSE}

    def _activated(self, key: str) -> Condition:
        """When the optional dependency `key` is asked for."""
        return disjunction(
            literal(feature(activation.feature))
            for activation in self.activations
            if activation.key == key and not activation.weak
        )


def feature_model(package: Package, resolver: str = "2") -> FeatureModel:
    """The feature model of `package`, built by the given resolver version of its workspace.

    Entries that Cargo would reject are recorded as problems and have no effect.
    """
    dependencies = package.dependencies
    optional = {dependency.key for dependency in dependencies if dependency.optional}
    any_key = {dependency.key for dependency in dependencies}
    hidden = {
        entry.removeprefix("dep:")
        for entries in package.features.values()
        for entry in entries
        if entry.startswith("dep:") and "/" not in entry
    }
    table = dict(package.features)
    implicit: list[str] = []
    for dependency in dependencies:
        key = dependency.key
        if dependency.optional and key not in table and key not in hidden:
            table[key] = (f"dep:{key}",)
            implicit.append(key)

    problems: list[FeatureProblem] = []
    activations: list[Activation] = []
    implications: dict[str, list[str]] = {name: [] for name in table}
    implied: list[tuple[Condition, str]] = []
    for name, entries in table.items():
        for index, entry in enumerate(entries):
            found = _read_entry(entry, table.keys(), optional, any_key)
            if isinstance(found, str):
                problems.append(FeatureProblem(name, index, f"feature `{name}` includes `{entry}`, {found}"))
                continue
            if found is None:
                implications[name].append(entry)
                continue
            key, requested, weak = found
            activations.append(Activation(name, index, key, requested, weak))
            if requested is not None and not weak and key in optional and key in table:
                # Cargo turns on the feature of that name only where the optional edge is alive.
                edges = [edge for edge in dependencies if edge.key == key and edge.optional]
                live = TRUE if resolver == "1" else disjunction(_target(edge) for edge in edges)
                if live is TRUE:
                    implications[name].append(key)
                elif live is not FALSE:
                    implied.append((literal(feature(name)) & live, key))
    used = {activation.key for activation in activations}
    for key in sorted(optional - used):
        message = f"optional dependency `{key}` is not included in any feature"
        problems.append(FeatureProblem(key, None, message))
    implied.extend(_self_dependency(package, table.keys(), unified=resolver == "1"))
    return FeatureModel(
        names=tuple(table),
        implications={name: tuple(dict.fromkeys(targets)) for name, targets in implications.items()},
        implied=tuple(implied),
        implicit=frozenset(implicit),
        activations=tuple(activations),
        dependencies=dependencies,
        unified=resolver == "1",
        problems=tuple(problems),
    )


def _read_entry(
    entry: str, table: Collection[str], optional: Collection[str], any_key: Collection[str]
) -> tuple[str, str | None, bool] | str | None:
    """(dependency, its feature, weak) of an entry; None for an own feature; a string says what is wrong."""
    left, slash, requested = entry.partition("/")
    if slash:
        key, weak = left.removesuffix("?"), left.endswith("?")
        if "/" in requested:
            return "which has more than one slash"
        if key.startswith("dep:"):
            return "but `dep:` and `/` cannot be combined"
        if key not in any_key:
            return f"but `{key}` is not a dependency"
        if weak and key not in optional:
            return f"but `{key}` is not an optional dependency"
        return key, requested, weak
    if entry.startswith("dep:"):
        key = entry.removeprefix("dep:")
        if key not in any_key:
            return f"but `{key}` is not a dependency"
        if key not in optional:
            return f"but `{key}` is not an optional dependency"
        return key, None, False
    if entry in table:
        return None
    if entry in optional:
        return f"but `{entry}` is an optional dependency without an implicit feature; use `dep:{entry}`"
    if entry in any_key:
        return f"but `{entry}` is a dependency that is not optional"
    return "which is neither a dependency nor another feature"


def _self_dependency(package: Package, table: Collection[str], *, unified: bool) -> Iterable[tuple[Condition, str]]:
    """Features that a package turns on in itself by being its own dev-dependency.

    They hold in test builds; with resolver 1 in every build, for it does not keep dev-dependencies apart.
    """
    for edge in package.dependencies:
        if edge.kind is not DependencyKind.DEV or edge.path != package.root:
            continue
        condition = TRUE if unified else literal(flag("test")) & _target(edge)
        for name in (*edge.features, "default") if edge.default_features else edge.features:
            if name in table and condition is not FALSE:
                yield condition, name


def _target(edge: Dependency) -> Condition:
    return TRUE if edge.target is None else target_condition(edge.target)

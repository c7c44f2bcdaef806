"""Worlds: in whose company a package is built, and what that hides.

  standalone  `cargo check -p ROOT`: only what the root's own manifest leads to.
  dev         `cargo check -p ROOT --all-targets`: its dev-dependencies count for every target, the library included.
  workspace   `cargo check --workspace`: all members are selected, the others with their default features. The features
              of the root are still free there, for `--features ROOT/f` can be given along with it.

In the first and the last, dev-dependencies count under the flag `test` (the unit-test build of a library or binary).
`translate` rewrites a condition of a dependency into the words of the root, and `masked_by` says who turns on what a
package does not get when the root is built alone. How the features of a build come about is `unification`.

Source: Cargo book, Features and Feature resolver version 2.
"""

from __future__ import annotations

import enum
import functools
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from cfglint.condition.atom import Atom, AtomKind, feature, flag
from cfglint.condition.diagram import FALSE, TRUE, Condition, literal
from cfglint.manifest.dependency import Dependency, DependencyKind
from cfglint.manifest.package import Package
from cfglint.manifest.unification import (
    FeatureFormulas,
    Formulas,
    Setting,
    Side,
    dependency_features,
    live_conditions,
    on_host,
    requested,
    side_of,
)

_TEST = flag("test")
_NEVER_BELOW = (_TEST, flag("doctest"))


class World(enum.Enum):
    """In whose company the root is built; see the module."""

    STANDALONE = "standalone"
    DEV = "dev"
    WORKSPACE = "workspace"


class Mask(NamedTuple):
    """An edge that explains why a feature is on: `owner` turns on `feature` in `package`, by its `dependency` entry.

    `feature` is empty where the edge only brings the package along.
    """

    owner: Package
    dependency: Dependency
    package: Package
    feature: str


@functools.lru_cache(maxsize=512)
def formulas_in(world: World, root: Package, setting: Setting, *, dev_units: Condition | None = None) -> Formulas:
    """The features of all dependencies of `root` in `world`.

    `dev_units` says when test units are built: by default with the flag `test`, as it is for a library or a binary. A
    test, an example or a bench is such a unit itself: `TRUE`.
    """
    dev = literal(_TEST) if dev_units is None else dev_units
    if world is World.DEV:
        dev = TRUE
    others = setting.members if world is World.WORKSPACE else ()
    return dependency_features(root, setting, others=others, dev=dev)


def substitution(formulas: FeatureFormulas, names: Iterable[str]) -> Mapping[Atom, Condition]:
    """What the features `names` of a dependency, and the flags that are never on in one, mean in the root's words."""
    found = {feature(name): formulas.feature(name) for name in names}
    found.update((atom, FALSE) for atom in _NEVER_BELOW)
    return found


def translate(
    condition: Condition, formulas: FeatureFormulas, options: Mapping[Atom, Condition] | None = None
) -> Condition:
    """`condition`, which is in the words of a dependency, in those of the root.

    `options` says what else means something of its own there, such as flags that the build script of that package sets.
    """
    if condition is TRUE or condition is FALSE:
        return condition
    atoms = condition.atoms()
    replacements = dict(substitution(formulas, (atom.key for atom in atoms if atom.kind is AtomKind.FEATURE)))
    if formulas.host is not None:
        replacements.update(on_host(atoms, formulas.host))
    if options:
        replacements.update(options)
    return condition.substitute(replacements)


def masked_by(
    alone: Formulas, wide: Formulas, package: Package, name: str, side: Side = Side.TARGET
) -> tuple[Mask, ...]:
    """Who turns on the feature `name` of `package` in the world `wide` where it is not on in `alone`.

    The answer is the edges of other members, and dev-dependencies of the root, that lead there, sorted by name: if one
    turns the feature on by itself, that edge; if it does so through further packages or features of the root, the edge
    that sets them off. It is empty if `wide` has no more than `alone`.
    """
    found: dict[Mask, None] = {}
    seen: set[tuple[Package, Side, str]] = set()
    pending = [(package, side if wide.setting.resolver != "1" else Side.TARGET, name)]
    while pending:
        at = pending.pop()
        if at in seen:
            continue
        seen.add(at)
        before = alone.of(at[0], at[1])
        for cause in _causes(wide, *at):
            if cause.condition.implies(before.feature(at[2]) if at[2] else before.present):
                continue
            mask = cause.mask
            if mask is None:
                pending.append((at[0], at[1], cause.feature))
            elif mask.dependency.kind is DependencyKind.DEV or mask.owner in wide.roots[1:]:
                found[mask] = None
            else:
                pending.append((mask.owner, cause.side, cause.feature))
    return tuple(
        sorted(found, key=lambda mask: (mask.owner.name, mask.package.name, mask.feature, str(mask.dependency)))
    )


class _Cause(NamedTuple):
    """Why a feature is on: a feature of the same package (`mask` is None), or an edge, with the feature that wants it."""

    condition: Condition
    side: Side
    feature: str
    mask: Mask | None


def _causes(formulas: Formulas, package: Package, side: Side, name: str) -> Iterator[_Cause]:
    """What turns on the feature `name` of `package` directly, or under an empty name brings the package along."""
    setting = formulas.setting
    own = formulas.of(package, side)
    model = setting.model(package)
    for other, implied in model.implications.items() if name else ():
        if name in implied:
            yield _Cause(own.feature(other), side, other, None)
    for activation in model.activations:
        if activation.key == name and activation.requested is not None and not activation.weak:
            yield _Cause(own.feature(activation.feature), side, activation.feature, None)
    for owner, owner_side, dependency, live in _edges_to(formulas).get((package, side), ()):
        found = formulas.packages[owner, owner_side]
        yield from _causes_of_edge(setting, owner, owner_side, found, dependency, live, package, name)


@functools.lru_cache(maxsize=64)
def _edges_to(formulas: Formulas) -> Mapping[tuple[Package, Side], list[tuple[Package, Side, Dependency, Condition]]]:
    """The entries that lead to each package on each side."""
    setting = formulas.setting
    found: dict[tuple[Package, Side], list[tuple[Package, Side, Dependency, Condition]]] = {}
    for owner, side in formulas.packages:
        for dependency in owner.dependencies:
            live, _ = live_conditions(setting, formulas.roots, formulas.dev, owner, side, dependency)
            package = None if live is FALSE else setting.package(owner, dependency)
            if package is not None:
                at = package, side_of(setting, side, dependency, package)
                found.setdefault(at, []).append((owner, side, dependency, live))
    return found


def _causes_of_edge(
    setting: Setting,
    owner: Package,
    side: Side,
    found: FeatureFormulas,
    dependency: Dependency,
    live: Condition,
    package: Package,
    name: str,
) -> Iterator[_Cause]:
    # What resolver 1 does not compile has a say in features all the same.
    base = live if setting.resolver == "1" else live & found.present
    mask = Mask(owner, dependency, package, name)
    is_asked = not name or name in requested(dependency)
    if is_asked and not dependency.optional:
        yield _Cause(base, side, "", mask)
    for mention in setting.model(owner).activations:
        if mention.key != dependency.key:
            continue
        if (is_asked and dependency.optional and not mention.weak) or (name and mention.requested == name):
            yield _Cause(base & found.feature(mention.feature), side, mention.feature, mask)

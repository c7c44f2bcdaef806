"""The sets of features that cargo-hack builds a package with, one after the other.

Without one of `--each-feature` and `--feature-powerset` it only goes through packages. With either it builds without the
default features, with every choice, and with all features; to name, to leave out or to forbid features takes the last one
away, and to name them the first one, too. A choice is left out where what it brings along is forbidden.

Source: cargo-hack's README and `cargo hack --print-command-list`.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator

from cfglint.manifest.feature_model import FeatureModel
from cfglint.workflow.invocations import Hack, Invocation

_MOST_CHOICES = 6_000
"""Choices of features that are gone through for one package; a powerset without a depth has more."""


def choices(invocation: Invocation, hack: Hack, model: FeatureModel) -> Iterator[frozenset[str]]:
    """The closed feature sets, each once."""
    base = tuple(name for name in invocation.features if "/" not in name)
    if not hack.varies:
        yield model.closure(
            model.names if invocation.all_features else base if invocation.no_default else (*base, "default")
        )
        return
    units = _units(hack, model, base)
    sizes = range(1, 1 + (len(units) if hack.depth is None else min(hack.depth, len(units))))
    requests: Iterable[tuple[str, ...]] = (
        tuple(itertools.chain.from_iterable(some)) for size in sizes for some in itertools.combinations(units, size)
    )
    if hack.builds_without_default and not hack.included:
        requests = itertools.chain([()], requests)
    seen: set[frozenset[str]] = set()
    for request in itertools.islice(requests, _MOST_CHOICES):
        features = model.closure((*base, *request))
        if features not in seen and not _is_forbidden(features, hack):
            seen.add(features)
            yield features
    everything = model.closure(model.names)
    is_restricted = hack.included or hack.excluded or hack.exclusive
    if hack.builds_with_all and not is_restricted and everything not in seen:
        yield everything


def _units(hack: Hack, model: FeatureModel, base: tuple[str, ...]) -> list[tuple[str, ...]]:
    """What is turned on alone or together: features, and groups in place of their members."""
    grouped = {name for group in hack.groups for name in group}
    names = [
        name
        for name in model.names
        if name not in base
        and name not in grouped
        and name not in hack.excluded
        and (not hack.included or name in hack.included)
        and (name not in model.implicit or (hack.optional is not None and (not hack.optional or name in hack.optional)))
    ]
    return [*((name,) for name in names), *hack.groups]


def _is_forbidden(features: frozenset[str], hack: Hack) -> bool:
    return any(sum(name in features for name in group) > 1 for group in hack.exclusive) or any(
        features.isdisjoint(group) for group in hack.at_least_one_of
    )

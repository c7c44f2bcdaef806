"""Lists of configurations to compare the derived one with: each feature, every pair, all of them, what manifests declare.

None of these looks at code. They are over the features of a package alone, on the host, without flags; what Cargo or a
`compile_error!` refuses is left out, and so are requests that come to the same closed set of features.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator

from cfglint.condition.atom import feature
from cfglint.condition.diagram import TRUE, Condition, conjunction, literal
from cfglint.errors import UsageError
from cfglint.manifest.configuration import Configuration
from cfglint.manifest.dependency import Dependency
from cfglint.manifest.feature_model import FeatureModel
from cfglint.manifest.package import Package
from cfglint.manifest.solver import GaveUpError, least
from cfglint.manifest.space import ConfigSpace
from cfglint.matrix.cover import cover, possible

PAIRWISE_CAP = 250
"""Features of one package up to which pairs are listed; there are two conditions for each feature, four for each pair."""


def each(model: FeatureModel, space: ConfigSpace) -> tuple[Configuration, ...]:
    """No feature, each feature alone, all features."""
    requests = [(), *((name,) for name in model.names), model.names]
    return tuple(_valid((model.closure(request) for request in requests), model, space))


def pairwise(model: FeatureModel, space: ConfigSpace) -> tuple[Configuration, ...]:
    """Few configurations that show every two features in all four of their combinations that are valid.

    Raises UsageError where there are more than `PAIRWISE_CAP` features.
    """
    if len(model.names) > PAIRWISE_CAP:
        raise UsageError(f"{len(model.names)} features are too many for pairs (at most {PAIRWISE_CAP})")
    literals = [literal(feature(name)) for name in model.names]
    singles = [sign for one in literals for sign in (one, ~one)]
    pairs = [
        left & right
        for one, other in itertools.combinations(literals, 2)
        for left in (one, ~one)
        for right in (other, ~other)
    ]
    wanted = [condition for condition in (*pairs, *singles) if possible(condition, space)]
    return cover(wanted or [TRUE], space)


def full(model: FeatureModel, space: ConfigSpace, limit: int) -> tuple[Configuration, ...]:
    """Every closed set of features.

    Raises UsageError where there are more than `limit`; so much is listed on the way at most.
    """
    found = list(itertools.islice(_valid(_closed_sets(model), model, space), limit + 1))
    if len(found) > limit:
        raise UsageError(f"more than {limit} combinations of {len(model.names)} features; raise --limit to list them")
    return tuple(found)


def declared(
    package: Package, model: FeatureModel, space: ConfigSpace, dependents: Iterable[Dependency]
) -> tuple[Configuration, ...]:
    """What manifests ask for: the default, nothing, all, docs.rs metadata, `required-features`, other members' entries."""
    default = model.closure(("default",))
    requests: list[frozenset[str]] = [default, frozenset(), model.closure(model.names)]
    docs = package.document.root.table("package", "project").table("metadata").table("docs").table("rs")
    if docs.data:
        if docs.boolean("all-features") is True:
            requests.append(model.closure(model.names))
        else:
            own = docs.strings("features")
            requests.append(model.closure(own if docs.boolean("no-default-features") is True else (*own, "default")))
    requests += [model.closure(target.required_features) for target in package.targets if target.required_features]
    for entry in dependents:
        requests.append(model.closure((*entry.features, "default") if entry.default_features else entry.features))
    return tuple(_valid(requests, model, space))


def _valid(sets: Iterable[frozenset[str]], model: FeatureModel, space: ConfigSpace) -> Iterator[Configuration]:
    """The configuration of each set once, if there is one."""
    seen: set[frozenset[str]] = set()
    for one in sets:
        if one in seen:
            continue
        seen.add(one)
        try:
            found = least(_exactly(one, model), space)
        except GaveUpError:
            continue
        if found is not None:
            yield found


def _exactly(features: frozenset[str], model: FeatureModel) -> Condition:
    literals = (literal(feature(name)) for name in model.names)
    return conjunction(one if name in features else ~one for name, one in zip(model.names, literals, strict=True))


def _closed_sets(model: FeatureModel) -> Iterator[frozenset[str]]:
    """Every closed set once: feature by feature, on (with all that it implies) or off (unless something implies it).

    Each branch leads to a set, so the first k sets cost no more than k times the number of features.
    """
    names = model.names
    closures = [model.closure((name,)) for name in names]
    pending: list[tuple[int, frozenset[str], frozenset[str]]] = [(0, frozenset(), frozenset())]
    while pending:
        index, on, off = pending.pop()
        if index == len(names):
            yield on
            continue
        name = names[index]
        if not closures[index] & off:
            pending.append((index + 1, on | closures[index], off))
        if name not in on:
            pending.append((index + 1, on, off | {name}))

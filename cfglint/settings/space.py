"""What settings and the command line mean for the configurations of one package.

Flags with a value once and for all, features that exclude each other, features that a narrowed run asks for. Exclusions
are taken on the project's word; nothing is assumed.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator

from cfglint.condition.atom import Atom, feature, flag, key_value
from cfglint.condition.diagram import TRUE, Condition, literal
from cfglint.config import Config
from cfglint.manifest.feature_model import FeatureModel
from cfglint.manifest.package import Package
from cfglint.manifest.solver import GaveUpError, satisfiable
from cfglint.manifest.space import ConfigSpace, config_space


def asked_space(config: Config, package: Package, model: FeatureModel, triples: Iterable[str]) -> ConfigSpace:
    """The configurations of a package that are asked for, on these targets.

    Raises UsageError where rustc has no such target.
    """
    return config_space(
        model, triples=triples, constraints=_constraints(config, package, model), fixed=_fixed_flags(config, package)
    )


def is_possible(config: Config, package: Package, model: FeatureModel) -> bool:
    """Whether any configuration is left."""
    asked = tuple(_constraints(config, package, model))
    try:
        return not asked or satisfiable(TRUE, config_space(model, constraints=asked))
    except GaveUpError:
        return True


def _fixed_flags(config: Config, package: Package) -> dict[Atom, bool]:
    """Flags with one value in every build of the package."""
    fixed: dict[Atom, bool] = {}
    for name, value in config.flags_of(package.name).items():
        if isinstance(value, bool):
            fixed[flag(name)] = value
        else:
            fixed.update((key_value(name, one), True) for one in value)
    return fixed


def _constraints(config: Config, package: Package, model: FeatureModel) -> Iterator[Condition]:
    """Conditions that hold in every configuration that counts."""
    known = frozenset(model.names)
    for group in config.exclusive_features_of(package.name):
        for one, other in itertools.combinations([name for name in dict.fromkeys(group) if name in known], 2):
            yield ~(literal(feature(one)) & literal(feature(other)))
    for written in config.narrowing.features:
        owner, _, name = written.rpartition("/")
        if owner in ("", package.name) and name in known:
            yield literal(feature(name))
    if config.narrowing.without_default and "default" in known:
        yield ~literal(feature("default"))
    if config.narrowing.all_features:
        yield from (literal(feature(name)) for name in model.names)

"""One build of a matrix: a package, which of its targets, features, flags, target and profile, as a cargo command.

Values only. Which combinations are needed is decided in `derive` and `strategies`.
"""

from __future__ import annotations

import enum
from collections.abc import Sequence
from dataclasses import dataclass

from cfglint.condition.atom import Atom, flag, key_value
from cfglint.manifest.configuration import Configuration, cargo_command, requested_features, rustc_flags
from cfglint.manifest.feature_model import FeatureModel
from cfglint.manifest.package import Package
from cfglint.manifest.platform import HOST
from cfglint.manifest.space import DEBUG_ASSERTIONS, TEST
from cfglint.manifest.targets import TargetKind


class Selection(enum.Enum):
    """Which targets of a package are built: what `cargo check` builds when told nothing, or `--all-targets`."""

    PLAIN = "plain"
    ALL = "all"


ALL_TARGETS = "all"
"""What `Combination.targets` says of a build with tests, examples and benches."""


@dataclass(frozen=True, slots=True)
class Combination:
    """One build.

    `targets` is "lib", "bins", "lib,bins" or "all"; `features` are those to ask for, without what they imply; `target` is
    a triple, "" where the host will do; `rustflags` sets `cfgs` and whatever else rustc must be told.
    """

    package: str
    targets: str
    features: tuple[str, ...]
    default_features: bool
    target: str
    cfgs: tuple[str, ...]
    rustflags: str
    release: bool
    command: str

    @property
    def key(self) -> tuple[object, ...]:
        """What makes two combinations the same build."""
        return (
            self.package,
            self.targets,
            self.features,
            self.default_features,
            self.target,
            self.rustflags,
            self.release,
        )

    @property
    def label(self) -> str:
        """In a few words, without the package: `gpu,std on x86_64-pc-windows-msvc`."""
        words = ",".join((*(("default",) if self.default_features else ()), *self.features)) or "no features"
        words += f" with {self.rustflags}" if self.rustflags else ""
        words += f" on {self.target}" if self.target else ""
        words += " in release" if self.release else ""
        return words + ("; all targets" if self.targets == ALL_TARGETS else "")


def combination(
    configuration: Configuration, package: Package, model: FeatureModel, selection: Selection
) -> Combination:
    """The build of `package` in `configuration`."""
    features, default_features = requested_features(configuration.features, model)
    # Without a feature `default` the switch says nothing, but it keeps what a manifest may get later out of the build.
    words = ("--all-targets",) if selection is Selection.ALL else ()
    return Combination(
        package=package.name,
        targets=ALL_TARGETS if selection is Selection.ALL else plain_targets(package),
        features=features,
        default_features=default_features,
        target="" if configuration.triple == HOST else configuration.triple,
        cfgs=configuration.cfgs,
        rustflags=rustc_flags(configuration),
        release=configuration.is_release,
        command=cargo_command(configuration, package, model, ("check",), words),
    )


def configuration_of(one: Combination, model: FeatureModel, *, is_test: bool) -> Configuration:
    """The configuration that a combination builds a crate in, as it is or as a test."""
    asked = (*one.features, "default") if one.default_features else one.features
    flags = {parse_cfg(text) for text in one.cfgs}
    if not one.release:
        flags.add(DEBUG_ASSERTIONS)
    if is_test:
        flags.add(TEST)
    return Configuration(model.closure(asked), frozenset(flags), one.target or HOST)


def parse_cfg(text: str) -> Atom:
    """The atom that a `--cfg` argument sets."""
    name, _, value = text.partition("=")
    return key_value(name, value.strip('"')) if value else flag(name)


def plain_targets(package: Package) -> str:
    """What cargo builds of a package when it is told nothing (Cargo book, cargo check, target selection)."""
    kinds = {target.kind for target in package.targets}
    return ",".join(word for kind, word in ((TargetKind.LIB, "lib"), (TargetKind.BIN, "bins")) if kind in kinds)


def has_more_targets(package: Package) -> bool:
    """Whether `--all-targets` builds anything beside the plain targets: unit tests, tests, examples, benches."""
    outer = (TargetKind.TEST, TargetKind.EXAMPLE, TargetKind.BENCH)
    return any(target.kind in outer or target.test for target in package.targets)


def in_order(combinations: Sequence[Combination]) -> tuple[Combination, ...]:
    """Each build once: by package, the plain ones first, the fewest features first."""
    unique = {one.key: one for one in combinations}
    return tuple(
        sorted(
            unique.values(),
            key=lambda one: (
                one.package,
                one.target,
                one.rustflags,
                one.release,
                len(one.features) + one.default_features,
                one.default_features,
                one.features,
                one.targets == ALL_TARGETS,
            ),
        )
    )

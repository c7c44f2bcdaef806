"""One configuration of a package, and the cargo command line that builds it.

A configuration is complete: every atom is true or false in it. The command asks for as little as gives exactly that:
features that others imply are not named, the host needs no `--target`.
"""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterable
from dataclasses import dataclass

from cfglint.condition.atom import Atom, AtomKind
from cfglint.condition.diagram import Condition
from cfglint.finding import Witness
from cfglint.manifest.feature_model import FeatureModel
from cfglint.manifest.package import Package
from cfglint.manifest.platform import HOST, table
from cfglint.manifest.space import DEBUG_ASSERTIONS, PROC_MACRO, TEST, ConfigSpace
from cfglint.manifest.targets import Target, TargetKind

_TARGET_FEATURE = "target_feature"
# Options of the target that `-C panic` and target specifications give anew; flags then hold all values there are.
_REPLACED = frozenset({"panic", "target_has_atomic"})
# Options that rustc refuses as `--cfg` (lint `explicit_builtin_cfgs_in_flags`) but has a switch for.
_SWITCHES = {"overflow_checks": "-C overflow-checks=on", "ub_checks": "-Z ub-checks"}


@dataclass(frozen=True, slots=True)
class Configuration:
    """One complete choice.

    `features` is closed under implication; `flags` are the other atoms that hold, those of the target left out; `triple`
    is the target.
    """

    features: frozenset[str]
    flags: frozenset[Atom]
    triple: str

    @property
    def is_test(self) -> bool:
        """Whether `cfg(test)` holds."""
        return TEST in self.flags

    @property
    def is_release(self) -> bool:
        """Whether `debug_assertions` is off, as in the release profile."""
        return DEBUG_ASSERTIONS not in self.flags

    @property
    def cfgs(self) -> tuple[str, ...]:
        """The `--cfg` arguments, sorted: flags that no profile and no target sets."""
        return tuple(
            atom.key if atom.value is None else f'{atom.key}="{atom.value}"'
            for atom in sorted(self.flags)
            if _is_cfg_argument(atom)
        )

    def holds(self, atom: Atom) -> bool:
        """Whether `atom` is true here."""
        if atom in self.flags:
            return True
        if atom.kind is AtomKind.FEATURE:
            return atom.key in self.features
        if atom.key in _REPLACED and any(other.key == atom.key for other in self.flags):
            return False  # what is given replaces what the target has
        targets = table()
        mask = targets.mask(atom) or targets.feature_mask(atom)
        return bool(mask & targets.rows((self.triple,)))

    def satisfies(self, condition: Condition) -> bool:
        """Whether `condition` is true here."""
        return condition.evaluate(self.holds)


def witness(configuration: Configuration, package: Package, target: Target, space: ConfigSpace) -> Witness:
    """How to build `target` of `package` in `configuration`: the shortest command that gives exactly its features."""
    model = space.model
    features, default_features = requested_features(configuration.features, model)
    selection = _target_words(target)
    if configuration.is_test and not _is_built_as_test(target) and not configuration.is_release:
        selection += ["--profile", "test"]
    command = cargo_command(configuration, package, model, _subcommand(configuration, target), selection)
    triple = None if configuration.triple == HOST else configuration.triple
    return Witness(features, default_features, configuration.cfgs, triple, command)


def cargo_command(
    configuration: Configuration,
    package: Package,
    model: FeatureModel,
    subcommand: Iterable[str] = ("check",),
    selection: Iterable[str] = (),
) -> str:
    """A line for a POSIX shell that builds `package` in `configuration`; `selection` says which of its targets."""
    features, default_features = requested_features(configuration.features, model)
    words = ["cargo", *subcommand, *_package_words(package, model), *selection]
    if configuration.is_release:
        words.append("--release")
    if not default_features:
        words.append("--no-default-features")
    if features:
        words += ["--features", ",".join(features)]
    if configuration.triple != HOST:
        words += ["--target", configuration.triple]
    command = " ".join(shlex.quote(word) for word in words)
    flags = rustc_flags(configuration)
    if flags:
        quote = "'" if '"' in flags else '"'
        command = f"RUSTFLAGS={quote}{flags}{quote} {command}"
    return command


def requested_features(closed: Iterable[str], model: FeatureModel) -> tuple[tuple[str, ...], bool]:
    """What to ask for so that exactly `closed` is enabled: features in source order, and whether to add the default ones.

    Features that others bring along are not named. The default ones are taken wherever they are all wanted: that is
    never longer than to switch them off and name what they stand for.
    """
    wanted = frozenset(closed)
    given = model.closure(("default",)) if "default" in wanted else frozenset()
    order = [name for name in model.names if name in wanted and name not in given]
    closures = {name: model.closure((name,)) for name in order}
    kept = list(order)
    for name in reversed(order):
        if any(name in closures[other] for other in kept if other != name):
            kept.remove(name)
    return tuple(kept), "default" in wanted


def _subcommand(configuration: Configuration, target: Target) -> tuple[str, ...]:
    # `cargo check` has no release profile that sets cfg(test).
    if configuration.is_test and configuration.is_release and not _is_built_as_test(target):
        return ("test", "--no-run")
    return ("check",)


def _is_built_as_test(target: Target) -> bool:
    """Whether cargo compiles the target with `cfg(test)` whenever it is selected by name."""
    return target.kind in (TargetKind.TEST, TargetKind.BENCH)


def _package_words(package: Package, model: FeatureModel) -> list[str]:
    # With resolver 1, `--features` are those of the package in the current directory if there is one, whatever `-p` says.
    root = package.workspace
    is_hidden = model.unified and root is not package.document and ("package" in root.data or "project" in root.data)
    if is_hidden or package.run_from is not None:
        path = os.path.relpath(package.manifest, package.workspace_root).replace(os.sep, "/")
        return ["--manifest-path", path]
    return ["-p", package.name]


def _target_words(target: Target) -> list[str]:
    match target.kind:
        case TargetKind.LIB:
            return ["--lib"]
        case TargetKind.BUILD_SCRIPT:
            return []
        case kind:
            return [f"--{kind.value}", target.name]


def _is_cfg_argument(atom: Atom) -> bool:
    if atom.kind is AtomKind.OPAQUE or atom in (TEST, DEBUG_ASSERTIONS, PROC_MACRO):
        return False
    return atom.key != _TARGET_FEATURE and atom.key not in _SWITCHES


def rustc_flags(configuration: Configuration) -> str:
    """What RUSTFLAGS must hold for the flags of `configuration`; empty where there are none."""
    words = [f"--cfg {cfg}" for cfg in configuration.cfgs]
    words += [_SWITCHES[atom.key] for atom in sorted(configuration.flags) if atom.key in _SWITCHES]
    wanted = [f"+{atom.value}" for atom in sorted(configuration.flags) if atom.key == _TARGET_FEATURE]
    if wanted:
        words.append(f"-C target-feature={','.join(wanted)}")
    return " ".join(words)

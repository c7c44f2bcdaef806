"""From manifests to crate roots: what each target of a package is compiled with and which crates it can name.

Which features a dependency gets is the manifest room's business; what the crates contain is not looked at here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from cfglint.condition.atom import Atom, feature
from cfglint.condition.diagram import FALSE, TRUE, Condition, conjunction, literal
from cfglint.condition.predicate import Any, Literal, Predicate
from cfglint.items.build_script import BuildScript
from cfglint.manifest.dependency import Dependency, DependencyKind
from cfglint.manifest.feature_model import BUILD_ONLY, NORMAL_ONLY, FeatureModel
from cfglint.manifest.package import Package
from cfglint.manifest.space import TEST
from cfglint.manifest.targets import Target, TargetKind
from cfglint.nameres.model import CrateConfig, ExternCrate

WELL_KNOWN = frozenset(
    "clippy debug_assertions doc docsrs doctest feature fmt_debug miri overflow_checks panic proc_macro relocation_model "
    "rustfmt sanitize sanitizer_cfi_generalize_pointers sanitizer_cfi_normalize_integers target_abi target_arch "
    "target_endian target_env target_family target_feature target_has_atomic target_has_atomic_equal_alignment "
    "target_has_atomic_load_store target_has_atomic_primitive_alignment target_os target_pointer_width target_thread_local target_vendor test ub_checks unix windows "
    "loom fuzzing".split()
)
"""Options that no build script sets (rustc book, check-cfg, well-known names), and flags that by custom come from RUSTFLAGS."""


def options_of(script: BuildScript) -> dict[tuple[str, str | None], Predicate | None]:
    """The options that a build script sets, each with the predicate under which it does, None where that is not known.

    A feature that a script prints adds to what the manifest says; that is not followed, and its features are free.
    """
    found: dict[tuple[str, str | None], Predicate | None] = {}
    for option in script.options:
        if option.name == "feature":
            continue
        key = (option.name, option.value)
        before = found.get(key, Literal(False))
        found[key] = None if before is None or option.predicate is None else Any((before, option.predicate))
    found.update(((name, None), predicate) for name, predicate in script.aliases)
    return found


def crate_config(
    package: Package,
    model: FeatureModel,
    target: Target,
    library: tuple[str, int] | None,
    script: BuildScript,
    read: Callable[[Dependency], int],
) -> CrateConfig:
    """What name resolution must know about one target.

    `library` is the name and crate number of the package's own library, where this target sees it; `read` gives the
    crate number of a dependency's library, -1 if it is not read.
    """
    is_script = target.kind is TargetKind.BUILD_SCRIPT
    known = None
    if script.makes_up and not is_script:
        known = WELL_KNOWN
    return CrateConfig(
        name=target.crate_name,
        root_file=str(target.path),
        edition=target.edition,
        condition=conjunction(literal(feature(name)) for name in target.required_features),
        extern=_extern(package, model, target, library, read),
        options={} if is_script else options_of(script),
        opaque_options=frozenset() if is_script else frozenset(script.open_names),
        known_options=known,
        test=_test(target),
        is_proc_macro=target.proc_macro,
    )


def _test(target: Target) -> Condition | None:
    """`cfg(test)` in this target: free where the unit-test build is another build of the same root."""
    match target.kind:
        case TargetKind.LIB | TargetKind.BIN:
            return None
        case TargetKind.TEST | TargetKind.BENCH:
            return TRUE
        case _:
            return FALSE


def fixed_atoms(target: Target) -> Mapping[Atom, bool]:
    """Atoms with one value in every build of this target."""
    test = _test(target)
    return {} if test is None else {TEST: test is TRUE}


def _extern(
    package: Package,
    model: FeatureModel,
    target: Target,
    library: tuple[str, int] | None,
    read: Callable[[Dependency], int],
) -> dict[str, ExternCrate]:
    found: dict[str, ExternCrate] = {}
    dev = dev_units(target)
    for key in model.dependency_keys():
        edges = [d for d in package.dependencies if d.key == key]
        if target.kind is TargetKind.BUILD_SCRIPT:
            condition = model.dependency_condition(key, BUILD_ONLY)
        else:
            condition = model.dependency_condition(key, NORMAL_ONLY)
            if dev is not FALSE:
                condition |= dev & model.dependency_condition(key, frozenset({DependencyKind.DEV}))
        for name in sorted({d.crate_name for d in edges}):
            reason = _reason(edges, target)
            if condition is FALSE and reason not in ("dev", "optional", "target"):
                continue
            before = found.get(name)
            if before is not None:
                condition = condition | before.condition
            crates = {read(d) for d in edges if d.crate_name == name}
            found[name] = ExternCrate(condition, crates.pop() if len(crates) == 1 else -1, key, reason)
    if library is not None:
        found[library[0]] = ExternCrate(TRUE, library[1], "", "")
    return found


def dev_units(target: Target) -> Condition:
    """When a target sees dev-dependencies, which then count for the features that it is built with, too."""
    match target.kind:
        case TargetKind.TEST | TargetKind.BENCH | TargetKind.EXAMPLE:
            return TRUE
        case TargetKind.BUILD_SCRIPT:
            return FALSE
        case _:
            return literal(TEST)


def _reason(edges: list[Dependency], target: Target) -> str:
    kinds = {edge.kind for edge in edges}
    if target.kind is TargetKind.BUILD_SCRIPT:
        return "build" if DependencyKind.BUILD not in kinds else "optional"
    if DependencyKind.NORMAL in kinds:
        normal = [edge for edge in edges if edge.kind is DependencyKind.NORMAL]
        if all(edge.optional for edge in normal):
            return "optional"
        return "target" if all(edge.target for edge in normal) else "optional"
    if DependencyKind.DEV not in kinds:
        return "build"
    seen = target.kind in (TargetKind.TEST, TargetKind.BENCH, TargetKind.EXAMPLE)
    return "target" if seen else "dev"  # what a test sees and yet lacks is a matter of platforms

"""What a matrix must compile, as conditions on builds of one package.

Each crate root contributes both sides of its gates and the interactions of its references, in the words of the package.
A root that is built with and without `cfg(test)` counts as two units. Goals of units that only `--all-targets` builds are
kept apart from those that any build serves.

Findings are known beforehand and matter twice: each must be seen to fail, and what does not fail should be compiled where
nothing else does, for an error in the library keeps cargo from everything that rests on it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from cfglint.condition.atom import Atom, AtomKind, feature, flag
from cfglint.condition.diagram import FALSE, Condition, conjunction, disjunction, literal
from cfglint.condition.parse import parse_predicate
from cfglint.condition.predicate import Option, lower
from cfglint.finding import Finding, Severity
from cfglint.manifest.feature_model import FeatureModel
from cfglint.manifest.package import Package
from cfglint.manifest.platform import HOST, table
from cfglint.manifest.space import DEBUG_ASSERTIONS, TEST, ConfigSpace, Sort, fixing
from cfglint.manifest.target_predicate import target_condition
from cfglint.manifest.targets import Target, TargetKind
from cfglint.matrix.cover import decided, possible
from cfglint.matrix.gates import Gate, gates
from cfglint.matrix.interactions import interactions
from cfglint.nameres.analysis import Root
from cfglint.nameres.crate import atom_of, opaque_atoms

TOOL_FLAGS = frozenset(
    "clippy coverage coverage_nightly doc docsrs doctest kani miri rustfmt tarpaulin tarpaulin_include".split()
)
"""Options that tools set for themselves; a build with one of them is that tool's business."""

_CUSTOMARY = frozenset({"loom", "fuzzing"})
_BOTH = (False, True)
_EARLY = frozenset({"CFG013"})
_LATE = frozenset({"CFG006", "CFG007", "CFG008", "CFG015"})


@dataclass(frozen=True, slots=True)
class Failure:
    """A finding of `cfglint check` as a condition: `kind` and `name` are those of its crate root."""

    package: str
    kind: str
    name: str
    rule: str
    condition: Condition

    @property
    def phase(self) -> int:
        """rustc's errors of an earlier phase can hide those of a later one."""
        return 0 if self.rule in _EARLY else 2 if self.rule in _LATE else 1


@dataclass(slots=True)
class Goals:
    """Conditions without `test`: those that any build of the package serves, and those that take `--all-targets`.

    `interacting` are the features that one condition brings together, for every condition once; `left_out` names flags
    that nothing declares; `too_large` counts conditions that could not be decided.
    """

    plain: dict[Condition, None] = field(default_factory=dict)
    tests: dict[Condition, None] = field(default_factory=dict)
    interacting: dict[frozenset[str], None] = field(default_factory=dict)
    left_out: dict[str, None] = field(default_factory=dict)
    too_large: int = 0


@dataclass(frozen=True, slots=True)
class Unit:
    """A crate root as one build compiles it: as it is, or as a test."""

    root: Root
    is_test: bool

    @property
    def needs_all_targets(self) -> bool:
        """Whether a plain `cargo check` leaves it out."""
        return self.is_test or self.root.target.kind is TargetKind.EXAMPLE

    @property
    def rests_on_library(self) -> bool:
        """Whether it is compiled only after the library has been."""
        kind = self.root.target.kind
        return kind not in (TargetKind.LIB, TargetKind.BUILD_SCRIPT)

    def is_worth(self, condition: Condition) -> bool:
        """Whether the unit has to show a condition: not what its twin without `cfg(test)` shows in the same builds."""
        if not self.is_test or self.root.target.kind not in (TargetKind.LIB, TargetKind.BIN):
            return True
        if TEST not in condition.atoms():
            return False
        return not condition.restrict({TEST: True}).implies(condition.restrict({TEST: False}))

    def seen(self, condition: Condition) -> Condition:
        """A condition as this unit sees it: `test` has a value, unknowns take the one that suits."""
        known = condition.restrict({TEST: self.is_test}) if TEST in condition.atoms() else condition
        if self.root.target.kind is TargetKind.BUILD_SCRIPT:
            known = _on_host(known)
        return known.exists(opaque_atoms(known)) if opaque_atoms(known) else known


def built_as(target: Target) -> tuple[bool, ...]:
    """The values of `cfg(test)` with which `cargo check --all-targets` builds a target."""
    match target.kind:
        case TargetKind.TEST | TargetKind.BENCH:
            return (True,)
        case TargetKind.LIB | TargetKind.BIN:
            return _BOTH if target.test else (False,)
        case _:
            return (False,)


def failures(findings: Iterable[Finding]) -> tuple[Failure, ...]:
    """The findings that some build shows, as conditions. One whose condition has no readable text is left out."""
    return tuple(
        Failure(finding.package, finding.target.kind, finding.target.name, finding.rule, condition)
        for finding in findings
        if finding.rule.startswith("CFG0") and finding.severity is not Severity.NOTE
        if (condition := condition_of(finding)) is not None
    )


def condition_of(finding: Finding) -> Condition | None:
    """When the finding fails; None where the text of that is a remark."""
    text = finding.fails_when
    return None if text.startswith("/*") else lower(parse_predicate(text), _meaning)


def _meaning(leaf: object) -> Condition:
    return literal(atom_of(leaf)) if isinstance(leaf, Option) else FALSE


def find_goals(
    roots: Sequence[Root],
    space: ConfigSpace,
    known: Iterable[Failure],
    below: Condition,
) -> tuple[Goals, ConfigSpace]:
    """The goals of a package, and the space in which they are to be reached.

    Parameters:
        roots: its crate roots.
        space: the configurations of the package, without what its library forbids.
        known: the failures of this very package.
        below: where one of its dependencies within the workspace does not compile (it may speak of `test`).
    """
    package, model = roots[0].package, roots[0].model
    known = tuple(known)
    found = Goals()
    raw: list[tuple[Unit, list[Condition]]] = []
    own_gates = [list(gates(root)) for root in roots]
    for root, found_gates in zip(roots, own_gates, strict=True):
        raw += _by_unit(root, found_gates, space)
    atoms = {atom for _, conditions in raw for condition in conditions for atom in condition.atoms()}
    space, left_out = without_foreign_flags(package, (gate for some in own_gates for gate in some), atoms, space)
    found.left_out.update(dict.fromkeys(left_out))
    library = disjunction(
        fails
        for unit, _ in raw
        if unit.root.target.kind is TargetKind.LIB and not unit.is_test
        for _, fails in _failing(unit, known)
    )
    for unit, conditions in raw:
        broken = _failing(unit, known)
        blocked = unit.seen(below) | (library if unit.rests_on_library else FALSE)
        wanted = [(condition, [fails for _, fails in broken]) for condition in conditions]
        wanted += [
            (fails, [other for before, other in broken if before < phase])
            for phase, fails in _failing(unit, (one for one in known if unit.is_worth(one.condition)))
        ]
        for condition, avoided in wanted:
            is_possible = decided(condition, space)
            found.too_large += is_possible is None
            if is_possible:
                better = _preferred(condition, [blocked, disjunction(avoided)], space)
                (found.tests if unit.needs_all_targets else found.plain)[better] = None
                names = frozenset(atom.key for atom in condition.atoms() if atom.kind is AtomKind.FEATURE)
                found.interacting[names] = None
    for condition in _of_manifest(model):
        if possible(condition, space):
            found.plain[condition] = None
    return found, space


def declared_flags(package: Package) -> frozenset[str]:
    """Flags that the package speaks of outside its code: `check-cfg`, tables of dependencies; and the customary ones."""
    names = set(_CUSTOMARY)
    for entry in package.check_cfg:
        inner = re.sub(r"values\(.*", "", entry.strip().removeprefix("cfg("), flags=re.DOTALL)
        names.update(re.findall(r"[A-Za-z_]\w*", inner))
    for dependency in package.dependencies:
        if dependency.target is not None:
            names.update(atom.key for atom in target_condition(dependency.target).atoms())
    return frozenset(names) - TOOL_FLAGS


def _by_unit(root: Root, own_gates: Iterable[Gate], space: ConfigSpace) -> Iterator[tuple[Unit, list[Condition]]]:
    """Everything that each unit of a root must be compiled with, in builds that are valid for the root."""
    own = [constraint for constraint in root.space.constraints if constraint not in space.constraints]
    contents = dict.fromkeys(_contents(root, own_gates))
    for unit in (Unit(root, is_test) for is_test in built_as(root.target)):
        valid = unit.seen(conjunction(own))
        seen = (valid & unit.seen(condition) for condition in contents if unit.is_worth(condition))
        yield unit, list(dict.fromkeys(seen))


def _contents(root: Root, own_gates: Iterable[Gate]) -> Iterator[Condition]:
    yield root.crate.module_condition(0)
    for gate in own_gates:
        yield gate.on
        if not gate.takes_all:
            yield gate.off
    yield from interactions(root)


def without_foreign_flags(
    package: Package, own_gates: Iterable[Gate], atoms: Iterable[Atom], space: ConfigSpace
) -> tuple[ConfigSpace, tuple[str, ...]]:
    """The space with those flags off that no build of a matrix sets, and which of them the package's own gates name.

    Off are `test` (units have it or not), what tools set for themselves, flags of other packages, and flags that nothing
    declares.
    """
    spoken = {atom for gate in own_gates for atom in gate.predicate.atoms()}
    declared = declared_flags(package)
    fixed = {TEST: False, **{flag(name): False for name in sorted(TOOL_FLAGS)}}
    left_out = []
    for atom in sorted({*atoms, *spoken}):
        if atom.kind in (AtomKind.FEATURE, AtomKind.OPAQUE) or space.compiled.meaning(atom).sort is not Sort.FLAG:
            continue
        if atom not in (TEST, DEBUG_ASSERTIONS) and not (atom in spoken and atom.key in declared):
            fixed[atom] = False
            if atom in spoken and atom.key not in TOOL_FLAGS:
                left_out.append(atom.text)
    return fixing(space, fixed), tuple(left_out)


def _failing(unit: Unit, known: Iterable[Failure]) -> list[tuple[int, Condition]]:
    target = unit.root.target
    mine = (one for one in known if one.kind == target.kind.value and one.name == target.name)
    conditions = ((one.phase, unit.seen(one.condition)) for one in mine)
    return [(phase, condition) for phase, condition in conditions if condition is not FALSE]


def _preferred(condition: Condition, obstacles: Iterable[Condition], space: ConfigSpace) -> Condition:
    """The condition without builds that do not get so far, unless there are no others."""
    for obstacle in obstacles:
        if obstacle is not FALSE and possible(better := condition & ~obstacle, space):
            condition = better
    return condition


def _of_manifest(model: FeatureModel) -> Iterator[Condition]:
    """Features that turn on something in a dependency: what then comes together may not fit, gate or no gate."""
    for name in dict.fromkeys(activation.feature for activation in model.activations):
        yield literal(feature(name))
        yield ~literal(feature(name))


def _on_host(condition: Condition) -> Condition:
    """A build script runs on the host, whatever the target."""
    targets = table()
    row = targets.rows((HOST,))
    values = {
        atom: bool(mask & row)
        for atom in condition.atoms()
        if atom.kind is not AtomKind.FEATURE and (mask := targets.mask(atom)) is not None
    }
    return condition.restrict(values) if values else condition

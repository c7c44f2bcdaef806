"""The space of valid configurations of one package, and its compiled form.

A space is the feature model, a set of targets, the flags whose value is fixed, and constraints (conditions that every
valid configuration fulfils, such as the negation of a `compile_error!` guard). The compiled form numbers features so
that sets of them are integers; the solver works on it alone.
"""

from __future__ import annotations

import dataclasses
import enum
import functools
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from cfglint.condition.atom import Atom, AtomKind, feature, flag
from cfglint.condition.diagram import TRUE, Condition, literal
from cfglint.errors import UsageError
from cfglint.manifest.feature_model import FeatureModel
from cfglint.manifest.platform import TIER_ONE, TargetTable, table

TEST = flag("test")
DEBUG_ASSERTIONS = flag("debug_assertions")
PROC_MACRO = flag("proc_macro")


@dataclass(frozen=True, slots=True, eq=False)
class ConfigSpace:
    """Compared by identity; build with `config_space` and the functions that derive one space from another.

    `rows` is the mask of allowed targets, `preferred` of those that a witness should name if it can; `fixed` gives atoms
    a value once and for all; `constraints` hold in every configuration of the space.
    """

    model: FeatureModel
    rows: int
    preferred: int
    constraints: tuple[Condition, ...]
    fixed: Mapping[Atom, bool]
    compiled: CompiledSpace = field(init=False, repr=False)
    wider: ConfigSpace | None = field(init=False, repr=False, default=None)

    def __post_init__(self) -> None:
        fixed = tuple(sorted(self.fixed.items()))
        object.__setattr__(self, "compiled", _compiled(self.model, self.rows, self.preferred, self.constraints, fixed))


def config_space(
    model: FeatureModel,
    *,
    triples: Iterable[str] = TIER_ONE,
    constraints: Iterable[Condition] = (),
    fixed: Mapping[Atom, bool] | None = None,
) -> ConfigSpace:
    """The space of `model` on the targets `triples`.

    `proc_macro` is off unless `fixed` says otherwise, as it is in any crate that is no procedural macro. Features cannot
    be fixed, for others depend on them: ask for them in `constraints`.

    Raises:
        UsageError: rustc has no such target.
    """
    rows = 0
    for triple in triples:
        row = table().rows((triple,))
        if not row:
            raise UsageError(f"`{triple}` is not a target that rustc knows")
        rows |= row
    return ConfigSpace(model, rows, rows, _relevant(constraints), {PROC_MACRO: False, **(fixed or {})})


def widened(space: ConfigSpace) -> ConfigSpace:
    """The same space on every target that rustc knows, still preferring those it had. Made once for each space."""
    if space.wider is None:
        object.__setattr__(space, "wider", dataclasses.replace(space, rows=table().all_rows))
    assert space.wider is not None, "just made"
    return space.wider


def constrained(space: ConfigSpace, constraints: Iterable[Condition]) -> ConfigSpace:
    """The part of the space where `constraints` hold too."""
    return dataclasses.replace(space, constraints=_relevant((*space.constraints, *constraints)))


def fixing(space: ConfigSpace, fixed: Mapping[Atom, bool]) -> ConfigSpace:
    """The part of the space where these atoms have these values."""
    return dataclasses.replace(space, fixed={**space.fixed, **fixed})


def _relevant(constraints: Iterable[Condition]) -> tuple[Condition, ...]:
    return tuple(dict.fromkeys(constraint for constraint in constraints if constraint is not TRUE))


class Sort(enum.IntEnum):
    """How the solver treats an atom."""

    __hash__ = int.__hash__  # that of Enum is slow

    CONSTANT = 0
    FEATURE = 1
    TARGET = 2
    FLAG = 3
    TARGET_FEATURE = 4


class Meaning(NamedTuple):
    """What an atom is in a space.

    `mask` is, by sort: 1 or 0 for a constant; the closure of a feature; the rows of a target option; the rows that have a
    target feature anyway. `bit` is the bit of the feature or of the flag.
    """

    sort: Sort
    bit: int
    mask: int


class CompiledSpace:
    """Numbers for everything that the solver walks over. Grows as atoms are met; results of queries are kept here.

    Spaces that are alike share one: the many test targets of a package ask the same questions. `texts` is for whoever
    shows conditions of the space.
    """

    __slots__ = (
        "_closures",
        "_flag_bits",
        "constraints",
        "default_flags",
        "fixed",
        "flag_atoms",
        "index",
        "leasts",
        "meanings",
        "mode_flags",
        "model",
        "preferred",
        "projections",
        "rows",
        "satisfiables",
        "steps",
        "target_feature_flags",
        "targets",
        "texts",
    )

    def __init__(
        self,
        model: FeatureModel,
        rows: int,
        preferred: int,
        constraints: tuple[Condition, ...],
        fixed: Mapping[Atom, bool],
    ) -> None:
        self.model = model
        self.rows = rows
        self.preferred = preferred
        self.fixed = fixed
        self.targets: TargetTable = table()
        self.index = {name: number for number, name in enumerate(model.names)}
        self.constraints = constraints + tuple(
            constraint
            for condition, name in model.implied
            if (constraint := ~condition | literal(feature(name))) is not TRUE
        )
        self.flag_atoms: list[Atom] = []
        self.default_flags = 0
        self.mode_flags = 0
        self.leasts: dict[Condition, object] = {}
        self.satisfiables: dict[Condition, bool] = {}
        self.texts: dict[tuple[str, Condition], str] = {}
        self.projections: dict[frozenset[Atom], Condition] = {}
        self.steps: dict[Condition, tuple[Sort, int, int, Condition, Condition]] = {}
        self.meanings: dict[Atom, Meaning] = {}
        self._closures: dict[int, int] = {}
        self.target_feature_flags = 0
        self._flag_bits: dict[Atom, int] = {}
        # Chosen by the profile rather than by `--cfg`, so they are known from the start.
        self.flag_bit(DEBUG_ASSERTIONS)
        self.flag_bit(TEST)
        self.default_flags = self._flag_bits[DEBUG_ASSERTIONS]
        self.mode_flags = self._flag_bits[DEBUG_ASSERTIONS] | self._flag_bits[TEST]

    def step(self, node: Condition) -> tuple[Sort, int, int, Condition, Condition]:
        """The meaning of the atom at `node`, and its two cofactors."""
        found = self.steps.get(node)
        if found is None:
            assert node.atom is not None, "a constant has no atom"
            meaning = self.meaning(node.atom)
            found = self.steps[node] = (*meaning, node.high, node.low)
        return found

    def meaning(self, atom: Atom) -> Meaning:
        """What `atom` is in this space."""
        found = self.meanings.get(atom)
        if found is None:
            found = self.meanings[atom] = self._meaning(atom)
        return found

    def _meaning(self, atom: Atom) -> Meaning:
        if atom in self.fixed:
            return Meaning(Sort.CONSTANT, 0, int(self.fixed[atom]))
        if atom.kind is AtomKind.FEATURE:
            number = self.index.get(atom.key)
            if number is None:
                return Meaning(Sort.CONSTANT, 0, 0)
            return Meaning(Sort.FEATURE, 1 << number, self.closure(number))
        rows = self.targets.mask(atom)
        if rows is not None:
            return Meaning(Sort.TARGET, 0, rows)
        native = self.targets.feature_mask(atom)
        if native:
            self.target_feature_flags |= self.flag_bit(atom)
            return Meaning(Sort.TARGET_FEATURE, self.flag_bit(atom), native)
        return Meaning(Sort.FLAG, self.flag_bit(atom), 0)

    def native_rows(self, number: int) -> int:
        """The rows that have flag `number` without being asked to; only target features have any."""
        return self.targets.feature_mask(self.flag_atoms[number])

    def flag_bit(self, atom: Atom) -> int:
        """The bit of a free flag."""
        found = self._flag_bits.get(atom)
        if found is None:
            found = self._flag_bits[atom] = 1 << len(self.flag_atoms)
            self.flag_atoms.append(atom)
        return found

    def closure(self, number: int) -> int:
        """The features that feature `number` turns on, itself included, as a mask."""
        found = self._closures.get(number)
        if found is not None:
            return found
        names, index, implications = self.model.names, self.index, self.model.implications
        mask = 0
        pending = [number]
        while pending:
            current = pending.pop()
            bit = 1 << current
            if mask & bit:
                continue
            known = self._closures.get(current)
            if known is not None:
                mask |= known
                continue
            mask |= bit
            pending.extend(index[name] for name in implications[names[current]])
        self._closures[number] = mask
        return mask

    def feature_names(self, mask: int) -> frozenset[str]:
        """The names of the features in `mask`."""
        names = self.model.names
        return frozenset(names[number] for number in bits(mask))


def bits(mask: int) -> list[int]:
    """The numbers of the bits that are set, lowest first."""
    found: list[int] = []
    while mask:
        low = mask & -mask
        found.append(low.bit_length() - 1)
        mask ^= low
    return found


@functools.lru_cache(maxsize=1024)
def _compiled(
    model: FeatureModel,
    rows: int,
    preferred: int,
    constraints: tuple[Condition, ...],
    fixed: tuple[tuple[Atom, bool], ...],
) -> CompiledSpace:
    return CompiledSpace(model, rows, preferred, constraints, dict(fixed))

"""Decides conditions over a space of configurations, and counts in it.

A path through a condition's diagram is a conjunction of literals. It is satisfiable iff the implication closure of its
positive features avoids its negative ones and a target remains; the closure is then its least configuration. Constraints
are looked at only when the least configuration breaks them, and then branched over in the same way.

What this deliberately does not do: conjoin the feature model into a diagram (only its projection on the few features of
one condition, to count), and go on for ever: beyond `STEP_CAP` it gives up, and the caller has an undecided reference.
"""

from __future__ import annotations

import enum
from typing import NamedTuple

from cfglint.condition.atom import Atom, AtomKind, feature
from cfglint.condition.diagram import FALSE, TRUE, Condition, conjunction, disjunction, literal
from cfglint.errors import CfglintError
from cfglint.manifest.configuration import Configuration
from cfglint.manifest.space import CompiledSpace, ConfigSpace, Sort, bits, widened

STEP_CAP = 50_000
"""Nodes that one query may visit."""

PROJECTION_CAP = 96
"""Features that may take part in one count."""


class GaveUpError(CfglintError):
    """A query would take too long. What it was about is undecided."""


class _Goal(enum.Enum):
    ANY = enum.auto()
    LEAST = enum.auto()


class _Candidate(NamedTuple):
    """A configuration with what it costs; the fields are compared in this order."""

    cfgs: int
    modes: int
    foreign: int
    size: int
    order: tuple[int, ...]
    unnamed: int
    row: int
    flags: int
    features: int


def least(condition: Condition, space: ConfigSpace) -> Configuration | None:
    """The smallest configuration of `space` in which `condition` holds, None if there is none.

    Smallest means fewest `--cfg` flags, then the fewest of `test` and release mode, then the host rather than another
    target, then fewest features (implied ones counted), then the features that come first in the table.

    Raises:
        GaveUpError: after `STEP_CAP` steps.
    """
    compiled = space.compiled
    if condition in compiled.leasts:
        known = compiled.leasts[condition]
        return known if isinstance(known, Configuration) else None
    candidate = _search(condition, compiled, _Goal.LEAST)
    found = None if candidate is None else _configuration(candidate, compiled)
    compiled.leasts[condition] = found
    compiled.satisfiables[condition] = found is not None
    return found


def satisfiable(condition: Condition, space: ConfigSpace) -> bool:
    """Whether `condition` holds in some configuration of `space`.

    Raises:
        GaveUpError: after `STEP_CAP` steps.
    """
    compiled = space.compiled
    known = compiled.satisfiables.get(condition)
    if known is None:
        known = compiled.satisfiables[condition] = _search(condition, compiled, _Goal.ANY) is not None
    return known


def where_satisfiable(condition: Condition, space: ConfigSpace) -> ConfigSpace | None:
    """The space in which a condition can hold: the one given, else the same on all targets that rustc knows, else None.

    Raises:
        GaveUpError: after `STEP_CAP` steps.
    """
    if satisfiable(condition, space):
        return space
    if any(atom.kind is not AtomKind.FEATURE for atom in condition.atoms()):
        wide = widened(space)
        if satisfiable(condition, wide):
            return wide
    return None


def valid(condition: Condition, space: ConfigSpace) -> bool:
    """Whether `condition` holds in every configuration of `space`.

    Raises:
        GaveUpError: after `STEP_CAP` steps.
    """
    return not satisfiable(~condition, space)


def count(condition: Condition, space: ConfigSpace) -> tuple[int, int]:
    """How many assignments of the atoms of `condition` satisfy it, of how many that occur in `space` at all.

    An assignment occurs if it can be extended to a configuration. Targets count as the combinations of the target
    options in the condition that they realise.

    Raises:
        GaveUpError: the condition has too many features to count over.
    """
    atoms = condition.atoms()
    care = _projection(atoms, space.compiled)
    return (condition & care).count(atoms), care.count(atoms)


def care_set(condition: Condition, space: ConfigSpace) -> Condition:
    """What is true of the atoms of `condition` in every configuration of `space`: exactly that, as a condition.

    Where that would be too large it is TRUE, which is true but says nothing.
    """
    try:
        return _projection(condition.atoms(), space.compiled)
    except GaveUpError:
        return TRUE


def _configuration(candidate: _Candidate, compiled: CompiledSpace) -> Configuration:
    row = 1 << candidate.row
    flags = {compiled.flag_atoms[number] for number in bits(candidate.flags) if not compiled.native_rows(number) & row}
    flags.update(atom for atom, value in compiled.fixed.items() if value)
    return Configuration(
        features=compiled.feature_names(candidate.features),
        flags=frozenset(flags),
        triple=compiled.targets.triples[candidate.row],
    )


def _search(condition: Condition, compiled: CompiledSpace, goal: _Goal) -> _Candidate | None:
    """Depth first over the paths of `condition`, default values first; bounded by the best candidate so far.

    A state is what a path has decided: features on (closed) and off, targets left, flags on and off.
    """
    if condition is FALSE or not compiled.rows:
        return None
    best: _Candidate | None = None
    budget = STEP_CAP
    steps = compiled.steps
    pending = [(condition, 0, 0, compiled.rows, 0, 0)]
    push = pending.append
    while pending:
        node, on, off, rows, flags_on, flags_off = pending.pop()
        budget -= 1
        if budget < 0:
            raise GaveUpError(f"a condition takes more than {STEP_CAP} steps to decide")
        if best is not None and _bound(on, rows, flags_on, flags_off, compiled) > best[:4]:
            continue
        if node is TRUE:
            candidate = _cheapest(on, rows, flags_on, flags_off, compiled)
            broken = _broken_constraint(candidate, compiled)
            if broken is not None:
                push((broken, on, off, rows, flags_on, flags_off))
            elif best is None or candidate < best:
                best = candidate
                if goal is _Goal.ANY:
                    return best
            continue
        sort, bit, mask, high, low = steps.get(node) or compiled.step(node)
        if sort is Sort.FEATURE:
            if high is not FALSE and not mask & off:
                push((high, on | mask, off, rows, flags_on, flags_off))
            if low is not FALSE and not on & bit:
                push((low, on, off | bit, rows, flags_on, flags_off))
        elif sort is Sort.TARGET:
            if high is not FALSE and rows & mask:
                push((high, on, off, rows & mask, flags_on, flags_off))
            if low is not FALSE and rows & ~mask:
                push((low, on, off, rows & ~mask, flags_on, flags_off))
        elif sort is Sort.CONSTANT:
            taken = high if mask else low
            if taken is not FALSE:
                push((taken, on, off, rows, flags_on, flags_off))
        else:
            # The rows that have a target feature anyway cannot be without it; for a flag there are none.
            branches = []
            if high is not FALSE and not flags_off & bit:
                branches.append((high, on, off, rows, flags_on | bit, flags_off))
            if low is not FALSE and not flags_on & bit and rows & ~mask:
                branches.append((low, on, off, rows & ~mask, flags_on, flags_off | bit))
            if bit & compiled.default_flags:
                branches.reverse()
            pending += branches
    return best


def _broken_constraint(candidate: _Candidate, compiled: CompiledSpace) -> Condition | None:
    """The first constraint that a configuration breaks, None if it is valid."""
    row = 1 << candidate.row
    for constraint in compiled.constraints:
        node = constraint
        while node.atom is not None:
            sort, bit, mask, high, low = compiled.step(node)
            if sort is Sort.FEATURE:
                holds = candidate.features & bit
            elif sort is Sort.TARGET:
                holds = mask & row
            elif sort is Sort.CONSTANT:
                holds = mask
            else:
                holds = candidate.flags & bit or mask & row
            node = high if holds else low
        if node is FALSE:
            return constraint
    return None


def _cheapest(on: int, rows: int, flags_on: int, flags_off: int, compiled: CompiledSpace) -> _Candidate:
    """The least configuration that a path allows, constraints aside."""
    default = compiled.default_flags
    flags = flags_on | default & ~flags_off
    changed = flags ^ default
    modes = changed & compiled.mode_flags
    row, native = _best_row(rows, changed & compiled.target_feature_flags, compiled)
    return _Candidate(
        cfgs=(changed ^ modes).bit_count() - native,
        modes=modes.bit_count(),
        foreign=int(row != 0),
        size=on.bit_count(),
        order=tuple(bits(on)),
        unnamed=int(not compiled.preferred >> row & 1),
        row=row,
        flags=flags,
        features=on,
    )


def _best_row(rows: int, flags: int, compiled: CompiledSpace) -> tuple[int, int]:
    """The target to name, and how many of the target features among `flags` it has without being asked."""
    native = 0
    if flags:
        masks = [compiled.native_rows(number) for number in bits(flags)]
        owned = {row: sum(mask >> row & 1 for mask in masks) for row in bits(rows)}
        native = max(owned.values())
        rows = sum(1 << row for row, number in owned.items() if number == native)
    best = rows if rows & 1 else rows & compiled.preferred or rows
    return (best & -best).bit_length() - 1, native


def _bound(on: int, rows: int, flags_on: int, flags_off: int, compiled: CompiledSpace) -> tuple[int, int, int, int]:
    """What every configuration that agrees with a state costs at least."""
    changed = flags_on & ~compiled.default_flags | flags_off & compiled.default_flags
    modes = changed & compiled.mode_flags
    cfgs = changed & ~modes & ~compiled.target_feature_flags
    return cfgs.bit_count(), modes.bit_count(), int(not rows & 1), on.bit_count()


def _projection(atoms: frozenset[Atom], compiled: CompiledSpace) -> Condition:
    """The assignments of `atoms` that occur in the space."""
    found = compiled.projections.get(atoms)
    if found is None:
        scope, constraints = _scope(atoms, compiled)
        parts = [*_implications(scope, compiled), _targets(scope, compiled), *constraints]
        parts += [
            literal(atom) if meaning.mask else ~literal(atom)
            for atom in sorted(scope)
            if (meaning := compiled.meaning(atom)).sort is Sort.CONSTANT
        ]
        found = conjunction(parts).exists(scope - atoms)
        if any(atom.kind is AtomKind.OPAQUE for atom in found.atoms() - atoms):
            raise GaveUpError("a condition is too large to count")
        compiled.projections[atoms] = found
    return found


def _scope(atoms: frozenset[Atom], compiled: CompiledSpace) -> tuple[frozenset[Atom], list[Condition]]:
    """`atoms` with those that constraints tie to them, and these constraints."""
    scope = set(atoms)
    chosen: list[Condition] = []
    waiting = list(compiled.constraints)
    while True:
        tied = [constraint for constraint in waiting if _is_tied(constraint, scope, compiled)]
        if not tied:
            break
        chosen += tied
        waiting = [constraint for constraint in waiting if constraint not in tied]
        scope.update(atom for constraint in tied for atom in constraint.atoms())
    if sum(compiled.meaning(atom).sort is Sort.FEATURE for atom in scope) > PROJECTION_CAP:
        raise GaveUpError(f"a condition has more than {PROJECTION_CAP} features to count over")
    return frozenset(scope), chosen


def _is_tied(constraint: Condition, scope: set[Atom], compiled: CompiledSpace) -> bool:
    """Whether knowing about `scope` says something about the constraint: a shared atom, an implication, a target."""
    meanings = [compiled.meaning(atom) for atom in scope]
    reach = bits_here = 0
    on_targets = False
    for meaning in meanings:
        if meaning.sort is Sort.FEATURE:
            reach |= meaning.mask
            bits_here |= meaning.bit
        on_targets = on_targets or meaning.sort in (Sort.TARGET, Sort.TARGET_FEATURE)
    for atom in constraint.atoms():
        meaning = compiled.meaning(atom)
        if atom in scope and meaning.sort is not Sort.CONSTANT:
            return True
        if meaning.sort is Sort.FEATURE and (meaning.bit & reach or meaning.mask & (bits_here | reach)):
            return True
        if on_targets and meaning.sort in (Sort.TARGET, Sort.TARGET_FEATURE):
            return True
    return False


def _implications(scope: frozenset[Atom], compiled: CompiledSpace) -> list[Condition]:
    """What the feature table says about the features in `scope`: reachability, without what follows by transitivity."""
    meanings = {atom: compiled.meaning(atom) for atom in sorted(scope)}
    features = {atom: meaning for atom, meaning in meanings.items() if meaning.sort is Sort.FEATURE}
    here = 0
    for meaning in features.values():
        here |= meaning.bit
    names = compiled.model.names
    parts: list[Condition] = []
    for atom, meaning in features.items():
        reached = meaning.mask & here & ~meaning.bit
        direct = reached
        for number in bits(reached):
            direct &= ~_spared(number, reached, meaning.bit, compiled)
        parts += [~literal(atom) | literal(feature(names[number])) for number in bits(direct)]
    return parts


def _spared(number: int, reached: int, origin: int, compiled: CompiledSpace) -> int:
    """The features of `reached` that need no arrow from `origin`, for there is one through feature `number`.

    Of features that imply each other, the first stands for all.
    """
    beyond = compiled.closure(number)
    if beyond & origin:
        return 0
    spared = 0
    for other in bits(beyond & reached & ~(1 << number)):
        if number < other or not compiled.closure(other) >> number & 1:
            spared |= 1 << other
    return spared


def _targets(scope: frozenset[Atom], compiled: CompiledSpace) -> Condition:
    """The combinations of the target options in `scope` that the targets of the space realise."""
    options = [
        (literal(atom), meaning.sort, meaning.mask)
        for atom in sorted(scope)
        if (meaning := compiled.meaning(atom)).sort in (Sort.TARGET, Sort.TARGET_FEATURE)
    ]
    if not options:
        return TRUE
    signatures = {tuple(mask >> row & 1 for _, _, mask in options) for row in bits(compiled.rows)}
    return disjunction(
        conjunction(
            # A target feature that a target lacks can be switched on, so its absence decides nothing.
            condition if there else ~condition if sort is Sort.TARGET else TRUE
            for (condition, sort, _), there in zip(options, signature, strict=True)
        )
        for signature in sorted(signatures)
    )

"""The table of an explanation: gates in rows, combinations in columns, only what matters.

Columns are found by splitting the valid combinations with one row after the other, so that their number grows with the
gates and not with the features; each column is then written as few values as it takes, the others folded into one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from cfglint.condition.atom import Atom, AtomKind
from cfglint.condition.diagram import FALSE, TRUE, Condition, conjunction
from cfglint.graph.evidence import feature_order
from cfglint.graph.explanation import Row, Spot, Table
from cfglint.manifest.solver import GaveUpError, care_set, satisfiable
from cfglint.manifest.space import ConfigSpace
from cfglint.nameres.analysis import Root
from cfglint.nameres.crate import opaque_atoms

MAX_COLUMNS = 12
MAX_ROWS = 12


@dataclass(frozen=True, slots=True)
class Line:
    """A row before it is laid out: its label, place, text and condition."""

    label: str
    spot: Spot | None
    when: str
    condition: Condition


def combinations(
    root: Root, space: ConfigSpace, lines: Sequence[Line], failing: Condition, impossible: tuple[str, ...]
) -> Table | None:
    """The table of these rows; None where nothing varies, something is unknown, or it would be too large to read."""
    rows = list({(line.label, line.spot, line.condition): line for line in lines}.values())
    everything = conjunction([])
    atoms: set[Atom] = set(failing.atoms())
    for line in rows:
        atoms |= line.condition.atoms()
    if not atoms or len(rows) > MAX_ROWS or any(opaque_atoms(line.condition) for line in rows):
        return None
    try:
        care = _care(atoms, space)
        classes = [everything & care]
        for condition in (*(line.condition for line in rows), failing):
            classes = [
                part for each in classes for part in (each & condition, each - condition) if _occurs(part, space)
            ]
            if len(classes) > MAX_COLUMNS:
                return None
    except GaveUpError:
        return None
    options = _ordered(atoms, root)
    columns: list[tuple[tuple[bool | None, ...], Condition]] = []
    for each in classes:
        columns += [(column, each) for column in _folded(each, care, options)]
    if not columns or len(columns) > MAX_COLUMNS:
        return None
    columns.sort(key=lambda column: [(value is None, bool(value)) for value in column[0]])
    return Table(
        options=tuple(_label(atom) for atom in options),
        columns=tuple(column for column, _ in columns),
        rows=tuple(
            Row(line.label, line.spot, line.when, tuple(each.implies(line.condition | ~care) for _, each in columns))
            for line in rows
        ),
        failing=tuple(each.implies(failing | ~care) for _, each in columns),
        impossible=impossible,
    )


def _care(atoms: set[Atom], space: ConfigSpace) -> Condition:
    """What is true of these atoms in every configuration."""
    from cfglint.condition.diagram import literal

    mention = TRUE
    for atom in sorted(atoms):
        mention &= literal(atom)
    return care_set(mention, space)


def _occurs(condition: Condition, space: ConfigSpace) -> bool:
    return condition is not FALSE and satisfiable(condition, space)


def _ordered(atoms: set[Atom], root: Root) -> list[Atom]:
    order = feature_order(root)
    return sorted(atoms, key=lambda atom: (atom.kind, order(atom), atom))


def _label(atom: Atom) -> str:
    return atom.key if atom.kind is AtomKind.FEATURE else atom.text


def _folded(each: Condition, care: Condition, options: Sequence[Atom]) -> list[tuple[bool | None, ...]]:
    """The class as few columns: an option that can be left open without leaving the class and the care set is."""
    found: list[tuple[bool | None, ...]] = []
    rest = each
    while rest is not FALSE:
        cube = dict(next(iter(rest.cubes())))
        for atom in reversed(options):
            if atom in cube:
                wider = {other: value for other, value in cube.items() if other != atom}
                if _cube(wider).implies(each | ~care):
                    cube = wider
        found.append(tuple(cube.get(atom) for atom in options))
        rest -= _cube(cube)
        if len(found) > MAX_COLUMNS:
            break
    return found


def _cube(values: dict[Atom, bool]) -> Condition:
    from cfglint.condition.diagram import literal

    return conjunction([literal(atom) if value else ~literal(atom) for atom, value in values.items()])

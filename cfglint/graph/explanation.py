"""What `explain` tells of one reference, as values: facts with their places, a table of combinations, sentences.

Text only, in the words of the report; nothing here decides or renders.
"""

from __future__ import annotations

import enum
from dataclasses import dataclass
from pathlib import Path

from cfglint.finding import CrateTarget, Finding, Location, Repair, Witness


class Verdict(enum.Enum):
    """What becomes of a reference over all configurations."""

    FAILS = "fails"
    HOLDS = "holds"
    UNDECIDED = "undecided"
    NEVER_COMPILED = "never-compiled"


@dataclass(frozen=True, slots=True, order=True)
class Spot:
    """A line and column of a file below the workspace root; column 0 where only the line is meant."""

    file: str
    line: int
    column: int = 0

    def __str__(self) -> str:
        return f"{self.file}:{self.line}" + (f":{self.column}" if self.column else "")


@dataclass(frozen=True, slots=True)
class Fact:
    """One step of a derivation. `gate` is the gate as it is written, `when` what the step demands ("" for nothing).

    `is_missing` tells that the step does not hold where the reference fails.
    """

    text: str
    spot: Spot | None
    gate: str = ""
    when: str = ""
    is_missing: bool = False
    children: tuple[Fact, ...] = ()


@dataclass(frozen=True, slots=True)
class Row:
    """One gate, or the reference itself, over the columns of a table."""

    label: str
    spot: Spot | None
    when: str
    cells: tuple[bool, ...]


@dataclass(frozen=True, slots=True)
class Table:
    """Gates in rows, combinations in columns.

    `options` are the features, flags and target options that matter; a column gives each of them a value, None where it
    does not matter there. `failing` marks the columns in which the reference is compiled and nothing answers to it.
    `impossible` are combinations that cannot be built, each with the reason.
    """

    options: tuple[str, ...]
    columns: tuple[tuple[bool | None, ...], ...]
    rows: tuple[Row, ...]
    failing: tuple[bool, ...]
    impossible: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Explanation:
    """One reference explained.

    `provisos` are what must be said first: a flag, a platform, the company of dev-dependencies. `causes` names the gates
    at fault, so that references that fail for the same reason can be told together. `finding` is what `check` reports
    there, if anything.
    """

    verdict: Verdict
    location: Location
    path: str
    package: str
    target: CrateTarget
    present_when: str
    resolves_when: str
    fails_when: str
    failing_count: int
    failing_of: int
    headline: str
    provisos: tuple[str, ...]
    sentences: tuple[str, ...]
    derivation: tuple[Fact, ...]
    table: Table | None
    causes: tuple[str, ...]
    witness: Witness | None = None
    finding: Finding | None = None
    repairs: tuple[Repair, ...] = ()


@dataclass(frozen=True, slots=True)
class Told:
    """One explanation of a log. `same_as` is the number of the one that has the same cause, 0 for a first."""

    number: int
    explanation: Explanation
    same_as: int = 0


@dataclass(frozen=True, slots=True)
class Answer:
    """Explanations, in order. Of a log also how many errors were read, follow from an explained one, or were left alone."""

    root: Path
    told: tuple[Told, ...]
    errors: int = 0
    following: int = 0
    left_alone: int = 0
    elsewhere: int = 0

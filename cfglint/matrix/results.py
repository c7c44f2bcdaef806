"""What came of building a matrix: results by combination, problems by what rustc says, findings by whether they were seen.

Values only. `cfglint.cargo` makes them, `cfglint.report` prints them.
"""

from __future__ import annotations

import enum
from collections.abc import Iterable
from dataclasses import dataclass

from cfglint.finding import Finding
from cfglint.matrix.combination import Combination


class Status(enum.Enum):
    """What became of one combination."""

    PASSED = "passed"
    FAILED = "failed"
    SKIPPED = "skipped"
    NOT_RUN = "not-run"


@dataclass(frozen=True, slots=True, order=True)
class Place:
    """Lines of a file, as rustc names it: relative to the workspace root, or absolute."""

    file: str
    line: int
    end_line: int
    column: int = 1


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """An error of rustc in one crate. `places` are its primary spans and the macro calls that they come from."""

    code: str | None
    message: str
    package: str
    kind: str
    target: str
    places: tuple[Place, ...]
    rendered: str

    @property
    def key(self) -> tuple[object, ...]:
        """What makes the errors of two builds one problem."""
        return (self.code or "", self.message, self.places, self.package)


@dataclass(frozen=True, slots=True)
class Result:
    """One combination. `complaint` is why it failed where rustc says nothing, or why it was not built.

    `crates` are those that were compiled, as (package, kind, name, with `cfg(test)`); `is_old` tells that it was built by an earlier run.
    """

    combination: Combination
    status: Status
    seconds: float = 0.0
    diagnostics: tuple[Diagnostic, ...] = ()
    warnings: int = 0
    complaint: str = ""
    crates: frozenset[tuple[str, str, str, bool]] = frozenset()
    is_old: bool = False


@dataclass(frozen=True, slots=True)
class Problem:
    """One error, in however many combinations: `shown_in` are positions in the results; `finding` predicted it."""

    diagnostic: Diagnostic
    shown_in: tuple[int, ...]
    finding: Finding | None

    def sort_key(self) -> tuple[object, ...]:
        """By place, then by message."""
        first = self.diagnostic.places[:1]
        return (not first, first, self.diagnostic.code or "", self.diagnostic.message, self.diagnostic.package)


class Sighting(enum.Enum):
    """Whether a finding of `cfglint check` showed in a run."""

    SEEN = "seen"
    HIDDEN = "hidden"
    NOT_BUILT = "not-built"
    REFUTED = "refuted"


@dataclass(frozen=True, slots=True)
class Prediction:
    """A finding, whether it was seen, and in a few words why not."""

    finding: Finding
    sighting: Sighting
    reason: str = ""


@dataclass(frozen=True, slots=True)
class RunReport:
    """A whole run. `is_interrupted` tells that it was stopped before the end; `command` is what was run, without cargo."""

    results: tuple[Result, ...]
    problems: tuple[Problem, ...]
    predictions: tuple[Prediction, ...]
    command: tuple[str, ...]
    seconds: float
    is_interrupted: bool = False

    def count(self, status: Status) -> int:
        """How many combinations ended like this."""
        return sum(result.status is status for result in self.results)

    def labels(self, indices: Iterable[int]) -> list[str]:
        """Combinations in a few words."""
        chosen = (self.results[index].combination for index in indices)
        return [f"{one.package} ({one.label})" for one in chosen]

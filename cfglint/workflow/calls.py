"""Commands as CI would run them: words with variables filled in, where they stand, and what becomes of their result.

Values only; the interpreter makes them. Words may hold `UNKNOWN` where only a run could tell.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from cfglint.manifest.platform import HOST
from cfglint.workflow.excerpts import Source

KEPT_VARIABLES = ("RUSTFLAGS", "CARGO_TERM_COLOR", "CARGO_BUILD_TARGET", "RUSTDOCFLAGS", "CARGO_ENCODED_RUSTFLAGS")
"""Environment variables that change what cargo builds or prints."""


@dataclass(frozen=True, slots=True)
class Place:
    """A spot in a workflow or script."""

    source: Source
    line: int
    column: int


@dataclass(frozen=True, slots=True)
class Origin:
    """What runs a command: the workflow file's name for it, the job, and the step where it has one."""

    workflow: str
    job: str
    step: str = ""

    def __str__(self) -> str:
        return f"{self.workflow}: {self.job}"


@dataclass(frozen=True, slots=True, eq=False)
class Loop:
    """A loop in a script: what it goes over, as (value, place), and whether a failure in it ends it."""

    place: Place
    variable: str
    values: tuple[tuple[str, Place], ...]


@dataclass(frozen=True, slots=True, eq=False)
class Call:
    """One command. `stops` tells whether its failure ends the script (or the loop) at once.

    `upstream` and `downstream` are the words of the commands before and behind it in its pipeline; `mentions` the
    variables in its words; `kept_in` the variable or file that its output goes to; `discards` whether that is /dev/null.
    `script` tells calls of one script from those of others; `is_detached` that its step neither stops the job nor is
    stopped by it; `host` is the triple of the machine. `cwd` is relative to the repository, None if not known.
    """

    words: tuple[str, ...]
    place: Place
    origin: Origin
    script: int
    environment: Mapping[str, str]
    cwd: str | None
    stops: bool = False
    loops: tuple[Loop, ...] = ()
    upstream: tuple[tuple[str, ...], ...] = ()
    downstream: tuple[tuple[str, ...], ...] = ()
    mentions: frozenset[str] = frozenset()
    kept_in: str = ""
    discards: bool = False
    variant: str = ""
    is_detached: bool = False
    host: str = HOST

    @property
    def name(self) -> str:
        """The program, without its folder."""
        return self.words[0].rpartition("/")[2] if self.words else ""


@dataclass(frozen=True, slots=True, order=True)
class Gap:
    """Something that could not be read, and why."""

    file: str
    line: int
    reason: str


@dataclass(slots=True)
class Recorded:
    """Everything that the workflows of a repository run, as far as it can be read."""

    calls: list[Call] = field(default_factory=list)
    gaps: dict[Gap, None] = field(default_factory=dict)
    scripts: int = 0

"""What a check yields: findings, their parts, and references that could not be decided.

Values only. Rendering them is the report's work; deciding severity overrides is the pipeline's.
The fields follow the JSON contract of docs/json.md (schema version 1).
"""

from __future__ import annotations

import enum
import hashlib
from dataclasses import dataclass


class Severity(enum.Enum):
    """How bad a finding is; the order is that of reports (worst first)."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"

    @property
    def rank(self) -> int:
        """0 for the worst."""
        return list(Severity).index(self)


class Confirmation(enum.Enum):
    """What cargo said about a finding's witness (`check --confirm`)."""

    CONFIRMED = "confirmed"
    REFUTED = "refuted"
    NOT_RUN = "not-run"


@dataclass(frozen=True, slots=True, order=True)
class Location:
    """A region of one file. Lines and columns are 1-based; columns count UTF-8 bytes, as rustc's do.

    `file` is relative to the workspace root, with forward slashes. `end_column` is exclusive.
    """

    file: str
    line: int
    column: int
    end_line: int
    end_column: int


@dataclass(frozen=True, slots=True)
class CrateTarget:
    """The crate root that a finding is in: kind is cargo's (`lib`, `bin`, `test`, `example`, `bench`, `custom-build`)."""

    kind: str
    name: str


@dataclass(frozen=True, slots=True)
class GatedItem:
    """A definition (or import) that the reference would reach in another configuration.

    `present_when` is in the features of `package`: that which defines it, "" for the package of the finding itself.
    """

    file: str
    line: int
    kind: str
    name: str
    present_when: str
    package: str = ""


@dataclass(frozen=True, slots=True)
class Witness:
    """The least configuration that shows a finding, and the cargo command line that builds it.

    `features` are the ones to ask for (those implied by others are left out); `cfgs` are `--cfg` arguments to put into
    RUSTFLAGS; `target` is a triple, or None where the host will do.
    """

    features: tuple[str, ...]
    default_features: bool
    cfgs: tuple[str, ...]
    target: str | None
    command: str


@dataclass(frozen=True, slots=True)
class Replacement:
    """One edit: what stands from line and column to the end becomes `text`. Positions as in a Location."""

    file: str
    line: int
    column: int
    end_line: int
    end_column: int
    text: str


@dataclass(frozen=True, slots=True)
class Repair:
    """A way to mend a finding, tried in memory.

    `leaves` counts failing combinations of the finding that remain after it, `remains` says which; `creates` are findings
    that it would make. `file`, `line` and `replacement` are those of the first of `edits`; `patch` is all of them as a
    unified diff. `applicability` is `machine-applicable` or `maybe-incorrect`.
    """

    kind: str
    file: str
    line: int
    replacement: str
    leaves: int
    title: str = ""
    edits: tuple[Replacement, ...] = ()
    applicability: str = "maybe-incorrect"
    creates: tuple[str, ...] = ()
    remains: tuple[str, ...] = ()
    patch: str = ""


@dataclass(frozen=True, slots=True)
class Finding:
    """One defect, however many combinations show it.

    `scope` is the item path of what refers, `ordinal` tells apart findings that agree in all that the fingerprint is made
    of.
    """

    rule: str
    name: str
    severity: Severity
    confidence: str
    package: str
    target: CrateTarget
    worlds: tuple[str, ...]
    location: Location
    path: str
    message: str
    present_when: str
    resolves_when: str
    fails_when: str
    failing_count: int
    failing_of: int
    items: tuple[GatedItem, ...]
    witness: Witness
    scope: str = ""
    ordinal: int = 0
    notes: tuple[str, ...] = ()
    helps: tuple[str, ...] = ()
    repairs: tuple[Repair, ...] = ()
    confirmation: Confirmation | None = None

    @property
    def fingerprint(self) -> str:
        """Stable across moved lines: rule, package, item path of the referrer (`scope`), path, and which of several."""
        key = "\x1f".join(("cfglint/v1", self.rule, self.package, self.scope, self.path, str(self.ordinal)))
        return hashlib.sha256(key.encode("utf-8", "surrogatepass")).hexdigest()[:32]

    def sort_key(self) -> tuple[object, ...]:
        """Path, line, column, code: the order of every report."""
        return (self.location, self.rule, self.package, self.target.kind, self.target.name, self.path, self.fails_when)


def remark(
    rule: str,
    name: str,
    package: str,
    target: CrateTarget,
    location: Location,
    message: str,
    *,
    scope: str,
    severity: Severity = Severity.WARNING,
    confidence: str = "high",
    path: str = "",
    present_when: str = "",
    items: tuple[GatedItem, ...] = (),
    command: str = "",
    notes: tuple[str, ...] = (),
    helps: tuple[str, ...] = (),
) -> Finding:
    """A finding that is no matter of configurations. `command` is what would show or mend it."""
    return Finding(
        rule=rule,
        name=name,
        severity=severity,
        confidence=confidence,
        package=package,
        target=target,
        worlds=(),
        location=location,
        path=path,
        message=message,
        present_when=present_when,
        resolves_when="",
        fails_when="",
        failing_count=0,
        failing_of=0,
        items=items,
        witness=Witness((), default_features=True, cfgs=(), target=None, command=command),
        scope=scope,
        notes=notes,
        helps=helps,
    )


@dataclass(frozen=True, slots=True, order=True)
class Undecided:
    """A reference or a stretch of source about which cfglint does not know, and why."""

    file: str
    line: int
    reason: str


@dataclass(frozen=True, slots=True)
class Summary:
    """Counts for the last line. `decided` of `references` hold or fail for certain, `failing` fail.

    `suppressed` findings are allowed by comments, `baselined` ones stand in the baseline; `findings` are the others.
    """

    packages: int
    files: int
    references: int
    decided: int
    findings: int
    seconds: float
    failing: int = 0
    suppressed: int = 0
    baselined: int = 0


@dataclass(frozen=True, slots=True)
class Comparison:
    """Findings against those of another revision: the name it was asked for by, its commit, and the three kinds.

    `new` and `unchanged` are as they are now, `fixed` as they were then.
    """

    revision: str
    commit: str
    new: tuple[Finding, ...]
    fixed: tuple[Finding, ...]
    unchanged: tuple[Finding, ...]


@dataclass(frozen=True, slots=True)
class Report:
    """Everything a renderer may print. `notes` are remarks on the run itself (a broken member, a file not read).

    `unseen` are members of the workspace that were not asked for. With a comparison `since` another revision, `findings` are
    the new ones.
    """

    findings: tuple[Finding, ...]
    undecided: tuple[Undecided, ...]
    notes: tuple[str, ...]
    summary: Summary
    unseen: tuple[str, ...] = ()
    since: Comparison | None = None

"""CFG302 uncovered-by-ci: a gate, or a whole test, that no command of CI compiles, with the one command that would.

Gates of one package that need the same are one finding, at the first of them. Where something of CI could not be read, what
it does is not known; the finding is a note then and says so.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from cfglint.finding import CrateTarget, Finding, Location, Severity, remark
from cfglint.workflow.coverage import CoveredGate, PackageCoverage
from cfglint.workflow.findings import counted
from cfglint.workflow.survey import Survey


@dataclass(frozen=True, slots=True)
class _Missing:
    """What one command would compile: places (the first is reported), and whether it is the absence that is not built."""

    command: str
    gates: tuple[CoveredGate, ...]
    is_off: bool


def uncovered_by_ci(survey: Survey, coverages: Sequence[PackageCoverage]) -> Iterator[Finding]:
    """One finding for each command that is missing, and one for each crate root that nothing builds."""
    if not survey.has_ci:
        return
    for coverage in coverages:
        unread = len(survey.hidden) + bool(coverage.partial)
        for kind, name, file, command in coverage.roots:
            yield _root(coverage.package, kind, name, file, command, unread)
        roots = {(kind, name) for kind, name, _, _ in coverage.roots}
        for missing in _missing(gate for gate in coverage.gates if (gate.kind, gate.name) not in roots):
            yield _gate(coverage.package, missing, unread)


def _missing(gates: Iterator[CoveredGate]) -> Iterator[_Missing]:
    found: dict[tuple[str, bool], list[CoveredGate]] = {}
    for gate in gates:
        for side, is_off in ((gate.on, False), (gate.off, True)):
            if side.is_missing and side.command:
                found.setdefault((side.command, is_off), []).append(gate)
    for (command, is_off), places in found.items():
        yield _Missing(command, tuple(places), is_off)


def _gate(package: str, missing: _Missing, unread: int) -> Finding:
    first = missing.gates[0]
    others = missing.gates[1:]
    message = f"no command of CI compiles the code behind `#[cfg({first.predicate})]`"
    if missing.is_off:
        message = f"no command of CI compiles this without `#[cfg({first.predicate})]`"
    notes = (f"that command is missing for {counted(len(others), 'other gate')}, too",) if others else ()
    return _finding(
        package,
        first.kind,
        first.name,
        Location(first.file, first.line, first.column, first.line, first.column + 1),
        f"{'not ' if missing.is_off else ''}{first.predicate}",
        message,
        missing.command,
        unread,
        notes,
    )


def _root(package: str, kind: str, name: str, file: str, command: str, unread: int) -> Finding:
    return _finding(
        package,
        kind,
        name,
        Location(file, 1, 1, 1, 2),
        f"{kind} {name}",
        f"no command of CI compiles the {kind} `{name}`",
        command,
        unread,
        (),
    )


def _finding(
    package: str,
    kind: str,
    name: str,
    location: Location,
    path: str,
    message: str,
    command: str,
    unread: int,
    notes: tuple[str, ...],
) -> Finding:
    if unread:
        notes += (f"{counted(unread, 'place')} of CI could not be read whole and may compile it",)
    return remark(
        rule="CFG302",
        name="uncovered-by-ci",
        severity=Severity.NOTE if unread else Severity.WARNING,
        confidence="low" if unread else "high",
        package=package,
        target=CrateTarget(kind, name),
        location=location,
        path=path,
        message=message,
        command=command,
        scope=f"{location.file}:{location.line}",
        notes=notes,
        helps=("the command above would; `cfglint matrix` lists all that are needed",),
    )

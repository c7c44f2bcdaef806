"""Findings in CI files: the same objects as those in code, with a place in a workflow or script."""

from __future__ import annotations

import os

from cfglint.finding import CrateTarget, Finding, GatedItem, Location, Severity, remark
from cfglint.workflow.calls import Origin, Place
from cfglint.workflow.survey import Survey


def ci_finding(
    survey: Survey,
    rule: str,
    name: str,
    place: Place,
    length: int,
    *,
    origin: Origin,
    path: str,
    message: str,
    package: str = "",
    severity: Severity = Severity.WARNING,
    items: tuple[GatedItem, ...] = (),
    notes: tuple[str, ...] = (),
    helps: tuple[str, ...] = (),
    command: str = "",
) -> Finding:
    """A finding at `place`, `length` bytes long. `command` is what would show or mend it."""
    file = os.path.relpath(place.source.path, survey.workspace.root).replace(os.sep, "/")
    return remark(
        rule=rule,
        name=name,
        severity=severity,
        package=package,
        target=CrateTarget("ci", str(origin)),
        location=Location(file, place.line, place.column, place.line, place.column + max(length, 1)),
        path=path,
        message=message,
        items=items,
        command=command,
        scope=f"{file}:{origin.job}",
        notes=notes,
        helps=helps,
    )


def counted(number: int, noun: str) -> str:
    """`1 command`, `2 commands`."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def listed(names: list[str], most: int = 6) -> str:
    """``a`, `b` and 3 more``."""
    shown = [f"`{name}`" for name in names[:most]]
    if len(names) > most:
        return f"{', '.join(shown)} and {len(names) - most} more"
    return shown[0] if len(shown) == 1 else f"{', '.join(shown[:-1])} and {shown[-1]}" if shown else ""

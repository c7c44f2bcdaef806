"""Which findings the directives take away, and which directives take nothing away: those are findings themselves.

A directive that nothing needs would hide the next defect at its place, so it is CFG900. It is only judged where everything
that it could be about was looked at.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from cfglint.finding import CrateTarget, Finding, remark
from cfglint.suppress.directives import FORM, Directive

RULE = "CFG900"
NAME = "unused-suppression"


@dataclass(frozen=True, slots=True)
class Owner:
    """The package that a file belongs to, and the crate that bookkeeping findings in it are told of."""

    package: str
    target: CrateTarget


@dataclass(frozen=True, slots=True)
class Suppressed:
    """What is left, how many were taken away, and what each directive did not need to name."""

    findings: tuple[Finding, ...]
    count: int
    unused: tuple[tuple[Directive, tuple[str, ...]], ...]


def suppressed(findings: Iterable[Finding], directives: Iterable[Directive]) -> Suppressed:
    """The findings without those that a directive allows."""
    by_file: dict[str, list[Directive]] = {}
    for directive in directives:
        by_file.setdefault(directive.location.file, []).append(directive)
    used: set[tuple[Directive, str]] = set()
    kept: list[Finding] = []
    count = 0
    for finding in findings:
        allowing = [
            directive
            for directive in by_file.get(finding.location.file, ())
            if finding.rule in directive.codes and directive.covers(finding.location)
        ]
        used.update((directive, finding.rule) for directive in allowing)
        count += bool(allowing)
        if not allowing:
            kept.append(finding)
    unused = (
        (directive, tuple(code for code in directive.codes if (directive, code) not in used))
        for every in by_file.values()
        for directive in every
    )
    return Suppressed(tuple(kept), count, tuple((directive, codes) for directive, codes in unused if codes))


def complaints(
    directives: Iterable[Directive],
    unused: Iterable[tuple[Directive, tuple[str, ...]]],
    owner: Callable[[str], Owner | None],
    *,
    needs_reason: Callable[[str], bool],
) -> Iterator[Finding]:
    """CFG900 for directives that are wrong, without the reason that their package asks for, or without effect.

    `owner` tells the package of a file, None for files that were not looked at whole; `needs_reason` whether a package
    wants every suppression to say why.
    """
    idle = dict(unused)
    for directive in directives:
        belongs = owner(directive.location.file)
        if belongs is None:
            continue
        if directive.problem:
            yield complaint(directive, belongs, directive.problem)
        elif directive in idle:
            codes = ", ".join(f"`{code}`" for code in idle[directive])
            yield complaint(directive, belongs, f"this comment allows {codes}, which is not found here", "remove it")
        elif not directive.reason and needs_reason(belongs.package):
            yield complaint(directive, belongs, f"this suppression gives no reason; the form is {FORM}")


def complaint(directive: Directive, owner: Owner, message: str, *helps: str) -> Finding:
    """One CFG900 at a directive."""
    return remark(
        rule=RULE,
        name=NAME,
        package=owner.package,
        target=owner.target,
        location=directive.location,
        message=message,
        present_when="true",
        scope="crate",
        helps=helps,
    )

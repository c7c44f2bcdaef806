"""`--confirm`: build each finding's witness and say whether rustc rejects what the finding points at.

CONFIRMED and REFUTED are said only when the build answers the question. rustc works in phases (expansion, imports,
names, types) and a phase that fails can hide the later ones: a build that stops before the finding's phase, or in a
dependency, or for want of a target's standard library, has not answered and is NOT_RUN.
"""

from __future__ import annotations

import contextlib
import enum
import math
import os
import re
import shlex
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from cfglint.cargo.runner import Build, RustcError, Unit, run_build
from cfglint.cargo.sandbox import ended_by_sigterm, lockfile_kept, target_dir_of
from cfglint.config import Progress, silent
from cfglint.finding import Confirmation, Finding

TIMEOUT = 900.0
"""Seconds that one build may take; the first of a workspace builds its dependencies too."""

REJECTIONS = frozenset(
    """E0004 E0026 E0027 E0046 E0063 E0252 E0255 E0405 E0407 E0412 E0422 E0425 E0428 E0432 E0433 E0437 E0438 E0463 E0531
    E0560 E0573 E0583 E0599 E0603 E0609""".split()
)
"""What rustc calls a name that is not there or is there twice, and a use that does not fit its declaration. E0463 is `extern crate` without the crate."""

_MISSING_MACRO = ("cannot find macro ", "cannot find attribute ", "cannot find derive macro ")
_ANY_ERROR = frozenset({"CFG014"})
"""Rules whose rejection has no code of its own."""
_WHOLE_FILE = frozenset({"CFG011"})
"""Rules with one finding for all that fails in a file; the witness need not make the first of it fail."""
_EVERY_USE = frozenset({"CFG003", "CFG005"})
"""Rules with one finding for all uses of a crate in a file of a test, example or bench."""
_AT_ITEMS = frozenset({"CFG010"})
"""Rules whose items are what rustc may point at instead."""

_IMPORTS = frozenset({"E0432", "E0433", "E0463"})
_NAMES = frozenset(
    """E0252 E0254 E0255 E0259 E0260 E0401 E0403 E0404 E0405 E0407 E0408 E0411 E0412 E0415 E0416 E0422 E0423 E0424 E0425
    E0426 E0428 E0429 E0430 E0431 E0434 E0435 E0437 E0438 E0531 E0532 E0573 E0574 E0575 E0576 E0603 E0659""".split()
)


class _Phase(enum.IntEnum):
    """How far rustc came before it stopped."""

    EXPANSION = 0
    IMPORTS = 1
    NAMES = 2
    TYPES = 3
    BODIES = 4


_NEEDED = {
    "CFG006": _Phase.TYPES,
    "CFG007": _Phase.BODIES,
    "CFG008": _Phase.TYPES,
    "CFG013": _Phase.IMPORTS,
    "CFG014": _Phase.IMPORTS,
}
"""The phase that must have been reached before silence refutes a finding; NAMES for the other rules."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """The answer and, where it is not CONFIRMED, the reason in a few words."""

    confirmation: Confirmation
    reason: str = ""


def confirm(
    findings: Sequence[Finding], root: Path, *, timeout: float = TIMEOUT, progress: Progress = silent
) -> tuple[Finding, ...]:
    """The findings, in the same order, each with its `confirmation` and a note on what is not confirmed.

    Findings with one witness share one build. `Cargo.lock` is left as it was.
    Raises CfglintError where cargo cannot be started.
    """
    if not findings:
        return ()
    groups: defaultdict[tuple[str, tuple[str, ...]], list[int]] = defaultdict(list)
    for index, finding in enumerate(findings):
        groups[finding.witness.command, finding.witness.cfgs].append(index)
    answered = list(findings)
    with contextlib.ExitStack() as kept, ended_by_sigterm(), target_dir_of(root, "confirm") as target_dir:
        for directory in sorted({base for command, _ in groups for base in _bases(command, root)}):
            kept.enter_context(lockfile_kept(directory))
        for done, ((command, cfgs), indices) in enumerate(sorted(groups.items())):
            progress("confirming", done, len(groups))
            build = run_build(command, cfgs=cfgs, root=root, target_dir=target_dir, timeout=timeout)
            for index in indices:
                answered[index] = _with(findings[index], judge(findings[index], build, root))
    return tuple(answered)


def judge(finding: Finding, build: Build, root: Path) -> Verdict:
    """What `build`, a build of the finding's witness, says about the finding."""
    if any(_rejects(finding, error, root) for error in build.errors):
        return Verdict(Confirmation.CONFIRMED)
    errors = [error for error in build.errors if error.regions and _is_of(error.unit, finding)]
    if not errors:
        if build.success and any(_is_of(unit, finding) for unit in build.built):
            return Verdict(Confirmation.REFUTED, "cargo builds the witness without an error here")
        return Verdict(Confirmation.NOT_RUN, _why_not(finding, build))
    if any(_lacks_std(error) for error in errors):
        return Verdict(
            Confirmation.NOT_RUN, f"the standard library of {finding.witness.target or 'the target'} is not installed"
        )
    if max(map(_phase, errors)) < _NEEDED.get(finding.rule, _Phase.NAMES):
        return Verdict(Confirmation.NOT_RUN, f"an earlier error may hide it: {errors[0].message}")
    return Verdict(Confirmation.REFUTED, "cargo reports errors elsewhere in the witness, but none here")


def _with(finding: Finding, verdict: Verdict) -> Finding:
    notes = (*finding.notes, verdict.reason) if verdict.reason else finding.notes
    return replace(finding, confirmation=verdict.confirmation, notes=notes)


def _rejects(finding: Finding, error: RustcError, root: Path) -> bool:
    if error.code is None:
        if not error.message.startswith(_MISSING_MACRO) and finding.rule not in _ANY_ERROR:
            return False
    elif error.code not in REJECTIONS or _lacks_std(error):
        return False
    if _is_of_every_use(finding) and not _names(error, finding):
        return False
    places = _places(finding)
    return any(
        region.line <= end and line <= region.end_line and _same_file(base, region.file, root, file)
        for region in error.regions
        for file, line, end in places
        for base in _bases(finding.witness.command, root)
    )


def _bases(command: str, root: Path) -> tuple[Path, ...]:
    """Where cargo may run rustc for this command: the root, or a workspace further down that `--manifest-path` names."""
    _, named, rest = command.partition(" --manifest-path ")
    folder = os.path.dirname(shlex.split(rest)[0]) if named else ""
    steps = [part for part in folder.split("/") if part]
    return tuple(root.joinpath(*steps[:depth]) for depth in range(len(steps) + 1))


def _is_of_every_use(finding: Finding) -> bool:
    return finding.rule in _EVERY_USE and finding.target.kind in ("test", "example", "bench")


def _names(error: RustcError, finding: Finding) -> bool:
    """Whether the message names the crate that the finding misses, alone or at the head of a path."""
    crate = finding.path.removeprefix("::").partition("::")[0]
    return re.search(rf"`(?:::)?{re.escape(crate)}(?:::|`)", error.message) is not None


def _places(finding: Finding) -> list[tuple[str, int, float]]:
    """Files, first and last lines: an error there is the finding's."""
    location = finding.location
    if finding.rule in _WHOLE_FILE or _is_of_every_use(finding):
        return [(location.file, 1, math.inf)]
    places: list[tuple[str, int, float]] = [(location.file, location.line, location.end_line)]
    if finding.rule in _AT_ITEMS:
        places += [(item.file, item.line, item.line) for item in finding.items]
    return places


def _same_file(base: Path, named: str, root: Path, file: str) -> bool:
    """Whether rustc's name of a file (absolute, or relative to `base`) is the finding's file (relative to `root`)."""
    return os.path.realpath(base / named.replace("\\", "/")) == os.path.realpath(root / file)


def _is_of(unit: Unit, finding: Finding) -> bool:
    """Whether the unit is the crate that the finding is in; cargo calls libraries by their crate types."""
    kind = "lib" if unit.kind in ("rlib", "dylib", "cdylib", "staticlib", "proc-macro") else unit.kind
    wanted = (
        "lib" if finding.target.kind in ("rlib", "dylib", "cdylib", "staticlib", "proc-macro") else finding.target.kind
    )
    return (
        unit.package == finding.package
        and kind == wanted
        and unit.name.replace("-", "_") == finding.target.name.replace("-", "_")
    )


def _phase(error: RustcError) -> _Phase:
    if error.code is None or error.code == "E0583":
        return _Phase.IMPORTS if error.message.startswith(_MISSING_MACRO) else _Phase.EXPANSION
    if error.code in _IMPORTS:
        return _Phase.IMPORTS
    if error.code in ("E0004", "E0005"):
        return _Phase.BODIES
    return _Phase.NAMES if error.code in _NAMES else _Phase.TYPES


def _lacks_std(error: RustcError) -> bool:
    return error.code == "E0463" and error.message.endswith(("`std`", "`core`", "`alloc`", "`test`"))


def _why_not(finding: Finding, build: Build) -> str:
    if build.success:
        return f"the witness does not build {finding.target.kind} `{finding.target.name}`"
    if any(_lacks_std(error) for error in build.errors):
        return f"the standard library of {finding.witness.target or 'the target'} is not installed"
    if build.errors:
        first = build.errors[0]
        return f"cargo stopped at {first.unit.package}: {first.message}"
    return f"cargo could not build: {build.complaint}"

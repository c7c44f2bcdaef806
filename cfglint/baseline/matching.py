"""Findings against the baseline: those that it lists are set aside, and entries that nothing needs are CFG900.

An entry is only judged where its package was looked at whole and its rule was not switched off.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from cfglint.baseline.listing import Baseline, Entry, Key, key_of, listed
from cfglint.finding import CrateTarget, Finding, Location, remark

RULE = "CFG900"
NAME = "unused-suppression"


@dataclass(frozen=True, slots=True)
class Matched:
    """The findings that the baseline does not list, those that it does, and what it lists in vain (with the excess)."""

    new: tuple[Finding, ...]
    known: tuple[Finding, ...]
    stale: tuple[Entry, ...]


def matched(findings: Iterable[Finding], entries: Iterable[Entry]) -> Matched:
    """Which findings are listed. Of more findings than an entry counts, the last ones are new."""
    left = {entry.key: entry.count for entry in entries}
    new: list[Finding] = []
    known: list[Finding] = []
    for finding in findings:
        key = key_of(finding)
        is_known = left.get(key, 0) > 0
        if is_known:
            left[key] -= 1
        (known if is_known else new).append(finding)
    stale = (replace(entry, count=left[entry.key]) for entry in entries if left[entry.key])
    return Matched(tuple(new), tuple(known), tuple(stale))


def pruned(findings: Iterable[Finding], entries: Iterable[Entry], judged: Callable[[Key], bool]) -> tuple[Entry, ...]:
    """The entries without what is listed in vain; those that were not judged stay as they are."""
    present = {entry.key: entry.count for entry in listed(findings)}
    kept = (
        replace(entry, count=min(entry.count, present.get(entry.key, 0))) if judged(entry.key) else entry
        for entry in entries
    )
    return tuple(entry for entry in kept if entry.count)


def complaints(baseline: Baseline, stale: Iterable[Entry], file: str) -> Iterable[Finding]:
    """CFG900 at each entry that lists more than there is; `file` is the baseline's name in locations."""
    for entry in stale:
        key = entry.key
        count = (
            f"{entry.count} of " if any(entry.key == e.key and e.count > entry.count for e in baseline.entries) else ""
        )
        what = f"`{key.path}` in `{key.item}`" if key.path else f"`{key.item}`"
        yield remark(
            rule=RULE,
            name=NAME,
            package=key.package,
            target=CrateTarget("lib", key.package),
            location=Location(file, entry.line, 3, entry.line, entry.end_column),
            message=f"the baseline lists {count}`{key.rule}` for {what}, which is not found any more",
            present_when="true",
            scope=key.item,
            helps=("`cfglint baseline prune` takes it out",),
        )

"""What is new, what is fixed and what is as it was, told by fingerprints: lines may move, items may not."""

from __future__ import annotations

from collections.abc import Iterable

from cfglint.finding import Comparison, Finding


def compared(now: Iterable[Finding], before: Iterable[Finding], revision: str, commit: str) -> Comparison:
    """Findings now against those of a revision, each list in its own order."""
    now, before = tuple(now), tuple(before)
    were = {finding.fingerprint for finding in before}
    are = {finding.fingerprint for finding in now}
    return Comparison(
        revision,
        commit,
        new=tuple(finding for finding in now if finding.fingerprint not in were),
        fixed=tuple(finding for finding in before if finding.fingerprint not in are),
        unchanged=tuple(finding for finding in now if finding.fingerprint in were),
    )

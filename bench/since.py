"""Fingerprints over a month: check two revisions by themselves, and the later one with `--since` the earlier.

    python -m bench.since --mirrors DIR --repos tokio-rs/tokio tracel-ai/burn [--days 31] [--out FILE]

`--since` must name exactly the difference of the two runs. Findings whose rule, path, file and text of the line are the
same in both revisions are the same to a reader; that they have the same fingerprint is counted, and so is how many of
them stand on another line. Exits with 1 where `--since` is not exact or a run failed.
"""

from __future__ import annotations

import argparse
import datetime as dt
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench.common import (
    NoSnapshot,
    add_common,
    checkout,
    heading,
    leave_nothing_behind,
    mirror_of,
    publish,
    run_check,
    table,
)


@dataclass(frozen=True, slots=True)
class Month:
    """What became of one repository."""

    repository: str
    old: str
    new: str
    counts: tuple[int, int]
    since: tuple[int, int, int]
    exact: bool
    moved: int
    readers_same: int
    recognized: int
    seconds: tuple[float, float]

    def row(self) -> tuple[object, ...]:
        """A row of the table."""
        new, fixed, unchanged = self.since
        return (
            self.repository,
            f"`{self.old}`",
            f"`{self.new}`",
            *self.counts,
            new,
            fixed,
            unchanged,
            "yes" if self.exact else "NO",
            self.moved,
            f"{self.recognized}/{self.readers_same}",
            *self.seconds,
        )


_EXPLANATION = """
Each repository was checked at two revisions a month apart, and once more at the later one with `--since` the earlier. *Exact*
says that `--since` named as new, fixed and unchanged exactly what the two runs differ in by fingerprint. *On another line*
counts unchanged findings whose line number changed. *Known again* holds fingerprints against readers: of the findings
whose rule, path, file and text of the line are the same at both revisions, how many have the same fingerprint.
"""

COLUMNS = (
    "Repository,Earlier,Later,Findings then,Now,New,Fixed,Unchanged,Exact,On another line,Known again,s plain,s since"
).split(",")


def measure(git: Path, repository: str, days: int, limit: float) -> Month:
    """Compare HEAD with the last commit that is `days` older. Raises NoSnapshot."""
    with tempfile.TemporaryDirectory(prefix="cfglint-bench-") as folder:
        now = Path(folder) / "now"
        _git("clone", "--quiet", "--shared", "--no-checkout", str(git), str(now))
        _git("-C", str(now), "checkout", "--quiet", "HEAD")
        new, date = _git("-C", str(now), "log", "-1", "--format=%h %cI").split()
        before = dt.datetime.fromisoformat(date) - dt.timedelta(days=days)
        old = _git(
            "-C", str(now), "log", "-1", "--first-parent", "--format=%h", f"--before={before.isoformat()}"
        ).strip()
        with checkout(git, old) as then:
            first = run_check(then, limit=limit)
            second = run_check(now, limit=limit)
            both = run_check(now, "--since", old, limit=2 * limit)
            if first.report is None or second.report is None or both.report is None:
                raise NoSnapshot(first.problem or second.problem or both.problem)
            earlier, later = dict(_by_fingerprint(first.findings)), dict(_by_fingerprint(second.findings))
            told = both.report["since"]
            new_ones, fixed, unchanged = (
                {finding["fingerprint"] for finding in some}
                for some in (both.findings, told["fixed"], told["unchanged"])
            )
            exact = (
                new_ones == later.keys() - earlier.keys()
                and fixed == earlier.keys() - later.keys()
                and unchanged == later.keys() & earlier.keys()
            )
            same = Counter(_as_read(f, then) for f in first.findings) & Counter(
                _as_read(f, now) for f in second.findings
            )
            again = Counter(_as_read(earlier[key], then) for key in unchanged) & same
            moved = sum(earlier[key]["line"] != later[key]["line"] for key in unchanged)
    return Month(
        repository,
        old,
        new,
        (len(earlier), len(later)),
        (len(new_ones), len(fixed), len(unchanged)),
        exact,
        moved,
        same.total(),
        again.total(),
        (second.cost.wall, both.cost.wall),
    )


def _by_fingerprint(findings: Sequence[dict[str, Any]]) -> Iterator[tuple[str, dict[str, Any]]]:
    for finding in findings:
        yield finding["fingerprint"], finding


def _as_read(finding: dict[str, Any], root: Path) -> tuple[str, str, str, str]:
    """What makes two findings the same to a reader of both revisions."""
    lines = (root / finding["file"]).read_text("utf-8", "replace").split("\n")
    return finding["rule"], finding["path"], finding["file"], lines[finding["line"] - 1].strip()


def _git(*arguments: str) -> str:
    done = subprocess.run(["git", *arguments], capture_output=True, text=True, check=False)
    if done.returncode:
        raise NoSnapshot(done.stderr.strip()[-200:])
    return done.stdout


def main(arguments: Sequence[str]) -> int:
    """Measure every repository; returns the exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add_common(parser)
    parser.add_argument("--repos", nargs="+", required=True, metavar="OWNER/NAME")
    parser.add_argument("--days", type=int, default=31)
    options = parser.parse_args(arguments)
    leave_nothing_behind()
    months, problems = [], []
    for repository in options.repos:
        try:
            months.append(measure(mirror_of(options.mirrors, repository), repository, options.days, options.limit))
        except NoSnapshot as error:
            problems.append(f"{repository}: {error}")
    text = heading("Findings over a month", "bench.since", arguments)
    text += _EXPLANATION
    text += "\n" + table(COLUMNS, (month.row() for month in months))
    text += "".join(f"\n{problem}\n" for problem in problems)
    publish(text, options.out)
    return int(bool(problems) or not all(month.exact for month in months))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

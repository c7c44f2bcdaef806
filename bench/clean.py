"""Check code that is taken to be clean: HEAD of large repositories, every error confirmed or refuted by cargo.

    python -m bench.clean --mirrors DIR --repos tokio-rs/tokio hyperium/hyper [--confirm] [--work DIR] [--out FILE]

For each repository: findings, references and undecided ones, seconds and peak memory of one plain run. With --confirm
a second run has cargo build each witness (that runs build scripts and procedural macros of the repository and takes
its dependencies from the registry); every refuted finding is listed, and why others could not be asked is counted.
--work keeps the checkouts and what cargo built there, so that a later run is quick.
Exits with 1 if a run of cfglint failed.
"""

from __future__ import annotations

import argparse
import collections
import contextlib
import itertools
import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench.common import (
    NoSnapshot,
    Run,
    add_common,
    checkout,
    head_of,
    heading,
    leave_nothing_behind,
    mebibytes,
    mirror_of,
    publish,
    run_check,
    table,
)


@dataclass(frozen=True, slots=True)
class Outcome:
    """The runs on one repository. `confirmed` is None where that was not asked for."""

    repository: str
    commit: str
    plain: Run | None
    confirmed: Run | None = None
    problem: str = ""


def examine(repository: str, options: argparse.Namespace) -> Outcome:
    """Check out HEAD and run cfglint on it."""
    try:
        git = mirror_of(options.mirrors, repository)
        commit = head_of(git)
        place = options.work / repository.replace("/", "+") if options.work else None
        with checkout(git, commit, place, whole=options.confirm) as directory:
            plain = run_check(directory, *_jobs(options), limit=options.limit)
            confirmed = None
            if options.confirm and plain.report is not None:
                limit = options.confirm_limit
                confirmed = run_check(directory, "--confirm", *_jobs(options), limit=limit)
    except NoSnapshot as problem:
        return Outcome(repository, "", None, problem=str(problem))
    failed = next((run.problem for run in (plain, confirmed) if run is not None and run.report is None), "")
    return Outcome(repository, commit, plain, confirmed, failed)


def _jobs(options: argparse.Namespace) -> tuple[str, ...]:
    return ("-j", str(options.jobs)) if options.jobs else ()


def page(outcomes: Sequence[Outcome], arguments: Sequence[str]) -> str:
    """The Markdown page."""
    asked = any(outcome.confirmed is not None for outcome in outcomes)
    text = [heading("Clean code", "bench.clean", arguments), f"\n{_summary(outcomes, asked=asked)}"]
    if asked:
        errors = [finding for outcome in outcomes if outcome.confirmed for finding in _errors(outcome.confirmed)]
        by = collections.Counter(finding["confirmation"] or "not_run" for finding in errors)
        answered = by["confirmed"] + by["refuted"]
        share = f" ({100 * by['confirmed'] / answered:.0f} %)" if answered else ""
        text.append(
            f"\nOf {len(errors)} errors cargo answered for {answered}: {by['confirmed']} confirmed{share}, "
            f"{by['refuted']} refuted. The others were not run, for the reasons below.\n"
        )
        text += [_refuted(outcomes), _not_run(outcomes)]
    text.append(_undecided(outcomes))
    problems = [[outcome.repository, outcome.problem] for outcome in outcomes if outcome.problem]
    if problems:
        text.append(f"\n## Problems\n\n{table(['repository', 'problem'], problems)}")
    return "".join(text)


def _summary(outcomes: Sequence[Outcome], *, asked: bool) -> str:
    columns = "repository|commit|packages|files|references|undecided|errors|warnings".split("|")
    columns += "confirmed|refuted|not run".split("|") if asked else []
    rows: list[list[object]] = []
    for outcome in outcomes:
        if outcome.plain is None or outcome.plain.report is None:
            continue
        summary = outcome.plain.report["summary"]
        row: list[object] = [outcome.repository, outcome.commit[:10], summary["packages"], summary["files"]]
        row += [summary["references"], summary["references"] - summary["decided"]]
        row += [len(_errors(outcome.plain)), len(outcome.plain.findings) - len(_errors(outcome.plain))]
        if asked:
            row += _confirmations(outcome)
        rows.append([*row, f"{outcome.plain.cost.wall:.1f}", mebibytes(outcome.plain.cost.peak)])
    return table([*columns, "seconds", "MiB"], rows)


def _confirmations(outcome: Outcome) -> list[object]:
    if outcome.confirmed is None or outcome.confirmed.report is None:
        return [""] * 3
    by = collections.Counter(finding["confirmation"] or "not_run" for finding in _errors(outcome.confirmed))
    return [by["confirmed"], by["refuted"], by["not_run"]]


def _errors(run: Run) -> list[dict[str, Any]]:
    return [finding for finding in run.findings if finding["severity"] == "error"]


def _refuted(outcomes: Sequence[Outcome]) -> str:
    rows = []
    for outcome in outcomes:
        for finding in outcome.confirmed.findings if outcome.confirmed else ():
            if finding["confirmation"] == "refuted":
                note = finding["notes"][-1] if finding["notes"] else ""
                place = f"{finding['file']}:{finding['line']}:{finding['column']}"
                row = [outcome.repository, finding["rule"], finding["severity"], place, finding["path"]]
                rows.append([*row, f"`{finding['witness']['command']}`", note])
    if not rows:
        return "\nNo finding was refuted.\n"
    columns = "repository|rule|severity|place|path|witness|cargo".split("|")
    return f"\n## Refuted\n\n{table(columns, rows)}"


def _not_run(outcomes: Sequence[Outcome]) -> str:
    counted: collections.Counter[tuple[str, str]] = collections.Counter()
    for outcome in outcomes:
        for finding in _errors(outcome.confirmed) if outcome.confirmed else ():
            if finding["confirmation"] not in ("confirmed", "refuted"):
                counted[outcome.repository, finding["notes"][-1] if finding["notes"] else ""] += 1
    if not counted:
        return ""
    rows = [[repository, count, why] for (repository, why), count in sorted(counted.items())]
    return f"\n## Not run\n\n{table(['repository', 'errors', 'why'], rows)}"


def _undecided(outcomes: Sequence[Outcome], most: int = 5) -> str:
    """The most frequent reasons of each repository, names in backquotes left out."""
    rows: list[list[object]] = []
    for outcome in outcomes:
        if outcome.plain is None or outcome.plain.report is None:
            continue
        reasons = collections.Counter(_without_names(entry["reason"]) for entry in outcome.plain.report["undecided"])
        ranked = sorted(reasons.items(), key=lambda pair: (-pair[1], pair[0]))
        rows += [[outcome.repository, count, reason] for reason, count in ranked[:most]]
    if not rows:
        return ""
    return f"\n## Undecided\n\nThe most frequent reasons.\n\n{table(['repository', 'places', 'reason'], rows)}"


def _without_names(reason: str) -> str:
    return "`…`".join(itertools.islice(reason.split("`"), 0, None, 2))


def main(arguments: list[str] | None = None) -> int:
    """Run the command; gives the exit status."""
    words = sys.argv[1:] if arguments is None else arguments
    parser = argparse.ArgumentParser(
        prog="python -m bench.clean", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add_common(parser)
    parser.add_argument("--repos", nargs="+", required=True, metavar="OWNER/NAME")
    parser.add_argument("--confirm", action="store_true", help="build each witness with cargo")
    parser.add_argument(
        "--confirm-limit", type=float, default=7200.0, metavar="S", help="seconds for one --confirm run"
    )
    parser.add_argument("--work", type=Path, metavar="DIR", help="keep checkouts and builds there")
    parser.add_argument("--jobs", type=int, metavar="N", help="cfglint's own -j")
    parser.add_argument("--reports", type=Path, metavar="DIR", help="write each repository's JSON report there")
    options = parser.parse_args(words)
    leave_nothing_behind()
    outcomes = []
    for repository in options.repos:
        outcome = examine(repository, options)
        print(f"{repository}: {outcome.problem or 'done'}", file=sys.stderr, flush=True)
        outcomes.append(outcome)
        _keep(outcome, options.reports)
    publish(page(outcomes, words), options.out)
    return int(any(outcome.problem for outcome in outcomes))


def _keep(outcome: Outcome, reports: Path | None) -> None:
    run = outcome.confirmed or outcome.plain
    if reports is None or run is None or run.report is None:
        return
    reports.mkdir(parents=True, exist_ok=True)
    name = outcome.repository.replace("/", "+") + ".json"
    with contextlib.suppress(OSError):
        (reports / name).write_text(json.dumps(run.report, indent=1), "utf-8")


if __name__ == "__main__":
    sys.exit(main())

"""Replay known defects: check out the commit that has each, and see whether cfglint reports it.

    python -m bench.corpus --cases cases.toml --mirrors DIR [--out docs/corpus.md]

The file of cases is an array of TOML tables `[[case]]`: `id`, `repo`, `commit`, `kind`, `call_site` and `gated_item`
(path:line at the commit), `needs_types`, `needs_dep_source` (what else than the package's own source decides it) and,
where known, `fix`, the commit that repaired it. A case is

  found    a finding stands within two lines of its call site or of its gated item, or names the gated item from
           within the call site's file or top folder
  near     none does, but one stands in the call site's file
  missed   none does
  cleared  found, and gone at the fix

Cases whose repository or commit is not there are counted and left out. Exits with 1 if a run of cfglint failed.
"""

from __future__ import annotations

import argparse
import collections
import json
import sys
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import tomli

from bench.common import (
    NoSnapshot,
    Run,
    add_common,
    checkout,
    heading,
    leave_nothing_behind,
    mirror_of,
    publish,
    run_check,
    table,
)

AIMED_AT = frozenset(
    """gated-item-path gated-reexport gated-import missing-import-in-gated-code optional-dep-ungated macro-gated
    duplicate-definition std-vs-core-alloc""".split()
)
"""The kinds that the rules on one package are for."""

_SLACK = 2


@dataclass(frozen=True, slots=True)
class Case:
    """One known defect, as the file of cases has it."""

    id: str
    repo: str
    commit: str
    kind: str
    call_site: str
    gated_item: str
    needs_types: bool
    needs_dep_source: bool
    fix: str = ""

    @property
    def is_plain(self) -> bool:
        """Whether the package's own names decide it."""
        return not self.needs_types and not self.needs_dep_source


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a case: found, near, missed, failed or skipped. `cleared` is None where it was not asked."""

    case: Case
    verdict: str
    why: str = ""
    rule: str = ""
    severity: str = ""
    message: str = ""
    cleared: bool | None = None
    findings: int = 0
    seconds: float = 0.0


def read_cases(path: Path) -> list[Case]:
    """The cases of a file, in its order. Keys that a Case does not have are passed over."""
    known = Case.__dataclass_fields__
    with path.open("rb") as file:
        entries = tomli.load(file)["case"]
    return [Case(**{key: value for key, value in entry.items() if key in known}) for entry in entries]


def hit(case: Case, findings: Sequence[dict[str, Any]]) -> tuple[str, dict[str, Any] | None]:
    """The verdict on a case and the finding that it rests on."""
    call, gated = _place(case.call_site), _place(case.gated_item)
    for finding in findings:
        here = (finding["file"], finding["line"])
        near = _same_file(finding["file"], call[0]) or finding["file"].split("/")[0] == call[0].split("/")[0]
        named = [(item["file"], item["line"]) for item in finding["items"]] if near else []
        if _close(here, call) or _close(here, gated) or any(_close(item, gated) for item in named):
            return "found", finding
    nearby = any(_same_file(finding["file"], call[0]) for finding in findings)
    return ("near" if nearby else "missed"), None


def replay(case: Case, mirrors: Path, limit: float) -> Outcome:
    """Run one case."""
    try:
        git = mirror_of(mirrors, case.repo)
        with checkout(git, case.commit) as directory:
            run = run_check(directory, limit=limit)
    except NoSnapshot as problem:
        return Outcome(case, "skipped", str(problem))
    if run.report is None:
        return Outcome(case, "failed", run.problem, seconds=run.cost.wall)
    verdict, finding = hit(case, run.findings)
    if finding is None:
        return Outcome(case, verdict, findings=len(run.findings), seconds=run.cost.wall)
    cleared = _is_cleared(case, finding, git, limit) if case.fix else None
    told = (finding["rule"], finding["severity"], finding["message"])
    return Outcome(case, verdict, "", *told, cleared, len(run.findings), run.cost.wall)


def _is_cleared(case: Case, finding: dict[str, Any], git: Path, limit: float) -> bool | None:
    try:
        with checkout(git, case.fix) as directory:
            run: Run = run_check(directory, limit=limit)
    except NoSnapshot:
        return None
    if run.report is None:
        return None
    return all(_identity(other) != _identity(finding) for other in run.findings)


def _identity(finding: dict[str, Any]) -> tuple[str, str, str]:
    return finding["rule"], finding["file"], finding["message"]


def _place(text: str) -> tuple[str, int]:
    path, _, line = text.rpartition(":")
    return (path, int(line)) if line.isdigit() else (text, 0)


def _same_file(one: str, other: str) -> bool:
    one, other = one.removeprefix("./"), other.removeprefix("./")
    return one == other or one.endswith("/" + other) or other.endswith("/" + one)


def _close(one: tuple[str, int], other: tuple[str, int]) -> bool:
    return abs(one[1] - other[1]) <= _SLACK and _same_file(one[0], other[0])


def page(outcomes: Sequence[Outcome], arguments: Sequence[str]) -> str:
    """The Markdown page."""
    ran = [outcome for outcome in outcomes if outcome.verdict != "skipped"]
    aimed = [outcome for outcome in ran if outcome.case.kind in AIMED_AT and outcome.case.is_plain]
    asked = [outcome for outcome in ran if outcome.cleared is not None]
    text = heading("Real defects", "bench.corpus", arguments)
    text += (
        f"\nDefects of public repositories, each at the commit that had it: {len(ran)} cases of "
        f"{len({outcome.case.repo for outcome in ran})} repositories; {len(outcomes) - len(ran)} are left out because "
        "their repository or commit could not be had.\n"
        f"\n* Found, of the kinds that need neither types nor the source of dependencies (marked *): **{_share(aimed)}**\n"
        f"* Found, of all: {_share(ran)}\n"
        f"* Gone at the commit that repaired them: {_part([o for o in asked if o.cleared], asked)}\n"
        f"* Runs that failed: {sum(outcome.verdict == 'failed' for outcome in ran)}\n"
        f"* Slowest run: {max((outcome.seconds for outcome in ran), default=0.0):.1f} s\n"
        f"\n## By kind\n\n{_by_kind(ran)}"
        "\n*plain* needs neither types nor the source of dependencies, *further* needs one of them.\n"
    )
    found = [outcome for outcome in ran if outcome.verdict == "found"]
    if found:
        text += f"\n## Found\n\n{_found(found)}"
    others = [outcome for outcome in ran if outcome.verdict != "found"]
    if others:
        text += f"\n## Not found\n\n{_not_found(others)}"
    return text


def _by_kind(ran: Sequence[Outcome]) -> str:
    columns = "kind|plain|found|near|missed|failed|cleared|further|found|near|missed|failed|cleared".split("|")
    kinds = sorted({outcome.case.kind for outcome in ran}, key=lambda kind: (kind not in AIMED_AT, kind))
    rows: list[list[object]] = []
    for kind in [*kinds, ""]:
        chosen = [outcome for outcome in ran if not kind or outcome.case.kind == kind]
        plain = [outcome for outcome in chosen if outcome.case.is_plain]
        further = [outcome for outcome in chosen if not outcome.case.is_plain]
        name = f"{kind} *" if kind in AIMED_AT else kind or "all"
        rows.append([name, *_counts(plain), *_counts(further)])
    return table(columns, rows)


def _counts(chosen: Sequence[Outcome]) -> list[object]:
    if not chosen:
        return [""] * 6
    by = collections.Counter(outcome.verdict for outcome in chosen)
    asked = [outcome for outcome in chosen if outcome.cleared is not None]
    cleared = f"{sum(bool(outcome.cleared) for outcome in asked)}/{len(asked)}" if asked else ""
    return [len(chosen), by["found"], by["near"], by["missed"], by["failed"], cleared]


def _found(outcomes: Sequence[Outcome]) -> str:
    rows = [[o.case.id, o.case.repo, o.case.commit[:10], o.rule, o.severity, _cleared(o)] for o in outcomes]
    return table(["case", "repository", "commit", "rule", "severity", "at the fix"], rows)


def _cleared(outcome: Outcome) -> str:
    if outcome.cleared is None:
        return ""
    return "cleared" if outcome.cleared else "still there"


def _not_found(outcomes: Sequence[Outcome]) -> str:
    def needs(case: Case) -> str:
        return " and ".join(["types"] * case.needs_types + ["dependency source"] * case.needs_dep_source)

    rows = [
        [o.case.id, o.case.repo, o.case.commit[:10], o.case.kind, needs(o.case), o.verdict, o.why] for o in outcomes
    ]
    return table(["case", "repository", "commit", "kind", "needs", "verdict", "problem"], rows)


def _share(outcomes: Sequence[Outcome]) -> str:
    return _part([outcome for outcome in outcomes if outcome.verdict == "found"], outcomes)


def _part(some: Sequence[object], of: Sequence[object]) -> str:
    return f"{len(some)} of {len(of)}" + (f" ({100 * len(some) / len(of):.0f} %)" if of else "")


def _selected(cases: Iterable[Case], options: argparse.Namespace) -> list[Case]:
    tests: list[Callable[[Case], bool]] = [lambda case: options.only in case.id]
    if options.kind:
        tests.append(lambda case: case.kind in options.kind)
    if options.plain:
        tests.append(lambda case: case.is_plain and case.kind in AIMED_AT)
    return [case for case in cases if all(test(case) for test in tests)]


def main(arguments: list[str] | None = None) -> int:
    """Run the command; gives the exit status."""
    words = sys.argv[1:] if arguments is None else arguments
    parser = argparse.ArgumentParser(
        prog="python -m bench.corpus", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--cases", type=Path, required=True, metavar="FILE")
    add_common(parser)
    parser.add_argument("--only", default="", metavar="TEXT", help="only cases whose id contains it")
    parser.add_argument("--kind", action="append", help="only this kind (repeatable)")
    parser.add_argument("--plain", action="store_true", help="only the kinds aimed at, needing nothing but the package")
    parser.add_argument("--jobs", type=int, default=1, help="cases at a time")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the outcomes there")
    options = parser.parse_args(words)
    leave_nothing_behind()
    try:
        cases = _selected(read_cases(options.cases), options)
    except (OSError, KeyError, TypeError, tomli.TOMLDecodeError) as error:
        print(f"{options.cases}: {error}", file=sys.stderr)
        return 2
    outcomes = []
    with ThreadPoolExecutor(max(1, options.jobs)) as pool:
        for outcome in pool.map(lambda case: replay(case, options.mirrors, options.limit), cases):
            print(f"{outcome.verdict:8} {outcome.case.id} {outcome.why}", file=sys.stderr, flush=True)
            outcomes.append(outcome)
    if options.json:
        options.json.write_text(json.dumps([asdict(outcome) for outcome in outcomes], indent=1), "utf-8")
    publish(page(outcomes, words), options.out)
    return int(any(outcome.verdict == "failed" for outcome in outcomes))


if __name__ == "__main__":
    sys.exit(main())

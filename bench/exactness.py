"""Hold cfglint against rustc on random packages: `python -m bench.exactness --packages 300`; on webs of imports with `--webs`.

Prints one line for each package that disagrees and a table at the end; exits with 1 if anything was wrong and with 2
if cfglint could not run. `--seed N --keep DIR` writes one package to DIR and shows everything about it.
"""

from __future__ import annotations

import argparse
import collections
import concurrent.futures
import shutil
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from tests.oracle.cargo_oracle import cargo_check
from tests.oracle.compare import CfglintFailed, Disagreement, compare, run_cfglint, why_not_available
from tests.oracle.generate import GenerationError, Package, generate, judge
from tests.oracle.shrink import shrink
from tests.oracle.webs import generate_web


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of one seed. `problem` is set where there was nothing to compare."""

    seed: int
    sets: int = 0
    references: int = 0
    broken: int = 0
    findings: int = 0
    undecided: int = 0
    disagreements: tuple[Disagreement, ...] = ()
    problem: str = ""


def examine(seed: int, directory: Path, *, threads: int, with_cfglint: bool, webs: bool) -> Outcome:
    """Generate the package of a seed below `directory` and compare."""
    make = generate_web if webs else generate
    try:
        package = make(seed, directory / "package", directory / "scratch", threads=threads)
    except GenerationError as error:
        return Outcome(seed, problem=f"generator: {error}")
    plain = Outcome(seed, len(package.verdicts), package.references, package.broken)
    if not with_cfglint:
        return plain
    try:
        report = run_cfglint(package.directory)
    except CfglintFailed as error:
        return Outcome(seed, plain.sets, plain.references, plain.broken, problem=f"cfglint: {error}")
    wrong = tuple(compare(package, report))
    errors = [one for one in report["findings"] if one["severity"] == "error"]
    undecided = len(report.get("undecided", ()))
    return Outcome(seed, plain.sets, plain.references, plain.broken, len(errors), undecided, wrong)


def main(arguments: list[str] | None = None) -> int:
    """Run the command; gives the exit status."""
    parser = argparse.ArgumentParser(prog="python -m bench.exactness", description=__doc__)
    parser.add_argument("--packages", type=int, default=300)
    parser.add_argument("--seed-base", type=int, default=0)
    parser.add_argument("--seed", type=int, help="one seed, in detail")
    parser.add_argument("--package", type=Path, help="compare this package instead of a random one")
    parser.add_argument("--webs", action="store_true", help="webs of imports instead of whole packages")
    parser.add_argument("--keep", type=Path, help="write the packages below this directory")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--generator-only", action="store_true", help="do not run cfglint")
    parser.add_argument("--shrink", action="store_true", help="with --seed: show a small package for each disagreement")
    parser.add_argument("--confirm-with-cargo", action="store_true", help="with --seed: ask cargo check as well")
    options = parser.parse_args(arguments)
    if not options.generator_only and (reason := why_not_available()):
        print(f"cfglint check does not run: {reason}", file=sys.stderr)
        return 2
    if options.seed is not None or options.package is not None:
        return _one(options)
    return _many(options)


def _one(options: argparse.Namespace) -> int:
    with tempfile.TemporaryDirectory(prefix="exactness-") as name:
        root = Path(name)
        if options.package is not None:
            package = judge(options.package, root / "scratch", threads=options.jobs)
        else:
            make = generate_web if options.webs else generate
            package = make(options.seed, root / "package", root / "scratch", threads=options.jobs)
        if options.keep is not None:
            shutil.copytree(package.directory, options.keep, dirs_exist_ok=True)
            print(f"package written to {options.keep}")
        for one, verdict in package.verdicts.items():
            print(f"{one}: {'ok' if not verdict.errors else ''}")
            for error in verdict.errors:
                print(f"    {error.outermost.file}:{error.outermost.line} [{error.code or 'macro'}] {error.message}")
        different = _cargo_differs(package, root) if options.confirm_with_cargo else False
        if options.generator_only:
            return int(different)
        report = run_cfglint(package.directory)
        for finding in report["findings"]:
            place = f"{finding['file']}:{finding['line']}:{finding['column']}"
            print(f"{place} {finding['rule']} `{finding['path']}` fails when {finding['fails_when']}")
        wrong = compare(package, report)
        print("\n".join(map(str, wrong)) or "no disagreement")
        for each in wrong if options.shrink else ():
            print(f"\n--- {each}\n{shrink(package, each, root / 'shrunk', threads=options.jobs)}", flush=True)
        return int(bool(wrong) or different)


def _cargo_differs(package: Package, root: Path) -> bool:
    different = False
    for one, verdict in package.verdicts.items():
        by_cargo = cargo_check(package.crate, one, root / "target")
        if by_cargo.seen(by_cargo.depth) != verdict.seen(by_cargo.depth):
            print(f"cargo differs in {one}: {by_cargo.errors}")
            different = True
    return different


def _many(options: argparse.Namespace) -> int:
    started = time.monotonic()
    seeds = range(options.seed_base, options.seed_base + options.packages)
    outcomes: list[Outcome] = []
    with tempfile.TemporaryDirectory(prefix="exactness-") as name:
        root = options.keep if options.keep is not None else Path(name)
        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            jobs = [
                pool.submit(
                    examine,
                    seed,
                    root / str(seed),
                    threads=1,
                    with_cfglint=not options.generator_only,
                    webs=options.webs,
                )
                for seed in seeds
            ]
            for job in jobs:
                outcome = job.result()
                outcomes.append(outcome)
                _show(outcome)
    return _table(outcomes, time.monotonic() - started)


def _show(outcome: Outcome) -> None:
    if outcome.problem:
        print(f"seed {outcome.seed}: {outcome.problem}", flush=True)
    for one in outcome.disagreements:
        print(f"seed {outcome.seed}: {one}", flush=True)


def _table(outcomes: list[Outcome], seconds: float) -> int:
    kinds = collections.Counter(one.kind for outcome in outcomes for one in outcome.disagreements)
    failed = [outcome for outcome in outcomes if outcome.problem.startswith("cfglint")]
    ungenerated = [outcome for outcome in outcomes if outcome.problem.startswith("generator")]
    rows = [
        ("packages", len(outcomes)),
        ("not generated", len(ungenerated)),
        ("cfglint failed", len(failed)),
        ("feature sets", sum(outcome.sets for outcome in outcomes)),
        ("references", sum(outcome.references for outcome in outcomes)),
        ("lines that rustc rejects somewhere", sum(outcome.broken for outcome in outcomes)),
        ("findings", sum(outcome.findings for outcome in outcomes)),
        ("undecided", sum(outcome.undecided for outcome in outcomes)),
        *((f"wrong: {kind}", number) for kind, number in sorted(kinds.items())),
        ("packages with anything wrong", sum(bool(outcome.disagreements) for outcome in outcomes)),
    ]
    for label, number in rows:
        print(f"{label:<36}{number:>8}")
    print(f"{'seconds':<36}{seconds:>8.1f}")
    return int(bool(kinds or failed))


if __name__ == "__main__":
    sys.exit(main())

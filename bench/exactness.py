"""Hold cfglint against rustc on random packages: `python -m bench.exactness --packages 300`.

`--kind workspace` takes workspaces of two and three members instead, with cargo as the judge of each member, its
programs, tests and examples; `--kind webs` packages full of imports that need each other; `--kind members` packages about fields, variants, methods
and trait items; `--kind platform` packages
whose gates ask for the target, compiled for six to eight.

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
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.oracle import generate as packages
from tests.oracle.cargo_oracle import FeatureSet, Verdict, cargo_check
from tests.oracle.compare import CfglintFailed, Disagreement, compare, run_cfglint, why_not_available
from tests.oracle.generate import Kind
from tests.oracle.members import generate_members
from tests.oracle.shrink import shrink
from tests.oracle.webs import generate_web
from tests.oracle.workspace import compare as workspace_compare
from tests.oracle.workspace import generate as workspaces

WORKSPACE = "workspace"
WEBS = "webs"
MEMBERS = "members"


@dataclass(frozen=True, slots=True)
class Subject:
    """What one seed stands for: a package, or a workspace."""

    seed: int
    of: packages.Package | workspaces.Judged

    @property
    def directory(self) -> Path:
        """Where it is written."""
        return self.of.directory

    @property
    def builds(self) -> int:
        """How many builds rustc has judged."""
        return self.of.builds if isinstance(self.of, workspaces.Judged) else len(self.of.verdicts)

    @property
    def references(self) -> int:
        """Roughly how many references were written."""
        return self.of.units if isinstance(self.of, workspaces.Judged) else self.of.references

    def report(self) -> Mapping[str, Any]:
        """What cfglint says. Raises CfglintFailed."""
        targets = () if isinstance(self.of, workspaces.Judged) else self.of.targets
        return run_cfglint(self.directory, targets)

    def compare(self, report: Mapping[str, Any]) -> list[Disagreement]:
        """Where the report and rustc differ."""
        if isinstance(self.of, workspaces.Judged):
            return workspace_compare.compare(self.of, report)
        return compare(self.of, report)

    def verdicts(self) -> Mapping[str, Mapping[FeatureSet, Verdict]]:
        """The verdicts by crate root; "" for the only one of a package."""
        if isinstance(self.of, workspaces.Judged):
            return {f"{root.member} {root.kind} {root.name}: ": found for root, found in self.of.verdicts.items()}
        return {"": self.of.verdicts}


def subject(kind: str, seed: int, directory: Path, threads: int) -> Subject:
    """Write what a seed stands for below `directory`. Raises GenerationError or WorkspaceError."""
    place, scratch = directory / "package", directory / "scratch"
    if kind == WORKSPACE:
        return Subject(seed, workspaces.generate(seed, place, scratch))
    if kind == WEBS:
        return Subject(seed, generate_web(seed, place, scratch, threads=threads))
    if kind == MEMBERS:
        return Subject(seed, generate_members(seed, place, scratch, threads=threads))
    return Subject(seed, packages.generate(seed, place, scratch, threads=threads, kind=Kind(kind)))


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


def examine(kind: str, seed: int, directory: Path, *, threads: int, with_cfglint: bool) -> Outcome:
    """Generate the package of a seed below `directory` and compare."""
    try:
        judged = subject(kind, seed, directory, threads)
    except (packages.GenerationError, workspaces.WorkspaceError) as error:
        return Outcome(seed, problem=f"generator: {error}")
    plain = Outcome(seed, judged.builds, judged.references, judged.of.broken)
    if not with_cfglint:
        return plain
    try:
        report = judged.report()
    except CfglintFailed as error:
        return Outcome(seed, plain.sets, plain.references, plain.broken, problem=f"cfglint: {error}")
    wrong = tuple(judged.compare(report))
    errors = [one for one in report["findings"] if one["severity"] == "error"]
    undecided = len(report.get("undecided", ()))
    return Outcome(seed, plain.sets, plain.references, plain.broken, len(errors), undecided, wrong)


def main(arguments: list[str] | None = None) -> int:
    """Run the command; gives the exit status."""
    parser = argparse.ArgumentParser(prog="python -m bench.exactness", description=__doc__)
    parser.add_argument(
        "--kind", choices=[*(kind.value for kind in Kind), MEMBERS, WEBS, WORKSPACE], default=Kind.FEATURES.value
    )
    parser.add_argument("--packages", type=int, default=300)
    parser.add_argument("--seed-base", type=int, default=0)
    parser.add_argument("--seed", type=int, help="one seed, in detail")
    parser.add_argument("--package", type=Path, help="compare this package instead of a random one")
    parser.add_argument("--keep", type=Path, help="write the packages below this directory")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--generator-only", action="store_true", help="do not run cfglint")
    parser.add_argument("--shrink", action="store_true", help="with --seed: show a small package for each disagreement")
    parser.add_argument("--confirm-with-cargo", action="store_true", help="with --seed: ask cargo check as well")
    options = parser.parse_args(arguments)
    if options.kind != Kind.FEATURES.value and (options.shrink or options.confirm_with_cargo):
        parser.error("--shrink and --confirm-with-cargo are for --kind package")
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
            judged = Subject(-1, packages.judge(options.package, root / "scratch", threads=options.jobs))
        else:
            judged = subject(options.kind, options.seed, root, options.jobs)
        if options.keep is not None:
            shutil.copytree(judged.directory, options.keep, dirs_exist_ok=True)
            print(f"package written to {options.keep}")
        for of, verdicts in judged.verdicts().items():
            for one, verdict in verdicts.items():
                print(f"{of}{one}: {'ok' if not verdict.errors else ''}")
                for error in verdict.errors:
                    place = f"{error.outermost.file}:{error.outermost.line}"
                    print(f"    {place} [{error.code or 'macro'}] {error.message}")
        package = judged.of if isinstance(judged.of, packages.Package) else None
        different = package is not None and options.confirm_with_cargo and _cargo_differs(package, root)
        if options.generator_only:
            return int(different)
        report = judged.report()
        for finding in report["findings"]:
            place = f"{finding['file']}:{finding['line']}:{finding['column']}"
            print(f"{place} {finding['rule']} `{finding['path']}` fails when {finding['fails_when']}")
        wrong = judged.compare(report)
        print("\n".join(map(str, wrong)) or "no disagreement")
        for each in wrong if options.shrink else ():
            assert package is not None, "checked by main"
            print(f"\n--- {each}\n{shrink(package, each, root / 'shrunk', threads=options.jobs)}", flush=True)
        return int(bool(wrong) or different)


def _cargo_differs(package: packages.Package, root: Path) -> bool:
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

        def one(seed: int) -> Outcome:
            outcome = examine(options.kind, seed, root / str(seed), threads=1, with_cfglint=not options.generator_only)
            shutil.rmtree(root / str(seed) / "scratch", ignore_errors=True)
            return outcome

        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            for outcome in pool.map(one, seeds):
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
        ("builds", sum(outcome.sets for outcome in outcomes)),
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

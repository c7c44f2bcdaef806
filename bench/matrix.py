"""Hold the derived matrix against rustc on random packages: `python -m bench.matrix --packages 300`.

Each package of the generator is compiled in every closed feature set. The errors that the combinations of a strategy show
are compared with those of all sets, and with the findings of `cfglint check`. A finding that rustc shows in no set at all (an
import that fails first makes it keep silent) is counted apart: no list of builds can show it.
"""

from __future__ import annotations

import argparse
import concurrent.futures
import sys
import tempfile
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench.common import heading, publish, table
from cfglint.config import Config
from cfglint.manifest.solver import GaveUpError
from cfglint.matrix.derive import Strategy
from cfglint.report.json import finding_object
from tests.oracle.cargo_oracle import FeatureSet, Place, Verdict, activate
from tests.oracle.compare import places_of
from tests.oracle.generate import GenerationError, Package, generate

_LIMIT = 100_000


@dataclass(frozen=True, slots=True)
class Shown:
    """What a strategy shows of one package: its builds, lines that fail in none of them, findings that it does not show."""

    builds: int
    missed_lines: int
    missed_findings: int


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of one seed. `hidden` are findings that no build shows, `unpredicted` errors that are no finding."""

    seed: int
    problem: str = ""
    findings: int = 0
    hidden: int = 0
    unpredicted: int = 0
    shown: Mapping[str, Shown] | None = None

    @property
    def is_equal(self) -> bool:
        """Whether what the derived matrix shows is exactly what cfglint finds."""
        missed = self.shown["derived"].missed_findings if self.shown is not None else 1
        return not (missed or self.hidden or self.unpredicted)


def examine(seed: int, directory: Path) -> Outcome:
    """Generate the package of a seed below `directory` and compare every strategy."""
    try:
        package = generate(seed, directory / "package", directory / "scratch", threads=1)
    except GenerationError as error:
        return Outcome(seed, problem=f"generator: {error}")
    import cfglint.pipeline as pipeline  # noqa: PLR0402
    from cfglint.planning import plan

    analysis = pipeline.analyze(Config(path=package.directory, jobs=1))
    report = pipeline.run(analysis)
    errors = [finding for finding in report.findings if finding.severity.value == "error"]
    places = [places_of(finding_object(finding)) for finding in errors]
    everywhere = _lines(package.verdicts.values())
    hidden = sum(found.isdisjoint(everywhere) for found in places)
    shown: dict[str, Shown] = {}
    name = package.crate.manifest["package"]["name"]
    for strategy in Strategy:
        findings = report.findings if strategy is Strategy.DERIVED else ()
        try:
            matrices = plan(analysis, findings, strategy, _LIMIT)
        except GaveUpError as error:
            return Outcome(seed, problem=f"cfglint: {error}")
        own = next(matrix for matrix in matrices if matrix.package == name)
        sets = [_set_of(package, one.features, default=one.default_features) for one in own.combinations]
        lines = _lines(package.verdicts[one] for one in sets)
        unseen = sum(found.isdisjoint(lines) and not found.isdisjoint(everywhere) for found in places)
        shown[strategy.value] = Shown(len(sets), len(everywhere - lines), unseen)
    predicted = frozenset[Place]().union(*places)
    unpredicted = sum(one.isdisjoint(predicted) for one in _errors(package.verdicts.values()))
    return Outcome(seed, "", len(errors), hidden, unpredicted, shown)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; gives the exit status."""
    parser = argparse.ArgumentParser(prog="python -m bench.matrix", description=__doc__)
    parser.add_argument("--packages", type=int, default=300)
    parser.add_argument("--seed-base", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--out", type=Path, help="write the table there, too")
    options = parser.parse_args(arguments)
    started = time.monotonic()
    seeds = range(options.seed_base, options.seed_base + options.packages)
    with tempfile.TemporaryDirectory(prefix="bench-matrix-") as name:
        root = Path(name)
        with concurrent.futures.ProcessPoolExecutor(options.jobs) as pool:
            outcomes = list(pool.map(examine, seeds, [root / str(seed) for seed in seeds]))
    for outcome in outcomes:
        _show(outcome)
    good = [outcome for outcome in outcomes if not outcome.problem]
    text = _report(good, list(arguments if arguments is not None else sys.argv[1:]), time.monotonic() - started)
    publish(text, options.out)
    return int(sum(not outcome.is_equal for outcome in good) > 0.05 * len(good))


def _set_of(package: Package, features: Iterable[str], *, default: bool) -> FeatureSet:
    asked = list(features)
    if default and "default" in package.crate.manifest.get("features", {}):
        asked.append("default")
    return activate(package.crate, asked)


def _lines(verdicts: Iterable[Verdict]) -> frozenset[Place]:
    return frozenset(place for verdict in verdicts for error in verdict.errors for place in error.places)


def _errors(verdicts: Iterable[Verdict]) -> set[frozenset[Place]]:
    return {frozenset(error.places) for verdict in verdicts for error in verdict.errors}


def _show(outcome: Outcome) -> None:
    if outcome.problem:
        print(f"seed {outcome.seed}: {outcome.problem}", flush=True)
    elif not outcome.is_equal:
        missed = outcome.shown["derived"].missed_findings if outcome.shown is not None else 0
        print(
            f"seed {outcome.seed}: {missed} findings are not shown, {outcome.hidden} by no build at all; "
            f"{outcome.unpredicted} errors are no finding",
            flush=True,
        )


def _report(outcomes: Sequence[Outcome], arguments: Sequence[str], seconds: float) -> str:
    rows: list[Sequence[Any]] = []
    for strategy in Strategy:
        own = [outcome.shown[strategy.value] for outcome in outcomes if outcome.shown is not None]
        rows.append(
            [
                strategy.value,
                f"{sum(one.builds for one in own) / max(len(own), 1):.1f}",
                f"{100 * sum(one.missed_lines == 0 for one in own) / max(len(own), 1):.1f} %",
                f"{100 * sum(one.missed_findings == 0 for one in own) / max(len(own), 1):.1f} %",
                sum(one.missed_findings for one in own),
            ]
        )
    head = ["strategy", "builds a package", "all failing lines shown", "all findings shown", "findings not shown"]
    equal = sum(outcome.is_equal for outcome in outcomes)
    lines = [
        heading("Derived matrices of random packages", "bench.matrix", arguments),
        (
            f"{len(outcomes)} packages with {sum(outcome.findings for outcome in outcomes)} findings, in {seconds:.0f} "
            f"seconds. In {equal} of them ({100 * equal / max(len(outcomes), 1):.1f} %) the errors that the builds of the "
            "derived matrix show are exactly the findings. "
            f"{sum(outcome.hidden for outcome in outcomes)} findings (in "
            f"{sum(outcome.hidden > 0 for outcome in outcomes)} packages) are shown by no build at all, because an import "
            f"that fails first makes rustc keep silent; {sum(outcome.unpredicted for outcome in outcomes)} errors (in "
            f"{sum(outcome.unpredicted > 0 for outcome in outcomes)} packages) are no finding."
        ),
        "",
        table(head, rows),
    ]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    sys.exit(main())

"""What a run of a matrix says of `cfglint check`, and the other way round: errors grouped, each tied to its finding.

One error of rustc is one problem, in however many combinations it shows. A finding that did not show is not passed over:
either its combinations were not built, or something that failed first hides it, or cargo refutes it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from cfglint.cargo.confirm import judge
from cfglint.cargo.matrix_run import Run
from cfglint.cargo.runner import Build, Region, RustcError, Unit
from cfglint.condition.diagram import Condition
from cfglint.finding import Confirmation, Finding
from cfglint.manifest.feature_model import FeatureModel
from cfglint.matrix.combination import ALL_TARGETS, Combination, configuration_of
from cfglint.matrix.goals import condition_of
from cfglint.matrix.results import Diagnostic, Prediction, Problem, Result, RunReport, Sighting, Status


def summarize(
    run: Run,
    findings: Sequence[Finding],
    model: Callable[[str], FeatureModel | None],
    root: Path,
    command: tuple[str, ...],
) -> RunReport:
    """The report of a run. `model` gives the feature model of a package by its name."""
    errors = [finding for finding in findings if finding.rule.startswith("CFG0")]
    results = tuple(run.results)
    problems = _problems(results, errors, root)
    built = {result.combination.package for result in results}
    seen = {id(problem.finding) for problem in problems if problem.finding is not None}
    predictions = tuple(
        Prediction(finding, Sighting.SEEN) if id(finding) in seen else _unseen(finding, results, model)
        for finding in errors
        if id(finding) in seen or finding.package in built
    )
    return RunReport(results, problems, predictions, command, round(run.seconds, 3), run.is_interrupted)


def _problems(results: Sequence[Result], findings: Sequence[Finding], root: Path) -> tuple[Problem, ...]:
    groups: dict[tuple[object, ...], tuple[Diagnostic, list[int]]] = {}
    for index, result in enumerate(results):
        for diagnostic in result.diagnostics:
            groups.setdefault(diagnostic.key, (diagnostic, []))[1].append(index)
    found = (
        Problem(diagnostic, tuple(dict.fromkeys(indices)), _predicted(diagnostic, findings, root))
        for diagnostic, indices in groups.values()
    )
    return tuple(sorted(found, key=Problem.sort_key))


def _predicted(diagnostic: Diagnostic, findings: Sequence[Finding], root: Path) -> Finding | None:
    """The finding that says this very error; units are not compared, for a library is also built as a test."""
    regions = tuple(Region(place.file, place.line, place.end_line) for place in diagnostic.places)
    for finding in findings:
        unit = Unit(finding.package, finding.target.kind, finding.target.name)
        error = RustcError(unit, diagnostic.code, diagnostic.message, regions)
        alone = Build(success=False, built=frozenset(), errors=(error,), complaint="")
        if judge(finding, alone, root).confirmation is Confirmation.CONFIRMED:
            return finding
    return None


def _unseen(finding: Finding, results: Sequence[Result], model: Callable[[str], FeatureModel | None]) -> Prediction:
    own = model(finding.package)
    condition = condition_of(finding)
    if own is None or condition is None:
        return Prediction(finding, Sighting.NOT_BUILT, "its condition cannot be compared with the combinations")
    ways = [(result, _ways(condition, result.combination, own)) for result in results]
    meant = [(result, tests) for result, tests in ways if result.combination.package == finding.package and tests]
    built = [(result, tests) for result, tests in meant if result.status in (Status.PASSED, Status.FAILED)]
    if not built:
        reason = next(
            (result.complaint for result, _ in meant if result.complaint), "none of its combinations was built"
        )
        return Prediction(finding, Sighting.NOT_BUILT, reason)
    for result, tests in built:
        if any((finding.package, finding.target.kind, finding.target.name, test) in result.crates for test in tests):
            return Prediction(finding, Sighting.REFUTED, f"{result.combination.label} builds without this error")
    first = next((result for result, _ in built if result.diagnostics), None)
    if first is None:
        return Prediction(finding, Sighting.HIDDEN, built[0][0].complaint or "cargo did not come to it")
    error = first.diagnostics[0]
    where = f"{error.package} does not compile first" if error.package != finding.package else "an error comes first"
    return Prediction(finding, Sighting.HIDDEN, f"{where}: {error.message}")


def _ways(condition: Condition, one: Combination, model: FeatureModel) -> list[bool]:
    """Whether the condition holds in a combination, as values of `cfg(test)` with which it does."""
    return [
        is_test
        for is_test in ((False, True) if one.targets == ALL_TARGETS else (False,))
        if configuration_of(one, model, is_test=is_test).satisfies(condition)
    ]

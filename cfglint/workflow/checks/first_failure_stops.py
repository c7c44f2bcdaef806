"""CFG303 first-failure-stops: builds that are not run once one of them fails, so that a red job shows one defect of many.

A loop over packages or features in a script that ends with its first error, cargo-hack without `--keep-going`, a matrix
that cancels its other jobs, builds one after the other in one step or in one job. All but the first two are notes: they are
customary.
"""

from __future__ import annotations

from collections.abc import Iterator

from cfglint.finding import Finding, Severity
from cfglint.workflow import yaml_nodes as y
from cfglint.workflow.calls import Call, Loop, Place
from cfglint.workflow.findings import ci_finding, counted
from cfglint.workflow.github import Job
from cfglint.workflow.invocations import Invocation
from cfglint.workflow.survey import Survey

_RULE = ("CFG303", "first-failure-stops")


def first_failure_stops(survey: Survey) -> Iterator[Finding]:
    """One finding for each loop, command, matrix or step."""
    building = [one for one in survey.invocations if one.builds]
    yield from _loops(survey, building)
    yield from _hacks(survey, building)
    yield from _matrices(survey, building)
    yield from _within_steps(survey, building)
    yield from _behind_steps(survey, building)


def _loops(survey: Survey, building: list[Invocation]) -> Iterator[Finding]:
    seen: set[tuple[str, int, int]] = set()
    for one in building:
        for loop in one.call.loops:
            key = _key(loop.place)
            if key in seen or not one.call.stops or not _repeats(loop):
                continue
            seen.add(key)
            several = f"{counted(len(loop.values), 'build')}" if loop.values else "builds"
            yield ci_finding(
                survey,
                *_RULE,
                loop.place,
                3,
                origin=one.call.origin,
                path=one.text,
                message=f"this loop of {several} ends at the first one that fails",
                notes=(f"`{one.text}` ends it; what comes after is neither built nor reported",),
                helps=(
                    "go on and fail at the end: `.. || failed=1` in the loop, `exit ${failed:-0}` behind it",
                    "or let `cfglint run` build the list: it stops at no failure and reports each error once",
                ),
            )


def _hacks(survey: Survey, building: list[Invocation]) -> Iterator[Finding]:
    seen: set[tuple[str, int, int]] = set()
    for one in building:
        key = _key(one.call.place)
        if one.hack is None or not one.hack.varies or one.hack.keeps_going or key in seen:
            continue
        seen.add(key)
        yield ci_finding(
            survey,
            *_RULE,
            one.call.place,
            len("cargo hack"),
            origin=one.call.origin,
            path=one.text,
            message="cargo-hack stops at the first combination that fails",
            helps=("add `--keep-going`",),
        )


def _matrices(survey: Survey, building: list[Invocation]) -> Iterator[Finding]:
    for job in survey.jobs:
        if not job.fails_fast or job.matrix_node is None or len(job.axes.combinations) < 2:
            continue
        calls = {id(call) for call in survey.calls[job.first : job.last]}
        if not any(id(one.call) in calls for one in building):
            continue
        yield ci_finding(
            survey,
            *_RULE,
            _place(job),
            1,
            origin=job.origin,
            path=f"{job.origin.job}: strategy.matrix",
            severity=Severity.NOTE,
            message=f"the first of {counted(len(job.axes.combinations), 'job')} that fails cancels the others",
            notes=("`fail-fast` is on unless it is set",),
            helps=("add `fail-fast: false` to the strategy",),
        )


def _within_steps(survey: Survey, building: list[Invocation]) -> Iterator[Finding]:
    """The second build of a script, where the first one ends it."""
    first: dict[int, Call] = {}
    done: set[tuple[str, int, int]] = set()
    for one in building:
        call = one.call
        if call.loops or not call.stops:
            continue
        before = first.setdefault(call.script, call)
        key = _key(before.place)
        if before.place.line == call.place.line or key in done:
            continue
        done.add(key)
        yield ci_finding(
            survey,
            *_RULE,
            call.place,
            len(call.words[0].encode()),
            origin=call.origin,
            path=one.text,
            severity=Severity.NOTE,
            message=f"this is not run where the command in line {before.place.line} fails",
            helps=("give each build a step of its own with `if: ${{ !cancelled() }}`, or collect the failures",),
        )


def _behind_steps(survey: Survey, building: list[Invocation]) -> Iterator[Finding]:
    """The first cargo command of a job in a step behind one that builds: one failure, and it is not run."""
    builders = {id(one.call) for one in building}
    before: dict[tuple[str, str, str], Call] = {}
    done: set[tuple[str, str]] = set()
    for one in survey.invocations:
        call = one.call
        job = (call.origin.workflow, call.origin.job)
        variant = (*job, call.variant)
        first = before.get(variant)
        if call.is_detached or job in done or call.place.source.path.suffix not in (".yml", ".yaml"):
            continue
        if first is None:
            if id(call) in builders and call.stops:
                before[variant] = call
        elif call.script != first.script and (one.builds or one.subcommand == "fmt"):
            done.add(job)
            yield ci_finding(
                survey,
                *_RULE,
                call.place,
                len(call.words[0].encode()),
                origin=call.origin,
                path=one.text,
                severity=Severity.NOTE,
                message=f"this step is not run where the one in line {first.place.line} fails",
                helps=("add `if: ${{ !cancelled() }}` to it, or make it a job of its own",),
            )


def _repeats(loop: Loop) -> bool:
    return len(loop.values) != 1


def _place(job: Job) -> Place:
    node = job.matrix_node
    assert node is not None, "asked by the caller"
    return Place(job.source, *y.position(job.source, node))


def _key(place: Place) -> tuple[str, int, int]:
    return (str(place.source.path), place.line, place.column)

"""CFG306 drifted-list: a list of packages or features in CI names most of what manifests have, and has missed some.

A second copy of a generated fact goes stale. A list is looked at where it names at least three packages, or features of one
package, and most of all there are; what another command covers is not missed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from cfglint.finding import Finding
from cfglint.manifest.package import Package
from cfglint.workflow import yaml_nodes as y
from cfglint.workflow.builds import LIBRARY, Build, select
from cfglint.workflow.calls import Place
from cfglint.workflow.expressions import is_known
from cfglint.workflow.findings import ci_finding, counted, listed
from cfglint.workflow.invocations import Invocation
from cfglint.workflow.survey import Survey

_LEAST = 3
_MOST_OF = 0.6


@dataclass(frozen=True, slots=True)
class _List:
    """A list in CI: where it stands, its values, and the commands that it is for."""

    place: Place
    what: str
    values: tuple[str, ...]
    commands: tuple[Invocation, ...]


def drifted_list(survey: Survey) -> Iterator[Finding]:
    """One finding for each list."""
    lists = list(_lists(survey))
    if not lists:
        return
    by_package = survey.builds_by_package()
    for one in lists:
        yield from _of_packages(survey, one, by_package)
        yield from _of_features(survey, one, by_package)


def _lists(survey: Survey) -> Iterator[_List]:
    loops: dict[tuple[str, int, int], tuple[Place, tuple[str, ...], list[Invocation]]] = {}
    for one in survey.invocations:
        for loop in one.call.loops:
            values = tuple(text for text, _ in loop.values)
            key = (str(loop.place.source.path), loop.place.line, loop.place.column)
            if one.builds and len(values) >= _LEAST and all(map(is_known, values)):
                loops.setdefault(key, (loop.place, values, []))[2].append(one)
    for place, values, commands in loops.values():
        yield _List(place, "loop", values, tuple(commands))
    building = {id(one.call): one for one in survey.invocations if one.builds}
    for job in survey.jobs:
        own = tuple(building[id(call)] for call in survey.calls[job.first : job.last] if id(call) in building)
        for items in job.axes.axes.values():
            values = tuple(text for text, _ in items)
            if len(values) >= _LEAST and own and all(map(is_known, values)):
                yield _List(Place(job.source, *y.position(job.source, items[0][1])), "matrix", values, own)


def _of_packages(survey: Survey, one: _List, by_package: Mapping[Package, Sequence[Build]]) -> Iterator[Finding]:
    members = {package.name: package for package in survey.workspace.packages}
    named = [value for value in one.values if value in members]
    if len(named) < max(_LEAST, _MOST_OF * len(one.values)):
        return
    if not any(set(command.packages) & set(named) for command in one.commands):
        return
    features = sorted(
        {name for command in one.commands for name in command.features if "/" not in name and name != "default"}
    )
    expected = [
        p for p in survey.workspace.packages if all(f in survey.setting.model(p).implications for f in features)
    ]
    covered = sum(package.name in named for package in expected)
    if covered < max(_LEAST, _MOST_OF * len(expected)):
        return
    missing = [p for p in expected if p.name not in named and not _is_built(features, by_package[p])]
    if missing:
        which = f" with {listed([*features])}" if features else ""
        yield _finding(
            survey,
            one,
            [package.name for package in missing],
            f"this {one.what} names {covered} of {counted(len(expected), 'package')}{which}; "
            f"{listed([package.name for package in missing])} {'is' if len(missing) == 1 else 'are'} missing",
        )


def _of_features(survey: Survey, one: _List, by_package: Mapping[Package, Sequence[Build]]) -> Iterator[Finding]:
    values = {word for value in one.values for word in value.replace(",", " ").split()}
    commands = [command for command in one.commands if set(command.features) & values]
    selected = {p for command in commands for p in select(command, survey.workspace, survey.prefix).packages}
    if len(selected) != 1:
        return
    package = next(iter(selected))
    model = survey.setting.model(package)
    expected = [n for n in model.names if n != "default" and n not in model.implicit and not n.startswith("_")]
    covered = [name for name in expected if name in values]
    if len(covered) < max(_LEAST, _MOST_OF * len(expected)):
        return
    missing = [n for n in expected if n not in values and not any(n in build.features for build in by_package[package])]
    if missing:
        yield _finding(
            survey,
            one,
            missing,
            f"this {one.what} names {len(covered)} of {counted(len(expected), 'feature')} of `{package.name}`; "
            f"{listed(missing)} {'is' if len(missing) == 1 else 'are'} missing",
        )


def _is_built(features: Iterable[str], own: Sequence[Build]) -> bool:
    """Whether some command selects the package (not only something that depends on it) with these features on."""
    return any(set(features) <= build.features and build.units != LIBRARY for build in own)


def _finding(survey: Survey, one: _List, missing: Sequence[str], message: str) -> Finding:
    return ci_finding(
        survey,
        "CFG306",
        "drifted-list",
        one.place,
        3,
        origin=one.commands[0].call.origin,
        path=",".join(missing),
        message=message,
        notes=("no other command of CI builds that",),
        helps=(
            "derive the list: `cfglint matrix --format json`, and `cfglint matrix --check FILE` fails when it drifts",
        ),
    )

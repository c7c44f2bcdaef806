"""CFG301 nonexistent-ci-feature: a command names a package or a feature that does not exist; cargo rejects it.

With several packages selected a feature counts as there when one of them has it, as cargo sees it; cargo-hack asks each
package by itself. What the command's words become at run time is not guessed.
"""

from __future__ import annotations

from collections.abc import Iterator

from cfglint.config import did_you_mean
from cfglint.finding import Finding
from cfglint.manifest.package import Package
from cfglint.workflow.builds import is_private, select
from cfglint.workflow.calls import Place
from cfglint.workflow.findings import ci_finding, listed
from cfglint.workflow.invocations import Invocation
from cfglint.workflow.survey import Survey

_UNREAL = frozenset({"default"})
"""Features that every package may be asked for."""


def nonexistent_ci_feature(survey: Survey) -> Iterator[Finding]:
    """One finding for each word at each place."""
    seen: set[tuple[object, ...]] = set()
    outside = _names_outside(survey)
    for one in survey.invocations:
        if not one.builds:
            continue
        selected = select(one, survey.workspace, survey.prefix)
        if selected.is_foreign:
            continue
        for name in selected.unmatched:
            if name not in outside:
                yield from _once(seen, _package(survey, one, name, f"cargo rejects `{one.text}`"))
        for name in selected.excluded:
            yield from _once(seen, _package(survey, one, name, "to exclude it has no effect; cargo only warns"))
        if "packages" in one.unknown or not selected.packages or selected.unmatched:
            continue
        for name, missing in _missing(survey, one, selected.packages):
            yield from _once(seen, _feature(survey, one, name, missing, selected.packages))


def _once(seen: set[tuple[object, ...]], finding: Finding) -> Iterator[Finding]:
    key = (finding.location, finding.path)
    if key not in seen:
        seen.add(key)
        yield finding


def _missing(
    survey: Survey, one: Invocation, packages: tuple[Package, ...]
) -> Iterator[tuple[str, tuple[Package, ...]]]:
    """Features that cargo would miss, with the packages that lack them."""
    if one.all_features or (one.hack is not None and one.hack.ignores_unknown):
        return
    if one.hack is not None and one.hack.ignores_private:
        packages = tuple(package for package in packages if not is_private(package))
    for name in one.features:
        owner, slash, inner = name.partition("/")
        if slash:
            named = survey.workspace.package(owner)
            among: tuple[Package, ...] = (named,) if named is not None and named in packages else ()
            wanted = inner
        else:
            among, wanted = packages, name
        lacking = tuple(p for p in among if wanted not in survey.setting.model(p).implications)
        alone = one.hack is not None or len(lacking) == len(among)
        if lacking and alone and wanted not in _UNREAL:
            yield wanted, lacking


def _feature(
    survey: Survey, one: Invocation, name: str, lacking: tuple[Package, ...], selected: tuple[Package, ...]
) -> Finding:
    having = [p for p in survey.workspace.packages if name in survey.setting.model(p).implications]
    names = [package.name for package in lacking]
    if len(lacking) == 1:
        message = f"the package `{names[0]}` does not contain this feature: {name}"
        hint = did_you_mean(name, survey.setting.model(lacking[0]).names).removeprefix("; ")
    else:
        message = f"none of the selected packages contains this feature: {name}"
        if one.hack is not None:
            message = f"{listed(names)} do not contain this feature: {name}"
        hint = ""
    notes = [f"cargo rejects `{one.text}`"]
    if having:
        notes.append(f"packages that have it: {listed([package.name for package in having])}")
    place, length = _place_of(one, names[0] if len(selected) == 1 else name, name)
    return ci_finding(
        survey,
        "CFG301",
        "nonexistent-ci-feature",
        place,
        length,
        origin=one.call.origin,
        path=f"{names[0]}/{name}",
        package=names[0] if len(lacking) == 1 else "",
        message=message,
        notes=tuple(notes),
        helps=(hint,) if hint else ("derive the list: `cfglint matrix` names only what exists",),
    )


def _package(survey: Survey, one: Invocation, name: str, note: str) -> Finding:
    members = [package.name for package in survey.workspace.packages]
    place, length = _place_of(one, name, name)
    hint = did_you_mean(name, members).removeprefix("; ")
    return ci_finding(
        survey,
        "CFG301",
        "nonexistent-ci-feature",
        place,
        length,
        origin=one.call.origin,
        path=name,
        message=f"no package `{name}` in the workspace",
        notes=(note,),
        helps=(hint,) if hint else (),
    )


def _place_of(one: Invocation, value: str, other: str) -> tuple[Place, int]:
    """The word of a loop's list that is at fault, else the command."""
    for loop in reversed(one.call.loops):
        for text, place in loop.values:
            if text in (value, other):
                return place, len(text.encode())
    return one.call.place, len(one.call.words[0].encode())


def _names_outside(survey: Survey) -> frozenset[str]:
    """Packages that are not members but may be named: dependencies, and whatever Cargo.lock has."""
    names = {entry.package for package in survey.workspace.packages for entry in package.dependencies}
    try:
        text = (survey.workspace.root / "Cargo.lock").read_text("utf-8", errors="replace")
    except OSError:
        return frozenset(names)
    names.update(line[8:-1] for line in text.splitlines() if line.startswith('name = "'))
    return frozenset(names)

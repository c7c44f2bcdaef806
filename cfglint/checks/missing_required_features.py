"""CFG011 missing-required-features: a target needs features of its package that it does not require.

A bin, test, example or bench that names gated items of the library, or gated macros.

One finding a target, at the first reference that fails; the others are counted. What fails in the library itself has
rules of its own.
Source: Cargo book, Cargo Targets, the required-features field.
"""

from __future__ import annotations

from collections.abc import Iterator

from cfglint.condition.diagram import FALSE, TRUE, Condition
from cfglint.finding import Finding
from cfglint.graph.evidence import Words, from_absence, show, words
from cfglint.graph.merging import joined
from cfglint.manifest.configuration import requested_features
from cfglint.manifest.solver import GaveUpError, least
from cfglint.nameres.analysis import Analysis, Root
from cfglint.nameres.verdicts import Absence, Kind


def missing_required_features(analysis: Analysis) -> Iterator[Finding]:
    """One finding a file of a target."""
    for root in analysis.roots:
        groups: dict[str, list[Absence]] = {}
        for absence in root.absences:
            if absence.kind is Kind.OWN_LIBRARY:
                groups.setdefault(root.crate.d.mounts[absence.mount].file, []).append(absence)
        for _, group in sorted(groups.items()):
            finding = _finding(analysis, root, sorted(group, key=lambda a: (a.start, a.path)))
            if finding is not None:
                yield finding


def _finding(analysis: Analysis, root: Root, group: list[Absence]) -> Finding | None:
    whole = joined(group)
    return from_absence(analysis, root, whole, "CFG011", "missing-required-features", _words(root, whole, group))


def _words(root: Root, whole: Absence, group: list[Absence]) -> Words:
    target = f"{root.target.kind.value} `{root.target.name}`"
    name = "::".join(group[0].path)
    more = f" and {len(group) - 1} more" if len(group) > 1 else ""
    wanted = _required(root, whole.context & whole.resolved)
    helps = [f"gate it with `#![cfg({show(whole.resolved, root)})]`"]
    if wanted:
        listed = ", ".join(f'"{name}"' for name in wanted)
        helps.insert(0, f"add `required-features = [{listed}]` to the target in Cargo.toml")
    return Words(
        f"the {target} does not require what `{name}`{more} needs: it fails when {words(whole.failing, root)}",
        helps=tuple(helps),
    )


def _required(root: Root, resolved: Condition) -> tuple[str, ...]:
    """The features to require so that everything resolves."""
    if resolved is FALSE or resolved is TRUE:
        return ()
    try:
        configuration = least(resolved, root.space)
    except GaveUpError:
        return ()
    if configuration is None or configuration.cfgs:
        return ()
    return requested_features(configuration.features, root.model)[0]

"""From an absence to a finding: the parts that every rule on absences shares.

Rules choose the absences and the words; severity follows from the witness: what needs a `--cfg` flag or a platform that
nobody named is a warning. Flags that the project's settings fix are named.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from cfglint.condition.atom import Atom, AtomKind
from cfglint.condition.diagram import Condition
from cfglint.condition.display import in_words, shortest
from cfglint.finding import CrateTarget, Finding, GatedItem, Location, Severity
from cfglint.finding import Witness as Proof
from cfglint.graph.foreign import owner_package, show_in
from cfglint.graph.masks import ALL_WORLDS, worlds_of
from cfglint.manifest.configuration import witness
from cfglint.manifest.document import line_of
from cfglint.manifest.solver import GaveUpError, care_set, count, least, satisfiable
from cfglint.manifest.space import ConfigSpace, widened
from cfglint.nameres.analysis import Analysis, Root
from cfglint.nameres.crate import certainly, opaque_atoms
from cfglint.nameres.model import ScopeData
from cfglint.nameres.verdicts import DISAGREEMENTS, LACKING, Absence, Supplier

MAX_ITEMS = 8
"""Definitions that one finding points at."""


@dataclass(frozen=True, slots=True)
class Words:
    """What a rule says of one absence. `items` replaces the suppliers as what is pointed at."""

    message: str
    items: tuple[GatedItem, ...] | None = None
    notes: tuple[str, ...] = ()
    helps: tuple[str, ...] = ()


def show(condition: Condition, root: Root, space: ConfigSpace | None = None) -> str:
    """The shortest cfg text of a condition in the words of the root's package."""
    where = space or root.space
    texts = where.compiled.texts
    key = ("cfg", condition)
    if key not in texts:
        texts[key] = shortest(condition, care=care_set(condition, where), order=feature_order(root))
    return texts[key]


def words(condition: Condition, root: Root) -> str:
    """A clause that completes "when"."""
    where = _space_of(condition, root)
    texts = where.compiled.texts
    key = ("words", condition)
    if key not in texts:
        texts[key] = in_words(condition, care=care_set(condition, where), order=feature_order(root))
    return texts[key]


def when(condition: Condition, root: Root) -> str:
    """A clause that begins with "when", for the end of a message; nothing where it is always."""
    clause = words(condition, root)
    return "" if clause == "always" else f" when {clause}"


def _space_of(condition: Condition, root: Root) -> ConfigSpace:
    """The targets that the workspace names, unless the condition holds on none of them."""
    try:
        return root.space if satisfiable(condition, root.space) else widened(root.space)
    except GaveUpError:
        return root.space


def feature_order(root: Root) -> Callable[[Atom], int]:
    """Features in the order of the manifest."""
    places = {name: place for place, name in enumerate(root.model.names)}
    return lambda atom: places.get(atom.key, len(places)) if atom.kind is AtomKind.FEATURE else len(places)


def location(analysis: Analysis, file: str, start: int, end: int) -> Location:
    """A region of a source file."""
    line, column = analysis.position(file, start)
    end_line, end_column = analysis.position(file, end)
    return Location(analysis.display_path(file), line, column, end_line, end_column)


def manifest_location(analysis: Analysis, root: Root, line: int | None, text: str = "") -> Location:
    """A line of the package's Cargo.toml."""
    return Location(analysis.display_path(str(root.package.manifest)), line or 1, 1, line or 1, 1 + len(text))


def scope_name(root: Root, scope: int) -> str:
    """The item path of a scope, for fingerprints: it does not change when lines move."""
    d = root.crate.d
    data: ScopeData = d.scopes[scope]
    return d.path_of(data.module)


def build(
    root: Root,
    rule: str,
    name: str,
    where: Location,
    *,
    path: str,
    scope: str,
    context: Condition,
    resolved: Condition | None,
    failing: Condition,
    say: Words,
    severity: Severity = Severity.ERROR,
    is_foreign_platform: bool = False,
    worlds: tuple[str, ...] = ALL_WORLDS,
) -> Finding | None:
    """The finding that `failing` makes; None where no configuration shows it."""
    space = widened(root.space) if is_foreign_platform else root.space
    try:
        configuration = least(failing, space)
        if configuration is None:
            return None
        proof: Proof = witness(configuration, root.package, root.target, space)
        failing_count, failing_of = count(failing, space)
    except GaveUpError:
        return None
    unasked = replace(configuration, flags=configuration.flags - space.fixed.keys()).cfgs
    if (unasked or is_foreign_platform) and severity is Severity.ERROR:
        severity = Severity.WARNING
    return Finding(
        rule=rule,
        name=name,
        severity=severity,
        confidence="high",
        package=root.package.name,
        target=CrateTarget(root.target.kind.value, root.target.name),
        worlds=worlds,
        location=where,
        path=path,
        message=say.message,
        present_when=_show_known(context, root),
        resolves_when="" if resolved is None else _show_known(resolved, root),
        fails_when=show(failing, root, space),
        failing_count=failing_count,
        failing_of=failing_of,
        items=say.items or (),
        witness=proof,
        scope=scope,
        notes=say.notes
        + ((f"needs `--cfg {' --cfg '.join(unasked)}`, which nothing sets by default",) if unasked else ()),
        helps=say.helps,
    )


def _show_known(condition: Condition, root: Root) -> str:
    """The condition as text; where it rests on something unknown, what holds in any case."""
    return show(certainly(condition) if opaque_atoms(condition) else condition, root)


def from_absence(analysis: Analysis, root: Root, absence: Absence, rule: str, name: str, say: Words) -> Finding | None:
    """The finding of an absence, pointing at its suppliers unless the rule says otherwise."""
    mount = root.crate.d.mounts[absence.mount]
    if absence.kind in DISAGREEMENTS:
        where = location(analysis, mount.file, absence.start, absence.end)
    else:
        where = _segment_location(analysis, mount.file, absence)
    items = say.items if say.items is not None else gated_items(analysis, root, absence.suppliers)
    return build(
        root,
        rule,
        name,
        where,
        path="::".join(absence.path),
        scope=scope_name(root, absence.scope),
        context=absence.context,
        resolved=None if absence.kind in LACKING else absence.resolved,
        failing=absence.failing,
        say=Words(say.message, items, say.notes, say.helps),
        is_foreign_platform=absence.is_foreign_platform,
        worlds=worlds_of(analysis, root, absence),
    )


def _segment_location(analysis: Analysis, file: str, absence: Absence) -> Location:
    """The absent segment within the path, as rustc points at it."""
    text = analysis.source(file)[absence.start : absence.end]
    name = absence.path[absence.segment].encode()
    at = -1
    position = 0
    for segment in absence.path[: absence.segment + 1]:
        at = text.find(segment.encode(), position) if segment else position
        if at == -1:
            break
        position = at + len(segment)
    if at == -1 or not name:
        return location(analysis, file, absence.start, absence.end)
    return location(analysis, file, absence.start + at, absence.start + at + len(name))


def gated_items(analysis: Analysis, root: Root, suppliers: Iterable[Supplier]) -> tuple[GatedItem, ...]:
    """The first few suppliers as a report shows them."""
    placed = sorted(
        {
            (analysis.display_path(s.file), analysis.position(s.file, s.start)[0], s.kind, s.name): s for s in suppliers
        }.items()
    )
    return tuple(
        _gated_item(analysis, root, file, line, kind, name, supplier)
        for (file, line, kind, name), supplier in placed[:MAX_ITEMS]
    )


def _gated_item(
    analysis: Analysis, root: Root, file: str, line: int, kind: str, name: str, supplier: Supplier
) -> GatedItem:
    """A declaration with its gate; one of another package in the words of that package."""
    package = owner_package(analysis, root, supplier)
    if package is None:
        return GatedItem(file, line, kind, name, _show_known(supplier.condition, root))
    return GatedItem(file, line, kind, name, show_in(analysis, package, certainly(supplier.own)), package.name)


def dependency_items(analysis: Analysis, root: Root, key: str) -> tuple[GatedItem, ...]:
    """The manifest entries of a dependency."""
    items = []
    condition = root.model.dependency_condition(key)
    for dependency in root.package.dependencies:
        if dependency.key == key:
            line = line_of(root.package.document, *dependency.where) or 1
            items.append(
                GatedItem(
                    analysis.display_path(str(root.package.manifest)),
                    line,
                    f"{'optional ' if dependency.optional else ''}{dependency.kind.value if dependency.kind.value != 'normal' else ''}dependency".replace(
                        "devdep", "dev-dep"
                    ).replace("builddep", "build-dep"),
                    key,
                    show(condition, root),
                )
            )
    return tuple(items)


def listed(absence: Absence) -> str:
    """The names of what is declared elsewhere: "`a`, `b` and `c`"."""
    names = [f"`{name}`" for name in sorted({supplier.name for supplier in absence.suppliers})]
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def container(absence: Absence) -> str:
    """What the absent segment was looked up in, as rustc names it."""
    if absence.segment == 0:
        return "this scope"
    before = absence.path[: absence.segment]
    if before in (("crate",), ("$crate",)):
        return "the crate root"
    return f"`{'::'.join(before)}`"

"""CFG010 overlapping-definitions: two declarations of one name in one scope that some configuration compiles both.

E0428 for items, E0252 for imports, E0255 for one of each. Macros may be defined again, globs clash only on use, and an
import whose target is not read has unknown namespaces: none of these is reported.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import NamedTuple

from cfglint.condition.diagram import FALSE, Condition
from cfglint.finding import Finding, GatedItem
from cfglint.graph.evidence import Words, build, location, scope_name, show, words
from cfglint.items.model import Import, Item, Member, ModuleFile
from cfglint.manifest.solver import GaveUpError, satisfiable
from cfglint.nameres.analysis import Analysis, Root
from cfglint.nameres.crate import certainly
from cfglint.nameres.model import DefKind, Entry, EntryKind, Namespace, ScopeData
from cfglint.nameres.scope import NAMING, entry_hits

_SPACES = (Namespace.TYPE, Namespace.VALUE)


class _Clash(NamedTuple):
    """A later declaration, at `span` in the file of `scope`, and the mount, offset and gate of the earlier one."""

    scope: int
    name: str
    span: tuple[int, int]
    context: Condition
    other: tuple[int, int, int]
    kind: str
    failing: Condition


def overlapping_definitions(analysis: Analysis) -> Iterator[Finding]:
    """One finding for each later declaration that overlaps an earlier one, also where its file is mounted twice."""
    for root in analysis.roots:
        found: dict[tuple[str, str, tuple[int, int]], _Clash] = {}
        for clash in _all_clashes(root):
            file = root.crate.d.mounts[root.crate.d.scopes[clash.scope].mount].file
            key = (file, clash.name, clash.span)
            found[key] = _joined(found[key], clash) if key in found else clash
        for clash in found.values():
            finding = _finding(analysis, root, clash)
            if finding is not None:
                yield finding


def _joined(one: _Clash, other: _Clash) -> _Clash:
    return one._replace(context=one.context | other.context, failing=one.failing | other.failing)


def _all_clashes(root: Root) -> Iterator[_Clash]:
    for scope, data in enumerate(root.crate.d.scopes):
        if data.kind not in NAMING:
            continue
        for name, entries in data.names.items():
            if len(entries) > 1 and name != "_":
                yield from _clashes(root, scope, data, name, entries)
    yield from _exported_macro_clashes(root)
    for mount, file in enumerate(root.crate.d.mounts):
        for item in file.tree.items:
            if len(item.members) > 1 and item.kind == "enum":
                yield from _variant_clashes(root, mount, item)


def _clashes(root: Root, scope: int, data: ScopeData, name: str, entries: list[Entry]) -> Iterator[_Clash]:
    ordered = sorted(entries, key=lambda e: _span(root, data, e))
    here = root.crate.module_condition(data.module) & root.crate.context(data.mount, data.gate)
    for position, second in enumerate(ordered):
        failing = FALSE
        overlapped: Entry | None = None
        for first in ordered[:position]:
            both = FALSE
            for namespace in _SPACES:
                both |= _where(root, scope, first, namespace) & _where(root, scope, second, namespace)
            both = certainly(root.crate.final(both & here))
            if both is not FALSE and _satisfiable(both, root):
                failing |= both
                overlapped = overlapped or first
        if overlapped is None:
            continue
        kind = "import" if overlapped.kind is EntryKind.IMPORT else "definition"
        context = root.crate.context(data.mount, _row(root, data, second).gate)
        other = _row(root, data, overlapped)
        place = (data.mount, other.start, other.gate)
        yield _Clash(scope, name, _span(root, data, second), context, place, kind, failing)


def _satisfiable(condition: Condition, root: Root) -> bool:
    try:
        return satisfiable(condition, root.space)
    except GaveUpError:
        return False


def _where(root: Root, scope: int, entry: Entry, namespace: Namespace) -> Condition:
    """Where a declaration certainly takes the name in a namespace."""
    result = FALSE
    data = root.crate.d.scopes[scope]
    if entry.kind is EntryKind.IMPORT:
        imported = root.crate.d.mounts[data.mount].tree.imports[entry.index]
        if imported.is_crate:
            return root.crate.gate(data.mount, imported.gate, data.gate) if namespace is Namespace.TYPE else FALSE
    for target, condition, _ in entry_hits(root.crate, scope, entry, namespace):
        if target.kind in (DefKind.EXTERNAL, DefKind.OPAQUE, DefKind.ERROR, DefKind.BUILTIN):
            continue
        result |= condition
    return result


def _row(root: Root, data: ScopeData, entry: Entry) -> Item | ModuleFile | Import:
    tree = root.crate.d.mounts[data.mount].tree
    if entry.kind is EntryKind.ITEM:
        return tree.items[entry.index]
    return tree.modules[entry.index] if entry.kind is EntryKind.MODULE_FILE else tree.imports[entry.index]


def _span(root: Root, data: ScopeData, entry: Entry) -> tuple[int, int]:
    row = _row(root, data, entry)
    return row.start, row.end


def _exported_macro_clashes(root: Root) -> Iterator[_Clash]:
    """`#[macro_export]`ed macros of one name: they all stand in the crate root (E0428)."""
    crate = root.crate
    for name, places in crate.d.exported.items():
        for (first_mount, first), (mount, second) in itertools.combinations(places, 2):
            one, two = crate.d.mounts[first_mount].tree.macros[first], crate.d.mounts[mount].tree.macros[second]
            here = crate.context(mount, two.gate) & crate.lower(mount, two.exported)
            context = crate.final(here)
            there = crate.context(first_mount, one.gate) & crate.lower(first_mount, one.exported)
            failing = certainly(context & crate.final(there))
            scope = crate.d.mounts[mount].first_scope + two.scope
            if failing is not FALSE:
                span = (two.start, two.end)
                yield _Clash(scope, name, span, context, (first_mount, one.start, one.gate), "macro", failing)


def _variant_clashes(root: Root, mount: int, item: Item) -> Iterator[_Clash]:
    """Variants of one name that are compiled together."""
    by_name: dict[str, list[Member]] = {}
    for member in item.members:
        by_name.setdefault(member.name, []).append(member)
    scope = root.crate.d.mounts[mount].first_scope + item.scope
    for name, members in by_name.items():
        for first, second in itertools.combinations(members, 2):
            context = root.crate.context(mount, second.gate)
            failing = certainly(root.crate.final(context & root.crate.context(mount, first.gate)))
            span = (second.start, second.start + len(name.encode()))
            yield _Clash(scope, name, span, context, (mount, first.start, first.gate), "variant", failing)


def _finding(analysis: Analysis, root: Root, clash: _Clash) -> Finding | None:
    file = root.crate.d.mounts[root.crate.d.scopes[clash.scope].mount].file
    other_mount, start, gate = clash.other
    other_file = root.crate.d.mounts[other_mount].file
    line, _ = analysis.position(other_file, start)
    where = show(root.crate.context(other_mount, gate), root)
    return build(
        root,
        "CFG010",
        "overlapping-definitions",
        location(analysis, file, *clash.span),
        path=clash.name,
        scope=scope_name(root, clash.scope),
        context=clash.context,
        resolved=None,
        failing=clash.failing,
        say=Words(
            f"the name `{clash.name}` is defined multiple times when {words(clash.failing, root)}",
            (GatedItem(analysis.display_path(other_file), line, clash.kind, clash.name, where),),
            (),
            ("make the gates exclude each other",),
        ),
    )

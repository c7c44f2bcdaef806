"""CFG010 overlapping-definitions: two declarations of one name in one scope that some configuration compiles both.

E0428 for items, E0252 for imports, E0255 for one of each. Macros may be defined again, globs clash only on use, and an
import whose target is not read has unknown namespaces: none of these is reported.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator

from cfglint.condition.diagram import FALSE, Condition
from cfglint.finding import Finding, GatedItem
from cfglint.graph.evidence import Words, build, location, scope_name, show, words
from cfglint.manifest.solver import GaveUpError, satisfiable
from cfglint.nameres.analysis import Analysis, Root
from cfglint.nameres.crate import certainly
from cfglint.nameres.model import DefKind, Entry, EntryKind, Namespace, ScopeData
from cfglint.nameres.scope import NAMING, entry_hits

_SPACES = (Namespace.TYPE, Namespace.VALUE)


def overlapping_definitions(analysis: Analysis) -> Iterator[Finding]:
    """One finding for each later declaration that overlaps an earlier one."""
    for root in analysis.roots:
        for scope, data in enumerate(root.crate.d.scopes):
            if data.kind not in NAMING:
                continue
            for name, entries in data.names.items():
                if len(entries) > 1 and name != "_":
                    yield from _clashes(analysis, root, scope, data, name, entries)


def _clashes(
    analysis: Analysis, root: Root, scope: int, data: ScopeData, name: str, entries: list[Entry]
) -> Iterator[Finding]:
    ordered = sorted(entries, key=lambda e: _span(root, data, e))
    reported: set[Entry] = set()
    for first, second in itertools.combinations(ordered, 2):
        if second in reported:
            continue
        failing = FALSE
        for namespace in _SPACES:
            failing |= _where(root, scope, first, namespace) & _where(root, scope, second, namespace)
        if failing is FALSE:
            continue
        failing = certainly(failing & root.crate.module_condition(data.module) & root.crate.context(data.mount, data.gate))
        try:
            if not satisfiable(failing, root.space):
                continue
        except GaveUpError:
            continue
        reported.add(second)
        finding = _finding(analysis, root, scope, data, name, first, second, failing)
        if finding is not None:
            yield finding


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


def _span(root: Root, data: ScopeData, entry: Entry) -> tuple[int, int]:
    tree = root.crate.d.mounts[data.mount].tree
    row = (tree.items, tree.modules, tree.imports)[entry.kind][entry.index]
    return row.start, row.end


def _gate(root: Root, data: ScopeData, entry: Entry) -> Condition:
    tree = root.crate.d.mounts[data.mount].tree
    row = (tree.items, tree.modules, tree.imports)[entry.kind][entry.index]
    return root.crate.context(data.mount, row.gate)


def _finding(
    analysis: Analysis, root: Root, scope: int, data: ScopeData, name: str, first: Entry, second: Entry, failing: Condition
) -> Finding | None:
    file = root.crate.d.mounts[data.mount].file
    start, end = _span(root, data, second)
    line, _ = analysis.position(file, _span(root, data, first)[0])
    kind = "import" if first.kind is EntryKind.IMPORT else "definition"
    context = _gate(root, data, second)
    other = GatedItem(analysis.display_path(file), line, kind, name, show(_gate(root, data, first), root))
    return build(
        analysis,
        root,
        "CFG010",
        "overlapping-definitions",
        location(analysis, file, start, end),
        path=name,
        scope=scope_name(root, scope),
        context=context,
        resolved=None,
        failing=failing,
        say=Words(
            f"the name `{name}` is defined multiple times when {words(failing, root)}",
            (other,),
            (),
            ("make the gates exclude each other",),
        ),
    )

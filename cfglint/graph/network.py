"""The item and call graph of crate roots, with the condition of every node and every edge (a networkx graph).

Nodes are crates, modules, items, members and macros. Edges are `contains` (a module and what it declares), `imports` (a
module and what its `use` brings) and `uses` (an item and what its code names). Conditions are in the words of the
package of the node, or of the source of the edge. It draws nothing.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from cfglint.condition.diagram import FALSE, TRUE, Condition, disjunction
from cfglint.graph.evidence import show
from cfglint.manifest.solver import GaveUpError, satisfiable
from cfglint.nameres.absence import meaning_of
from cfglint.nameres.analysis import Analysis, Root
from cfglint.nameres.causes import supplier_of
from cfglint.nameres.crate import Crate, certainly, opaque_atoms
from cfglint.nameres.imports import SPACES, glob_target, import_target
from cfglint.nameres.model import Def, DefKind, EntryKind, Hit
from cfglint.syntax.extents import Extent, innermost, named_extents

if TYPE_CHECKING:
    import networkx as nx

_READ = frozenset({DefKind.MODULE, DefKind.ITEM, DefKind.MEMBER, DefKind.MACRO})


@dataclass(slots=True)
class _Link:
    """An edge under construction."""

    condition: Condition
    count: int
    file: str
    start: int
    missing: Condition = FALSE


@dataclass(slots=True)
class _Builder:
    """One graph under construction. Nodes by definition, edges by their ends and kind."""

    analysis: Analysis
    nodes: dict[Def, tuple[Root | None, Condition]] = field(default_factory=dict)
    links: dict[tuple[Def, Def, str], _Link] = field(default_factory=dict)
    homes: dict[tuple[int, int], Root] = field(default_factory=dict)

    def link(self, source: Def, target: Def, kind: str, link: _Link) -> None:
        """Add an edge, or a further reason for one."""
        if source == target or link.condition is FALSE:
            return
        key = (source, target, kind)
        known = self.links.get(key)
        if known is None:
            self.links[key] = link
        else:
            known.condition |= link.condition
            known.missing |= link.missing
            known.count += link.count


def network(analysis: Analysis, roots: Iterable[Root], given: Condition = TRUE) -> nx.MultiDiGraph[str]:
    """The graph of these crate roots.

    Nodes have `label`, `kind`, `package`, `file`, `line`, `when`; edges `kind`, `when`, `fails_when` (where the code is
    there and what it names is not), `count`, `file`, `line`. With a condition `given`, both have `state`: `kept` where it
    implies their condition, `cut` where it excludes it, else `open`; an edge that fails under it is `broken`.
    """
    import networkx as nx

    builder = _Builder(analysis)
    listed = list(roots)
    for root in listed:
        _declarations(builder, root)
    for root in listed:
        _imports(builder, root)
        _references(builder, root)
    by_crate = {root.crate.d.crate: root for root in listed}
    graph: nx.MultiDiGraph[str] = nx.MultiDiGraph()
    ids = _identities(builder)
    for target, (home, condition) in builder.nodes.items():
        graph.add_node(ids[target], **_node(analysis, target, home, condition, given))
    for (source, target, kind), link in builder.links.items():
        edge = _edge(analysis, by_crate[source.crate], kind, link, given)
        graph.add_edge(ids[source], ids[target], key=kind, **edge)
    return graph


def neighbourhood(graph: nx.MultiDiGraph[str], node: str, depth: int) -> nx.MultiDiGraph[str]:
    """The part of the graph within `depth` edges of a node, those that contain it left aside but for its own module."""
    import networkx as nx

    plain: nx.MultiDiGraph[str] = nx.MultiDiGraph()
    plain.add_nodes_from(graph)
    plain.add_edges_from((a, b) for a, b, kind in graph.edges(keys=True) if kind != "contains")
    near = set(nx.ego_graph(plain, node, radius=depth, undirected=True))
    near |= {source for source, _, kind in graph.in_edges(node, keys=True) if kind == "contains"}
    if graph.nodes[node]["kind"] in ("module", "crate"):
        near |= {target for _, target, kind in graph.out_edges(node, keys=True) if kind == "contains"}
    return nx.MultiDiGraph(graph.subgraph(near))


def matching(graph: nx.MultiDiGraph[str], name: str) -> list[str]:
    """The nodes that a name means: its whole path, the path in a crate, or the end of one."""
    wanted = name.removesuffix("()")
    exact = [node for node in graph if graph.nodes[node]["label"] == wanted]
    if exact:
        return sorted(exact)
    inner = wanted.removeprefix("crate::")
    ends = [node for node in graph if graph.nodes[node]["label"].partition("::")[2] == inner]
    return sorted(ends or [node for node in graph if f"::{graph.nodes[node]['label']}".endswith(f"::{inner}")])


# Nodes


def _declarations(builder: _Builder, root: Root) -> None:
    c = root.crate
    for number, module in enumerate(c.d.modules):
        target = Def(DefKind.MODULE, c.d.crate, number, -1, module.name)
        builder.nodes[target] = root, c.module_condition(number)
        if module.parent >= 0:
            parent = _module(c, module.parent)
            link = _Link(c.final(c.module_condition(number)), 1, *_declared_at(c, number))
            builder.link(parent, target, "contains", link)
    for mount, data in enumerate(c.d.mounts):
        for index, item in enumerate(data.tree.items):
            if item.kind == "module":
                continue
            target = Def(DefKind.ITEM, c.d.crate, mount, index, item.name)
            condition = c.context(mount, item.gate)
            builder.nodes[target] = root, condition
            home = _module(c, c.d.scopes[data.first_scope + item.scope].module)
            builder.link(home, target, "contains", _Link(c.final(condition), 1, data.file, item.start))
        for index, macro in enumerate(data.tree.macros):
            target = Def(DefKind.MACRO, c.d.crate, mount, index, macro.name)
            condition = c.context(mount, macro.gate)
            builder.nodes[target] = root, condition
            home = _module(c, c.d.scopes[data.first_scope + macro.scope].module)
            builder.link(home, target, "contains", _Link(c.final(condition), 1, data.file, macro.start))


def _imports(builder: _Builder, root: Root) -> None:
    c = root.crate
    for data in c.d.mounts:
        for index, imported in enumerate(data.tree.imports):
            scope = data.first_scope + imported.scope
            source = _module(c, c.d.scopes[scope].module)
            gate = c.context(c.d.scopes[scope].mount, imported.gate)
            hits = (
                glob_target(c, scope, index).hits
                if imported.is_glob
                else tuple(h for n in SPACES for h in import_target(c, scope, index, n).hits)
            )
            missing = _missing(c, root, gate, hits)
            for hit in hits if not imported.is_crate else ():
                link = _Link(c.final(gate & hit.condition), 1, data.file, imported.start, missing)
                _to(builder, c, source, hit.target, "imports", link)


def _references(builder: _Builder, root: Root) -> None:
    c = root.crate
    for mount, data in enumerate(c.d.mounts):
        owners = _Owners(c, mount, builder.analysis.source(data.file))
        for reference in data.tree.references:
            found = meaning_of(c, mount, reference)
            hits = [hit for hit in found.hits if hit.target.kind in _READ]
            if not hits:
                continue
            context = c.context(mount, reference.gate)
            missing = FALSE if reference.locals else _missing(c, root, context, found.hits)
            for start, _ in reference.spans:
                source = owners.of(start)
                for hit in hits:
                    link = _Link(c.final(context & hit.condition), 1, data.file, start, missing)
                    _to(builder, c, source, hit.target, "uses", link)


def _missing(c: Crate, root: Root, context: Condition, hits: Iterable[Hit]) -> Condition:
    """Where code names something that is certainly not there."""
    absent = certainly(c.final(context) & ~c.final(disjunction(hit.condition for hit in hits)))
    try:
        return absent if absent is not FALSE and satisfiable(absent, root.space) else FALSE
    except GaveUpError:
        return FALSE


def _to(builder: _Builder, c: Crate, source: Def, target: Def, kind: str, link: _Link) -> None:
    """An edge to a definition, which becomes a node where it lies in a crate that is read but not in the graph."""
    if target.kind not in _READ:
        return
    if target not in builder.nodes:
        supplier = supplier_of(c, target)
        builder.nodes[target] = None, FALSE if supplier is None else supplier.condition
    builder.link(source, target, kind, link)


class _Owners:
    """Which item of a mounted file the code at an offset belongs to."""

    def __init__(self, c: Crate, mount: int, source: bytes) -> None:
        self._extents: list[Extent] = named_extents(source)
        data = c.d.mounts[mount]
        self._named: dict[int, Def] = {}
        for index, item in enumerate(data.tree.items):
            if item.kind == "module":
                for _, module in c.d.children.get((mount, EntryKind.ITEM, index), ()):
                    self._named[item.start] = _module(c, module)
                continue
            self._named[item.start] = Def(DefKind.ITEM, c.d.crate, mount, index, item.name)
            for part in item.members:
                self._named.setdefault(part.start, Def(DefKind.MEMBER, c.d.crate, mount, index, part.name))
        for index, macro in enumerate(data.tree.macros):
            self._named[macro.start] = Def(DefKind.MACRO, c.d.crate, mount, index, macro.name)
        for index, block in enumerate(data.tree.impls):
            for part in block.members:
                self._named[part.start] = Def(DefKind.MEMBER, c.d.crate, mount, -1 - index, part.name)
        self._file = _module(c, data.module)

    def of(self, offset: int) -> Def:
        """The innermost named item around an offset, else the module of the file."""
        for extent in innermost(self._extents, offset):
            known = self._named.get(extent.name_start)
            if known is not None:
                return known
        return self._file


def _module(c: Crate, module: int) -> Def:
    return Def(DefKind.MODULE, c.d.crate, module, -1, c.d.modules[module].name)


def _declared_at(c: Crate, module: int) -> tuple[str, int]:
    declared = c.d.modules[module].declaration
    if declared is None:
        return c.d.mounts[c.d.modules[module].mount].file, 0
    data = c.d.mounts[declared.mount]
    if declared.kind is EntryKind.ITEM:
        return data.file, data.tree.items[declared.index].start
    return data.file, data.tree.modules[declared.index].start


# Attributes


def _identities(builder: _Builder) -> dict[Def, str]:
    """A name for each node: its label, with a number where several definitions share it."""
    for source, target, _ in list(builder.links):
        for end in (source, target):
            if end not in builder.nodes:
                c = builder.analysis.program.crates[end.crate]
                supplier = supplier_of(c, end)
                builder.nodes[end] = None, FALSE if supplier is None else supplier.condition
    taken: dict[str, int] = {}
    names: dict[Def, str] = {}
    for target in sorted(builder.nodes):
        label = label_of(builder.analysis, target)
        taken[label] = taken.get(label, 0) + 1
        names[target] = label if taken[label] == 1 else f"{label}#{taken[label]}"
    return names


def label_of(analysis: Analysis, target: Def) -> str:
    """The path of a definition with the name of its crate in front."""
    c = analysis.program.crates[target.crate]
    if target.kind is DefKind.MODULE:
        return "::".join([c.config.name, *c.d.path_of(target.at).split("::")[1:]])
    data = c.d.mounts[target.at]
    if target.kind is DefKind.ITEM:
        scope = data.tree.items[target.index].scope
    elif target.kind is DefKind.MACRO:
        return f"{_path(c, target.at, data.tree.macros[target.index].scope)}::{target.name}!"
    elif target.index < 0:
        block = data.tree.impls[-1 - target.index]
        owner = "::".join(block.type_path or ("_",)).rpartition("::")[2]
        return f"{_path(c, target.at, block.scope)}::{owner}::{target.name}"
    else:
        item = data.tree.items[target.index]
        return f"{_path(c, target.at, item.scope)}::{item.name}::{target.name}"
    return f"{_path(c, target.at, scope)}::{target.name}"


def _path(c: Crate, mount: int, scope: int) -> str:
    module = c.d.scopes[c.d.mounts[mount].first_scope + scope].module
    return "::".join([c.config.name, *c.d.path_of(module).split("::")[1:]])


def _node(
    analysis: Analysis, target: Def, root: Root | None, condition: Condition, given: Condition
) -> dict[str, object]:
    c = analysis.program.crates[target.crate]
    linked = analysis.linked
    assert linked is not None, "made by analyze"
    supplier = supplier_of(c, target)
    file, start = (supplier.file, supplier.start) if supplier is not None else (c.d.mounts[0].file, 0)
    kind = (
        "crate"
        if target.kind is DefKind.MODULE and target.at == 0
        else supplier.kind
        if supplier is not None
        else "item"
    )
    line, _ = analysis.position(file, max(start, 0))
    return {
        "label": label_of(analysis, target),
        "kind": kind,
        "package": linked.owners[target.crate].name,
        "file": analysis.display_path(file),
        "line": line,
        **_conditions(root, condition if root is None else root.crate.final(condition), given),
    }


def _edge(analysis: Analysis, root: Root, kind: str, link: _Link, given: Condition) -> dict[str, object]:
    line, _ = analysis.position(link.file, link.start)
    found = {
        "kind": kind,
        "count": link.count,
        "file": analysis.display_path(link.file),
        "line": line,
        **_conditions(root, link.condition, given),
        "fails_when": "" if link.missing is FALSE else show(link.missing, root),
    }
    if given is not TRUE and link.missing is not FALSE and _state(root, link.missing, given) != "cut":
        found["state"] = "broken"
    return found


def _conditions(root: Root | None, condition: Condition, given: Condition) -> dict[str, object]:
    if root is None:
        return {"when": "", "certain": True, **({} if given is TRUE else {"state": "open"})}
    known = certainly(condition) if opaque_atoms(condition) else condition
    found: dict[str, object] = {"when": show(known, root), "certain": known is condition}
    if given is not TRUE:
        found["state"] = _state(root, condition, given)
    return found


def _state(root: Root, condition: Condition, given: Condition) -> str:
    try:
        if not satisfiable(given & condition, root.space):
            return "cut"
        return "open" if satisfiable(given & ~condition, root.space) else "kept"
    except GaveUpError:
        return "open"

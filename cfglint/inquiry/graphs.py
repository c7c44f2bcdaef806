"""The item and call graph of a workspace, or what is around one item."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cfglint import pipeline
from cfglint.condition.diagram import TRUE
from cfglint.config import Config, did_you_mean
from cfglint.crate_roots import root_of
from cfglint.errors import UsageError
from cfglint.graph.network import matching, neighbourhood, network
from cfglint.graph.parsed import condition_of, invalid_part
from cfglint.manifest.targets import TargetKind
from cfglint.nameres.analysis import Root

if TYPE_CHECKING:
    import networkx as nx

_PLAIN = frozenset({TargetKind.LIB, TargetKind.BIN})


def graph_of(
    config: Config, item: str | None, *, when: str | None, depth: int, all_targets: bool
) -> tuple[nx.MultiDiGraph[str], str | None]:
    """The graph, and the node that `item` means.

    Raises UsageError where `when` is no predicate, or `item` names nothing, or several things.
    """
    given = TRUE
    if when is not None:
        wrong = invalid_part(when)
        if wrong is not None:
            raise UsageError(f"`{wrong}` is not a cfg predicate; write it as in #[cfg(..)]")
        given = condition_of(when)
    analysis = pipeline.analyze(config)
    roots: list[Root] = []
    for package, target in analysis.tasks:
        if all_targets or target.kind in _PLAIN:
            root = root_of(analysis, package, target)
            if root is not None:
                roots.append(root)
    graph = network(analysis, roots, given)
    if item is None:
        return graph, None
    found = matching(graph, item)
    if not found:
        known = sorted({graph.nodes[node]["label"] for node in graph})
        raise UsageError(f"nothing here is called `{item}`{did_you_mean(item, known)}")
    if len({graph.nodes[node]["label"] for node in found}) > 1:
        shown = ", ".join(f"`{graph.nodes[node]['label']}`" for node in found[:6])
        more = f" and {len(found) - 6} more" if len(found) > 6 else ""
        raise UsageError(f"`{item}` may be {shown}{more}; give more of the path")
    import networkx as nx

    parts = [neighbourhood(graph, node, depth) for node in found]
    return nx.compose_all(parts), found[0]

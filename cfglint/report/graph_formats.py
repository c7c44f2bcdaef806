"""The graph as DOT, GraphML and JSON. What a node or an edge is, the graph says; here it is only written down.

Everything is sorted, so that the same sources give the same bytes.
"""

from __future__ import annotations

import io
import json
from typing import TYPE_CHECKING, Any

from cfglint import __version__
from cfglint.report.json import SCHEMA_VERSION
from cfglint.report.terminal import printable

if TYPE_CHECKING:
    import networkx as nx

_SHAPES = {"crate": "box3d", "module": "folder", "macro": "hexagon", "trait": "diamond", "function": "ellipse"}
_COLORS = {"kept": "#1a7f37", "cut": "#8c959f", "open": "#9a6700", "broken": "#cf222e"}
_LINES = {"contains": "dotted", "imports": "dashed", "uses": "solid"}


def sorted_graph(graph: nx.MultiDiGraph[str]) -> nx.MultiDiGraph[str]:
    """The same graph with nodes and edges in a stable order."""
    import networkx as nx

    ordered: nx.MultiDiGraph[str] = nx.MultiDiGraph()
    for node in sorted(graph):
        ordered.add_node(node, **graph.nodes[node])
    for source, target, key in sorted(graph.edges(keys=True)):
        ordered.add_edge(source, target, key=key, **graph.edges[source, target, key])
    return ordered


def graph_dot(graph: nx.MultiDiGraph[str]) -> str:
    """Graphviz's language."""
    lines = ["digraph cfglint {", "  rankdir=LR;", '  node [fontname="monospace", shape=box];']
    for node in sorted(graph):
        values = graph.nodes[node]
        label = values["label"] + _gate(values["when"])
        attributes = {"label": label, "shape": _SHAPES.get(values["kind"], "box"), **_painted(values)}
        attributes["tooltip"] = f"{values['kind']} {values['file']}:{values['line']}"
        lines.append(f"  {_quoted(node)} [{_attributes(attributes)}];")
    for source, target, key in sorted(graph.edges(keys=True)):
        values = graph.edges[source, target, key]
        label = "" if key == "contains" else _gate(values["when"]).lstrip("\n")
        if values["fails_when"]:
            label += f"\nfails when cfg({values['fails_when']})"
        attributes = {"label": label, "style": _LINES[key], **_painted(values)}
        attributes["tooltip"] = f"{key} {values['file']}:{values['line']}"
        lines.append(f"  {_quoted(source)} -> {_quoted(target)} [{_attributes(attributes)}];")
    return "\n".join([*lines, "}", ""])


def graph_graphml(graph: nx.MultiDiGraph[str]) -> str:
    """GraphML, written by networkx."""
    import networkx as nx

    clean: nx.MultiDiGraph[str] = nx.MultiDiGraph()
    for node, values in sorted_graph(graph).nodes(data=True):
        clean.add_node(printable(node), **_printable(values))
    for source, target, key, values in sorted_graph(graph).edges(keys=True, data=True):
        clean.add_edge(printable(source), printable(target), key=key, **_printable(values))
    out = io.BytesIO()
    nx.write_graphml_xml(clean, out, encoding="utf-8", prettyprint=True)
    return out.getvalue().decode("utf-8").rstrip("\n") + "\n"


def graph_json(graph: nx.MultiDiGraph[str]) -> str:
    """One object: nodes and edges with all that is known of them."""
    value = {
        "schema_version": SCHEMA_VERSION,
        "tool": {"name": "cargo-cfglint", "version": __version__},
        "nodes": [{"id": node, **graph.nodes[node]} for node in sorted(graph)],
        "edges": [
            {"source": source, "target": target, **graph.edges[source, target, key]}
            for source, target, key in sorted(graph.edges(keys=True))
        ],
    }
    return json.dumps(value, indent=2) + "\n"


def _printable(values: dict[str, Any]) -> dict[str, Any]:
    return {name: printable(value) if isinstance(value, str) else value for name, value in values.items()}


def _gate(when: str) -> str:
    return "" if when in ("", "true") else f"\ncfg({when})"


def _painted(values: dict[str, Any]) -> dict[str, str]:
    state = values.get("state")
    return {} if state is None else {"color": _COLORS[state], "fontcolor": _COLORS[state]}


def _attributes(attributes: dict[str, str]) -> str:
    return ", ".join(f"{name}={_quoted(value)}" for name, value in attributes.items() if value)


def _quoted(text: str) -> str:
    """A string of DOT: only the quote is escaped in it, and backslashes so that none is taken for an escape."""
    shown = "\n".join(printable(line) for line in text.split("\n"))
    return '"' + shown.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'

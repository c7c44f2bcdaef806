"""The graph as a picture: layers from what uses to what is used, few crossings, a condition in every box.

For graphs of a size that can be looked at. Layers are those of the acyclic graph of strongly connected parts; the order
within a layer comes from a few rounds of barycentres.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from cfglint.report import svg

if TYPE_CHECKING:
    import networkx as nx

MOST_NODES = 150
_ROUNDS = 6
_ACROSS = 90
_DOWN = 18
_MARGIN = 16
_STATES = {"kept": "k", "cut": "c", "open": "b"}


def graph_svg(graph: nx.MultiDiGraph[str], title: str) -> str:
    """The picture."""
    layers = _ordered(graph, _layers(graph))
    texts = {node: _lines(graph.nodes[node]) for node in graph}
    sizes = {node: svg.size_of(texts[node]) for node in graph}
    places: dict[str, tuple[float, float]] = {}
    left = float(_MARGIN)
    deep = 0.0
    heights = [sum(sizes[node][1] + _DOWN for node in layer) - _DOWN for layer in layers]
    tallest = max(heights, default=0)
    for layer, height in zip(layers, heights, strict=True):
        top = _MARGIN + 2 * svg.LINE + (tallest - height) / 2
        for node in layer:
            places[node] = (left, top)
            top += sizes[node][1] + _DOWN
        deep = max(deep, top)
        left += max(sizes[node][0] for node in layer) + _ACROSS
    body = [svg.text((_MARGIN, _MARGIN + 12), title, "t", most=svg.MOST_IN_TITLES)]
    body += [_arrow(graph, edge, places, sizes) for edge in sorted(graph.edges(keys=True))]
    body += [
        svg.box(places[node], sizes[node], _STATES.get(graph.nodes[node].get("state", ""), "b"), texts[node])
        for node in sorted(graph)
    ]
    titled = svg.CHARACTER * len(svg.shortened(title, most=svg.MOST_IN_TITLES)) + _MARGIN
    return svg.document(body, (max(left - _ACROSS, titled) + _MARGIN, deep + _MARGIN), title)


def _arrow(
    graph: nx.MultiDiGraph[str],
    edge: tuple[str, str, str],
    places: dict[str, tuple[float, float]],
    sizes: dict[str, tuple[float, float]],
) -> str:
    source, target, key = edge
    values = graph.edges[edge]
    (x1, y1), (x2, y2) = places[source], places[target]
    forward = x1 < x2
    start = (x1 + (sizes[source][0] if forward else 0), y1 + sizes[source][1] / 2)
    end = (x2 - 1 if forward or x1 == x2 else x2 + sizes[target][0] + 1, y2 + sizes[target][1] / 2)
    state = values.get("state", "broken" if values["fails_when"] else "")
    shape = svg.arrow([start, end], f"a {key} {state}".rstrip())
    # What the boxes at its ends say need not be said again.
    if key == "contains" or values["when"] in ("", *(graph.nodes[node]["when"] for node in (source, target))):
        return shape
    middle = ((start[0] + end[0]) / 2 - 20, (start[1] + end[1]) / 2 - 3)
    return shape + svg.text(middle, values["when"], "g")


def _lines(values: dict[str, object]) -> list[tuple[str, str]]:
    lines = [(f"{values['kind']} {values['label']}", "t")]
    if values["when"] not in ("", "true"):
        lines.append((f"cfg({values['when']})", "g"))
    lines.append((f"{values['file']}:{values['line']}", "p"))
    return lines


def _layers(graph: nx.MultiDiGraph[str]) -> list[list[str]]:
    """Nodes by the longest way from a source, those of a cycle together."""
    import networkx as nx

    condensed = nx.condensation(nx.DiGraph(graph))
    level: dict[int, int] = {}
    for part in nx.topological_sort(condensed):
        level[part] = max((level[before] + 1 for before in condensed.predecessors(part)), default=0)
    layers: dict[int, list[str]] = {}
    for part, at in level.items():
        layers.setdefault(at, []).extend(sorted(condensed.nodes[part]["members"]))
    return [sorted(layers[at]) for at in sorted(layers)]


def _ordered(graph: nx.MultiDiGraph[str], layers: list[list[str]]) -> list[list[str]]:
    """The layers with each node near the middle of its neighbours."""
    position = {node: float(place) for layer in layers for place, node in enumerate(layer)}
    for number in range(_ROUNDS):
        for layer in layers if number % 2 == 0 else layers[::-1]:
            wanted = {node: _middle(graph, node, position) for node in layer}
            layer.sort(key=lambda node: (wanted[node], node))
            position.update((node, float(place)) for place, node in enumerate(layer))
    return layers


def _middle(graph: nx.MultiDiGraph[str], node: str, position: dict[str, float]) -> float:
    near: Sequence[str] = [*graph.predecessors(node), *graph.successors(node)]
    return sum(position[other] for other in near) / len(near) if near else position[node]

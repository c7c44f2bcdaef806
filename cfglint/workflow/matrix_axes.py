"""The combinations of a GitHub `strategy.matrix`: the product of its axes, `exclude` taken out, `include` put in.

Source: GitHub docs, "Running variations of jobs in a workflow": an include entry extends every combination whose original
values it does not change, and is a combination of its own where it extends none.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

from cfglint.workflow import yaml_nodes as y
from cfglint.workflow.expressions import UNKNOWN

Combination: TypeAlias = Mapping[str, str]
"""Values by dotted name: an axis of mappings has `target.name` and the like."""

_MOST = 1_024
_DEEPEST = 4


@dataclass(frozen=True, slots=True)
class Axes:
    """A matrix. `is_known` tells whether all of it could be read; `axes` are the plain lists, with the nodes of their items."""

    combinations: tuple[Combination, ...]
    is_known: bool
    axes: Mapping[str, tuple[tuple[str, y.Node], ...]]


NONE = Axes(({},), is_known=True, axes={})


def axes(node: y.Node | None) -> Axes:
    """The matrix at a node; one empty combination where there is none."""
    if node is None:
        return NONE
    if not y.is_mapping(node):
        return Axes(({},), is_known=False, axes={})
    is_known = True
    lists: dict[str, list[dict[str, str]]] = {}
    plain: dict[str, tuple[tuple[str, y.Node], ...]] = {}
    for name, _, value in y.entries(node):
        if name in ("include", "exclude"):
            is_known = is_known and y.is_sequence(value)
            continue
        if not y.is_sequence(value):
            is_known = False
            lists[name] = [{name: UNKNOWN}]
            continue
        lists[name] = [_flat(name, item) for item in y.items(value)] or [{name: UNKNOWN}]
        plain[name] = tuple((text, item) for item in y.items(value) if (text := y.text(item)) is not None)
    total = 1
    for values in lists.values():
        total *= len(values)
    if total > _MOST:
        return Axes(({},), is_known=False, axes=plain)
    product = [
        {key: text for part in chosen for key, text in part.items()} for chosen in itertools.product(*lists.values())
    ]
    found = product if lists else []
    excluded = [_whole(item) for item in y.items(y.get(node, "exclude")) if y.is_mapping(item)]
    found = [one for one in found if not any(_fits(one, other) for other in excluded)]
    found = _with_included(found, [_whole(item) for item in y.items(y.get(node, "include")) if y.is_mapping(item)])
    return Axes(tuple(found) or ({},), is_known=is_known, axes=plain)


def lookup(combination: Combination, name: str, *, is_known: bool) -> str | None:
    """The value of `matrix.<name>`: nothing where a known matrix lacks it."""
    if name in combination:
        return combination[name]
    return "" if is_known else None


def _with_included(product: list[dict[str, str]], included: list[dict[str, str]]) -> list[dict[str, str]]:
    originals = [dict(one) for one in product]
    alone: list[dict[str, str]] = []
    for entry in included:
        extends = False
        for one, original in zip(product, originals, strict=True):
            if all(original.get(key, text) == text for key, text in entry.items()):
                one.update(entry)
                extends = True
        if not extends:
            alone.append(entry)
    return product + alone


def _fits(one: Combination, pattern: Combination) -> bool:
    return all(one.get(key) == text for key, text in pattern.items())


def _whole(item: y.Node) -> dict[str, str]:
    found: dict[str, str] = {}
    for name, _, value in y.entries(item):
        found.update(_flat(name, value))
    return found


def _flat(name: str, item: y.Node, depth: int = 0) -> dict[str, str]:
    text = y.text(item)
    if text is not None:
        return {name: text}
    if not y.is_mapping(item) or depth > _DEEPEST:
        return {name: "" if y.is_null(item) else UNKNOWN}
    found: dict[str, str] = {}
    for key, _, value in y.entries(item):
        found.update(_flat(f"{name}.{key}", value, depth + 1))
    return found

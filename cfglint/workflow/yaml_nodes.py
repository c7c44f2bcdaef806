"""YAML with positions: nodes as PyYAML composes them, read by key, with merge keys and anchors followed.

Nothing is constructed, so no tag can do anything; a value is looked at only where somebody asks for it, so aliases that
would expand to gigabytes cost nothing. Errors are values.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

import yaml

from cfglint.workflow.excerpts import Excerpt, Source, aligned

Node: TypeAlias = yaml.Node

_MERGE_DEPTH = 20
_TEXT_CAP = 1 << 20


@dataclass(frozen=True, slots=True)
class Broken:
    """Why a document cannot be read, and where."""

    reason: str
    line: int


def documents(source: Source) -> tuple[Node, ...] | Broken:
    """The documents of a YAML file."""
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        return tuple(yaml.compose_all(source.text, Loader=loader))
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        return Broken(f"invalid YAML: {error.problem or 'cannot be parsed'}", mark.line + 1 if mark else 1)
    except (yaml.YAMLError, RecursionError, ValueError) as error:
        return Broken(f"invalid YAML: {str(error).splitlines()[0] if str(error) else type(error).__name__}", 1)


def entries(node: Node | None, depth: int = 0) -> Iterator[tuple[str, Node, Node]]:
    """The keys of a mapping with their nodes and values, those of `<<` after its own; nothing for any other node."""
    if not isinstance(node, yaml.MappingNode) or depth > _MERGE_DEPTH:
        return
    seen: set[str] = set()
    merged: list[Node] = []
    for key, value in node.value:
        if not isinstance(key, yaml.ScalarNode):
            continue
        if key.value == "<<":
            merged.extend(value.value if isinstance(value, yaml.SequenceNode) else [value])
        elif key.value not in seen:
            seen.add(key.value)
            yield key.value, key, value
    for other in merged:
        for name, key, value in entries(other, depth + 1):
            if name not in seen:
                seen.add(name)
                yield name, key, value


def get(node: Node | None, *path: str) -> Node | None:
    """The value at a path of keys."""
    for name in path:
        node = next((value for key, _, value in entries(node) if key == name), None)
    return node


def items(node: Node | None) -> list[Node]:
    """The items of a sequence; a lone scalar is a sequence of one."""
    if isinstance(node, yaml.SequenceNode):
        return list(node.value)
    return [node] if isinstance(node, yaml.ScalarNode) and text(node) is not None else []


def text(node: Node | None) -> str | None:
    """The text of a scalar as written, quotes aside; None for null and for what is no scalar."""
    if not isinstance(node, yaml.ScalarNode) or node.tag == "tag:yaml.org,2002:null":
        return None
    return str(node.value)


def is_null(node: Node | None) -> bool:
    """Whether it is there and null."""
    return isinstance(node, yaml.ScalarNode) and text(node) is None


def is_mapping(node: Node | None) -> bool:
    """Whether it has keys."""
    return isinstance(node, yaml.MappingNode)


def is_sequence(node: Node | None) -> bool:
    """Whether it has items."""
    return isinstance(node, yaml.SequenceNode)


def position(source: Source, node: Node) -> tuple[int, int]:
    """Line and column where a node begins, inside its quotes."""
    index = node.start_mark.index
    if isinstance(node, yaml.ScalarNode) and node.style in ("'", '"'):
        index += 1
    return source.position(index)


def excerpt(source: Source, node: Node) -> Excerpt | None:
    """The text of a scalar with the places of its characters."""
    value = text(node)
    if value is None or len(value) > _TEXT_CAP:
        return None
    start, end = node.start_mark.index, node.end_mark.index
    if isinstance(node, yaml.ScalarNode) and node.style == "|":
        found = _literal(source, node, value)
        if found is not None:
            return found
    return aligned(source, value, start, end)


def _literal(source: Source, node: Node, value: str) -> Excerpt | None:
    """A `|` block: line by line the same, but for the indentation."""
    first = node.start_mark.line + 1
    indices: list[int] = []
    at = 0
    for offset, line in enumerate(value.splitlines(keepends=True)):
        number = first + offset
        if number >= len(source.starts):
            return None
        start = source.starts[number]
        stop = source.starts[number + 1] if number + 1 < len(source.starts) else len(source.text)
        written = source.text[start:stop]
        bare = line.rstrip("\n")
        if not written.rstrip("\n").endswith(bare):
            return None
        inner = start + len(written.rstrip("\n")) - len(bare)
        indices.extend(range(inner, inner + len(line)))
        at = inner + len(line)
    indices.append(at)
    return Excerpt(source, value, indices)

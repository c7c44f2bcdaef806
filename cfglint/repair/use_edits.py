"""Edits of `use` declarations: some of its names under another gate than the rest.

A list of names is split in two; a single name keeps its declaration. Nested lists are split by naming the moved paths
in full.
"""

from __future__ import annotations

from collections.abc import Collection

from cfglint.repair.edits import Edit
from cfglint.repair.gate_edits import gate_attributes, newline
from cfglint.syntax.attribute_text import AttributeText, attributes_from, line_start
from cfglint.syntax.carriers import Carrier, UseLeaf, UseText


def split(
    file: str, source: bytes, carrier: Carrier, use: UseText, moved: Collection[int], predicate: str
) -> list[Edit] | None:
    """The declaration as two: the names that start at `moved` under `predicate`, then the others as they are.

    Attributes other than gates stand on both. None where it cannot be written: every name is moved, or the list is nested
    and a moved name cannot be taken out of it.
    """
    taken = [leaf for leaf in use.leaves if leaf.start in moved]
    kept = [leaf for leaf in use.leaves if leaf.start not in moved]
    if not taken or not kept:
        return None
    attributes = attributes_from(source, carrier.start) if carrier.start < use.start else ()
    gates = gate_attributes(source, carrier.start) if attributes else []
    if any(attribute.name and attribute not in gates for attribute in attributes):
        return None
    indent = source[line_start(source, carrier.start) : carrier.start].decode("utf-8", "replace")
    if indent.strip():
        return None
    end = newline(source)
    gate = [] if predicate == "true" else [f"#[cfg({predicate})]"]
    others = [_text(source, attribute) for attribute in attributes if attribute not in gates]
    kept_gates = [_text(source, attribute) for attribute in gates]
    rest = _declaration(use, kept) if use.is_flat else _without(source, use, taken)
    if rest is None:
        return None
    lines: list[str] = []
    for declaration in _declarations(use, taken):
        lines += [*gate, *others, declaration]
    lines += [*kept_gates, *others, rest]
    return [Edit(file, carrier.start, use.end, f"{end}{indent}".join(lines))]


def _text(source: bytes, attribute: AttributeText) -> str:
    return source[attribute.start : attribute.end].decode("utf-8", "replace")


def _declarations(use: UseText, leaves: list[UseLeaf]) -> list[str]:
    """One declaration for each path before the braces."""
    prefixes = list(dict.fromkeys(leaf.prefix for leaf in leaves))
    return [_declaration(use, [leaf for leaf in leaves if leaf.prefix == prefix]) for prefix in prefixes]


def _declaration(use: UseText, leaves: list[UseLeaf]) -> str:
    head = f"{use.visibility} use" if use.visibility else "use"
    prefix = leaves[0].prefix
    if len(leaves) > 1:
        return f"{head} {prefix}{{{', '.join(leaf.text for leaf in leaves)}}};"
    if leaves[0].text == "self":
        return f"{head} {prefix.removesuffix('::')};"
    return f"{head} {prefix}{leaves[0].text};"


def _without(source: bytes, use: UseText, taken: list[UseLeaf]) -> str | None:
    """The text of a nested declaration without these names."""
    text = source[use.start : use.end]
    for leaf in sorted(taken, key=lambda leaf: leaf.start, reverse=True):
        start = leaf.start - use.start
        stop = start + len(leaf.text.encode())
        after = len(text) - len(text[stop:].lstrip())
        if text[after : after + 1] == b",":
            stop = after + 1
            stop += len(text[stop:]) - len(text[stop:].lstrip())
        else:
            before = text[:start].rstrip()
            if not before.endswith(b","):
                return None
            start = len(before) - 1
        text = text[:start] + text[stop:]
    return text.decode("utf-8", "replace")

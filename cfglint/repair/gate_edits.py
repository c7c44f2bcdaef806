"""Edits of gates in the source text: another predicate, no gate any more, a new one.

What the new predicate is, the caller knows. A gate that is not a plain `#[cfg(..)]` cannot be edited here.
"""

from __future__ import annotations

from cfglint.repair.edits import Edit
from cfglint.syntax.attribute_text import AttributeText, attributes_from, line_start
from cfglint.syntax.carriers import Carrier


def gate_attributes(source: bytes, start: int) -> list[AttributeText]:
    """The `#[cfg(..)]`s of the run of attributes at `start`; none where there is a `cfg_attr` that may gate as well."""
    found = [attribute for attribute in attributes_from(source, start) if attribute.name]
    if any(attribute.name == "cfg_attr" and b"cfg(" in source[slice(*attribute.inside)] for attribute in found):
        return []
    return [attribute for attribute in found if attribute.name == "cfg"]


def regated(file: str, source: bytes, attributes: list[AttributeText], predicate: str) -> list[Edit]:
    """The edits that make `predicate` the only gate of the run; none is left where it is `true`."""
    if predicate == "true":
        return [_without(file, source, attribute) for attribute in attributes]
    first, *others = attributes
    return [Edit(file, *first.inside, predicate), *(_without(file, source, other) for other in others)]


def gated(file: str, source: bytes, carrier: Carrier, predicate: str) -> list[Edit]:
    """The edit that puts a gate on code that has none, on a line of its own where the code begins one."""
    begin = line_start(source, carrier.start)
    indent = source[begin : carrier.start]
    attribute = f"#[cfg({predicate})]"
    if indent.strip():
        return [Edit(file, carrier.start, carrier.start, f"{attribute} ")]
    return [Edit(file, carrier.start, carrier.start, f"{attribute}{newline(source)}{indent.decode()}")]


def without(file: str, source: bytes, carrier: Carrier) -> Edit:
    """The edit that takes code away, with its lines where nothing else stands on them."""
    return _cut(file, source, carrier.start, carrier.end)


def newline(source: bytes) -> str:
    """How the file ends its lines."""
    return "\r\n" if b"\r\n" in source[: source.find(b"\n") + 1] else "\n"


def _without(file: str, source: bytes, attribute: AttributeText) -> Edit:
    """The edit that takes an attribute away."""
    return _cut(file, source, attribute.start, attribute.end)


def _cut(file: str, source: bytes, start: int, stop: int) -> Edit:
    begin = line_start(source, start)
    end = source.find(b"\n", stop)
    end = len(source) if end == -1 else end + 1
    if not source[begin:start].strip() and not source[stop:end].strip():
        return Edit(file, begin, end, "")
    while source[stop : stop + 1] == b" ":
        stop += 1
    return Edit(file, start, stop, "")

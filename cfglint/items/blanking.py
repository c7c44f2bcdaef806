"""A workaround for attributes that the grammar does not take though rustc does: they are blanked out before parsing.

Those places are the fields of struct patterns, closure parameters, and the second attribute on a function parameter
(tree-sitter-rust 0.24). Nothing else is repaired.
"""

from __future__ import annotations

from cfglint.condition.predicate import All, Predicate
from cfglint.items.walk import Node
from cfglint.syntax import grammar as g
from cfglint.syntax.attributes import read_attributes
from cfglint.syntax.parser import parse


def without_untaken_attributes(source: bytes, root: Node) -> tuple[bytes, Node, dict[int, Predicate]]:
    """A source of the same length that parses better than `root`, which has errors; all as given if there is none.

    The predicates are the cfgs of the attributes that it lacks, by the offset of what they stand before.
    """
    candidates = _attributes_near_errors(source, root)
    blanked, predicates = _blank(source, candidates)
    again = parse(blanked).root_node
    if candidates and _error_bytes(again) < _error_bytes(root):
        needed = [span for span in candidates if _is_untaken(blanked, again, span[1])]
        blanked, predicates = _blank(source, needed)
        fewer = parse(blanked).root_node
        if _error_bytes(fewer) > _error_bytes(again):
            blanked, predicates = _blank(source, candidates)
            fewer = again
        return blanked, fewer, predicates
    return source, root, {}


_UNTAKEN = frozenset({g.FIELD_PATTERN, g.REMAINING_FIELD_PATTERN, g.PARAMETER, g.SELF_PARAMETER})
"""What the grammar lets no attribute stand before, or not more than one."""


def _is_untaken(source: bytes, root: Node, end: int) -> bool:
    """Whether an attribute that ends there stands before something that the grammar does not take it on."""
    at = _next_code(source, end)
    node = root.descendant_for_byte_range(at, at + 1)
    while node is not None and node.start_byte == at:
        if node.kind_id in _UNTAKEN or (node.parent is not None and node.parent.kind_id == g.CLOSURE_PARAMETERS):
            return True
        node = node.parent
    return False


def _error_bytes(root: Node) -> int:
    """How many bytes stand in ERROR nodes, plus one for each."""
    total = 0
    stack = [root]
    while stack:
        node = stack.pop()
        if node.kind_id == g.ERROR:
            total += node.end_byte - node.start_byte + 1
        elif node.has_error:
            stack.extend(node.children)
    return total


def _blank(source: bytes, spans: list[tuple[int, int]]) -> tuple[bytes, dict[int, Predicate]]:
    """The source of the same length without these attributes, and the cfg of each by the offset of what it stands before."""
    blanked = bytearray(source)
    gates: list[tuple[int, Predicate]] = []
    for start, end in spans:
        probe = parse(source[start:end] + b"\nstruct S;")
        nodes = [c for c in probe.root_node.named_children if c.kind_id == g.ATTRIBUTE_ITEM]
        if len(nodes) != 1 or probe.root_node.has_error:
            continue
        gate = read_attributes(source[start:end], nodes).gate
        for at in range(start, end):
            if blanked[at] not in b"\r\n":
                blanked[at] = 0x20
        if gate is not None:
            gates.append((end, gate))
    predicates: dict[int, Predicate] = {}
    for end, gate in gates:
        at = _next_code(blanked, end)
        predicates[at] = All((predicates[at], gate)) if at in predicates else gate
    return bytes(blanked), predicates


def _next_code(source: bytes | bytearray, at: int) -> int:
    while at < len(source) and source[at] in b" \t\r\n":
        at += 1
    return at


def _attributes_near_errors(source: bytes, root: Node) -> list[tuple[int, int]]:
    """Spans of `#[..]` inside the smallest statements or items that hold a parse error, inside their parentheses or braces."""
    spans: list[tuple[int, int]] = []
    stack = [root]
    while stack and len(spans) < 200:
        node = stack.pop()
        wrong = [c for c in node.children if c.kind_id == g.ERROR]
        if wrong:
            for error in wrong:
                begin, end = max(node.start_byte, error.start_byte - 400), min(len(source), error.end_byte + 400)
                at = source.find(b"#[", begin, end)
                while at != -1 and len(spans) < 200:
                    close = _closing(source, at + 1, end + 400)
                    before = source[:at].rstrip()[-1:]
                    if close != -1 and before in (b"{", b"(", b",", b"|", b"]"):
                        spans.append((at, close))
                    at = source.find(b"#[", at + 2, end)
        stack.extend(c for c in node.children if c.has_error and c.kind_id != g.ERROR)
    return sorted(set(spans))


def _closing(source: bytes, opening: int, limit: int) -> int:
    depth = 0
    for at in range(opening, min(limit, len(source))):
        if source[at] == 0x5B:
            depth += 1
        elif source[at] == 0x5D:
            depth -= 1
            if depth == 0:
                return at + 1
    return -1

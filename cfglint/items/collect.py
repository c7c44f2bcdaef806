"""One file in, one ItemTree out.

Runs the walk over a file and freezes its tables. Known gaps of the grammar on valid code are worked around by
blanking attributes out and remembering their cfgs; what is left is counted as a gap.
"""

from __future__ import annotations

import msgspec

from cfglint.condition.predicate import Any, Literal, Predicate
from cfglint.items import cfg_macros, declarations, references  # noqa: F401  (they register their handlers)
from cfglint.items import model as m
from cfglint.items.walk import Node, Walk
from cfglint.syntax import grammar as g
from cfglint.syntax.attributes import read_attributes
from cfglint.syntax.parser import parse

MAX_BYTES = 64 * 1024 * 1024


def collect(source: bytes) -> m.ItemTree:
    """The ItemTree of one file's bytes. Never raises for any input; what is not understood is a gap."""
    if len(source) > MAX_BYTES:
        return _empty(f"file of more than {MAX_BYTES // 1024 // 1024} MiB")
    walk = Walk(source)
    tree = parse(source)
    root = tree.root_node
    if root.has_error:
        blanked, predicates = _blank_attributes(source, root)
        if predicates:
            again = parse(blanked)
            if _error_bytes(again.root_node) < _error_bytes(root):
                tree, root = again, again.root_node
                walk.source = blanked
                walk.blanked = predicates
    try:
        _walk_file(walk, root)
    except RecursionError:
        return _empty("nested too deeply")
    return _freeze(walk)


def _walk_file(walk: Walk, root: Node) -> None:
    children = root.named_children
    gate = 0
    inner = [c for c in children if c.kind_id == g.INNER_ATTRIBUTE_ITEM]
    if inner:
        found = walk.attributes(inner)
        gate = walk.gate(0, found.gate, inner[0].start_byte)
        for attribute in found.others:
            if attribute.meta.path == ("no_std",):
                walk.no_std.append(attribute.when)
            elif attribute.meta.path == ("no_core",):
                walk.no_core.append(attribute.when)
    walk.scopes.append(m.Scope(m.ScopeKind.FILE, -1, gate, "", 0))
    body_gate = gate
    for child in root.children:
        if child.kind_id == g.ERROR:
            walk.gap(child, "not understood by the parser", 0)
            body_gate = walk.doubtful(gate, child)
            break
    walk.visit_children(children, body_gate)


def _freeze(w: Walk) -> m.ItemTree:
    return m.ItemTree(
        tuple(w.gates),
        tuple(w.scopes),
        tuple(w.items),
        tuple(w.modules),
        tuple(w.imports),
        tuple(i for i in w.impls if i is not None),
        tuple(w.macros),
        tuple(w.calls),
        tuple(
            m.Reference(scope, gate, path, m.Space(space), tuple(spans), hidden)
            for (scope, gate, path, space, hidden), spans in w.references.items()
        ),
        tuple(w.selects),
        tuple(w.guards),
        tuple(w.gaps),
        tuple(w.stems),
        m.CrateAttributes(_any(w.no_std), _any(w.no_core)),
        tuple(w.cfg_options),
        tuple(sorted(w.modules_macro_use.items())),
    )


def _any(predicates: list[Predicate]) -> Predicate:
    if not predicates:
        return Literal(False)
    return predicates[0] if len(predicates) == 1 else Any(tuple(predicates))


def _empty(reason: str) -> m.ItemTree:
    walk = Walk(b"")
    walk.scopes.append(m.Scope(m.ScopeKind.FILE, -1, 0, "", 0))
    walk.gaps.append(m.Gap(0, 1, reason, 0))
    return _freeze(walk)


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


def _blank_attributes(source: bytes, root: Node) -> tuple[bytes, dict[int, Predicate]]:
    """Blank out attributes where tree-sitter-rust 0.24 does not take them though rustc does.

    Those places are the fields of struct patterns, closure parameters, and the second attribute on a function
    parameter. Returns the source of the same length and the cfg of each blanked attribute by the offset of what
    it stands before.
    """
    blanked = bytearray(source)
    predicates: dict[int, Predicate] = {}
    for start, end in _attributes_near_errors(source, root):
        probe = parse(source[start:end] + b"\nstruct S;")
        nodes = [c for c in probe.root_node.named_children if c.kind_id == g.ATTRIBUTE_ITEM]
        if len(nodes) != 1 or probe.root_node.has_error:
            continue
        gate = read_attributes(source[start:end], nodes).gate
        for at in range(start, end):
            if blanked[at] not in b"\r\n":
                blanked[at] = 0x20
        if gate is not None:
            follows = end
            while follows < len(source) and source[follows] in b" \t\r\n":
                follows += 1
            predicates[follows] = gate
    return bytes(blanked), predicates


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


def encode(tree: m.ItemTree) -> bytes:
    """The tree as bytes, for caches and for other processes."""
    return msgspec.msgpack.encode(tree)


def decode(data: bytes) -> m.ItemTree:
    """The inverse of `encode`; raises msgspec.MsgspecError on anything else."""
    return msgspec.msgpack.decode(data, type=m.ItemTree)

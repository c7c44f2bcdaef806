"""One file in, one ItemTree out.

Runs the walk over a file and freezes its tables. Known gaps of the grammar on valid code are worked around by
blanking attributes out and remembering their cfgs; what is left is counted as a gap.
"""

from __future__ import annotations

import gc

import msgspec

from cfglint.condition.predicate import Any, Literal, Predicate
from cfglint.items import cfg_macros, declarations, imports, references  # noqa: F401  (they register their handlers)
from cfglint.items import model as m
from cfglint.items.blanking import without_untaken_attributes
from cfglint.items.walk import Node, Walk
from cfglint.syntax import grammar as g
from cfglint.syntax.parser import parse

MAX_BYTES = 64 * 1024 * 1024


def collect(source: bytes) -> m.ItemTree:
    """The ItemTree of one file's bytes. Never raises for any input; what is not understood is a gap."""
    return _guarded(source, Walk(source))


def collect_heads(source: bytes) -> m.ItemTree:
    """The same without references, bodies, fields, impls: what others can name in the file, at a fraction of the cost."""
    walk = Walk(source)
    walk.heads_only = True
    return _guarded(source, walk)


def _guarded(source: bytes, walk: Walk) -> m.ItemTree:
    if len(source) > MAX_BYTES:
        return _empty(f"file of more than {MAX_BYTES // 1024 // 1024} MiB")
    collecting = gc.isenabled()
    gc.disable()  # the walk makes no cycles, and its tables would be searched for them again and again
    try:
        return _collected(source, walk)
    except RecursionError:
        return _empty("nested too deeply")
    finally:
        if collecting:
            gc.enable()


def _collected(source: bytes, walk: Walk) -> m.ItemTree:
    root = parse(source).root_node
    predicates: dict[int, Predicate] = {}
    if root.has_error:
        source, root, predicates = without_untaken_attributes(source, root)
        heads_only = walk.heads_only
        walk = Walk(source)
        walk.heads_only = heads_only
    walk.blanked = predicates
    _walk_file(walk, root)
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
            elif attribute.meta.path == ("macro_use",):
                walk.modules_macro_use[0] = attribute.when
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
            m.Reference(scope, gate, path, space, tuple(spans), hidden)
            for (scope, gate, path, space, hidden), spans in w.references.items()
        ),
        tuple(w.selects),
        tuple(w.guards),
        tuple(w.gaps),
        tuple(w.stems),
        m.CrateAttributes(_any(w.no_std), _any(w.no_core)),
        tuple(w.cfg_options),
        tuple(sorted(w.modules_macro_use.items())),
        tuple(w.procedural),
        tuple(w.shapes),
        tuple(w.matches),
        tuple(m.SelfUse(*key, tuple(spans)) for key, spans in w.self_uses.items()),
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


def encode(tree: m.ItemTree) -> bytes:
    """The tree as bytes, for caches and for other processes."""
    return msgspec.msgpack.encode(tree)


def decode(data: bytes) -> m.ItemTree:
    """The inverse of `encode`; raises msgspec.MsgspecError on anything else."""
    return msgspec.msgpack.decode(data, type=m.ItemTree)

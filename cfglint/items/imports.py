"""Items that bring names from elsewhere: `use` and `extern crate`. What they name is not looked up here."""

from __future__ import annotations

from cfglint.items import model as m
from cfglint.items.declarations import attribute_predicate, visibility
from cfglint.items.paths import path_of
from cfglint.items.walk import NEVER, Node, Walk, handles_item
from cfglint.syntax import grammar as g
from cfglint.syntax.attributes import Attributes

_Shared = tuple[tuple[int, int, int], ...]


@handles_item(g.EXTERN_CRATE)
def extern_crate(w: Walk, node: Node, gate: int, found: Attributes) -> None:
    """`extern crate name as alias;`."""
    name = node.child_by_field_id(g.F_NAME)
    alias = node.child_by_field_id(g.F_ALIAS)
    if name is None:
        return
    w.imports.append(
        m.Import(
            scope=w.scope,
            gate=gate,
            path=(w.name(name),),
            name=w.name(name) if alias is None else w.name(alias),
            is_glob=False,
            is_self=False,
            is_crate=True,
            visibility=visibility(w, node),
            start=name.start_byte,
            end=name.end_byte,
            macro_use=attribute_predicate(found, "macro_use"),
        )
    )


@handles_item(g.USE_DECLARATION)
def use(w: Walk, node: Node, gate: int, found: Attributes) -> None:
    """`use tree;`: one import for each leaf of the tree."""
    argument = node.child_by_field_id(g.F_ARGUMENT)
    if argument is None or node.has_error:
        w.gap(node, "an import that the parser does not understand", w.scope)
        return
    vis = visibility(w, node)
    stack: list[tuple[Node, m.Path, _Shared]] = [(argument, (), ())]
    while stack:
        tree, prefix, shared = stack.pop()
        kind = tree.kind_id
        if kind == g.USE_LIST:
            stack.extend((c, prefix, shared) for c in reversed(tree.named_children) if c.kind_id not in g.COMMENTS)
        elif kind == g.SCOPED_USE_LIST:
            path = tree.child_by_field_id(g.F_PATH)
            inner = tree.child_by_field_id(g.F_LIST)
            base = (path_of(w, path) or ()) if path is not None else ("",) if not prefix else ()
            if inner is not None:
                whole = prefix + base
                level = ((len(whole), path.start_byte, path.end_byte),) if path is not None else ()
                stack.append((inner, whole, shared + level))
        elif kind == g.USE_WILDCARD:
            path = next((c for c in tree.named_children if c.kind_id not in g.COMMENTS), None)
            base = (path_of(w, path) or ()) if path is not None else ()
            _import(w, gate, prefix + base, "*", vis, tree, shared, is_glob=True)
        elif kind == g.USE_AS:
            path, alias = tree.child_by_field_id(g.F_PATH), tree.child_by_field_id(g.F_ALIAS)
            if path is not None and alias is not None:
                _import(w, gate, prefix + (path_of(w, path) or ()), w.name(alias), vis, path, shared)
        else:
            path_here = path_of(w, tree)
            if path_here is not None:
                _import(w, gate, prefix + path_here, "", vis, tree, shared)


def _import(
    w: Walk,
    gate: int,
    path: m.Path,
    name: str,
    vis: m.Visibility | None,
    at: Node,
    shared: _Shared,
    *,
    is_glob: bool = False,
) -> None:
    is_self = len(path) > 1 and path[-1] == "self"
    if is_self:
        path = path[:-1]
    if not path:
        return
    w.imports.append(
        m.Import(
            scope=w.scope,
            gate=gate,
            path=path,
            name=name or path[-1],
            is_glob=is_glob,
            is_self=is_self,
            is_crate=False,
            visibility=vis,
            start=at.start_byte,
            end=at.end_byte,
            macro_use=NEVER,
            shared=shared,
        )
    )

"""Items: what declares a name, imports one, or opens a scope of its own.

Bodies and types inside items are walked by references; macro calls by cfg_macros.
"""

from __future__ import annotations

import msgspec

from cfglint.condition.predicate import Any, Invalid, Literal, Predicate
from cfglint.items import model as m
from cfglint.items.macro_rules import summarize
from cfglint.items.paths import path_of, visit_generic_arguments
from cfglint.items.walk import NEVER, Node, Walk, handles_item
from cfglint.syntax import grammar as g
from cfglint.syntax.attributes import Attributes

STD_DERIVES = frozenset({"Clone", "Copy", "Debug", "Default", "Eq", "Hash", "Ord", "PartialEq", "PartialOrd"})


def visibility(w: Walk, node: Node) -> m.Visibility | None:
    """The visibility written on an item; None is private to the enclosing module."""
    for child in node.children:
        if child.kind_id == g.VISIBILITY:
            named = child.named_children
            if not named:
                return m.PUBLIC if w.text(child) == "pub" else m.Visibility(("crate",))
            if named[0].kind_id in (g.CRATE, g.SELF, g.SUPER):
                return m.Visibility((w.text(named[0]),))
            return m.Visibility(path_of(w, named[0]) or ("crate",))
        if child.is_named and child.kind_id != g.ATTRIBUTE_ITEM:
            break
    return None


def _when(found: Attributes, name: str) -> Predicate:
    """The predicate under which the attribute `name` is present."""
    present = [a.when for a in found.others if a.meta.path == (name,)]
    if not present:
        return NEVER
    return present[0] if len(present) == 1 else Any(tuple(present))


def _declare(
    w: Walk,
    kind: str,
    node: Node,
    gate: int,
    found: Attributes,
    members: tuple[m.Member, ...] = (),
    shape: str = "",
    inner: int = -1,
) -> None:
    name = node.child_by_field_id(g.F_NAME)
    if name is None:
        return
    text = w.name(name)
    if text == "_":
        return
    w.items.append(
        m.Item(
            kind,
            text,
            w.scope,
            gate,
            visibility(w, node),
            name.start_byte,
            name.end_byte,
            members,
            shape,
            inner,
            bool(_derives(found)),
        )
    )
    note_stem(w, gate, found, text)


def _derives(found: Attributes) -> list[str]:
    return [
        d.path[-1]
        for a in found.others
        if a.meta.path == ("derive",)
        for d in a.meta.args or ()
        if d.path and d.path[-1] not in STD_DERIVES
    ]


def note_stem(w: Walk, gate: int, found: Attributes, name: str) -> None:
    """An attribute macro or a foreign derive may bring items named after the one it stands on."""
    foreign = any(
        a.meta.path and a.meta.path[-1] not in NOT_GENERATING and a.meta.path != ("derive",) for a in found.others
    )
    if foreign or _derives(found):
        w.stems.append(m.Opaque(w.scope, gate, name))


NOT_GENERATING = frozenset(
    "doc inline allow deny warn expect forbid must_use repr test cold track_caller deprecated non_exhaustive no_mangle "
    "ignore should_panic macro_export macro_use path default export_name link_section used target_feature automatically_derived".split()
)


@handles_item(g.FUNCTION_ITEM, g.FUNCTION_SIGNATURE_ITEM)
def function(w: Walk, node: Node, gate: int, found: Attributes) -> None:
    """A function: declared, or entered into its impl or trait; then its signature and body are walked."""
    body = node.child_by_field_id(g.F_BODY)
    if body is not None:
        gate = _inner_gate(w, body, gate)
    if not _is_member(w, "associated function", node, gate):
        _declare(w, "function", node, gate, found)
    if node.has_error:
        gate = w.doubtful(gate, node)
    frames, w.frames = w.frames, [{}]
    generics = _enter_generics(w, node, gate)
    for part in node.named_children:
        if part.kind_id in (g.IDENTIFIER, g.TYPE_PARAMETERS, g.VISIBILITY, g.METAVARIABLE):
            continue
        w.visit(part, gate)
    w.generics = generics
    w.frames = frames


def _is_member(w: Walk, kind: str, node: Node, gate: int) -> bool:
    """Enter an associated item into its impl or trait; False for an item of another scope."""
    if w.scopes[w.scope].kind not in (m.ScopeKind.IMPL, m.ScopeKind.TRAIT):
        return False
    name = node.child_by_field_id(g.F_NAME)
    if name is not None:
        has_body = node.child_by_field_id(g.F_BODY) is not None or node.child_by_field_id(g.F_VALUE) is not None
        w.members.setdefault(w.scope, []).append(
            m.Member(w.name(name), kind, gate, name.start_byte, visibility(w, node), has_body)
        )
    return True


def _enter_generics(w: Walk, node: Node, gate: int) -> list[set[str]]:
    """Walk the generic parameters and bring their names into scope; returns the stack to restore.

    A gated parameter hides the name all the same: whether it is missing is another rule's business.
    """
    before = w.generics
    kind = w.scopes[w.scope].kind
    own = w.scopes[w.scope]
    outer = before if kind in (m.ScopeKind.IMPL, m.ScopeKind.TRAIT) and own.start <= node.start_byte else []
    w.generics = [*outer]
    parameters = node.child_by_field_id(g.F_TYPE_PARAMETERS)
    if parameters is not None:
        names = set()
        for child in parameters.named_children:
            if child.kind_id in (g.TYPE_PARAMETER, g.CONST_PARAMETER):
                name = child.child_by_field_id(g.F_NAME)
                if name is not None:
                    names.add(w.name(name))
        w.generics.append(names)
        w.visit_children(parameters.named_children, gate)
    return before


def _members(w: Walk, body: Node | None, gate: int, kinds: dict[int, str]) -> tuple[m.Member, ...]:
    """Named parts of a body: variants and fields. Gates are added again by the walk over them."""
    members: list[m.Member] = []
    if body is None:
        return ()
    pending: list[Node] = []
    for child in body.named_children:
        kind = child.kind_id
        if kind == g.ATTRIBUTE_ITEM:
            pending.append(child)
            continue
        word = kinds.get(kind)
        if word is not None:
            name = child.child_by_field_id(g.F_NAME)
            if name is not None:
                own = w.gate(gate, w.attributes(pending).gate, (pending or [child])[0].start_byte)
                has_body = (
                    child.child_by_field_id(g.F_BODY) is not None or child.child_by_field_id(g.F_VALUE) is not None
                )
                members.append(m.Member(w.name(name), word, own, name.start_byte, visibility(w, child), has_body))
        elif kind == g.MACRO_INVOCATION:
            members.append(m.Member("", "macro", gate, child.start_byte))
        if kind not in g.COMMENTS:
            pending = []
    return tuple(members)


@handles_item(g.STRUCT_ITEM, g.UNION_ITEM)
def struct(w: Walk, node: Node, gate: int, found: Attributes) -> None:
    """A struct or union, with its named fields."""
    body = node.child_by_field_id(g.F_BODY)
    shape = "unit" if body is None else "tuple" if body.kind_id == g.ORDERED_FIELDS else "named"
    members = _members(w, body, gate, {g.FIELD_DECLARATION: "field"}) if shape == "named" else ()
    kind = "struct" if node.kind_id == g.STRUCT_ITEM else "union"
    _adt(w, kind, node, gate, found, members, shape)


@handles_item(g.ENUM_ITEM)
def enum(w: Walk, node: Node, gate: int, found: Attributes) -> None:
    """An enum, with its variants."""
    members = _members(w, node.child_by_field_id(g.F_BODY), gate, {g.ENUM_VARIANT: "variant"})
    _adt(w, "enum", node, gate, found, members, "")


def _adt(
    w: Walk, kind: str, node: Node, gate: int, found: Attributes, members: tuple[m.Member, ...], shape: str
) -> None:
    outer = w.scope
    inner = w.open_scope(m.ScopeKind.ADT, gate, "", node.start_byte, len(w.items))
    _declare(w, kind, node, gate, found, members, shape, inner)
    if node.has_error:
        gate = w.doubtful(gate, node)
    w.scope = inner
    generics = _enter_generics(w, node, gate)
    for part in node.named_children:
        if part.kind_id not in (g.TYPE_IDENTIFIER, g.TYPE_PARAMETERS):
            w.visit(part, gate)
    w.generics = generics
    w.scope = outer


@handles_item(g.ENUM_VARIANT)
def variant(w: Walk, node: Node, gate: int, found: Attributes) -> None:
    """What an enum variant holds."""
    for part in node.named_children:
        if part.kind_id != g.IDENTIFIER or part != node.child_by_field_id(g.F_NAME):
            w.visit(part, gate)


@handles_item(g.FIELD_DECLARATION)
def field(w: Walk, node: Node, gate: int, found: Attributes) -> None:
    """The type of a named field."""
    kind = node.child_by_field_id(g.F_TYPE)
    if kind is not None:
        w.visit(kind, gate)


@handles_item(g.CONST_ITEM, g.STATIC_ITEM)
def constant(w: Walk, node: Node, gate: int, found: Attributes) -> None:
    """A constant or static."""
    if not _is_member(w, "associated constant", node, gate):
        _declare(w, "constant" if node.kind_id == g.CONST_ITEM else "static", node, gate, found)
    if node.has_error:
        gate = w.doubtful(gate, node)
    frames, w.frames = w.frames, [{}]
    for part in (node.child_by_field_id(g.F_TYPE), node.child_by_field_id(g.F_VALUE)):
        if part is not None:
            w.visit(part, gate)
    w.frames = frames


@handles_item(g.TYPE_ITEM, g.ASSOCIATED_TYPE)
def type_alias(w: Walk, node: Node, gate: int, found: Attributes) -> None:
    """A type alias or associated type."""
    if not _is_member(w, "associated type", node, gate):
        target = node.child_by_field_id(g.F_TYPE)
        _declare(w, "type alias", node, gate, found, shape=w.text(target) if target is not None else "")
    generics = _enter_generics(w, node, gate)
    for part in node.named_children:
        if part.kind_id != g.TYPE_PARAMETERS and part != node.child_by_field_id(g.F_NAME):
            w.visit(part, gate)
    w.generics = generics


@handles_item(g.TRAIT_ITEM)
def trait(w: Walk, node: Node, gate: int, found: Attributes) -> None:
    """A trait; its items are gathered while its body is walked."""
    body = node.child_by_field_id(g.F_BODY)
    if body is not None:
        gate = _inner_gate(w, body, gate)
    outer = w.scope
    inner = w.open_scope(m.ScopeKind.TRAIT, gate, "", node.start_byte, len(w.items))
    at = len(w.items)
    _declare(w, "trait", node, gate, found, (), "", inner)
    _enter_body(w, node, gate, inner, outer)
    if at < len(w.items) and w.items[at].kind == "trait":
        w.items[at] = msgspec.structs.replace(w.items[at], members=tuple(w.members.pop(inner, ())))


@handles_item(g.IMPL_ITEM)
def impl(w: Walk, node: Node, gate: int, found: Attributes) -> None:
    """An impl block; its items are gathered while its body is walked."""
    body = node.child_by_field_id(g.F_BODY)
    if body is not None:
        gate = _inner_gate(w, body, gate)
    outer = w.scope
    inner = w.open_scope(m.ScopeKind.IMPL, gate, "", node.start_byte, len(w.impls))
    type_node = node.child_by_field_id(g.F_TYPE)
    trait_node = node.child_by_field_id(g.F_TRAIT)
    w.impls.append(None)
    at = len(w.impls) - 1
    _enter_body(w, node, gate, inner, outer)
    w.impls[at] = m.Impl(
        outer,
        gate,
        path_of(w, type_node) if type_node is not None else None,
        path_of(w, trait_node) if trait_node is not None else None,
        trait_node is not None,
        any(c.type == "!" for c in node.children),
        node.start_byte,
        tuple(w.members.pop(inner, ())),
        inner,
    )


def _enter_body(w: Walk, node: Node, gate: int, inner: int, outer: int) -> None:
    """Walk head and body of a trait or impl inside its own scope."""
    w.scope = inner
    frames, w.frames = w.frames, [{}]
    before = w.generics
    w.generics = []
    generics = _enter_generics(w, node, gate)
    head = w.doubtful(gate, node) if any(c.kind_id == g.ERROR for c in node.children) else gate
    for part in node.named_children:
        kind = part.kind_id
        if kind in (g.TYPE_PARAMETERS, g.ATTRIBUTE_ITEM) or (
            kind == g.TYPE_IDENTIFIER and part == node.child_by_field_id(g.F_NAME)
        ):
            continue
        if kind == g.DECLARATION_LIST:
            inner_gate = head
            if any(c.kind_id == g.ERROR for c in part.children):
                inner_gate = w.doubtful(inner_gate, part)
            w.visit_children(part.named_children, inner_gate)
        elif part == node.child_by_field_id(g.F_TRAIT):
            path = path_of(w, part)
            if path is not None:
                w.reference(path, m.Space.TRAIT, part.start_byte, _path_end(part), head)
                visit_generic_arguments(w, part, head)
            else:
                w.visit(part, head)
        else:
            w.visit(part, head)
    w.generics = generics
    w.generics = before
    w.frames = frames
    w.scope = outer


def _path_end(node: Node) -> int:
    kind = node.child_by_field_id(g.F_TYPE) if node.kind_id == g.GENERIC_TYPE else None
    return (kind or node).end_byte


def _inner_gate(w: Walk, body: Node, gate: int) -> int:
    """The gate inside a body that opens with `#![cfg(..)]`."""
    inner = [c for c in body.named_children if c.kind_id == g.INNER_ATTRIBUTE_ITEM]
    if not inner:
        return gate
    return w.gate(gate, w.attributes(inner).gate, inner[0].start_byte)


@handles_item(g.MOD_ITEM)
def module(w: Walk, node: Node, gate: int, found: Attributes) -> None:
    """A module: inline ones open a scope, others name a file."""
    name = node.child_by_field_id(g.F_NAME)
    if name is None:
        return
    note_stem(w, gate, found, w.name(name))
    paths = tuple((a.when, a.meta.value) for a in found.others if a.meta.path == ("path",) and a.meta.value is not None)
    body = node.child_by_field_id(g.F_BODY)
    macro_use = _when(found, "macro_use")
    if body is None:
        w.modules.append(
            m.ModuleFile(
                w.name(name), w.scope, gate, visibility(w, node), name.start_byte, name.end_byte, paths, macro_use
            )
        )
        return
    inner_gate = _inner_gate(w, body, gate)
    outer = w.scope
    shape = paths[0][1] if paths else ""
    inner = w.open_scope(m.ScopeKind.MODULE, inner_gate, w.name(name), node.start_byte, len(w.items))
    w.items.append(
        m.Item(
            "module",
            w.name(name),
            outer,
            inner_gate,
            visibility(w, node),
            name.start_byte,
            name.end_byte,
            (),
            shape,
            inner,
            macro_use != NEVER,
        )
    )
    if macro_use not in (NEVER, Literal(True)):
        w.modules_macro_use[inner] = macro_use
    w.scope = inner
    frames, w.frames = w.frames, [{}]
    generics, w.generics = w.generics, []
    for child in body.children:
        if child.kind_id == g.ERROR:
            w.gap(child, "not understood by the parser", inner)
            inner_gate = w.doubtful(inner_gate, child)
    w.visit_children(body.named_children, inner_gate)
    w.generics = generics
    w.frames = frames
    w.scope = outer


@handles_item(g.FOREIGN_MOD_ITEM)
def foreign_module(w: Walk, node: Node, gate: int, found: Attributes) -> None:
    """An `extern` block: what it declares stands in the scope around it."""
    body = node.child_by_field_id(g.F_BODY)
    if body is not None:
        w.visit_children(body.named_children, _inner_gate(w, body, gate))


@handles_item(g.EXTERN_CRATE)
def extern_crate(w: Walk, node: Node, gate: int, found: Attributes) -> None:
    """An `extern crate`."""
    name = node.child_by_field_id(g.F_NAME)
    alias = node.child_by_field_id(g.F_ALIAS)
    if name is None:
        return
    bound = w.name(alias) if alias is not None else w.name(name)
    w.imports.append(
        m.Import(
            w.scope,
            gate,
            (w.name(name),),
            bound,
            False,
            False,
            True,
            visibility(w, node),
            name.start_byte,
            name.end_byte,
            _when(found, "macro_use"),
        )
    )


@handles_item(g.USE_DECLARATION)
def use(w: Walk, node: Node, gate: int, found: Attributes) -> None:
    """A use declaration, flattened to one import a leaf."""
    argument = node.child_by_field_id(g.F_ARGUMENT)
    if argument is None or node.has_error:
        w.gap(node, "an import that the parser does not understand", w.scope)
        return
    vis = visibility(w, node)
    stack: list[tuple[Node, m.Path]] = [(argument, ())]
    while stack:
        tree, prefix = stack.pop()
        kind = tree.kind_id
        if kind == g.USE_LIST:
            stack.extend((c, prefix) for c in reversed(tree.named_children) if c.kind_id not in g.COMMENTS)
        elif kind == g.SCOPED_USE_LIST:
            path = tree.child_by_field_id(g.F_PATH)
            inner = tree.child_by_field_id(g.F_LIST)
            base = (path_of(w, path) or ()) if path is not None else ("",) if not prefix else ()
            if inner is not None:
                stack.append((inner, prefix + base))
        elif kind == g.USE_WILDCARD:
            path = next((c for c in tree.named_children if c.kind_id not in g.COMMENTS), None)
            base = (path_of(w, path) or ()) if path is not None else ()
            whole = prefix + base
            _import(w, gate, whole, "*", vis, tree, is_glob=True)
        elif kind == g.USE_AS:
            path, alias = tree.child_by_field_id(g.F_PATH), tree.child_by_field_id(g.F_ALIAS)
            if path is not None and alias is not None:
                _import(w, gate, prefix + (path_of(w, path) or ()), w.name(alias), vis, path)
        else:
            path_here = path_of(w, tree)
            if path_here is not None:
                _import(w, gate, prefix + path_here, "", vis, tree)


def _import(
    w: Walk, gate: int, path: m.Path, name: str, vis: m.Visibility | None, at: Node, *, is_glob: bool = False
) -> None:
    is_self = len(path) > 1 and path[-1] == "self"
    if is_self:
        path = path[:-1]
    if not path:
        return
    w.imports.append(
        m.Import(w.scope, gate, path, name or path[-1], is_glob, is_self, False, vis, at.start_byte, at.end_byte, NEVER)
    )


@handles_item(g.MACRO_DEFINITION)
def macro_definition(w: Walk, node: Node, gate: int, found: Attributes) -> None:
    """A `macro_rules!`."""
    name = node.child_by_field_id(g.F_NAME)
    if name is None:
        return
    told = summarize(w.source, node)
    exported = _when(found, "macro_export")
    if exported != Literal(True) and w.is_in_macro_call(gate):
        exported = Invalid("#[macro_export] that a macro may add")
    w.macros.append(m.Macro(w.name(name), w.scope, gate, name.start_byte, name.end_byte, exported, *told))

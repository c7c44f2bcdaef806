"""Items that declare a name: functions, types, constants, traits, modules, macros. And impls, which declare none.

Imports are read by imports, bodies and types inside items by references, macro calls by cfg_macros.
"""

from __future__ import annotations

import re

import msgspec

from cfglint.condition.predicate import Any, Invalid, Predicate
from cfglint.items import model as m
from cfglint.items.builtin_attributes import EXPANDING, INERT, KEEPING_MEMBERS, NOT_GENERATING, STD_DERIVES, TOOLS
from cfglint.items.helper_attributes import hidden_by
from cfglint.items.macro_rules import summarize
from cfglint.items.member_uses import has_plain_self
from cfglint.items.paths import path_of, visit_generic_arguments
from cfglint.items.walk import ALWAYS, NEVER, Node, Walk, handles_item
from cfglint.syntax import grammar as g
from cfglint.syntax.attributes import Attributes

_VISIBILITY_STARTS = b"pc#/"
"""`pub`, `crate`, or an attribute or comment before it."""
_MEMBER_SCOPES = frozenset({m.ScopeKind.IMPL, m.ScopeKind.TRAIT})


def visibility(w: Walk, node: Node) -> m.Visibility | None:
    """The visibility written on an item; None is private to the enclosing module."""
    start = node.start_byte
    if w.source[start : start + 1] not in _VISIBILITY_STARTS:
        return None
    for child in node.children:
        if child.kind_id == g.VISIBILITY:
            text = w.text(child)
            if text == "pub":
                return m.PUBLIC
            named = child.named_children
            if not named:
                return m.Visibility(("crate",))
            if named[0].kind_id in (g.CRATE, g.SELF, g.SUPER):
                return m.Visibility((w.text(named[0]),))
            return m.Visibility(path_of(w, named[0]) or ("crate",))
        if child.is_named and child.kind_id != g.ATTRIBUTE_ITEM:
            break
    return None


def attribute_predicate(found: Attributes, name: str) -> Predicate:
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
    *,
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
    start, end = name.start_byte, name.end_byte
    item = m.Item(kind, text, w.scope, gate, visibility(w, node), start, end, members, shape, inner)
    if found.others:
        item = msgspec.structs.replace(
            item,
            derives=_has_foreign_derive(found),
            is_expanded=any(_is_macro(attribute.meta.path) for attribute in found.others),
            is_rewritten=_is_rewritten(w, gate, found),
        )
        _note_stem(w, gate, found, text)
    w.items.append(item)


def _is_macro(path: m.Path) -> bool:
    """Whether an attribute is a macro, of the language or of somebody else."""
    if len(path) == 1:
        return path[0] in EXPANDING or path[0] not in INERT
    return bool(path) and path[0] not in TOOLS


def _is_rewritten(w: Walk, gate: int, found: Attributes) -> bool:
    """Whether an attribute macro stands there that may give the item other members than are written."""
    owners = w.owned(found, gate)
    return any(
        _is_macro(path) and path[-1] not in KEEPING_MEMBERS and not (len(path) == 1 and hidden_by(owners, path[0]))
        for path in (attribute.meta.path for attribute in found.others)
    )


def _has_foreign_derive(found: Attributes) -> bool:
    return any(
        derived.path and derived.path[-1] not in STD_DERIVES
        for attribute in found.others
        if attribute.meta.path == ("derive",)
        for derived in attribute.meta.args or ()
    )


def _note_stem(w: Walk, gate: int, found: Attributes, name: str) -> None:
    """An attribute macro or a foreign derive may bring items named after the one it stands on."""
    paths = [attribute.meta.path for attribute in found.others]
    if any(path and path[-1] not in NOT_GENERATING and path != ("derive",) for path in paths) or _has_foreign_derive(
        found
    ):
        w.stems.append(m.Opaque(w.scope, gate, name))


_NO_PART_OF_FUNCTION = frozenset({g.IDENTIFIER, g.TYPE_PARAMETERS, g.VISIBILITY, g.METAVARIABLE})


@handles_item(g.FUNCTION_ITEM, g.FUNCTION_SIGNATURE_ITEM)
def function(w: Walk, node: Node, gate: int, found: Attributes) -> None:
    """A function or method: its parameters are variables of a frame that sees no outer ones."""
    parts = node.named_children
    has_body = bool(parts) and parts[-1].kind_id == g.BLOCK
    if has_body:
        gate = _inner_gate(w, parts[-1], gate)
    if not _is_member(w, "associated function", node, gate, has_body=has_body):
        _declare(w, "function", node, gate, found)
        if found.others:
            _note_procedural(w, node, gate, found)
    if w.heads_only:
        return
    if node.has_error:
        gate = w.doubtful(gate, node)
    outer_locals, outer_self = w.open_body(), w.has_plain_self
    w.has_plain_self = has_plain_self(node)
    parameters = next((part for part in parts if part.kind_id == g.TYPE_PARAMETERS), None)
    generics = _enter_generics(w, node, parameters, gate)
    for part in parts:
        if part.kind_id not in _NO_PART_OF_FUNCTION:
            w.visit(part, gate)
    w.generics, w.has_plain_self = generics, outer_self
    w.close_body(outer_locals)


_PROCEDURAL = frozenset({("proc_macro",), ("proc_macro_attribute",), ("proc_macro_derive",)})


def _note_procedural(w: Walk, node: Node, gate: int, found: Attributes) -> None:
    """The macro that a function of a procedural macro crate is (Reference, procedural macros)."""
    name = node.child_by_field_id(g.F_NAME)
    for attribute in found.others:
        if attribute.meta.path not in _PROCEDURAL or name is None:
            continue
        args = attribute.meta.args
        derived = args[0].path if args else ()
        text = derived[-1] if derived else w.name(name)
        under = w.gate(gate, attribute.when, name.start_byte)
        w.procedural.append(m.Procedural(text, under, name.start_byte))


def _is_member(w: Walk, kind: str, node: Node, gate: int, *, has_body: bool) -> bool:
    """Enter an associated item into its impl or trait; False for an item of another scope."""
    if w.scopes[w.scope].kind not in _MEMBER_SCOPES:
        return False
    name = node.child_by_field_id(g.F_NAME)
    if name is not None:
        w.members.setdefault(w.scope, []).append(
            m.Member(w.name(name), kind, gate, name.start_byte, visibility(w, node), has_body)
        )
    return True


def _enter_generics(w: Walk, node: Node, parameters: Node | None, gate: int) -> frozenset[str]:
    """Walk the generic parameters and bring their names into scope; returns the names to restore.

    A gated parameter hides the name all the same: whether it is missing is another rule's business.
    """
    before = w.generics
    own = w.scopes[w.scope]
    w.generics = before if own.kind in _MEMBER_SCOPES and own.start <= node.start_byte else frozenset()
    if parameters is not None:
        names = set()
        children = parameters.named_children
        for child in children:
            if child.kind_id in (g.TYPE_PARAMETER, g.CONST_PARAMETER):
                name = child.child_by_field_id(g.F_NAME)
                if name is not None:
                    names.add(w.name(name))
        w.generics |= names
        w.visit_children(children, gate)
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
                own = w.gated_by(pending, gate)
                has_body = _has_field(child, g.F_BODY) or _has_field(child, g.F_VALUE)
                fields, payload = _inside_variant(w, child, own) if kind == g.ENUM_VARIANT else ((), ())
                members.append(
                    m.Member(w.name(name), word, own, name.start_byte, visibility(w, child), has_body, fields, payload)
                )
        elif kind == g.MACRO_INVOCATION:
            members.append(m.Member("", "macro", gate, child.start_byte))
        if kind not in g.COMMENTS:
            pending = []
    return tuple(members)


def _inside_variant(w: Walk, node: Node, gate: int) -> tuple[tuple[m.Member, ...], tuple[str, ...]]:
    """The named fields of a variant, and the names of the types in it."""
    body = node.child_by_field_id(g.F_BODY)
    if body is None:
        return (), ()
    fields = _members(w, body, gate, _FIELDS) if body.kind_id == g.FIELD_DECLARATION_LIST else ()
    return fields, tuple(_TYPE_NAME.findall(w.text(body)))


_FIELDS = {g.FIELD_DECLARATION: "field"}
_TYPE_NAME = re.compile(r"\b[A-Z]\w*|!")


def _has_field(node: Node, field_id: int) -> bool:
    return node.child_by_field_id(field_id) is not None


@handles_item(g.STRUCT_ITEM, g.UNION_ITEM)
def struct(w: Walk, node: Node, gate: int, found: Attributes) -> None:
    """A struct or union; only named fields are members."""
    body = node.child_by_field_id(g.F_BODY)
    shape = "unit" if body is None else "tuple" if body.kind_id == g.ORDERED_FIELDS else "named"
    has_fields = shape == "named" and not w.heads_only
    members = _members(w, body, gate, _FIELDS) if has_fields else ()
    kind = "struct" if node.kind_id == g.STRUCT_ITEM else "union"
    _adt(w, kind, node, gate, found, members, shape)


@handles_item(g.ENUM_ITEM)
def enum(w: Walk, node: Node, gate: int, found: Attributes) -> None:
    """An enum, its variants as members."""
    members = _members(w, node.child_by_field_id(g.F_BODY), gate, {g.ENUM_VARIANT: "variant"})
    _adt(w, "enum", node, gate, found, members, "")


def _adt(
    w: Walk, kind: str, node: Node, gate: int, found: Attributes, members: tuple[m.Member, ...], shape: str
) -> None:
    outer = w.scope
    inner = w.open_scope(m.ScopeKind.ADT, gate, "", node.start_byte, len(w.items))
    _declare(w, kind, node, gate, found, members=members, shape=shape, inner=inner)
    if w.heads_only:
        return
    if node.has_error:
        gate = w.doubtful(gate, node)
    w.scope = inner
    generics, owners = _enter_generics(w, node, node.child_by_field_id(g.F_TYPE_PARAMETERS), gate), w.owners
    w.owners = w.owned(found, gate)
    for part in node.named_children:
        if part.kind_id not in (g.TYPE_IDENTIFIER, g.TYPE_PARAMETERS):
            w.visit(part, gate)
    w.generics, w.owners = generics, owners
    w.scope = outer


@handles_item(g.ENUM_VARIANT)
def variant(w: Walk, node: Node, gate: int, found: Attributes) -> None:
    """What stands in a variant: the types of its fields, its discriminant."""
    name = node.child_by_field_id(g.F_NAME)
    for part in node.named_children:
        if part != name:
            w.visit(part, gate)


@handles_item(g.FIELD_DECLARATION)
def field(w: Walk, node: Node, gate: int, found: Attributes) -> None:
    """The type of a named field."""
    kind = node.child_by_field_id(g.F_TYPE)
    if kind is not None:
        w.visit(kind, gate)


@handles_item(g.CONST_ITEM, g.STATIC_ITEM)
def constant(w: Walk, node: Node, gate: int, found: Attributes) -> None:
    """A constant or static, perhaps an associated one."""
    value = node.child_by_field_id(g.F_VALUE)
    if not _is_member(w, "associated constant", node, gate, has_body=value is not None):
        _declare(w, "constant" if node.kind_id == g.CONST_ITEM else "static", node, gate, found)
    if w.heads_only:
        return
    if node.has_error:
        gate = w.doubtful(gate, node)
    outer_locals = w.open_body()
    for part in (node.child_by_field_id(g.F_TYPE), value):
        if part is not None:
            w.visit(part, gate)
    w.close_body(outer_locals)


@handles_item(g.TYPE_ITEM, g.ASSOCIATED_TYPE)
def type_alias(w: Walk, node: Node, gate: int, found: Attributes) -> None:
    """A type alias or associated type; an alias keeps the text of what it stands for."""
    if not _is_member(w, "associated type", node, gate, has_body=False):
        target = node.child_by_field_id(g.F_TYPE)
        _declare(w, "type alias", node, gate, found, shape=w.text(target) if target is not None else "")
    if w.heads_only:
        return
    generics = _enter_generics(w, node, node.child_by_field_id(g.F_TYPE_PARAMETERS), gate)
    name = node.child_by_field_id(g.F_NAME)
    for part in node.named_children:
        if part.kind_id != g.TYPE_PARAMETERS and part != name:
            w.visit(part, gate)
    w.generics = generics


@handles_item(g.TRAIT_ITEM)
def trait(w: Walk, node: Node, gate: int, found: Attributes) -> None:
    """A trait, its items as members."""
    body = node.child_by_field_id(g.F_BODY)
    if body is not None:
        gate = _inner_gate(w, body, gate)
    outer = w.scope
    inner = w.open_scope(m.ScopeKind.TRAIT, gate, "", node.start_byte, len(w.items))
    at = len(w.items)
    _declare(w, "trait", node, gate, found, inner=inner)
    if w.heads_only:
        return
    _enter_body(w, node, gate, inner, outer)
    if at < len(w.items) and w.items[at].kind == "trait":
        w.items[at] = msgspec.structs.replace(w.items[at], members=tuple(w.members.pop(inner, ())))


@handles_item(g.IMPL_ITEM)
def impl(w: Walk, node: Node, gate: int, found: Attributes) -> None:
    """An impl block, its items as members."""
    if w.heads_only:
        return
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
        any(c.kind_id == g.BANG for c in node.children),
        node.start_byte,
        tuple(w.members.pop(inner, ())),
        inner,
        bool(found.others) and _is_rewritten(w, gate, found),
    )


def _enter_body(w: Walk, node: Node, gate: int, inner: int, outer: int) -> None:
    """Walk head and body of a trait or impl inside its own scope."""
    w.scope = inner
    outer_locals = w.open_body()
    before = w.generics
    w.generics = frozenset()
    _enter_generics(w, node, node.child_by_field_id(g.F_TYPE_PARAMETERS), gate)
    name, trait_node = node.child_by_field_id(g.F_NAME), node.child_by_field_id(g.F_TRAIT)
    head = w.doubtful(gate, node) if any(c.kind_id == g.ERROR for c in node.children) else gate
    for part in node.named_children:
        kind = part.kind_id
        if kind == g.TYPE_PARAMETERS or kind == g.ATTRIBUTE_ITEM or (kind == g.TYPE_IDENTIFIER and part == name):
            continue
        if kind == g.DECLARATION_LIST:
            inner_gate = head
            if any(c.kind_id == g.ERROR for c in part.children):
                inner_gate = w.doubtful(inner_gate, part)
            w.visit_children(part.named_children, inner_gate)
            continue
        path = path_of(w, part) if part == trait_node else None
        if path is None:
            w.visit(part, head)
        else:
            w.reference(path, m.Space.TRAIT, part.start_byte, _path_end(part), head)
            visit_generic_arguments(w, part, head)
    w.generics = before
    w.close_body(outer_locals)
    w.scope = outer


def _path_end(node: Node) -> int:
    kind = node.child_by_field_id(g.F_TYPE) if node.kind_id == g.GENERIC_TYPE else None
    return (kind or node).end_byte


def _inner_gate(w: Walk, body: Node, gate: int) -> int:
    """The gate inside a body that opens with `#![cfg(..)]`."""
    if not _OPENS_WITH_ATTRIBUTE.match(w.source, body.start_byte):
        return gate
    return w.gated_by([c for c in body.named_children if c.kind_id == g.INNER_ATTRIBUTE_ITEM], gate)


_OPENS_WITH_ATTRIBUTE = re.compile(rb"\{\s*[#/]")
"""Perhaps: comments may stand before it."""


@handles_item(g.MOD_ITEM)
def module(w: Walk, node: Node, gate: int, found: Attributes) -> None:
    """`mod name;` or `mod name { .. }`."""
    name_node = node.child_by_field_id(g.F_NAME)
    if name_node is None:
        return
    name, start, end = w.name(name_node), name_node.start_byte, name_node.end_byte
    _note_stem(w, gate, found, name)
    paths = tuple((a.when, a.meta.value) for a in found.others if a.meta.path == ("path",) and a.meta.value is not None)
    body = node.child_by_field_id(g.F_BODY)
    macro_use = attribute_predicate(found, "macro_use")
    if body is None:
        w.modules.append(m.ModuleFile(name, w.scope, gate, visibility(w, node), start, end, paths, macro_use))
        return
    inner_gate = _inner_gate(w, body, gate)
    outer = w.scope
    shape = paths[0][1] if paths else ""
    inner = w.open_scope(m.ScopeKind.MODULE, inner_gate, name, node.start_byte, len(w.items))
    has_macro_use = macro_use != NEVER
    w.items.append(
        m.Item("module", name, outer, inner_gate, visibility(w, node), start, end, (), shape, inner, has_macro_use)
    )
    if macro_use not in (NEVER, ALWAYS):
        w.modules_macro_use[inner] = macro_use
    w.scope = inner
    outer_locals = w.open_body()
    generics, w.generics = w.generics, frozenset()
    for child in body.children:
        if child.kind_id == g.ERROR:
            w.gap(child, "not understood by the parser", inner)
            inner_gate = w.doubtful(inner_gate, child)
    w.visit_children(body.named_children, inner_gate)
    w.generics = generics
    w.close_body(outer_locals)
    w.scope = outer


@handles_item(g.FOREIGN_MOD_ITEM)
def foreign_module(w: Walk, node: Node, gate: int, found: Attributes) -> None:
    """`extern { .. }`: its items are declared in the scope around it."""
    body = node.child_by_field_id(g.F_BODY)
    if body is not None:
        w.visit_children(body.named_children, _inner_gate(w, body, gate))


@handles_item(g.MACRO_DEFINITION)
def macro_definition(w: Walk, node: Node, gate: int, found: Attributes) -> None:
    """`macro_rules! name { .. }`."""
    name = node.child_by_field_id(g.F_NAME)
    if name is None:
        return
    told = summarize(w.source, node)
    exported = attribute_predicate(found, "macro_export")
    if exported != ALWAYS and w.is_in_macro_call(gate):
        exported = Invalid("#[macro_export] that a macro may add")
    w.macros.append(m.Macro(w.name(name), w.scope, gate, name.start_byte, name.end_byte, exported, *told))

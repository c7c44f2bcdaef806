"""What around an offset can carry a `#[cfg]`: statements, match arms, members, items; and the parts of a `use`.

Looks into the braces of macro calls as far as what stands there parses as code. Where a cfg may stand: Reference,
attributes. It judges nothing but syntax: whether a gate would be of use is not asked.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import tree_sitter

from cfglint.syntax import grammar as g
from cfglint.syntax.attributes import name_of, text_of
from cfglint.syntax.parser import parse, parse_inside

Node = tree_sitter.Node

_ITEMS = frozenset(
    {
        g.FUNCTION_ITEM,
        g.FUNCTION_SIGNATURE_ITEM,
        g.STRUCT_ITEM,
        g.UNION_ITEM,
        g.ENUM_ITEM,
        g.TRAIT_ITEM,
        g.IMPL_ITEM,
        g.MOD_ITEM,
        g.CONST_ITEM,
        g.STATIC_ITEM,
        g.TYPE_ITEM,
        g.ASSOCIATED_TYPE,
        g.FOREIGN_MOD_ITEM,
        g.USE_DECLARATION,
        g.EXTERN_CRATE,
        g.MACRO_DEFINITION,
    }
)
_FIELDS = frozenset({g.FIELD_INITIALIZER, g.SHORTHAND_FIELD_INITIALIZER, g.FIELD_PATTERN})
_LEAVING = (b"return", b"break", b"continue")
_MAX_NESTING = 12


class Carrier(NamedTuple):
    """One piece of code that may be gated.

    `kind` is item, member, import, call (of a macro, among items), statement, arm or field. `start` is where a new attribute goes: before the first attribute
    that it has, behind its doc comments. `binds` are the local variables that a statement declares, `scope_end` is where
    these end. `is_whole` tells whether the code around it is complete without it; `is_default` that it is a function of a
    trait with a body, which impls may replace. `head_end` is the end of the pattern of an arm, and of a field's name.
    """

    kind: str
    start: int
    code_start: int
    end: int
    binds: tuple[str, ...]
    scope_end: int
    is_whole: bool
    is_default: bool = False
    head_end: int = -1


class UseLeaf(NamedTuple):
    """One name of a `use` declaration: its offset, its text, and the path before the braces it stands in."""

    start: int
    text: str
    prefix: str


class UseText(NamedTuple):
    """A `use` declaration: from its visibility to the semicolon. `is_flat` if it is one list of plain names."""

    start: int
    end: int
    visibility: str
    leaves: tuple[UseLeaf, ...]
    is_flat: bool


class Body(NamedTuple):
    """A block of a function: the offset behind its brace, and of what stands there first."""

    start: int
    first: int
    end: int


def carriers_of(source: bytes, offset: int) -> tuple[Carrier, ...]:
    """What around the offset can be gated, innermost first."""
    found: list[Carrier] = []
    for path in _paths(source, offset):
        for node in path:
            carrier = _carrier(source, node)
            if carrier is not None:
                found.append(carrier)
    return tuple(found)


def use_at(source: bytes, offset: int) -> UseText | None:
    """The `use` declaration around the offset."""
    for path in _paths(source, offset):
        for node in path:
            if node.kind_id == g.USE_DECLARATION:
                return _use_text(source, node)
    return None


def function_body(source: bytes, offset: int) -> Body | None:
    """The body of the innermost function around the offset."""
    for path in _paths(source, offset):
        for node in path:
            body = node.child_by_field_id(g.F_BODY) if node.kind_id == g.FUNCTION_ITEM else None
            if body is not None and body.start_byte < offset < body.end_byte:
                inside = body.named_children
                first = inside[0].start_byte if inside else body.end_byte - 1
                return Body(body.start_byte + 1, first, body.end_byte)
    return None


def first_item(source: bytes) -> int:
    """Where the first item of a file begins, with its attributes: behind inner attributes and the file's own comments."""
    root = parse(source).root_node
    start = -1
    for child in root.named_children:
        if child.kind_id in (g.INNER_ATTRIBUTE_ITEM, g.SHEBANG):
            start = -1
        elif child.kind_id in g.COMMENTS:
            text = source[child.start_byte : child.start_byte + 3]
            if text in (b"//!", b"/*!"):
                start = -1
            elif start < 0 and text in (b"///", b"/**"):
                start = child.start_byte
        else:
            return start if start >= 0 else child.start_byte
    return len(source)


def _paths(source: bytes, offset: int) -> Iterator[list[Node]]:
    """The nodes around an offset, innermost first: within the innermost macro call whose argument is code, then outside."""
    paths: list[list[Node]] = []
    tree: tree_sitter.Tree | None = parse(source)
    for _ in range(_MAX_NESTING):
        if tree is None:
            break
        path, tokens = _descend(tree.root_node, offset)
        paths.append(path[::-1])
        if tokens is None:
            break
        tree = parse_inside(source, tokens)
        if tree is not None and tree.root_node.has_error:
            break
    yield from reversed(paths)


def _descend(root: Node, offset: int) -> tuple[list[Node], Node | None]:
    """The nodes from `root` to the offset, and the braces of a macro call that hold it."""
    path = [root]
    while True:
        node = path[-1]
        inner = next((c for c in node.named_children if c.start_byte <= offset < c.end_byte), None)
        if inner is None:
            return path, None
        if inner.kind_id == g.TOKEN_TREE:
            is_braced = inner.start_byte < offset and node.kind_id == g.MACRO_INVOCATION
            return path, inner if is_braced else None
        if inner.kind_id == g.ATTRIBUTE_ITEM:
            following = _attributed(inner)
            return ([*path, following] if following is not None else path), None
        path.append(inner)


def _attributed(attribute: Node) -> Node | None:
    """What an outer attribute stands on."""
    node = attribute.next_named_sibling
    while node is not None and (node.kind_id == g.ATTRIBUTE_ITEM or node.kind_id in g.COMMENTS):
        node = node.next_named_sibling
    return node


def _carrier(source: bytes, node: Node) -> Carrier | None:
    parent = node.parent
    if parent is None:
        return None
    start = _first_attribute(node)
    plain = Carrier("item", start, _behind_attributes(node), node.end_byte, (), 0, True)
    if node.kind_id == g.MATCH_ARM:
        pattern = node.child_by_field_id(g.F_PATTERN)
        return plain._replace(kind="arm", is_whole=False, head_end=-1 if pattern is None else pattern.end_byte)
    if node.kind_id in _FIELDS:
        name = node.child_by_field_id(g.F_FIELD) or node.child_by_field_id(g.F_NAME)
        return plain._replace(kind="field", is_whole=False, head_end=node.end_byte if name is None else name.end_byte)
    if node.kind_id == g.USE_DECLARATION:
        return plain._replace(kind="import")
    if node.kind_id in _ITEMS:
        owner = parent.parent
        is_member = owner is not None and owner.kind_id in (g.IMPL_ITEM, g.TRAIT_ITEM)
        if owner is None or not is_member:
            return plain
        is_default = owner.kind_id == g.TRAIT_ITEM and node.kind_id == g.FUNCTION_ITEM
        return plain._replace(kind="member", is_whole=is_default or not _is_trait_like(owner), is_default=is_default)
    if _is_item_call(node, parent):
        return plain._replace(kind="call")
    if parent.kind_id != g.BLOCK:
        return None
    if node.kind_id == g.LET:
        binds = tuple(_bound(source, node.child_by_field_id(g.F_PATTERN)))
        return plain._replace(kind="statement", binds=binds, scope_end=parent.end_byte)
    if node.kind_id == g.EXPRESSION_STATEMENT:
        leaves = source.startswith(_LEAVING, node.start_byte)
        is_tail = node.next_named_sibling is None and source[node.end_byte - 1 : node.end_byte] != b";"
        return plain._replace(kind="statement", is_whole=not leaves and not is_tail)
    return None


def _behind_attributes(node: Node) -> int:
    """Where the code of an arm or a field begins, whose attributes are its own children; of anything else, its start."""
    if node.kind_id != g.MATCH_ARM and node.kind_id not in _FIELDS:
        return node.start_byte
    rest = (c for c in node.named_children if c.kind_id != g.ATTRIBUTE_ITEM and c.kind_id not in g.COMMENTS)
    return next((c.start_byte for c in rest), node.start_byte)


def _is_item_call(node: Node, parent: Node) -> bool:
    """Whether a node is a macro call among items, which in a file is a statement."""
    if parent.kind_id not in (g.SOURCE_FILE, g.DECLARATION_LIST):
        return False
    inner = node.named_children[:1] if node.kind_id == g.EXPRESSION_STATEMENT else [node]
    return any(each.kind_id == g.MACRO_INVOCATION for each in inner)


def _is_trait_like(owner: Node) -> bool:
    return owner.kind_id == g.TRAIT_ITEM or owner.child_by_field_id(g.F_TRAIT) is not None


def _first_attribute(node: Node) -> int:
    start = node.start_byte
    before = node.prev_named_sibling
    while before is not None and (before.kind_id == g.ATTRIBUTE_ITEM or before.kind_id in g.COMMENTS):
        if before.kind_id == g.ATTRIBUTE_ITEM:
            start = before.start_byte
        before = before.prev_named_sibling
    return start


def _bound(source: bytes, pattern: Node | None) -> Iterator[str]:
    """The names in a pattern, some of which may be constants."""
    pending = [pattern] if pattern is not None else []
    while pending:
        node = pending.pop()
        if node.kind_id in (g.IDENTIFIER, g.SHORTHAND_FIELD_IDENTIFIER):
            yield name_of(source, node)
        pending.extend(node.named_children)


def _use_text(source: bytes, node: Node) -> UseText | None:
    argument = node.child_by_field_id(g.F_ARGUMENT)
    if argument is None or node.has_error:
        return None
    visibility = next((text_of(source, c) for c in node.named_children if c.kind_id == g.VISIBILITY), "")
    leaves = list(_leaves(source, argument, ""))
    is_flat = argument.kind_id == g.SCOPED_USE_LIST and len({leaf.prefix for leaf in leaves}) == 1
    return UseText(node.start_byte, node.end_byte, visibility, tuple(leaves), is_flat)


def _leaves(source: bytes, tree: Node, prefix: str) -> Iterator[UseLeaf]:
    if tree.kind_id == g.USE_LIST:
        for child in tree.named_children:
            if child.kind_id not in g.COMMENTS:
                yield from _leaves(source, child, prefix)
    elif tree.kind_id == g.SCOPED_USE_LIST:
        path, inner = tree.child_by_field_id(g.F_PATH), tree.child_by_field_id(g.F_LIST)
        here = f"{prefix}{text_of(source, path)}::" if path is not None else prefix
        if inner is not None:
            yield from _leaves(source, inner, here)
    else:
        yield UseLeaf(tree.start_byte, text_of(source, tree), prefix)

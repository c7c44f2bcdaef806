"""The state of one walk over one file, and the dispatch from node kinds to the functions that handle them.

Handlers live in declarations, imports, references and cfg_macros and register themselves with `handles` and
`handles_item`. The walk never looks at another file and never decides what a predicate means.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from collections.abc import Set as AbstractSet
from typing import TypeAlias

import tree_sitter

from cfglint.condition.predicate import Invalid, Literal, MacroGate, Option, Predicate
from cfglint.items import model as m
from cfglint.items.builtin_attributes import INERT, TOOLS
from cfglint.items.helper_attributes import Owner, hidden_by, owners_of
from cfglint.syntax import grammar as g
from cfglint.syntax.attributes import (
    NO_ATTRIBUTES,
    Attributes,
    Meta,
    attributes_of_metas,
    metas_of_attributes,
    name_of,
    text_of,
)
from cfglint.syntax.parser import terminated
from cfglint.syntax.tree import named_children

Node = tree_sitter.Node
Handler: TypeAlias = "Callable[[Walk, Node, int], None]"
ItemHandler: TypeAlias = "Callable[[Walk, Node, int, Attributes], None]"
Binding: TypeAlias = tuple[int, int, int]
"""The gate of a local variable, its offset, and how many frames there are where it is bound."""

ALWAYS = Literal(True)
NEVER = Literal(False)

SKIPPED = frozenset(
    {
        g.LINE_COMMENT,
        g.BLOCK_COMMENT,
        g.LABEL,
        g.LIFETIME,
        g.STRING_LITERAL,
        g.RAW_STRING_LITERAL,
        g.BOOLEAN_LITERAL,
        g.INTEGER_LITERAL,
        g.SHEBANG,
        g.FIELD_IDENTIFIER,
        g.VISIBILITY,
        g.PRIMITIVE_TYPE,
        g.METAVARIABLE,
        g.SELF,
        g.INNER_ATTRIBUTE_ITEM,
    }
)
"""Kinds that hold nothing to find."""

_NO_NAMES = frozenset(
    """as break const continue else enum extern false fn for if impl in let loop match mod move mut pub ref return static
    struct trait true type unsafe use where while""".split()
)
"""Keywords that tree-sitter takes for names in places, such as in `break &mut x`."""
_HIDDEN_BY_LOCALS = frozenset({m.Space.VALUE, m.Space.ANY, m.Space.CALL})
_HIDDEN_BY_NOTHING = frozenset({m.Space.DERIVE, m.Space.ATTRIBUTE, m.Space.MACRO})
_TYPE = m.Space.TYPE


def descend(w: Walk, node: Node, gate: int) -> None:
    """The handler of every kind that has none of its own: the children, under the same gate."""
    w.visit_children(named_children(node), gate, OPERANDS)


def _not_understood(w: Walk, node: Node, gate: int) -> None:
    w.gap(node, "not understood by the parser")


HANDLERS: dict[int, Handler | None] = {
    g.ERROR: _not_understood,
    **{kind: descend if g.is_named(kind) and kind not in SKIPPED else None for kind in range(g.KIND_COUNT)},
}
"""What to do with a node of each kind; None is nothing."""

ITEM_HANDLERS: dict[int, ItemHandler] = {}
"""Handlers of items, which also want the attributes that stand before them."""

STATEMENTS = {g.ATTRIBUTE_ITEM, g.ERROR}
"""Kinds among items and statements that are not simply handled: these, and all items, to which macro calls belong."""
OPERANDS = {g.ATTRIBUTE_ITEM, g.ERROR}
"""The same among parts of expressions and types, where a macro call can declare nothing."""


class FieldsBelow:
    """The fields that a struct expression or pattern names, while it is being walked."""

    __slots__ = ("fields", "is_open")

    def __init__(self) -> None:
        self.fields: list[m.FieldUse] = []
        self.is_open = False


class Walk:
    """Tables under construction, and where the walk stands: scope, local variables, generic parameters.

    With `heads_only` what stands inside functions, types, traits and impls is passed over.
    """

    def __init__(self, source: bytes) -> None:
        self.source = source
        self.heads_only = False
        self.terminated = terminated(source)
        self.gates: list[m.Gate] = [m.Gate(-1, ALWAYS, 0)]
        self.scopes: list[m.Scope] = []
        self.items: list[m.Item] = []
        self.modules: list[m.ModuleFile] = []
        self.imports: list[m.Import] = []
        self.impls: list[m.Impl | None] = []
        self.macros: list[m.Macro] = []
        self.calls: list[m.Call] = []
        self.references: dict[tuple[int, int, m.Path, m.Space, tuple[tuple[int, int], ...]], list[tuple[int, int]]] = {}
        self.selects: list[m.Select] = []
        self.guards: list[m.Guard] = []
        self.gaps: list[m.Gap] = []
        self.stems: list[m.Opaque] = []
        self.cfg_options: list[tuple[str, str | None, int, int]] = []
        self.no_std: list[Predicate] = []
        self.no_core: list[Predicate] = []
        self.blanked: dict[int, Predicate] = {}
        self.scope = 0
        self.locals: dict[str, list[Binding]] = {}
        self.statement_calls: set[int] = set()
        """Where macro calls begin that are statements, although the parser has made them part of an expression."""
        self.frames: list[list[str]] = [[]]
        """The names of the local variables of each frame, the innermost last; `locals` are those visible here."""
        self.generics: frozenset[str] = frozenset()
        self.modules_macro_use: dict[int, Predicate] = {}
        self.owners: tuple[Owner, ...] = ()
        self.members: dict[int, list[m.Member]] = {}
        self.procedural: list[m.Procedural] = []
        self.shapes: list[m.Shape] = []
        self.matches: list[m.Match] = []
        self.self_uses: dict[tuple[int, int, str, bool], list[tuple[int, int]]] = {}
        self.has_plain_self = False
        self.fields: list[FieldsBelow] = []
        self.arms: list[list[m.Arm] | None] = []

    # Gates and scopes

    def gate(self, parent: int, predicate: Predicate | None, start: int) -> int:
        """The gate that adds `predicate` to `parent`; `parent` itself when there is nothing to add."""
        if predicate is None or predicate == ALWAYS:
            return parent
        self.gates.append(m.Gate(parent, predicate, start))
        return len(self.gates) - 1

    def gated_by(self, attributes: Sequence[Node], gate: int) -> int:
        """The gate of what these attribute nodes stand on, for their cfgs; `gate` itself without any."""
        if not attributes:
            return gate
        return self.gate(gate, self.attributes(attributes).gate, attributes[0].start_byte)

    def open_scope(self, kind: m.ScopeKind, gate: int, name: str, start: int, owner: int = -1) -> int:
        """Add a scope below the current one and return its index; the caller enters it."""
        self.scopes.append(m.Scope(kind, self.scope, gate, name, start, owner))
        return len(self.scopes) - 1

    def is_within(self, gate: int, ancestor: int) -> bool:
        """Whether `ancestor` is on the chain of `gate`: what holds under `gate` then holds under `ancestor`."""
        while gate > ancestor:
            gate = self.gates[gate].parent
        return gate == ancestor

    def is_in_macro_call(self, gate: int) -> bool:
        """Whether the code under `gate` is the argument of a macro call."""
        while gate > 0:
            if isinstance(self.gates[gate].predicate, MacroGate):
                return True
            gate = self.gates[gate].parent
        return False

    # Attributes

    def attributes(self, nodes: Sequence[Node]) -> Attributes:
        """Read attribute nodes and note which options their cfgs name."""
        if not nodes:
            return NO_ATTRIBUTES
        metas = metas_of_attributes(self.source, nodes)
        for meta in metas:
            self.note_options(meta)
        return attributes_of_metas(metas)

    def note_options(self, meta: Meta) -> None:
        """Remember the options that a `cfg` or `cfg_attr` names, for the rules on undeclared ones."""
        if not meta.args:
            return
        if meta.path == ("cfg",):
            for arg in meta.args:
                self.note_predicate(arg)
        elif meta.path == ("cfg_attr",):
            self.note_predicate(meta.args[0])
            for arg in meta.args[1:]:
                self.note_options(arg)

    def note_predicate(self, meta: Meta) -> None:
        """Remember the options in one predicate."""
        if meta.args is not None:
            for arg in meta.args:
                self.note_predicate(arg)
        elif len(meta.path) == 1 and not meta.path[0].startswith(("=", "$")):
            self.cfg_options.append((meta.path[0], meta.value, meta.start, meta.end))

    # Walking

    def visit(self, node: Node, gate: int) -> None:
        """Handle one node under `gate`."""
        handler = HANDLERS[node.kind_id]
        if handler is None:
            return
        if self.blanked:
            gate = self.unblanked(node, gate)
        if handler is descend:
            if node.named_child_count:
                self.visit_children(named_children(node), gate, OPERANDS)
        else:
            handler(self, node, gate)

    def visit_children(self, nodes: Iterable[Node], gate: int, apart: AbstractSet[int] = STATEMENTS) -> None:
        """Handle siblings, `STATEMENTS` or `OPERANDS`; outer attributes stand before the node that they belong to."""
        pending: list[Node] = []
        for node in nodes:
            kind = node.kind_id
            handler = HANDLERS[kind]
            if handler is None:
                continue
            if kind in apart:
                if kind == g.ATTRIBUTE_ITEM:
                    pending.append(node)
                    continue
                if kind == g.ERROR:
                    handler(self, node, gate)
                else:
                    inner = self.unblanked(node, gate) if self.blanked else gate
                    self.visit_item(ITEM_HANDLERS[kind], node, inner, pending)
                if pending:
                    pending = []
                continue
            inner = self.unblanked(node, gate) if self.blanked else gate
            if pending:
                found = self.attributes(pending)
                inner = self.gate(inner, found.gate, pending[0].start_byte)
                self.attribute_macros(found, inner)
                pending = []
            if handler is descend:
                if node.named_child_count:
                    self.visit_children(named_children(node), inner, OPERANDS)
            else:
                handler(self, node, inner)

    def unblanked(self, node: Node, gate: int) -> int:
        """The gate of a node whose attributes had to be blanked out for the parser's sake, or that a macro is given.

        The outermost node that starts there takes it.
        """
        predicate = self.blanked.pop(node.start_byte, None)
        return gate if predicate is None else self.gate(gate, predicate, node.start_byte)

    def visit_item(self, handler: ItemHandler, node: Node, gate: int, attribute_nodes: Sequence[Node]) -> None:
        """Handle an item under its own gate, which `#[test]` and attributes that may remove it add to."""
        if not attribute_nodes:
            handler(self, node, gate, NO_ATTRIBUTES)
            return
        found = self.attributes(attribute_nodes)
        start = attribute_nodes[0].start_byte
        inner = self.gate(gate, found.gate, start)
        if found.others:
            if any(a.meta.path and a.meta.path[-1] in ("test", "bench") and a.when == ALWAYS for a in found.others):
                inner = self.gate(inner, Option("test"), start)
            if any(a.meta.path and a.meta.path[0] == "rustversion" for a in found.others):
                inner = self.gate(inner, Invalid(f"rustversion at byte {start}"), start)
            self.attribute_macros(found, inner)
        handler(self, node, inner, found)

    def attribute_macros(self, found: Attributes, gate: int) -> None:
        """References to derive and attribute macros; inert and tool attributes name nothing.

        A helper attribute of a derive is hidden by that derive, like a name by a local variable, where the derive is.
        """
        owners = self.owners + self.owned(found, gate)
        for attribute in found.others:
            meta = attribute.meta
            path = meta.path
            if path == ("derive",) and meta.args:
                under = self.gate(gate, attribute.when, meta.start)
                for derived in meta.args:
                    if derived.path:
                        self.reference(derived.path, m.Space.DERIVE, derived.start, derived.end, under)
            elif path and not (len(path) == 1 and path[0] in INERT) and path[0] not in TOOLS:
                under = self.gate(gate, attribute.when, meta.start)
                end = meta.start + len("::".join(path))
                hidden = hidden_by(owners, path[0]) if len(path) == 1 else ()
                self.record(path, m.Space.ATTRIBUTE, meta.start, end, under, hidden)

    def owned(self, found: Attributes, gate: int) -> tuple[Owner, ...]:
        """The derives and attribute macros of an item that may own attributes in it."""
        return owners_of(found, lambda when, start: self.gate(gate, when, start)) if found.others else ()

    # References

    def reference(self, path: m.Path, space: m.Space, start: int, end: int, gate: int) -> None:
        """Record a path, unless a local variable or a generic parameter of that name hides it for certain."""
        first = path[0]
        hidden: tuple[tuple[int, int], ...] = ()
        if len(path) == 1:
            if space in _HIDDEN_BY_LOCALS:
                bindings = self.locals.get(first)
                if bindings:
                    conditional = self._hiding(bindings, gate)
                    if conditional is None:
                        return
                    hidden = conditional
            elif space is _TYPE and first == "Self":
                return
            if first == "_" or (first in _NO_NAMES and not self.source.startswith(b"r#", start)):
                return
        if first in self.generics and space not in _HIDDEN_BY_NOTHING:
            return
        self.record(path, space, start, end, gate, hidden)

    def record(
        self, path: m.Path, space: m.Space, start: int, end: int, gate: int, hidden: tuple[tuple[int, int], ...]
    ) -> None:
        """Note a reference that is hidden where the gates of `hidden` hold."""
        key = (self.scope, gate, path, space, hidden)
        spans = self.references.get(key)
        if spans is None:
            self.references[key] = [(start, end)]
        else:
            spans.append((start, end))

    def _hiding(self, bindings: Sequence[Binding], gate: int) -> tuple[tuple[int, int], ...] | None:
        """The conditional ones among the variables of a name; None when one hides it wherever the code exists.

        Innermost frames come first, and in each the first variable.
        """
        if bindings[-1][0] == gate or any(self.is_within(gate, binding[0]) for binding in bindings):
            return None
        return tuple((bound, start) for bound, start, _ in sorted(bindings, key=_inner_frames_first))

    def bind(self, name: str, gate: int, start: int) -> None:
        """A local variable that is visible from here to the end of the innermost frame."""
        frames = self.frames
        frames[-1].append(name)
        binding = (gate, start, len(frames))
        bindings = self.locals.get(name)
        if bindings is None:
            self.locals[name] = [binding]
        else:
            bindings.append(binding)

    def close_frame(self) -> None:
        """Leave the innermost frame, and forget its variables."""
        for name in self.frames.pop():
            self.locals[name].pop()

    def open_body(self) -> tuple[dict[str, list[Binding]], list[list[str]]]:
        """Enter an item, where no local variables of the outside are visible; gives what `close_body` wants."""
        outside = self.locals, self.frames
        self.locals, self.frames = {}, [[]]
        return outside

    def close_body(self, outside: tuple[dict[str, list[Binding]], list[list[str]]]) -> None:
        """Leave an item."""
        self.locals, self.frames = outside

    # Gaps

    def gap(self, node: Node, reason: str, scope: int = -1) -> None:
        """Count a stretch that is not understood; with `scope`, names of that scope may be missing from it."""
        self.gaps.append(m.Gap(node.start_byte, max(node.end_byte, node.start_byte + 1), reason, scope))

    def doubtful(self, gate: int, node: Node) -> int:
        """The gate for what stands around a parse error: its existence is unknown."""
        return self.gate(gate, Invalid(f"parse error near byte {node.start_byte}"), node.start_byte)

    # Text

    def text(self, node: Node) -> str:
        """The node's text."""
        return text_of(self.source, node)

    def name(self, node: Node) -> str:
        """The node's text as a name, without `r#`."""
        return name_of(self.source, node)


def _inner_frames_first(binding: Binding) -> int:
    return -binding[2]


def handles(*kinds: int) -> Callable[[Handler], Handler]:
    """Register the decorated function as the handler of these node kinds."""

    def register(handler: Handler) -> Handler:
        for kind in kinds:
            HANDLERS[kind] = handler
        return handler

    return register


def handles_item(*kinds: int) -> Callable[[ItemHandler], ItemHandler]:
    """Register the decorated function as the handler of these item kinds."""

    def register(handler: ItemHandler) -> ItemHandler:
        def without_attributes(w: Walk, node: Node, gate: int) -> None:
            handler(w, node, gate, NO_ATTRIBUTES)

        for kind in kinds:
            ITEM_HANDLERS[kind] = handler
            STATEMENTS.add(kind)
            if kind != g.MACRO_INVOCATION:
                OPERANDS.add(kind)
                HANDLERS[kind] = without_attributes
        return handler

    return register

"""The state of one walk over one file, and the dispatch from node kinds to the functions that handle them.

Handlers live in declarations, references and cfg_macros and register themselves with `handles`. The walk never looks
at another file and never decides what a predicate means.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import tree_sitter

from cfglint.condition.predicate import Invalid, Literal, MacroGate, Option, Predicate
from cfglint.items import model as m
from cfglint.syntax import grammar as g
from cfglint.syntax.attributes import (
    NO_ATTRIBUTES,
    Attributes,
    Meta,
    attribute_meta,
    name_of,
    read_attributes,
    text_of,
)

Node = tree_sitter.Node
Handler = Callable[["Walk", Node, int], None]

HANDLERS: dict[int, Handler] = {}
ITEM_HANDLERS: dict[int, Callable[[Walk, Node, int, Attributes], None]] = {}
"""Handlers of items, which also want the attributes that stand before them."""

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


class Walk:
    """Tables under construction, and where the walk stands: scope, local variables, generic parameters."""

    def __init__(self, source: bytes) -> None:
        self.source = source
        self.gates: list[m.Gate] = [m.Gate(-1, Literal(True), 0)]
        self.scopes: list[m.Scope] = []
        self.items: list[m.Item] = []
        self.modules: list[m.ModuleFile] = []
        self.imports: list[m.Import] = []
        self.impls: list[m.Impl | None] = []
        self.macros: list[m.Macro] = []
        self.calls: list[m.Call] = []
        self.references: dict[tuple[int, int, m.Path, int, tuple[tuple[int, int], ...]], list[tuple[int, int]]] = {}
        self.selects: list[m.Select] = []
        self.guards: list[m.Guard] = []
        self.gaps: list[m.Gap] = []
        self.stems: list[m.Opaque] = []
        self.cfg_options: list[tuple[str, str | None, int, int]] = []
        self.no_std: list[Predicate] = []
        self.no_core: list[Predicate] = []
        self.blanked: dict[int, Predicate] = {}
        self.scope = 0
        self.frames: list[dict[str, list[tuple[int, int]]]] = [{}]
        self.generics: list[set[str]] = []
        self.modules_macro_use: dict[int, Predicate] = {}
        self.members: dict[int, list[m.Member]] = {}

    # Gates and scopes

    def gate(self, parent: int, predicate: Predicate | None, start: int) -> int:
        """The gate that adds `predicate` to `parent`; `parent` itself when there is nothing to add."""
        if predicate is None or predicate == Literal(True):
            return parent
        self.gates.append(m.Gate(parent, predicate, start))
        return len(self.gates) - 1

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
        found = read_attributes(self.source, nodes)
        for node in nodes:
            for child in node.named_children:
                if child.kind_id == g.ATTRIBUTE:
                    self.note_options(attribute_meta(self.source, child))
        return found

    def note_options(self, meta: Meta) -> None:
        """Remember the options that a `cfg` or `cfg_attr` names, for the rules on undeclared ones."""
        if meta.path == ("cfg",) and meta.args:
            for arg in meta.args:
                self.note_predicate(arg)
        elif meta.path == ("cfg_attr",) and meta.args:
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
        kind = node.kind_id
        if kind in SKIPPED:
            return
        if self.blanked:
            gate = self.unblanked(node, gate)
        if kind == g.ERROR:
            self.gap(node, "not understood by the parser")
            return
        item = ITEM_HANDLERS.get(kind)
        if item is not None:
            item(self, node, gate, NO_ATTRIBUTES)
            return
        handler = HANDLERS.get(kind)
        if handler is not None:
            handler(self, node, gate)
        else:
            self.visit_children(node.named_children, gate)

    def visit_children(self, nodes: Iterable[Node], gate: int) -> None:
        """Handle siblings; outer attributes stand before the node that they belong to."""
        pending: list[Node] = []
        for node in nodes:
            kind = node.kind_id
            if kind in SKIPPED:
                continue
            if kind == g.ATTRIBUTE_ITEM:
                pending.append(node)
                continue
            if kind == g.ERROR:
                self.gap(node, "not understood by the parser")
                pending = []
                continue
            item = ITEM_HANDLERS.get(kind)
            inner = self.unblanked(node, gate) if self.blanked else gate
            if item is not None:
                self.visit_item(item, node, inner, pending)
                pending = []
                continue
            if pending:
                found = self.attributes(pending)
                inner = self.gate(inner, found.gate, pending[0].start_byte)
                self.attribute_macros(found, inner)
                pending = []
            handler = HANDLERS.get(kind)
            if handler is not None:
                handler(self, node, inner)
            else:
                self.visit_children(node.named_children, inner)

    def unblanked(self, node: Node, gate: int) -> int:
        """The gate of a node whose attributes had to be blanked out for the parser's sake, or that a macro is given.

        The outermost node that starts there takes it.
        """
        predicate = self.blanked.pop(node.start_byte, None)
        return gate if predicate is None else self.gate(gate, predicate, node.start_byte)

    def visit_item(
        self,
        handler: Callable[[Walk, Node, int, Attributes], None],
        node: Node,
        gate: int,
        attribute_nodes: Sequence[Node],
    ) -> None:
        """Handle an item under its own gate; one that holds a parse error is walked as undecided."""
        found = self.attributes(attribute_nodes)
        start = attribute_nodes[0].start_byte if attribute_nodes else node.start_byte
        inner = self.gate(gate, found.gate, start)
        if any(a.meta.path and a.meta.path[-1] in ("test", "bench") and a.when == Literal(True) for a in found.others):
            inner = self.gate(inner, Option("test"), start)
        if any(a.meta.path and a.meta.path[0] == "rustversion" for a in found.others):
            inner = self.gate(inner, Invalid(f"rustversion at byte {start}"), start)
        self.attribute_macros(found, inner)
        handler(self, node, inner, found)

    def attribute_macros(self, found: Attributes, gate: int) -> None:
        """References to derive and attribute macros; inert and tool attributes name nothing."""
        for attribute in found.others:
            path = attribute.meta.path
            if path == ("derive",) and attribute.meta.args:
                under = self.gate(gate, _unless_always(attribute.when), attribute.meta.start)
                for derived in attribute.meta.args:
                    if derived.path:
                        self.reference(derived.path, m.Space.DERIVE, derived.start, derived.end, under)
            elif path and not (len(path) == 1 and path[0] in INERT) and path[0] not in TOOLS:
                under = self.gate(gate, _unless_always(attribute.when), attribute.meta.start)
                end = attribute.meta.start + len("::".join(path))
                self.reference(path, m.Space.ATTRIBUTE, attribute.meta.start, end, under)

    # References

    def reference(self, path: m.Path, space: m.Space, start: int, end: int, gate: int) -> None:
        """Record a path, unless a local variable or a generic parameter of that name hides it for certain."""
        first = path[0]
        if first == "_":
            return
        hidden: tuple[tuple[int, int], ...] = ()
        if len(path) == 1:
            if space in (m.Space.VALUE, m.Space.ANY, m.Space.CALL):
                locals_here = self._locals(first, gate)
                if locals_here is None:
                    return
                hidden = locals_here
            elif space == m.Space.TYPE and first == "Self":
                return
        if space not in (m.Space.DERIVE, m.Space.ATTRIBUTE, m.Space.MACRO):
            for names in self.generics:
                if first in names:
                    return
        self.references.setdefault((self.scope, gate, path, int(space), hidden), []).append((start, end))

    def bind(self, name: str, gate: int, start: int) -> None:
        """A local variable that is visible from here to the end of the innermost frame."""
        self.frames[-1].setdefault(name, []).append((gate, start))

    def _locals(self, name: str, gate: int) -> tuple[tuple[int, int], ...] | None:
        """The conditional local variables that hide `name` here; None when one hides it wherever the code exists."""
        hidden: list[tuple[int, int]] = []
        for frame in reversed(self.frames):
            for binding in frame.get(name, ()):
                if self.is_within(gate, binding[0]):
                    return None
                hidden.append(binding)
        return tuple(hidden)

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


def handles(*kinds: int) -> Callable[[Handler], Handler]:
    """Register the decorated function as the handler of these node kinds."""

    def register(handler: Handler) -> Handler:
        for kind in kinds:
            HANDLERS[kind] = handler
        return handler

    return register


def handles_item(
    *kinds: int,
) -> Callable[[Callable[[Walk, Node, int, Attributes], None]], Callable[[Walk, Node, int, Attributes], None]]:
    """Register the decorated function as the handler of these item kinds."""

    def register(
        handler: Callable[[Walk, Node, int, Attributes], None],
    ) -> Callable[[Walk, Node, int, Attributes], None]:
        for kind in kinds:
            ITEM_HANDLERS[kind] = handler
        return handler

    return register


def _unless_always(predicate: Predicate) -> Predicate | None:
    return None if predicate == Literal(True) else predicate


TOOLS = frozenset({"rustfmt", "clippy", "diagnostic", "miri", "rust_analyzer", "rustc"})
"""Tool prefixes: their attributes name no macro (Reference, tool attributes)."""

INERT = frozenset(
    """
    allow automatically_derived bench cfg cfg_attr cold crate_name crate_type deny deprecated derive doc expect export_name
    feature forbid global_allocator ignore inline instruction_set link link_args link_name link_ordinal link_section
    macro_export macro_use must_use naked no_builtins no_core no_implicit_prelude no_link no_main no_mangle no_start no_std
    non_exhaustive panic_handler path proc_macro proc_macro_attribute proc_macro_derive recursion_limit repr should_panic
    target_feature test track_caller type_length_limit used warn windows_subsystem default collapse_debuginfo coverage
    optimize debugger_visualizer unsafe rustc_dummy lang fundamental may_dangle test_case global_asm derive_const
    """.split()
)
"""Built-in attributes and the inert helpers of the built-in derives (Reference, built-in attributes index)."""

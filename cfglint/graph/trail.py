"""The gates on the way from the crate root to a piece of code, each with the place where it is written.

Follows declarations outward: the target in the manifest, the modules, what their files say of themselves, and the
items and statements around the code. It decides nothing and puts nothing into sentences.
"""

from __future__ import annotations

import enum
from dataclasses import dataclass

from cfglint.condition.diagram import TRUE, Condition
from cfglint.condition.predicate import MacroGate, Option
from cfglint.items import model as m
from cfglint.nameres.crate import Crate
from cfglint.nameres.model import EntryKind
from cfglint.syntax.attribute_text import attributes_from, first_line, subject_at


class Form(enum.Enum):
    """How a gate is written."""

    ATTRIBUTE = "attribute"
    INNER = "inner attribute"
    TEST = "test attribute"
    MACRO = "macro"
    PATH = "path attribute"
    MANIFEST = "manifest"


@dataclass(frozen=True, slots=True)
class Gate:
    """One gate. `start` is where its text begins in `file`, `written` that text in one line.

    `condition` is in the words of the root that is explained, `own` in those of the crate that it stands in. `crate`,
    `mount` and `link` find it again in the item trees; they are -1 for an entry of a manifest.
    """

    file: str
    start: int
    form: Form
    written: str
    condition: Condition
    own: Condition
    crate: int = -1
    mount: int = -1
    link: int = -1


@dataclass(frozen=True, slots=True)
class Step:
    """A declaration, a statement or a manifest entry on the way, with the gates that it stands under by itself."""

    kind: str
    name: str
    file: str
    start: int
    gates: tuple[Gate, ...] = ()

    @property
    def condition(self) -> Condition:
        """What the step demands."""
        result = TRUE
        for gate in self.gates:
            result &= gate.condition
        return result


def seen_from(view: Crate, owner: Crate, condition: Condition) -> Condition:
    """A condition in the words of `owner`, in those of the root `view`."""
    return view.final(condition if owner is view else owner.qualified(condition))


def module_steps(view: Crate, c: Crate, module: int) -> list[Step]:
    """The declarations of a module and of those around it, outermost first, and the crate's own gate before them."""
    steps: list[Step] = []
    while True:
        data = c.d.modules[module]
        if data.declaration is None:
            break
        declared = data.declaration
        steps.append(declaration_step(view, c, declared.mount, declared.kind, declared.index, declared.alternative))
        module = data.parent
    root = c.d.mounts[0]
    inner = gates_between(view, c, 0, root.tree.scopes[0].gate, 0)
    if inner:
        steps.append(Step("crate", c.config.name, root.file, 0, inner))
    return steps[::-1]


def declaration_step(view: Crate, c: Crate, mount: int, kind: EntryKind, index: int, alternative: int) -> Step:
    """The declaration of one module: its gates, its choice of file, and what the file says of itself."""
    data = c.d.mounts[mount]
    tree = data.tree
    if kind is EntryKind.ITEM:
        item = tree.items[index]
        gates = gates_between(view, c, mount, item.gate, tree.scopes[item.scope].gate)
        return Step("module", item.name, data.file, item.start, gates)
    declared = tree.modules[index]
    gates = gates_between(view, c, mount, declared.gate, tree.scopes[declared.scope].gate)
    chosen = c.alternative_condition(mount, index, alternative)
    if chosen is not TRUE:
        written = first_line(c.program.source(data.file), declared.start)
        shown = seen_from(view, c, chosen)
        gates += (Gate(data.file, declared.start, Form.PATH, written, shown, chosen, c.d.crate, mount, -1),)
    for position, module in c.d.children.get((mount, kind, index), ()):
        if position == alternative:
            below = c.d.modules[module].mount
            gates += gates_between(view, c, below, c.d.mounts[below].tree.scopes[0].gate, 0)
    return Step("module", declared.name, data.file, declared.start, gates)


def code_steps(view: Crate, c: Crate, mount: int, gate: int) -> list[Step]:
    """The items and statements around the code under `gate` in one file that have gates, outermost first."""
    above = c.d.mounts[mount].tree.scopes[0].gate
    steps: list[Step] = []
    for each in gates_between(view, c, mount, gate, above):
        kind, name = ("", each.written)
        if each.form in (Form.ATTRIBUTE, Form.TEST):
            kind, name = subject_at(c.program.source(each.file), each.start)
        elif each.form is Form.INNER:
            kind, name = "code", "around it"
        if steps and steps[-1].start == each.start and steps[-1].file == each.file:
            steps[-1] = Step(kind, name, each.file, each.start, (*steps[-1].gates, each))
        else:
            steps.append(Step(kind, name, each.file, each.start, (each,)))
    return steps


def gates_between(view: Crate, c: Crate, mount: int, gate: int, above: int) -> tuple[Gate, ...]:
    """The links of a chain of gates that demand anything, from the outermost below `above` to `gate`."""
    tree = c.d.mounts[mount].tree
    found: list[Gate] = []
    while gate > above and gate > 0:
        made = _gate(view, c, mount, gate)
        if made is not None:
            found.append(made)
        gate = tree.gates[gate].parent
    return tuple(found[::-1])


def _gate(view: Crate, c: Crate, mount: int, link: int) -> Gate | None:
    data = c.d.mounts[mount]
    row = data.tree.gates[link]
    own = c.lower(mount, row.predicate)
    if own is TRUE:
        return None
    source = c.program.source(data.file)
    form, start, written = _written(source, data.tree, row)
    return Gate(data.file, start, form, written, seen_from(view, c, own), own, c.d.crate, mount, link)


def _written(source: bytes, tree: m.ItemTree, row: m.Gate) -> tuple[Form, int, str]:
    """The form, place and text of a gate."""
    if isinstance(row.predicate, MacroGate):
        call = tree.calls[row.predicate.call]
        return Form.MACRO, call.start, f"`{'::'.join(call.path)}!`"
    attributes = attributes_from(source, row.start)
    gates = [attribute for attribute in attributes if attribute.name]
    if row.predicate == Option("test") and not any(b"test" in source[slice(*a.inside)] for a in gates):
        return Form.TEST, row.start, "#[test]"
    if not gates:
        macro = "cfg_if!" if source[row.start : row.start + 1] == b"{" else "cfg_select!"
        return Form.MACRO, row.start, f"a branch of `{macro}`"
    first = gates[0]
    text = source[first.start : first.end].decode("utf-8", "replace")
    return Form.INNER if first.is_inner else Form.ATTRIBUTE, first.start, " ".join(text.split())

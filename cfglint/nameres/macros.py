"""Textual macro scope, and what the gate of a macro call is once it is known which macro the call names.

Source: Reference, macros by example, "Scoping, exporting, and importing": textual scope is ordered, enters child
modules, and leaves a module only through `#[macro_use]`; of several definitions the last one above the call counts.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from cfglint.condition.diagram import FALSE, TRUE, Condition
from cfglint.condition.predicate import Invalid, Literal, MacroGate, Option, Predicate, lower
from cfglint.items import model as m
from cfglint.items.expanded import Expansion
from cfglint.items.expansion import expand
from cfglint.nameres import preludes
from cfglint.nameres.crate import Crate, merge
from cfglint.nameres.def_map import own_macro_use
from cfglint.nameres.model import NOTHING, PUBLIC, Def, DefKind, EntryKind, Found, Hit, Namespace

END = 1 << 62
_NO_RULES = frozenset({DefKind.OPAQUE, DefKind.EXTERNAL, DefKind.ERROR, DefKind.PROCEDURAL, DefKind.MADE})
"""What may be a macro whose rules are not known."""
_INCLUDED = -2


def textual(c: Crate, scope: int, position: int, name: str) -> Found:
    """The `macro_rules!` that `name` means at `position` in `scope`, the latest first where several are live."""
    if name not in c.d.macro_names and c.d.later is None:
        return NOTHING
    hits: list[Hit] = []
    remaining = TRUE
    while scope != -1 and remaining is not FALSE:
        found = _in_scope(c, scope, position, name)
        hits.extend(Hit(h.target, here, PUBLIC) for h in found.hits if (here := h.condition & remaining) is not FALSE)
        remaining -= found.covered
        data = c.d.scopes[scope]
        mount = c.d.mounts[data.mount]
        position = mount.tree.scopes[data.tree_scope].start
        if mount.by is not None and data.tree_scope == 0:
            position = mount.by[2]
        if data.parent != -1:
            scope = data.parent
        else:
            declared = c.d.modules[data.module].declaration
            if declared is None:
                break
            above = c.d.mounts[declared.mount]
            declaration = above.tree.modules[declared.index]
            scope, position = above.first_scope + declaration.scope, declaration.start
    return merge(hits)


def _in_scope(c: Crate, scope: int, position: int, name: str) -> Found:
    """Definitions in the scope itself and in `#[macro_use]` modules of it, before `position`."""
    data = c.d.scopes[scope]
    tree = c.d.mounts[data.mount].tree
    events: list[tuple[int, int, int]] = [
        (tree.macros[index].start, -1, index)
        for index in data.macros.get(name, ())
        if tree.macros[index].start < position
    ]
    events += [(start, kind, index) for start, kind, index in data.macro_use if start < position]
    events += [(tree.calls[i].start, _INCLUDED, i) for i in data.included if tree.calls[i].start < position]
    hits: list[Hit] = []
    remaining = TRUE
    for _, kind, index in sorted(events, reverse=True):
        if remaining is FALSE:
            break
        if kind == -1:
            condition = c.gate(data.mount, tree.macros[index].gate, data.gate)
            found = merge([Hit(Def(DefKind.MACRO, c.d.crate, data.mount, index, name), condition, PUBLIC)])
        elif kind == _INCLUDED:
            condition = c.gate(data.mount, tree.calls[index].gate, data.gate)
            inner = _in_scope(c, c.d.included[data.mount, index], END, name)
            found = merge([Hit(h.target, h.condition & condition, PUBLIC) for h in inner.hits])
        else:
            found = c.query(
                ("t", data.mount, kind, index, name),
                lambda k=kind, i=index: _leaking(c, data.mount, k, i, name),  # type: ignore[misc]
            )
        hits.extend(Hit(h.target, here, PUBLIC) for h in found.hits if (here := h.condition & remaining) is not FALSE)
        remaining -= found.covered
    return merge(hits)


def _leaking(c: Crate, mount: int, kind: EntryKind, index: int, name: str) -> Found:
    """What a `#[macro_use]` module lets out."""
    tree = c.d.mounts[mount].tree
    if kind == EntryKind.MODULE_FILE:
        macro_use = c.lower(mount, tree.modules[index].macro_use)
    else:
        item = tree.items[index]
        macro_use = c.lower(mount, dict(tree.macro_use).get(item.inner, Literal(item.derives)))
    hits: list[Hit] = []
    for position, module in c.d.modules_of(mount, kind, index):
        own = c.lower(c.d.modules[module].mount, own_macro_use(c.d, module)) if kind == EntryKind.MODULE_FILE else FALSE
        condition = (macro_use | own) & c.declared_condition(mount, kind, index, position)
        inner = _in_scope(c, c.d.modules[module].scope, END, name)
        hits.extend(Hit(h.target, h.condition & condition, PUBLIC) for h in inner.hits)
    return merge(hits)


def exported(c: Crate, name: str) -> Found:
    """`#[macro_export]`ed macros of that name: they stand in the crate root, wherever they are written."""
    hits = []
    for mount, index in c.d.exported.get(name, ()):
        macro = c.d.mounts[mount].tree.macros[index]
        if isinstance(macro.exported, Invalid) and not _may_add_attributes(c, mount, macro.start):
            continue
        condition = c.context(mount, macro.gate) & c.lower(mount, macro.exported)
        hits.append(Hit(Def(DefKind.MACRO, c.d.crate, mount, index, name), condition, PUBLIC))
    return merge(hits)


def _may_add_attributes(c: Crate, mount: int, offset: int) -> bool:
    """Whether a macro call around this place may add `#[macro_export]` to what it is given."""
    from cfglint.nameres.brought import writes

    data = c.d.mounts[mount]
    around = [call for call in data.tree.calls if call.start <= offset < call.end]
    source = c.program.source(data.file)
    return any(b"macro_export" in source[call.start : call.end] for call in around) or any(
        writes(c, call.path[-1], "macro_export") for call in around
    )


def macro_of_path(c: Crate, scope: int, position: int, path: m.Path) -> Found:
    """What a macro path means: textual scope first for a single name, then as any path."""
    from cfglint.nameres.paths import resolve

    if len(path) > 1:
        return resolve(c, scope, path, Namespace.MACRO)
    first = textual(c, scope, position, path[0])
    if first.covered is TRUE:
        return first
    rest = resolve(c, scope, path, Namespace.MACRO)
    remaining = ~first.covered
    return merge(
        [
            *first.hits,
            *(Hit(h.target, here, h.visibility) for h in rest.hits if (here := h.condition & remaining) is not FALSE),
        ]
    )


def macro_gate(c: Crate, mount: int, call: int, start: int) -> Condition:
    """The condition under which the part at `start` of what is passed to a macro call is compiled."""
    known = c.gates_of_calls.get((mount, call))
    if known is not None:
        return known
    data = c.d.mounts[mount].tree.calls[call]
    mystery = c.mystery(f"macro call `{'::'.join(data.path)}!` at {c.place(mount, data.start)}")
    key = (mount, call)
    if key in c.busy_gates:
        return mystery
    c.busy_gates.add(key)
    try:
        return _gate_of(c, mount, call, start, mystery)
    finally:
        c.busy_gates.discard(key)


def imported_names(c: Crate) -> frozenset[str]:
    """The names that imports of this crate bind: a macro may be called by another name than its own."""
    if c.imported_names is None:
        c.imported_names = frozenset(i.name for mount in c.d.mounts for i in mount.tree.imports if not i.is_crate)
    return c.imported_names


def foreign_macros(c: Crate) -> Mapping[str, Sequence[int]]:
    """The macros that crates export which this one can reach, through others too: their crates by their names."""
    if c.foreign_macros is None:
        pending = [known.crate for known in c.config.extern.values() if known.crate >= 0]
        names: dict[str, list[int]] = {}
        seen: set[int] = set()
        while pending:
            number = pending.pop()
            if number not in seen:
                seen.add(number)
                other = c.program.crates[number]
                if other.d.later is not None or number in c.program.closed:
                    continue  # their macros are not expanded
                for name in other.d.exported:
                    names.setdefault(name, []).append(number)
                pending.extend(known.crate for known in other.config.extern.values() if known.crate >= 0)
        c.foreign_macros = names
    return c.foreign_macros


def meanings(c: Crate, mount: int, call: int) -> Found:
    """The macros that a call means, as far as it names any that are not of the standard library."""
    data = c.d.mounts[mount].tree.calls[call]
    name = data.path[-1]
    if len(data.path) == 1 and c.d.later is None:
        if not (name in c.d.macro_names or name in imported_names(c) or name in foreign_macros(c)):
            return NOTHING
    return macro_of_path(c, c.d.mounts[mount].first_scope + data.scope, data.start, data.path)


def _gate_of(c: Crate, mount: int, call: int, start: int, mystery: Condition) -> Condition:
    data = c.d.mounts[mount].tree.calls[call]
    name = data.path[-1]
    result = FALSE
    covered = FALSE
    whole = True
    for target, condition, _ in meanings(c, mount, call).hits:
        if target.kind is DefKind.MACRO:
            gate, is_whole = _part(c, target, mount, call, start, mystery)
            whole &= is_whole
            result |= condition & gate
            covered |= condition
        elif target.kind in _NO_RULES and target.name.split("::")[0] not in preludes.SYSROOT:
            result |= condition & mystery
            covered |= condition
    rest = ~covered
    if rest is not FALSE:
        if name in preludes.EXPRESSION_MACROS or name in preludes.PASSING_MACROS:
            result |= rest & _is_there(c, mount, data)
        elif name not in preludes.SILENT_MACROS:
            result |= rest & mystery
    if whole and not c.active:
        c.gates_of_calls[mount, call] = result
    return result


def _is_there(c: Crate, mount: int, data: m.Call) -> Condition:
    """Where a macro of the standard library has a name: rustc looks into no argument of a macro that it cannot find."""
    from cfglint.nameres.scope import std_condition

    if len(data.path) > 1 or std_condition(c) is TRUE:
        return TRUE
    return macro_of_path(c, c.d.mounts[mount].first_scope + data.scope, data.start, data.path).covered


def _part(c: Crate, target: Def, mount: int, call: int, start: int, mystery: Condition) -> tuple[Condition, bool]:
    """The gate that one `macro_rules!` puts around one part, and whether it is that of every part.

    By its summary if it has one, else by expanding the call.
    """
    data = c.d.mounts[mount].tree.calls[call]
    key = (mount, call, target.at, target.index)
    known = c.summaries.get(key)
    if known is None:
        known = c.summaries[key] = _summary(c, target, mount, data, (data.meta, data.meta_is_cfg), mystery, depth=0)
    if known is not mystery:
        return known, True
    if start == 0:
        return known, False
    expansion = expansion_of(c, mount, call, target)
    if expansion is None or not expansion.complete:
        return mystery, True
    pieces = [piece for piece in expansion.pieces if piece.start <= start < piece.end]
    if not pieces:  # a token that the rule matches and may write again, or one that it drops
        return mystery, False
    result = FALSE
    for piece in pieces:
        certain = not piece.scoped and not piece.nested
        result |= c.lower(mount, piece.predicate) if certain else mystery
    return result, False


def expansion_of(c: Crate, mount: int, call: int, target: Def) -> Expansion | None:
    """The call expanded with that macro; None when that is not certain. Kept."""
    key = (mount, call, target.at, target.index)
    if key not in c.expansions:
        data = c.d.mounts[mount].tree.calls[call]
        owner = c.program.crates[target.crate]
        read = c.program.source

        def lookup(path: m.Path) -> tuple[bytes, int] | None:
            found = _called_inside(c, owner, c.d.mounts[mount].first_scope + data.scope, data.start, path)
            if len(found.hits) != 1 or found.covered is not TRUE or found.hits[0].target.kind is not DefKind.MACRO:
                return None
            hit = found.hits[0].target
            if hit.crate != target.crate:
                return None  # `$crate` means another crate in there
            other = c.program.crates[hit.crate].d.mounts[hit.at]
            return read(other.file), other.tree.macros[hit.index].start

        macro = owner.d.mounts[target.at]
        c.expansions[key] = expand(
            read(macro.file),
            macro.tree.macros[target.index].start,
            read(c.d.mounts[mount].file),
            data.start,
            data.end,
            lookup,
        )
    return c.expansions[key]


def _called_inside(c: Crate, owner: Crate, scope: int, position: int, path: m.Path) -> Found:
    """What a macro of the crate `owner` means by `path!`, when it is called in `scope` of this crate."""
    from cfglint.nameres.paths import in_crate

    if path[0] != "$crate":
        return macro_of_path(c, scope, position, path)
    if owner is not c:
        return in_crate(c, owner.d.crate, path[1:], Namespace.MACRO)
    found = macro_of_path(c, scope, position, path[-1:])
    return found if found.hits else exported(c, path[-1])


def _summary(
    c: Crate,
    target: Def,
    mount: int,
    data: m.Call,
    given: tuple[Predicate | None, bool],
    mystery: Condition,
    *,
    depth: int,
) -> Condition:
    """The gate that a `macro_rules!` puts around this call's argument, where its rules agree on one."""
    owner = c.program.crates[target.crate]
    macro = owner.d.mounts[target.at].tree.macros[target.index]
    meta, meta_is_cfg = given
    arms = [arm for arm in macro.arms if arm.takes_meta == (meta is not None)]
    if (
        not arms
        or depth > 8
        or any(arm.opaque for arm in arms)
        or len({(arm.predicate, arm.nested) for arm in arms}) != 1
    ):
        return mystery
    arm = arms[0]

    def leaf(option: Option | Invalid | MacroGate) -> Condition:
        if isinstance(option, Option) and option.key == "#meta":
            return mystery if meta is None else c.lower(mount, meta) if meta_is_cfg else TRUE
        if isinstance(option, Option) and option.key.startswith("$"):
            return mystery if meta is None or meta_is_cfg else c.lower(mount, meta)
        if isinstance(option, MacroGate):
            return mystery
        return c.option(mount, option)

    result = lower(arm.predicate, leaf)
    handed_on = (arm.nested_meta, arm.nested_meta_is_cfg)
    if arm.nested_meta is not None and "$" in repr(arm.nested_meta):
        handed_on = given if isinstance(arm.nested_meta, Option) else (None, False)
    scope = c.d.mounts[mount].first_scope + data.scope
    for path in arm.nested:
        inner = _called_inside(c, owner, scope, data.start, path)
        nested = FALSE
        for hit in inner.hits:
            if hit.target.kind is DefKind.MACRO:
                nested |= hit.condition & _summary(c, hit.target, mount, data, handed_on, mystery, depth=depth + 1)
        rest = ~inner.covered
        if rest is not FALSE:
            nested |= rest if path[-1] in preludes.EXPRESSION_MACROS else rest & mystery
        result &= nested
    return result

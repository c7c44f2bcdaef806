"""Which names a call of a macro of the project may bring, beside the items that stand in its parsed argument.

Told by what the macro's rules declare, and those of all macros that they may hand something to; a single call is
matched, not expanded. A macro that cannot be read may bring anything.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from cfglint.condition.diagram import TRUE
from cfglint.items.captures import matched
from cfglint.items.declaring import INVENTING, SPREADING, Declares
from cfglint.items.macro_definition import Part, Repetition, Rule, definition
from cfglint.items.macro_tokens import Token, UncertainError
from cfglint.nameres.crate import Crate
from cfglint.nameres.macros import meanings
from cfglint.nameres.model import Def, DefKind, Found


@dataclass(frozen=True, slots=True)
class Brought:
    """What some rules and all that they lead to may declare.

    With `binds` the caller's own names may be among it. With `is_open` a macro that is not known gets something, and
    with `invents` any name at all may come.
    """

    names: frozenset[str] = frozenset()
    binds: bool = False
    is_open: bool = False
    invents: bool = False
    makes_macros: bool = False

    @property
    def is_nothing(self) -> bool:
        """Whether nothing is declared but what the argument holds."""
        return not (self.names or self.binds or self.is_open or self.invents)


_ANYTHING = Brought(binds=True, is_open=True, invents=True, makes_macros=True)


def brought_by(c: Crate, name: str) -> Brought:
    """What any macro of this crate with that name may declare."""
    known = c.brought.get(name)
    if not isinstance(known, Brought):
        known = _closure(c, _rules_called(c, name), [name])
        c.brought[name] = known
    return known


def brought_by_call(c: Crate, mount: int, index: int) -> frozenset[str] | None:
    """The names that one call may declare beside the items it is given; None when it cannot be told."""
    found = meanings(c, mount, index)
    if not found.hits or not is_settled(c, found):
        return None
    names: set[str] = set()
    for target, _, _ in found.hits:
        some = _by_matching(c, mount, index, target) if target.kind is DefKind.MACRO else None
        if some is None:
            return None
        names |= some
    return frozenset(names)


def brought_into(c: Crate, scope: int) -> frozenset[str] | None:
    """The names that the macro calls of a scope may declare beside what they are given; None when it cannot be told."""
    data = c.d.scopes[scope]
    names: set[str] = set()
    for index in data.calls:
        if c.d.mounts[data.mount].tree.calls[index].in_items:
            some = brought_by_call(c, data.mount, index)
            if some is None:
                return None
            names |= some
    return frozenset(names)


def writes(c: Crate, name: str, word: str) -> bool:
    """Whether a macro with that name, or one that it may lead to, may write this word of its own."""
    if name not in c.d.macro_names or brought_by(c, name).is_open:
        return True
    reached, pending = {name}, [name]
    while pending:
        rules = _rules_called(c, pending.pop())
        if rules is None or any(rule.body is None or _holds(rule.body, word) for rule in rules):
            return True
        new = frozenset().union(*(rule.declares.calls for rule in rules)) - reached
        reached |= new
        pending += new
    return False


def is_settled(c: Crate, found: Found) -> bool:
    """Whether the macros that a call means are known for certain: one of another crate stays what it is, gated or not.

    Where it is gated out the call itself is in error, and makes nothing.
    """
    if found.covered is TRUE:
        return True
    return (
        len(found.hits) == 1 and found.hits[0].target.kind is DefKind.MACRO and found.hits[0].target.crate != c.d.crate
    )


def only_gated_outside(c: Crate, mount: int, index: int) -> bool:
    """Whether neither a call nor its macro says anything of cfgs or calls another macro: what it makes has its own gate."""
    call = c.d.mounts[mount].tree.calls[index]
    if b"cfg" in c.program.source(c.d.mounts[mount].file)[call.start : call.end]:
        return False
    found = meanings(c, mount, index)
    for target, _, _ in found.hits:
        if target.kind is not DefKind.MACRO:
            return False
        rules = _rules_at(c.program.crates[target.crate], target.at, target.index)
        if rules is None or any(r.declares.calls or r.body is None or _holds(r.body, "cfg") for r in rules):
            return False
    return bool(found.hits)


def _holds(parts: Iterable[Part], word: str) -> bool:
    """Whether some token holds this word, or is it."""
    return any(
        _holds(part.parts, word) if isinstance(part, Repetition) else isinstance(part, Token) and word in part.text
        for part in parts
    )


def _by_matching(c: Crate, mount: int, index: int, target: Def) -> frozenset[str] | None:
    call = c.d.mounts[mount].tree.calls[index]
    owner = c.program.crates[target.crate]
    if call.parsed and brought_by(owner, target.name).is_nothing:
        return frozenset()
    home = owner.d.mounts[target.at]
    start = home.tree.macros[target.index].start
    read = c.program.source
    match = matched(read(home.file), start, read(c.d.mounts[mount].file), call.start, call.end)
    if match is None or (not call.parsed and match.kinds & SPREADING):
        return None
    brought = _closure(owner, [match.rule], [])
    if brought.is_open or brought.invents:
        return None
    return brought.names | match.names if brought.binds else brought.names


def _rules_called(c: Crate, name: str) -> list[Rule] | None:
    """The rules of all macros with that name; None where one of them is not understood."""
    found: list[Rule] = []
    for mount, data in enumerate(c.d.mounts):
        for index, macro in enumerate(data.tree.macros):
            if macro.name == name:
                rules = _rules_at(c, mount, index)
                if rules is None:
                    return None
                found += rules
    return found


def _rules_at(c: Crate, mount: int, index: int) -> tuple[Rule, ...] | None:
    """The rules of one macro; None where it is not understood."""
    home = c.d.mounts[mount]
    try:
        return definition(c.program.source(home.file), home.tree.macros[index].start).rules
    except UncertainError:
        return None


def _closure(c: Crate, rules: Iterable[Rule] | None, seen: list[str]) -> Brought:
    """These rules, and those of every macro of the crate that they may call."""
    if rules is None:
        return _ANYTHING
    pending = [rule.declares for rule in rules]
    reached: list[Declares] = []
    known = set(seen)
    unknown: set[str] = set()
    while pending:
        rule = pending.pop()
        reached.append(rule)
        for name in rule.calls - known:
            known.add(name)
            inner = _rules_called(c, name) if name in c.d.macro_names else []
            if inner is None:
                return _ANYTHING
            if inner:
                pending += [each.declares for each in inner]
            else:
                unknown.add(name)
    is_open = bool(unknown)
    binds = any(rule.binds for rule in reached) or (is_open and any(rule.hands_on for rule in reached))
    names = frozenset().union(*(rule.names for rule in reached))
    if binds or is_open:
        names = names.union(*(rule.written for rule in reached))
    return Brought(
        names, binds, is_open, bool(unknown & INVENTING), is_open or any(rule.makes_macros for rule in reached)
    )

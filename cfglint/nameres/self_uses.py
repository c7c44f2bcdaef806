"""`self.field` and `self.method()` in an impl of a type of this crate, against the members that the type has.

The type of `self` is known there without inference (Reference, associated functions, methods). A type that is
dereferenced to another may find the member there (Reference, field access and method call expressions): left out.
"""

from __future__ import annotations

from collections.abc import Iterator

from cfglint.condition.diagram import FALSE, Condition
from cfglint.nameres.crate import Crate
from cfglint.nameres.declared import Declared, Disagreement, declared_by, item_of, present
from cfglint.nameres.members import inherent, is_dereferenced, member
from cfglint.nameres.model import Def, DefKind, Namespace
from cfglint.nameres.paths import resolve
from cfglint.nameres.verdicts import Kind

_OWNERS = ("struct", "union", "enum")


def members_of_self(c: Crate, mount: int) -> Iterator[Disagreement]:
    """The uses of `self` in one file that name a member which is not there."""
    data = c.d.mounts[mount]
    for use in data.tree.self_uses:
        scope = data.first_scope + use.scope
        hits = resolve(c, scope, ("Self",), Namespace.TYPE).hits
        if not all(_is_own_type(c, hit.target) for hit in hits):
            continue
        for target, there, _ in hits:
            failing, declared = (_method if use.is_call else _field)(c, target, use.name)
            failing &= there
            if failing is FALSE or is_dereferenced(c, target):
                continue
            path = (target.name, use.name)
            for span in use.spans:
                yield Disagreement(Kind.MEMBER, mount, scope, use.gate, *span, path, failing, declared)


def _is_own_type(c: Crate, target: Def) -> bool:
    return target.kind is DefKind.ITEM and target.crate == c.d.crate and item_of(c, target).kind in _OWNERS


def _field(c: Crate, target: Def, name: str) -> tuple[Condition, tuple[Declared, ...]]:
    """Where a field that is declared somewhere is not there."""
    declared = declared_by(c, target, ("struct", "union"))
    parts = None if declared is None else declared.named(name)
    if parts is None or not parts.parts:
        return FALSE, ()
    return ~present(c, parts), (parts,)


def _method(c: Crate, target: Def, name: str) -> tuple[Condition, tuple[Declared, ...]]:
    """Where a method of the type's own is not there; none where a trait or a macro may supply it."""
    declared = tuple(
        Declared(c, mount, -1 - index, c.d.mounts[mount].tree.impls[index].gate, (part,))
        for mount, index, part in inherent(c, target, name)
    )
    if not declared:
        return FALSE, ()
    return ~member(c, target, name, Namespace.VALUE).covered, declared

"""Impls against their traits: items that one has and the other has not, in some configuration.

E0407, E0437, E0438 (not a member of the trait), E0046 (missing in the impl). An item that neither has ever declared would
fail in every configuration and is not asked about, nor is an impl for a type that may be unsized.
"""

from __future__ import annotations

from collections.abc import Iterator

from cfglint.condition.diagram import FALSE, TRUE, Condition
from cfglint.items import model as m
from cfglint.nameres.crate import Crate
from cfglint.nameres.declared import Declared, Disagreement, brings_more, declared_by, present
from cfglint.nameres.model import Namespace
from cfglint.nameres.paths import resolve
from cfglint.nameres.verdicts import Kind


def impls_that_differ(c: Crate, mount: int) -> Iterator[Disagreement]:
    """What does not fit in the trait impls of one file."""
    data = c.d.mounts[mount]
    for index, block in enumerate(data.tree.impls):
        path = block.trait_path
        if path is None or block.is_negative or block.is_rewritten or any(p.kind == "macro" for p in block.members):
            continue
        scope = data.first_scope + block.scope
        own = Declared(c, mount, -1 - index, block.gate, block.members)
        for target, there, _ in resolve(c, scope, path, Namespace.TYPE).hits:
            trait = declared_by(c, target, ("trait",))
            if trait is not None and (own.gate or trait.is_gated() or own.is_gated()):
                yield from _beyond(c, scope, path, own, trait, there)
                if (
                    block.type_path is not None
                    and block.type_path[-1] != "str"
                    and not brings_more(c, mount, block.inner)
                ):
                    yield from _missing(c, scope, path, block, own, trait, there)


def _beyond(
    c: Crate, scope: int, path: m.Path, own: Declared, trait: Declared, there: Condition
) -> Iterator[Disagreement]:
    """Items of the impl that the trait has elsewhere."""
    for part in own.parts:
        declared = trait.named(part.name)
        if declared.parts:
            failing = there & c.gate(own.mount, part.gate, own.gate) & ~present(c, declared)
            if failing is not FALSE:
                span = (part.start, part.start + len(part.name.encode()))
                whole = (*path, part.name)
                yield Disagreement(Kind.NOT_IN_TRAIT, own.mount, scope, part.gate, *span, whole, failing, (declared,))


def _missing(
    c: Crate, scope: int, path: m.Path, block: m.Impl, own: Declared, trait: Declared, there: Condition
) -> Iterator[Disagreement]:
    """One for each impl, as rustc has it: for all the items that it lacks."""
    failing = FALSE
    missing: list[m.Member] = []
    is_gated = c.context(own.mount, own.gate) is not TRUE
    for name in trait.names():
        required = trait._replace(parts=tuple(p for p in trait.named(name).parts if not p.has_body))
        if not required.parts:
            continue
        needed = present(c, required)
        mine = own.named(name)
        absent = there & needed & ~present(c, mine)
        if absent is FALSE or (needed is TRUE and not mine.parts and not is_gated):
            continue
        missing.extend(required.parts)
        failing |= absent
    if missing:
        whole = (*path, missing[0].name)
        parts = trait._replace(parts=tuple(missing))
        span = (block.start, block.start + len(b"impl"))
        yield Disagreement(Kind.NOT_IN_IMPL, own.mount, scope, block.gate, *span, whole, failing, (parts,))

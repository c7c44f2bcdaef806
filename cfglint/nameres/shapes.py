"""Struct expressions and patterns against the fields that the struct or variant has in each configuration.

E0063 (missing in an expression), E0560 (given, not there), E0027 (left out by a pattern), E0026 (matched, not there). Only
fields that are declared in some configuration are asked about.
"""

from __future__ import annotations

from collections.abc import Iterator

from cfglint.condition.diagram import FALSE, TRUE, Condition, disjunction
from cfglint.items import model as m
from cfglint.nameres.crate import Crate
from cfglint.nameres.declared import Declared, Disagreement, declared_by, item_of, present
from cfglint.nameres.model import Def, DefKind, Namespace
from cfglint.nameres.paths import resolve
from cfglint.nameres.verdicts import Kind

_STRUCT = ("struct",)


def fields_that_differ(c: Crate, mount: int) -> Iterator[Disagreement]:
    """What does not fit in the struct expressions and patterns of one file."""
    data = c.d.mounts[mount]
    for shape in data.tree.shapes:
        scope = data.first_scope + shape.scope
        for target, there, _ in resolve(c, scope, shape.path, Namespace.TYPE).hits:
            declared = _fields(c, target)
            if declared is None or not (
                shape.gate or declared.is_gated() or any(field.gate != shape.gate for field in shape.fields)
            ):
                continue
            given = list(_given(c, mount, scope, shape, declared, there))
            yield from given
            if not shape.is_open:
                # rustc looks for missing fields only where all that an expression gives are there.
                beyond = FALSE if shape.is_pattern else disjunction(found.failing for found in given)
                understood = there & ~beyond
                yield from _missing(c, mount, scope, shape, declared, understood)


def _fields(c: Crate, target: Def) -> Declared | None:
    """The named fields of a struct or of a variant that is declared once."""
    if target.kind is not DefKind.MEMBER:
        return declared_by(c, target, _STRUCT)
    if target.index < 0:
        return None
    item = item_of(c, target)
    variants = [part for part in item.members if part.name == target.name]
    if item.kind != "enum" or item.is_rewritten or len(variants) != 1:
        return None
    fields = variants[0].fields
    if any(part.kind == "macro" for part in fields):
        return None
    return Declared(c.program.crates[target.crate], target.at, target.index, variants[0].gate, fields)


def _given(
    c: Crate, mount: int, scope: int, shape: m.Shape, declared: Declared, there: Condition
) -> Iterator[Disagreement]:
    kind = Kind.FIELD_GIVEN if shape.is_pattern else Kind.MEMBER
    for field in shape.fields:
        parts = declared.named(field.name)
        if parts.parts:
            failing = there & c.gate(mount, field.gate, shape.gate) & ~present(c, parts)
            if failing is not FALSE:
                path = (*shape.path, field.name)
                span = (field.start, field.end)
                yield Disagreement(kind, mount, scope, field.gate, *span, path, failing, (parts,))


def _missing(
    c: Crate, mount: int, scope: int, shape: m.Shape, declared: Declared, there: Condition
) -> Iterator[Disagreement]:
    """One for each expression or pattern, as rustc has it: for all the fields that are missing."""
    failing = FALSE
    missing: list[str] = []
    is_gated = c.context(mount, shape.gate) is not TRUE
    for name in declared.names():
        parts = declared.named(name)
        uses = [field for field in shape.fields if field.name == name]
        everywhere = present(c, parts)
        absent = there & everywhere
        for field in uses:
            absent &= ~c.gate(mount, field.gate, shape.gate)
        if absent is not FALSE and (uses or everywhere is not TRUE or is_gated):
            missing.append(name)
            failing |= absent
    if missing:
        kind = Kind.FIELD_UNMATCHED if shape.is_pattern else Kind.FIELD_MISSING
        parts = declared._replace(parts=tuple(part for part in declared.parts if part.name in missing))
        path = (*shape.path, missing[0])
        span = (shape.start, shape.end)
        yield Disagreement(kind, mount, scope, shape.gate, *span, path, failing, (parts,))

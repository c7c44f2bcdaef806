"""The arms of a match against the variants that the enum has in each configuration (E0004).

Only where every arm is a path of a variant, so that the paths say which enum it is and no arm takes the rest. A variant
that may have no values needs no arm (Reference, match expressions; patterns of empty types) and is not asked for.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from cfglint.condition.diagram import FALSE, TRUE, Condition
from cfglint.items import model as m
from cfglint.nameres.crate import Crate
from cfglint.nameres.declared import Declared, Disagreement, declared_by, present
from cfglint.nameres.model import Def, DefKind, Namespace
from cfglint.nameres.paths import resolve
from cfglint.nameres.verdicts import Kind

_EMPTY = frozenset({"!", "Infallible"})


def unmatched_variants(c: Crate, mount: int) -> Iterator[Disagreement]:
    """The matches of one file that leave out a variant."""
    data = c.d.mounts[mount]
    for match in data.tree.matches:
        scope = data.first_scope + match.scope
        matched = _matched(c, mount, scope, match)
        if matched is not None and matched.enum is not None:
            yield from _missing(c, mount, scope, match, matched.enum, matched)


@dataclass(slots=True)
class _Matched:
    """What the arms are of, where each variant has one, and where all paths of arms that are there mean something."""

    enum: Def | None
    variants: dict[str, Condition]
    understood: Condition


def _matched(c: Crate, mount: int, scope: int, match: m.Match) -> _Matched | None:
    """None if it is not certain that the arms are of one enum."""
    matched = _Matched(None, {}, TRUE)
    for arm in match.arms:
        here = c.gate(mount, arm.gate, match.gate)
        for path in arm.paths:
            found = resolve(c, scope, path, Namespace.VALUE if len(path) == 1 else Namespace.TYPE)
            if not found.hits or (arm.has_name and len(path) == 1 and found.covered is not TRUE):
                return None
            matched.understood -= here - found.covered
            for target, _, _ in found.hits:
                if target.kind is not DefKind.MEMBER or target.index < 0:
                    return None
                owner = target._replace(kind=DefKind.ITEM, name="")
                if matched.enum is not None and matched.enum != owner:
                    return None
                matched.enum = owner
                before = matched.variants.get(target.name, FALSE)
                matched.variants[target.name] = before if arm.has_guard else before | here
    return matched


def _missing(c: Crate, mount: int, scope: int, match: m.Match, enum: Def, matched: _Matched) -> Iterator[Disagreement]:
    declared = declared_by(c, enum, ("enum",))
    if declared is None:
        return
    failing = FALSE
    missing: list[str] = []
    is_gated = c.context(mount, match.gate) is not TRUE
    for name in declared.names():
        parts = declared.named(name)
        there = present(c, parts)
        absent = there & matched.understood & ~matched.variants.get(name, FALSE)
        if absent is FALSE or (name not in matched.variants and there is TRUE and not is_gated) or _may_be_empty(parts):
            continue
        missing.append(name)
        failing |= absent
    if missing:
        parts = declared._replace(parts=tuple(part for part in declared.parts if part.name in missing))
        path = (*match.arms[0].paths[0][:-1], missing[0])
        yield Disagreement(
            Kind.VARIANT_UNMATCHED,
            mount,
            scope,
            match.gate,
            match.start,
            match.end,
            path,
            failing,
            (parts,),
        )


def _may_be_empty(variant: Declared) -> bool:
    """Whether a type in the variant may have no values: a name for one, or that of an enum all of whose variants are gated."""
    names = {name for part in variant.parts for name in part.payload}
    return bool(names) and (not names.isdisjoint(_EMPTY) or not names.isdisjoint(_hollow_enums(variant.owner)))


def _hollow_enums(owner: Crate) -> frozenset[str]:
    """Names of enums and of aliases that may have no values."""
    if owner.hollow is None:
        owner.hollow = frozenset(
            item.name
            for mount in owner.d.mounts
            for item in mount.tree.items
            if (item.kind == "enum" and all(part.gate != item.gate for part in item.members))
            or item.kind == "type alias"
        )
    return owner.hollow

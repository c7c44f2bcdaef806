"""Variants and associated items that a path names: `Enum::Variant`, `Type::f`, `Self::f`.

Only what is certain without types: a miss counts only where no trait, derive, blanket impl or macro can supply the
name (Reference, associated items). Everything else is taken for granted.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from cfglint.condition.atom import opaque
from cfglint.condition.diagram import FALSE, TRUE, Condition, literal
from cfglint.items import model as m
from cfglint.items.builtin_attributes import STD_DERIVES
from cfglint.nameres import preludes
from cfglint.nameres.brought import brought_into
from cfglint.nameres.closed import is_closed, may_be_written
from cfglint.nameres.crate import Crate, merge
from cfglint.nameres.model import NOTHING, PUBLIC, Def, DefKind, Found, Hit, Namespace
from cfglint.nameres.scope import external

_KNOWN_TRAITS = frozenset(
    "Clone Copy Debug Default Eq Hash Ord PartialEq PartialOrd Display From Into TryFrom TryInto Deref DerefMut Drop "
    "Send Sync Unpin AsRef AsMut Borrow Error Add Sub Mul Div Neg Not Rem AddAssign SubAssign MulAssign Index IndexMut "
    "LowerHex UpperHex Binary Octal ToString FromStr Future Write Sealed".split()
)
"""Traits of std whose methods are few and well known (preludes.DERIVED_METHODS)."""


@dataclass(slots=True)
class Members:
    """Associated items by type; `anywhere` are names that some impl may give to a type that is not known.

    `foreign` are the types with a trait of another crate whose items are not all among `preludes.DERIVED_METHODS`.
    """

    inherent: dict[tuple[Def, str], list[tuple[int, int, int]]] = field(default_factory=dict)
    supplied: dict[tuple[Def, str], Condition] = field(default_factory=dict)
    unsure: dict[Def, Condition] = field(default_factory=dict)
    anywhere: set[str] = field(default_factory=set)
    foreign: set[Def] = field(default_factory=set)


def variant(c: Crate, container: Def, name: str, namespace: Namespace) -> Found:
    """The enum variant of that name; variants are in the type and the value namespace."""
    if namespace is Namespace.MACRO or container.kind is not DefKind.ITEM:
        return NOTHING
    owner = c.program.crates[container.crate]
    tree = owner.d.mounts[container.at].tree
    item = tree.items[container.index]
    if item.kind != "enum":
        return NOTHING
    view = owner.qualified if owner is not c else _as_is
    hits = [
        Hit(
            Def(DefKind.MEMBER, container.crate, container.at, container.index, name),
            view(owner.gate(container.at, part.gate, item.gate)),
            PUBLIC,
        )
        for part in item.members
        if part.name == name
    ]
    return merge(hits)


def _as_is(condition: Condition) -> Condition:
    return condition


def of_alternatives(
    c: Crate, found: list[tuple[Def, Condition, Found]], name: str, namespace: Namespace
) -> list[tuple[Condition, Found]]:
    """Members of several alternatives of a type: where one declares the name, the others are held to theirs."""
    declares = any(h.target.kind is DefKind.MEMBER for _, _, f in found for h in f.hits)
    return [
        (
            condition,
            _member(c, target, name, namespace, strictly=True) if declares and target.kind is DefKind.ITEM else f,
        )
        for target, condition, f in found
    ]


def member(c: Crate, container: Def, name: str, namespace: Namespace) -> Found:
    """What `Type::name` means. Names that no declaration of the type mentions are left to type checking.

    Except where nothing else can bring them.
    """
    return _member(c, container, name, namespace, strictly=is_known(c, container, name))


def is_known(c: Crate, container: Def, name: str) -> bool:
    """Whether all that can give a type of this crate a member of that name is known."""
    if container.kind is not DefKind.ITEM or container.crate != c.d.crate:
        return False
    item = c.d.mounts[container.at].tree.items[container.index]
    return (
        item.kind in ("struct", "enum", "union")
        and not item.derives
        and is_closed(c)
        and not may_be_written(c, name)
        and container not in _members(c).foreign
    )


def _member(c: Crate, container: Def, name: str, namespace: Namespace, *, strictly: bool) -> Found:
    if namespace is Namespace.MACRO:
        return NOTHING
    taken = Found((Hit(external(name), TRUE, PUBLIC),), TRUE)
    if container.crate != c.d.crate:
        return _member_elsewhere(c, container, name, namespace, strictly=strictly)
    item = c.d.mounts[container.at].tree.items[container.index]
    if item.kind == "trait":
        return _trait_item(c, container, item, name) or taken
    if item.kind == "type alias":
        return _through_alias(c, container, item, name, namespace) or taken
    if item.kind not in ("struct", "enum", "union"):
        return taken
    found = variant(c, container, name, namespace)
    if found.covered is TRUE:
        return found
    if any(part.kind == "macro" for part in item.members):
        return taken
    known = _members(c)
    hits = list(found.hits)
    for mount, index, position in known.inherent.get((container, name), ()):
        part = c.d.mounts[mount].tree.impls[index].members[position]
        hits.append(Hit(Def(DefKind.MEMBER, c.d.crate, mount, -1 - index, name), c.context(mount, part.gate), PUBLIC))
    if not hits and not strictly:
        return taken
    if name in known.anywhere or name in preludes.DERIVED_METHODS:
        return taken
    supplied = known.supplied.get((container, name))
    if supplied is not None:
        hits.append(Hit(external(name), supplied, PUBLIC))
    unsure = known.unsure.get(container, FALSE)
    if item.derives and item.kind != "enum":
        unsure |= literal(opaque(f"derives of `{item.name}`"))
    if unsure is not FALSE:
        hits.append(Hit(Def(DefKind.OPAQUE, -1, -1, -1, name), unsure, PUBLIC))
    return merge(hits)


def _member_elsewhere(c: Crate, container: Def, name: str, namespace: Namespace, *, strictly: bool) -> Found:
    """A member of a type of another crate, in qualified words; traits of this crate may supply it too."""
    owner = c.program.crates[container.crate]
    if owner.d.later is not None:
        from cfglint.nameres.outside import features_only

        # Impls may stand in modules that are not read.
        hits = [h._replace(condition=features_only(h.condition)) for h in variant(c, container, name, namespace).hits]
        return merge(hits) if hits else Found((Hit(external(name), TRUE, PUBLIC),), TRUE)
    found = _member(owner, container, name, namespace, strictly=strictly)
    if name in _members(c).anywhere:
        return Found((Hit(external(name), TRUE, PUBLIC),), TRUE)
    return merge([Hit(h.target, owner.qualified(h.condition), h.visibility) for h in found.hits])


def importable(c: Crate, container: Def, name: str, namespace: Namespace) -> Found:
    """What `use Type::name` means: a variant of an enum, and nothing of any other type (Reference, use declarations)."""
    owner = c.program.crates[container.crate]
    tree = owner.d.mounts[container.at].tree
    item = tree.items[container.index]
    if item.kind == "trait" or any(stem.stem == item.name for stem in tree.stems):
        return Found((Hit(external(name), TRUE, PUBLIC),), TRUE)
    return variant(c, container, name, namespace)


def declares(c: Crate, container: Def, name: str) -> bool:
    """Whether a type of this crate declares a member of that name in any configuration, valid or not."""
    if container.kind is not DefKind.ITEM or container.crate != c.d.crate:
        return False
    item = c.d.mounts[container.at].tree.items[container.index]
    return any(part.name == name for part in item.members) or (container, name) in _members(c).inherent


def inherent(c: Crate, container: Def, name: str) -> list[tuple[int, int, m.Member]]:
    """The associated items of that name in the inherent impls of a type of this crate, each with its file and impl."""
    found = _members(c).inherent.get((container, name), ())
    return [(mount, index, c.d.mounts[mount].tree.impls[index].members[position]) for mount, index, position in found]


def is_dereferenced(c: Crate, container: Def) -> bool:
    """Whether a value of the type may stand for one of another (`Deref`)."""
    return (container, "deref") in _members(c).supplied


def _trait_item(c: Crate, container: Def, item: m.Item, name: str) -> Found | None:
    """An item that a path names by its trait; None where the trait does not declare it."""
    if any(part.kind == "macro" for part in item.members):
        return None
    hits = [
        Hit(
            Def(DefKind.MEMBER, c.d.crate, container.at, container.index, name),
            c.gate(container.at, part.gate, item.gate),
            PUBLIC,
        )
        for part in item.members
        if part.name == name
    ]
    return merge(hits) if hits else None


def _through_alias(c: Crate, container: Def, item: m.Item, name: str, namespace: Namespace) -> Found | None:
    """`Alias::name` where the alias is of a plain path; its generic arguments do not matter here."""
    from cfglint.nameres.paths import resolve

    head = item.shape.partition("<")[0].strip()
    path = tuple(part.strip() for part in head.split("::"))
    if not all(part.isidentifier() for part in path) or path[0] == "Self":
        return None
    scope = c.d.mounts[container.at].first_scope + item.scope
    hits: list[Hit] = []
    for target, condition, _ in resolve(c, scope, path, Namespace.TYPE).hits:
        if target.kind is not DefKind.ITEM or target == container:
            return None
        hits.extend(
            Hit(h.target, here, PUBLIC)
            for h in member(c, target, name, namespace).hits
            if (here := h.condition & condition) is not FALSE
        )
    return merge(hits) if hits else None


def _members(c: Crate) -> Members:
    if c.members is None:
        c.members = Members()
        _index(c, c.members)
    assert isinstance(c.members, Members)
    return c.members


def _index(c: Crate, known: Members) -> None:
    from cfglint.nameres.paths import resolve

    for mount, data in enumerate(c.d.mounts):
        for index, block in enumerate(data.tree.impls):
            scope = data.first_scope + block.scope
            if block.type_path is None:
                known.anywhere.update(part.name for part in block.members)
                if block.is_trait:
                    known.anywhere.update(_provided(c, scope, block.trait_path).names)
                continue
            target = resolve(c, scope, block.type_path, Namespace.TYPE)
            items = [h.target for h in target.hits if h.target.kind is DefKind.ITEM]
            plain = items and all(_is_nominal(c, t) for t in items)
            if not plain:
                known.anywhere.update(part.name for part in block.members)
                if block.is_trait:
                    known.anywhere.update(_provided(c, scope, block.trait_path).names)
                continue
            for item in items:
                _enter(c, known, item, mount, index, block, scope)


def _is_nominal(c: Crate, target: Def) -> bool:
    if target.crate != c.d.crate:
        return False
    return c.d.mounts[target.at].tree.items[target.index].kind in ("struct", "enum", "union")


def _enter(c: Crate, known: Members, item: Def, mount: int, index: int, block: m.Impl, scope: int) -> None:
    where = c.context(mount, block.gate)
    for position, part in enumerate(block.members):
        if part.kind == "macro":
            known.unsure[item] = known.unsure.get(item, FALSE) | (
                where & literal(opaque(f"macro in an impl of `{item.name}`"))
            )
        elif not block.is_trait:
            known.inherent.setdefault((item, part.name), []).append((mount, index, position))
        else:
            condition = c.context(mount, part.gate)
            known.supplied[item, part.name] = known.supplied.get((item, part.name), FALSE) | condition
    made = brought_into(c, c.d.mounts[mount].first_scope + block.inner)
    if made is None:
        doubt = literal(opaque(f"macro in an impl of `{item.name}`"))
        known.unsure[item] = known.unsure.get(item, FALSE) | (where & doubt)
    for name in made or ():
        known.supplied[item, name] = known.supplied.get((item, name), FALSE) | where
    if not block.is_trait:
        return
    trait = _provided(c, scope, block.trait_path)
    if trait.is_foreign:
        known.foreign.add(item)
    for name in trait.names:
        known.supplied[item, name] = known.supplied.get((item, name), FALSE) | where
    if not trait.is_complete:
        known.unsure[item] = known.unsure.get(item, FALSE) | (
            where & literal(opaque(f"trait implemented for `{item.name}`"))
        )


class _Trait(NamedTuple):
    """The item names of a trait, whether all of them are known, and whether it is more than a derivable one from outside."""

    names: frozenset[str]
    is_complete: bool
    is_foreign: bool


def _provided(c: Crate, scope: int, path: m.Path | None) -> _Trait:
    from cfglint.nameres.paths import resolve

    if path is None:
        return _Trait(frozenset(), is_complete=False, is_foreign=True)
    names: set[str] = set()
    complete, foreign = True, False
    for target, _, _ in resolve(c, scope, path, Namespace.TYPE).hits:
        if target.kind is DefKind.ITEM and target.crate == c.d.crate:
            item = c.d.mounts[target.at].tree.items[target.index]
            names.update(part.name for part in item.members)
            complete &= item.kind == "trait" and not any(part.kind == "macro" for part in item.members)
        else:
            complete &= path[-1] in _KNOWN_TRAITS
            foreign |= path[-1] not in STD_DERIVES
    return _Trait(frozenset(names), complete, foreign)

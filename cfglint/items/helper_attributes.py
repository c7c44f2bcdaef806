"""Helper attributes: which derives on an item may own an attribute in it.

A derive that is not known here may own any attribute, and so may an attribute macro: it can take others away. What a
derive really declares stands in the crate of the procedural macro, which is not read.
Source: Reference, procedural macros, "Derive macro helper attributes"; the documentation of the derives named here.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from cfglint.condition.predicate import Predicate
from cfglint.items.builtin_attributes import INERT, TOOLS
from cfglint.syntax.attributes import Attributes

_NONE: frozenset[str] = frozenset()
_CLAP = frozenset({"clap", "arg", "command", "value", "group"})
_HELPERS: dict[str, frozenset[str]] = {
    **dict.fromkeys("Clone Copy Debug Eq Hash Ord PartialEq PartialOrd ConstParamTy".split(), _NONE),
    "Default": frozenset({"default"}),
    "CoercePointee": frozenset({"pointee"}),
    **dict.fromkeys(("Serialize", "Deserialize"), frozenset({"serde"})),
    **dict.fromkeys(("Parser", "Args", "Subcommand", "ValueEnum"), _CLAP),
    "Zeroize": frozenset({"zeroize"}),
    "ZeroizeOnDrop": frozenset({"zeroize"}),
    "Arbitrary": frozenset({"arbitrary", "proptest"}),
}


class Owner(NamedTuple):
    """A derive or an attribute macro of an item: its name, its gate, where it stands."""

    name: str
    gate: int
    start: int
    is_derive: bool


def owners_of(found: Attributes, under: Callable[[Predicate, int], int]) -> tuple[Owner, ...]:
    """The derives and attribute macros among the attributes of an item, if there is any derive.

    `under` makes the gate of what a predicate guards, at an offset.
    """
    owners: list[Owner] = []
    for attribute in found.others:
        meta = attribute.meta
        if meta.path == ("derive",):
            for derived in meta.args or ():
                if derived.path:
                    gate = under(attribute.when, meta.start)
                    owners.append(Owner(derived.path[-1], gate, derived.start, is_derive=True))
        elif meta.path and not (len(meta.path) == 1 and meta.path[0] in INERT) and meta.path[0] not in TOOLS:
            owners.append(Owner(meta.path[-1], under(attribute.when, meta.start), meta.start, is_derive=False))
    return tuple(owners) if any(owner.is_derive for owner in owners) else ()


def hidden_by(owners: Sequence[Owner], name: str) -> tuple[tuple[int, int], ...]:
    """Gates, with offsets, under which one of `owners` may own the attribute `name`; none where no derive may."""
    found = [
        owner
        for owner in owners
        if (owner.name != name if not owner.is_derive else name in _HELPERS.get(owner.name, {name}))
    ]
    return tuple((owner.gate, owner.start) for owner in found) if any(owner.is_derive for owner in found) else ()

"""Names in crates from outside the workspace, of which only those modules are read that paths lead into.

Only features of such a crate decide whether a name is there: what some target, flag or unknown macro might bring is taken
to be there. A name that is found nowhere is not known here, and neither is a macro that the crate exports: the modules
that are not read may hold it.
"""

from __future__ import annotations

import os
import re

from cfglint.condition.atom import AtomKind
from cfglint.condition.diagram import FALSE, Condition
from cfglint.nameres.crate import Crate, merge
from cfglint.nameres.files import rust_files
from cfglint.nameres.model import PUBLIC, Def, DefKind, Found, Hit, Namespace
from cfglint.nameres.scope import external, own

_MACRO = re.compile(rb"\bmacro_rules!\s*(\w+)|\bpub macro (\w+)")
_SPACES = (Namespace.TYPE, Namespace.VALUE, Namespace.MACRO)


def outside_names(c: Crate, container: Def, name: str, namespace: Namespace) -> Found | None:
    """What `name` means in a module of a crate from outside, in qualified words; None where that is not known."""
    other = c.program.crates[container.crate]
    if container.at == 0 and namespace is Namespace.MACRO and name.encode() in _macros(other):
        return None
    scope = other.d.modules[container.at].scope
    found = _public(own(other, scope, name, namespace))
    if not found and not any(_public(own(other, scope, name, space)) for space in _SPACES if space is not namespace):
        return None
    whole = other.file_gate(0)
    hits = []
    for hit in found:
        condition = features_only(other.qualified(hit.condition & whole))
        if condition is not FALSE:
            target = external(f"{container.name}::{name}") if hit.target.kind is DefKind.OPAQUE else hit.target
            hits.append(Hit(target, condition, PUBLIC))
    return merge(hits)


def _public(found: Found) -> list[Hit]:
    return [hit for hit in found.hits if hit.visibility == PUBLIC]


def features_only(condition: Condition) -> Condition:
    """Where a condition may hold, as far as features tell."""
    others = [atom for atom in condition.atoms() if atom.kind is not AtomKind.FEATURE]
    return condition.exists(others) if others else condition


def _macros(other: Crate) -> frozenset[bytes]:
    """The names of all macros that are written anywhere in a crate, found by their words."""
    if other.macro_words is None:
        words: set[bytes] = set()
        for path, _ in rust_files(os.path.dirname(other.config.root_file)):
            for found in _MACRO.finditer(other.program.source(path)):
                words.add(found[1] or found[2])
        other.macro_words = frozenset(words)
    return other.macro_words

"""Uses of types and traits that do not fit their declarations in some configuration, as far as that takes no inference.

Struct expressions and patterns against the fields of the struct, the arms of a match against the variants of the enum,
an impl against the items of its trait, `self.member` against the members of the type of the impl. Each of these names
the type or trait by its path. Whatever a macro may have changed, and whatever would fail in every configuration alike, is
left out: nothing is said of it.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator

from cfglint.condition.diagram import FALSE
from cfglint.manifest.solver import GaveUpError, where_satisfiable
from cfglint.manifest.space import ConfigSpace
from cfglint.nameres.crate import Crate, certainly
from cfglint.nameres.declared import Disagreement, definitions, suppliers
from cfglint.nameres.matches import unmatched_variants
from cfglint.nameres.self_uses import members_of_self
from cfglint.nameres.shapes import fields_that_differ
from cfglint.nameres.trait_impls import impls_that_differ
from cfglint.nameres.verdicts import Absence

_COMPARISONS = (fields_that_differ, unmatched_variants, impls_that_differ, members_of_self)


def disagreements(c: Crate, space: ConfigSpace) -> Iterator[Absence]:
    """Every use in the crate that does not fit its declaration in some valid configuration."""
    for mount in range(len(c.d.mounts)):
        for found in itertools.chain.from_iterable(compare(c, mount) for compare in _COMPARISONS):
            absence = _absence(c, space, found)
            if absence is not None:
                yield absence


def _absence(c: Crate, space: ConfigSpace, found: Disagreement) -> Absence | None:
    context = c.final(c.context(found.mount, found.gate))
    differing = c.final(found.failing)
    failing = certainly(context & differing)
    if failing is FALSE:
        return None
    try:
        where = where_satisfiable(failing, space)
    except GaveUpError:
        return None
    if where is None:
        return None
    return Absence(
        kind=found.kind,
        mount=found.mount,
        start=found.start,
        end=found.end,
        path=found.path,
        segment=len(found.path) - 1,
        space=None,
        context=context,
        resolved=~differing,
        failing=failing,
        suppliers=tuple(s for declared in found.declared for s in suppliers(c, declared)),
        scope=found.scope,
        gate=found.gate,
        members=tuple(target for declared in found.declared for target in definitions(declared)),
        is_foreign_platform=where is not space,
    )

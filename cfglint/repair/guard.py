"""Guarding: the reference, or the item around it, is compiled only where what it names is there.

The weakest guard that is right, at the smallest place that can carry it; and at the item around that place, for a call
that is left out of a function is a silent failure, while a function that is not there is a loud one.
"""

from __future__ import annotations

import re

from cfglint.graph.derivation import gate_of
from cfglint.nameres.crate import opaque_atoms
from cfglint.nameres.verdicts import Kind
from cfglint.repair.candidate import Candidate, Case
from cfglint.repair.gate_edits import without
from cfglint.repair.narrow import Spot, narrowed, narrowed_names
from cfglint.repair.predicates import occurs
from cfglint.syntax.attribute_text import subject_at
from cfglint.syntax.carriers import Carrier, carriers_of, use_at


def guards(case: Case) -> list[Candidate]:
    """The candidates, the innermost place first."""
    if not _can_guard(case):
        return []
    found: list[Candidate] = []
    for carrier in carriers_of(case.source, case.offset):
        if not (fits(case.source, carrier) or is_use(case, carrier)) or _is_replaced(case, carrier):
            continue
        made = guard_at(case, carrier)
        if made is not None:
            found.append(made)
    return found


def removals(case: Case) -> list[Candidate]:
    """The code taken away that fails wherever it is compiled: a guard would be true nowhere."""
    derived = case.derived
    if opaque_atoms(derived.resolved) or occurs(derived.resolved & derived.context, derived.space):
        return []
    found: list[Candidate] = []
    for carrier in carriers_of(case.source, case.offset):
        use = use_at(case.source, case.offset) if carrier.kind == "import" else None
        if not fits(case.source, carrier) or _is_replaced(case, carrier) or (use is not None and len(use.leaves) > 1):
            continue
        word, name = subject_at(case.source, carrier.code_start)
        what = f"the {word} `{name}`" if word and carrier.kind not in ("statement", "import") else f"the {carrier.kind}"
        edit = without(case.file, case.source, carrier)
        title = f"remove {what}: nothing that it names is there in any combination that compiles it"
        found.append(Candidate(f"remove-{carrier.kind}", title, (edit,), 0.0, is_guess=True))
    return found


def fits(source: bytes, carrier: Carrier) -> bool:
    """Whether the code is complete without what the carrier holds."""
    if not carrier.is_whole or subject_at(source, carrier.code_start)[0] == "macro":
        return False
    if carrier.kind == "statement" and carrier.binds:
        rest = source[carrier.end : carrier.scope_end]
        return not any(re.search(rb"\b" + re.escape(name.encode()) + rb"\b", rest) for name in carrier.binds)
    return True


def is_use(case: Case, carrier: Carrier) -> bool:
    """Whether the carrier is itself the use of what is configured out: an arm of the variant, the field, an item of the trait."""
    absence = case.derived.found.absence
    if absence is None:
        return False
    if carrier.kind == "member":
        return absence.kind is Kind.NOT_IN_TRAIT
    if carrier.kind == "field":
        return bool(absence.members) and case.offset < carrier.head_end
    return carrier.kind == "arm" and absence.kind is Kind.MEMBER and case.offset < carrier.head_end


def _is_replaced(case: Case, carrier: Carrier) -> bool:
    """Whether an impl has a function of its own for that of a trait: without the one the other is an error (E0407)."""
    if not carrier.is_default:
        return False
    name = subject_at(case.source, carrier.code_start)[1]
    trees = [mount.tree for crate in case.derived.found.root.crate.program.crates for mount in crate.d.mounts]
    return any(part.name == name for tree in trees for block in tree.impls if block.is_trait for part in block.members)


def guard_at(case: Case, carrier: Carrier) -> Candidate | None:
    """The candidate that guards one carrier."""
    spot = spot_of(case)
    word, name = subject_at(case.source, carrier.code_start)
    use = use_at(case.source, case.offset) if carrier.kind == "import" else None
    if use is not None and len(use.leaves) > 1:
        made = narrowed_names(spot, carrier, case.derived.failing)
        what = f"the import of `{case.derived.found.question.path[-1]}`"
    else:
        made = narrowed(spot, carrier, case.derived.failing)
        what = f"the {word} `{name}`" if word and carrier.kind not in ("statement", "import") else f"the {carrier.kind}"
    if made is None:
        return None
    edits, predicate = made
    return Candidate(
        f"gate-{carrier.kind}",
        f"gate {what} with `#[cfg({predicate})]`",
        tuple(edits),
        0.0,
        silences=carrier.kind in ("statement", "arm") and not is_use(case, carrier),
        is_guess=carrier.is_default,
        is_of_use=is_use(case, carrier),
    )


def spot_of(case: Case) -> Spot:
    """The reference as a piece of code."""
    found = case.derived.found
    return Spot(
        found.root, case.derived.space, found.question.mount, gate_of(found), case.file, case.source, case.offset
    )


def _can_guard(case: Case) -> bool:
    derived = case.derived
    resolved = derived.resolved & derived.context
    return not opaque_atoms(derived.resolved) and occurs(resolved, derived.space)

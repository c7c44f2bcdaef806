"""Guarding: the reference, or the item around it, is compiled only where what it names is there.

The weakest guard that is right, at the smallest place that can carry it; and at the item around that place, for a call
that is left out of a function is a silent failure, while a function that is not there is a loud one.
"""

from __future__ import annotations

import re

from cfglint.condition.diagram import FALSE, Condition
from cfglint.nameres.crate import Crate, opaque_atoms
from cfglint.repair.candidate import Candidate, Case
from cfglint.repair.edits import Edit
from cfglint.repair.gate_edits import gate_attributes, gated, regated, without
from cfglint.repair.predicates import between, occurs
from cfglint.repair.use_edits import split
from cfglint.syntax.attribute_text import subject_at
from cfglint.syntax.carriers import Carrier, carriers_of, use_at


def guards(case: Case) -> list[Candidate]:
    """The candidates, the innermost place first."""
    if not _can_guard(case):
        return []
    found: list[Candidate] = []
    for carrier in carriers_of(case.source, case.offset):
        if not fits(case.source, carrier):
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
        if not fits(case.source, carrier) or (use is not None and len(use.leaves) > 1):
            continue
        word, name = subject_at(case.source, carrier.code_start)
        what = f"the {word} `{name}`" if word and carrier.kind not in ("statement", "import") else f"the {carrier.kind}"
        edit = without(case.file, case.source, carrier)
        title = f"remove {what}: nothing that it names is there in any combination that compiles it"
        found.append(Candidate(f"remove-{carrier.kind}", title, (edit,), 0.0, is_guess=True))
    return found


def fits(source: bytes, carrier: Carrier) -> bool:
    """Whether the code is complete without what the carrier holds."""
    if not carrier.is_whole:
        return False
    if carrier.kind == "statement" and carrier.binds:
        rest = source[carrier.end : carrier.scope_end]
        return not any(re.search(rb"\b" + re.escape(name.encode()) + rb"\b", rest) for name in carrier.binds)
    return True


def guard_at(case: Case, carrier: Carrier) -> Candidate | None:
    """The candidate that guards one carrier."""
    word, name = subject_at(case.source, carrier.code_start)
    if carrier.kind == "import":
        use = use_at(case.source, case.offset)
        if use is not None and len(use.leaves) > 1:
            return _guard_leaf(case, carrier)
    made = guard_edits(case, carrier)
    if made is None:
        return None
    edits, predicate = made
    what = f"the {word} `{name}`" if word and carrier.kind != "statement" else f"the {carrier.kind}"
    if carrier.kind == "import":
        what = "the import"
    return Candidate(
        f"gate-{carrier.kind}",
        f"gate {what} with `#[cfg({predicate})]`",
        tuple(edits),
        0.0,
        silences=carrier.kind in ("statement", "arm"),
    )


def guard_edits(case: Case, carrier: Carrier) -> tuple[list[Edit], str] | None:
    """The edits that guard a carrier, and the predicate of the guard alone."""
    derived = case.derived
    root = derived.found.root
    around = _context_at(root.crate, case, carrier)
    guard = between(
        derived.resolved & derived.context, derived.resolved | ~derived.context, around, root, derived.space
    )
    if guard is None or guard in ("true", "false"):
        return None
    attributes = gate_attributes(case.source, carrier.start) if carrier.start < carrier.code_start else []
    if not attributes:
        return gated(case.file, case.source, carrier, guard), guard
    own = _own_gate(root.crate, case, carrier)
    both = between(own & derived.resolved, own & (derived.resolved | ~derived.context), around, root, derived.space)
    if own is FALSE or both is None or both in ("true", "false"):
        return gated(case.file, case.source, carrier, guard), guard
    return regated(case.file, case.source, attributes, both), guard


def _can_guard(case: Case) -> bool:
    derived = case.derived
    resolved = derived.resolved & derived.context
    return not opaque_atoms(derived.resolved) and occurs(resolved, derived.space)


def _guard_leaf(case: Case, carrier: Carrier) -> Candidate | None:
    """One name of a `use` under a gate of its own."""
    use = use_at(case.source, case.offset)
    derived = case.derived
    root = derived.found.root
    assert use is not None, "asked for by the caller"
    around = _context_at(root.crate, case, carrier)
    own = _own_gate(root.crate, case, carrier)
    predicate = between(
        own & derived.resolved & derived.context,
        own & (derived.resolved | ~derived.context),
        around,
        root,
        derived.space,
    )
    starts = {leaf.start for leaf in use.leaves if leaf.start <= case.offset < leaf.start + len(leaf.text.encode())}
    if predicate is None or predicate in ("true", "false") or not starts:
        return None
    edits = split(case.file, case.source, carrier, use, starts, predicate)
    if edits is None:
        return None
    name = case.derived.found.question.path[-1]
    return Candidate("gate-import", f"import `{name}` under `#[cfg({predicate})]`", tuple(edits), 0.0)


def _context_at(c: Crate, case: Case, carrier: Carrier) -> Condition:
    """Where the code around the carrier is compiled: without the gates that stand on the carrier or in it."""
    mount = case.derived.found.question.mount
    tree = c.d.mounts[mount].tree
    gate = _gate_of_reference(case)
    while gate > 0 and tree.gates[gate].start >= carrier.start:
        gate = tree.gates[gate].parent
    return c.final(c.context(mount, gate))


def _own_gate(c: Crate, case: Case, carrier: Carrier) -> Condition:
    """What the gates on the carrier itself demand; FALSE where they are not to be told from those within it."""
    mount = case.derived.found.question.mount
    tree = c.d.mounts[mount].tree
    gate = _gate_of_reference(case)
    on_it = [link for link in _chain(tree.gates, gate) if carrier.start <= tree.gates[link].start <= carrier.code_start]
    if not on_it:
        return ~FALSE if carrier.start == carrier.code_start else FALSE
    result = ~FALSE
    for link in on_it:
        result &= c.final(c.lower(mount, tree.gates[link].predicate))
    return result


def _chain(gates: tuple[object, ...], gate: int) -> list[int]:
    found = []
    while gate > 0:
        found.append(gate)
        gate = getattr(gates[gate], "parent", 0)
    return found


def _gate_of_reference(case: Case) -> int:
    from cfglint.graph.derivation import gate_of

    return gate_of(case.derived.found)

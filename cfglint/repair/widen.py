"""Widening: the gates on one way to an item are moved so that it is there wherever the reference is compiled.

The fewest gates that must move, on the item and on the modules and re-exports around it. Names that share a `use` with
the one that is wanted move along where what they name is there as well, and stay behind where it is not.
"""

from __future__ import annotations

from collections.abc import Sequence

from cfglint.condition.atom import feature
from cfglint.condition.diagram import FALSE, TRUE, Condition, literal
from cfglint.condition.display import shortest
from cfglint.graph.phrases import joined, step_label
from cfglint.graph.trail import Form, Gate, Step, gates_between, module_steps
from cfglint.graph.ways import Way
from cfglint.nameres.crate import Crate
from cfglint.nameres.imports import glob_target, import_covered
from cfglint.repair.candidate import Candidate, Case
from cfglint.repair.edits import Edit
from cfglint.repair.gate_edits import gate_attributes, regated
from cfglint.repair.predicates import between, is_of_platform, occurs, own_features
from cfglint.repair.use_edits import split
from cfglint.syntax.carriers import Carrier, carriers_of, use_at

_MOST_MOVED = 6


def widenings(case: Case) -> list[Candidate]:
    """One candidate for each way that can be opened, those that move the fewest gates first."""
    found: list[tuple[int, Candidate]] = []
    for way in case.derived.ways:
        made = _widened(case, way)
        if made is not None and made not in [candidate for _, candidate in found]:
            found.append((len(made.edits), made))
    found.sort(key=lambda pair: pair[0])
    return [candidate for _, candidate in found]


def _widened(case: Case, way: Way) -> Candidate | None:
    """The way with every gate moved that is off where the reference fails; None where one cannot be."""
    derived = case.derived
    moving: list[tuple[Step, Gate]] = []
    for step in way.steps:
        moving += [(step, gate) for gate in step.gates if derived.is_missing(gate)]
    if not moving or len(moving) > _MOST_MOVED:
        return None
    edits: dict[Edit, None] = {}
    said: list[str] = []
    for step, gate in moving:
        made = _moved(case, step, gate)
        if made is None:
            return None
        own, predicate = made
        edits.update(dict.fromkeys(own))
        what = f"the gate of the {step_label(step)}"
        said.append(f"remove {what}" if predicate == "true" else f"widen {what} to `#[cfg({predicate})]`")
    crossing = any(is_of_platform(gate.own) for _, gate in moving)
    return Candidate("widen-gate", joined(said), tuple(edits), 0.0, is_guess=crossing)


def _moved(case: Case, step: Step, gate: Gate) -> tuple[list[Edit], str] | None:
    """The edits that move one gate, and its new predicate."""
    if gate.form not in (Form.ATTRIBUTE, Form.INNER) or gate.crate < 0 or gate.link < 0:
        return None
    view = case.derived.found.root.crate
    owner = view.program.crates[gate.crate]
    source = case.analysis.files.source(gate.file)
    row = owner.d.mounts[gate.mount].tree.gates[gate.link]
    attributes = gate_attributes(source, row.start)
    if not attributes:
        return None
    predicate = _own_predicate(case, gate, owner) if owner is not view else _predicate(case, gate)
    if predicate is None:
        return None
    if step.kind == "import":
        parted = _parted(case, step, gate, owner, predicate)
        if parted is not None:
            return parted, predicate
    return regated(gate.file, source, attributes, predicate), predicate


def _predicate(case: Case, gate: Gate) -> str | None:
    """The gate widened by what the reference needs, in the words of the root itself."""
    derived = case.derived
    c = derived.found.root.crate
    tree = c.d.mounts[gate.mount].tree
    around = c.final(c.context(gate.mount, tree.gates[gate.link].parent))
    # The modules around may have to move as well; then the gate must be right where they will be.
    around |= derived.context
    lower = gate.condition | derived.failing
    upper = gate.condition | derived.context
    return between(lower, upper, _opened(case, gate, around), derived.found.root, derived.space)


def _opened(case: Case, gate: Gate, around: Condition) -> Condition:
    """Where the code around a gate is compiled, its own modules widened where the reference needs them."""
    derived = case.derived
    c = derived.found.root.crate
    tree = c.d.mounts[gate.mount].tree
    result = TRUE
    steps = module_steps(c, c, c.d.mounts[gate.mount].module)
    outer = [g for step in steps for g in step.gates]
    outer += gates_between(c, c, gate.mount, tree.gates[gate.link].parent, tree.scopes[0].gate)
    for each in outer:
        if (each.file, each.start) != (gate.file, gate.start):
            result &= each.condition | derived.failing if derived.is_missing(each) else each.condition
    return result if result is not FALSE else around


def _own_predicate(case: Case, gate: Gate, owner: Crate) -> str | None:
    """The gate widened in the words of another crate: by a feature of its own that is on where the reference fails."""
    derived = case.derived
    view = derived.found.root.crate
    if not _is_member(case, owner):
        return None
    names = own_features(case.analysis, view, owner, derived.failing, derived.space)
    if not names:
        return None
    linked = case.analysis.linked
    assert linked is not None, "made by analyze"
    model = linked.setting.model(linked.owners[owner.d.crate])
    order = {name: place for place, name in enumerate(model.names)}
    wider = gate.own | literal(feature(names[0]))
    return shortest(wider, order=lambda atom: order.get(atom.key, len(order)))


def _is_member(case: Case, owner: Crate) -> bool:
    linked = case.analysis.linked
    return linked is not None and linked.owners[owner.d.crate] in case.analysis.workspace.packages


def _parted(case: Case, step: Step, gate: Gate, owner: Crate, predicate: str) -> list[Edit] | None:
    """The `use` split where some of its names cannot follow the one that moves; None where all can, or none must."""
    source = case.analysis.files.source(step.file)
    use = use_at(source, step.start)
    carrier = _import_carrier(source, step.start)
    if use is None or carrier is None or len(use.leaves) < 2 or gate.start < carrier.start:
        return None
    staying = {leaf.start for leaf in use.leaves if not _can_follow(case, owner, gate, leaf.start)}
    wanted = next((leaf.start for leaf in use.leaves if leaf.start <= step.start < leaf.start + len(leaf.text)), -1)
    staying.discard(wanted)
    if not staying:
        return None
    moved = {leaf.start for leaf in use.leaves} - staying
    return split(step.file, source, carrier, use, moved, predicate)


def _import_carrier(source: bytes, offset: int) -> Carrier | None:
    return next((carrier for carrier in carriers_of(source, offset) if carrier.kind == "import"), None)


def _can_follow(case: Case, owner: Crate, gate: Gate, start: int) -> bool:
    """Whether what a name of the `use` stands for is there wherever the gate will newly hold."""
    derived = case.derived
    view = derived.found.root.crate
    data = owner.d.mounts[gate.mount]
    for index, imported in enumerate(data.tree.imports):
        if imported.start != start and not (imported.is_glob and imported.start == start):
            continue
        scope = data.first_scope + imported.scope
        if imported.is_glob:
            covered = owner.final(TRUE) if glob_target(owner, scope, index).covered is TRUE else FALSE
        else:
            covered = import_covered(owner, scope, index)
        seen = view.final(covered if owner is view else owner.qualified(covered))
        return not occurs(derived.failing & ~seen, derived.space)
    return True


def targets_of(ways: Sequence[Way]) -> set[tuple[str, int]]:
    """The declarations at the ends of the ways, by file and offset."""
    return {(way.steps[-1].file, way.steps[-1].start) for way in ways if way.steps and way.steps[-1].start >= 0}

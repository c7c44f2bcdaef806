"""The derivation of one reference: why it is compiled, how it reaches what it names, and where the two part.

Puts the trail of the reference and the ways of its path into facts and sentences with their places. It decides nothing
that name resolution has not decided; where the reference cannot be decided it says so.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from cfglint.condition.atom import Atom
from cfglint.condition.diagram import FALSE, TRUE, Condition, conjunction, disjunction
from cfglint.finding import CrateTarget, Finding, Location, Severity
from cfglint.finding import Witness as Proof
from cfglint.graph.combinations import Line, combinations
from cfglint.graph.evidence import location, show, words
from cfglint.graph.explanation import Explanation, Fact, Spot, Verdict
from cfglint.graph.manifest_edges import dependency_facts, foreign_facts, implications
from cfglint.graph.phrases import gate_text, joined, sentence_of, step_label
from cfglint.graph.places import Found
from cfglint.graph.trail import Form, Gate, Step, code_steps, module_steps
from cfglint.graph.ways import Way, ways, ways_to_member
from cfglint.manifest.configuration import witness
from cfglint.manifest.document import line_of
from cfglint.manifest.solver import GaveUpError, count, least, satisfiable
from cfglint.manifest.space import DEBUG_ASSERTIONS, TEST, ConfigSpace, widened
from cfglint.nameres.analysis import Analysis
from cfglint.nameres.crate import certainly
from cfglint.nameres.model import DefKind
from cfglint.nameres.verdicts import LACKING

_MOST_WAYS = 4


@dataclass(frozen=True, slots=True)
class Derived:
    """What is known of a reference before it is told: its conditions, its trail and its ways."""

    found: Found
    context: Condition
    resolved: Condition
    failing: Condition
    space: ConfigSpace
    trail: tuple[Step, ...]
    ways: tuple[Way, ...]

    def is_missing(self, gate: Gate) -> bool:
        """Whether the gate is off in some configuration in which the reference fails."""
        return self.failing is not FALSE and _occurs(self.failing & ~gate.condition, self.space)


def derive(found: Found) -> Derived:
    """Everything that leads to a reference and on from it."""
    root, question = found.root, found.question
    c = root.crate
    absence = found.absence
    context = absence.context if absence is not None else question.context
    resolved = absence.resolved if absence is not None else question.prefixes[-1].covered
    failing = absence.failing if absence is not None else FALSE
    space = widened(root.space) if absence is not None and absence.is_foreign_platform else root.space
    steps = module_steps(c, c, c.d.mounts[question.mount].module)
    steps += code_steps(c, c, question.mount, gate_of(found))
    if c.config.condition is not TRUE:
        gate = Gate("", -1, Form.MANIFEST, "required-features", c.config.condition, c.config.condition)
        steps.insert(0, Step(root.target.kind.value, root.target.name, "", -1, (gate,)))
    members = () if absence is None else absence.members
    leading = tuple(way for member in members for way in ways_to_member(c, member)) if members else ways(c, question)
    return Derived(found, context, resolved, failing, space, tuple(steps), leading)


def explain(analysis: Analysis, derived: Derived, finding: Finding | None) -> Explanation:
    """The explanation of a reference; `finding` is what the checks report there."""
    root = derived.found.root
    verdict = _verdict(derived)
    failing_count, failing_of, proof = _proof(derived)
    atoms = derived.context.atoms() | derived.resolved.atoms() | derived.failing.atoms()
    implied = implications(analysis, root, atoms)
    where = location(analysis, _file(derived.found), derived.found.start, derived.found.end)
    shown_ways = _shown_ways(derived)
    return Explanation(
        verdict=verdict,
        location=finding.location if finding is not None else where,
        path="::".join(derived.found.question.path),
        package=root.package.name,
        target=CrateTarget(root.target.kind.value, root.target.name),
        present_when=show(derived.context, root, derived.space),
        resolves_when=show(derived.resolved, root, derived.space),
        fails_when=show(derived.failing, root, derived.space) if verdict is Verdict.FAILS else "",
        failing_count=failing_count,
        failing_of=failing_of,
        headline=_headline(derived, verdict, finding),
        provisos=_provisos(derived, proof, finding),
        sentences=tuple(_sentences(analysis, derived, verdict, shown_ways, implied, (failing_count, failing_of))),
        derivation=(
            _presence(analysis, derived, where),
            *_resolution(analysis, derived, shown_ways),
            *([Fact("features that turn on others", None, children=tuple(implied))] if implied else []),
        ),
        table=combinations(
            root,
            derived.space,
            _lines(analysis, derived, shown_ways),
            derived.failing,
            tuple(f"{fact.text} ({fact.spot})" for fact in implied),
        ),
        causes=_causes(analysis, derived),
        witness=proof,
        finding=finding,
    )


# Conditions


def gate_of(found: Found) -> int:
    """The gate in the file under which the reference stands."""
    if found.absence is not None and found.absence.gate >= 0:
        return found.absence.gate
    tree = found.root.crate.d.mounts[found.question.mount].tree
    for reference in tree.references:
        if reference.path == found.question.path and (found.start, found.end) in reference.spans:
            return reference.gate
    for imported in tree.imports:
        prefixes = [(start, imported.path[:length]) for length, start, _ in imported.shared]
        if (found.start, found.question.path) in ((imported.start, imported.path), *prefixes):
            return imported.gate
    return 0


def _file(found: Found) -> str:
    return found.root.crate.d.mounts[found.question.mount].file


def _occurs(condition: Condition, space: ConfigSpace) -> bool:
    try:
        return condition is not FALSE and satisfiable(condition, space)
    except GaveUpError:
        return True


def _verdict(derived: Derived) -> Verdict:
    if derived.failing is not FALSE:
        return Verdict.FAILS
    if not _occurs(derived.context, derived.space):
        return Verdict.NEVER_COMPILED
    doubtful = derived.context & ~derived.resolved
    if doubtful is FALSE or not _occurs(doubtful, derived.space):
        return Verdict.HOLDS
    return Verdict.UNDECIDED


def _proof(derived: Derived) -> tuple[int, int, Proof | None]:
    root = derived.found.root
    condition = derived.failing if derived.failing is not FALSE else certainly(derived.context)
    try:
        configuration = least(condition, derived.space)
        if configuration is None:
            return 0, 0, None
        proof = witness(configuration, root.package, root.target, derived.space)
        return (*count(condition, derived.space), proof)
    except GaveUpError:
        return 0, 0, None


def _shown_ways(derived: Derived) -> tuple[Way, ...]:
    """The ways that lead to something read, at most a few, those that name more of what fails first."""
    known = [way for way in derived.ways if way.steps and way.target.kind is not DefKind.OPAQUE]
    relevant = [way for way in known if _occurs(derived.context & way.condition, derived.space)]
    return tuple((relevant or known)[:_MOST_WAYS])


def _causes(analysis: Analysis, derived: Derived) -> tuple[str, ...]:
    """The gates that are off where the reference fails, by place; without any, the name that nothing declares."""
    gates = [gate for way in derived.ways for step in way.steps for gate in step.gates if derived.is_missing(gate)]
    places = {f"{_spot(analysis, gate)}" if gate.file else f"dependency {gate.written}" for gate in gates}
    return tuple(sorted(places)) or (f"name {derived.found.question.path[-1]}",)


# Facts


def _spot(analysis: Analysis, gate: Gate) -> Spot | None:
    if not gate.file or gate.start < 0:
        return None
    line, _ = analysis.position(gate.file, gate.start)
    return Spot(analysis.display_path(gate.file), line)


def _step_spot(analysis: Analysis, step: Step) -> Spot | None:
    if not step.file or step.start < 0:
        return None
    line, column = analysis.position(step.file, step.start)
    return Spot(analysis.display_path(step.file), line, column)


def _presence(analysis: Analysis, derived: Derived, where: Location) -> Fact:
    root = derived.found.root
    facts = [_fact(analysis, derived, step) for step in derived.trail]
    here = Spot(where.file, where.line, where.column)
    facts.append(Fact(f"the reference `{'::'.join(derived.found.question.path)}`", here))
    text = "the reference is compiled"
    return Fact(text, None, when=show(derived.context, root, derived.space), children=tuple(facts))


def _resolution(analysis: Analysis, derived: Derived, shown: Sequence[Way]) -> list[Fact]:
    root = derived.found.root
    when = show(derived.resolved, root, derived.space)
    if not shown:
        return [Fact("nothing answers to it", None, when=when, is_missing=derived.failing is not FALSE)]
    found = []
    for number, way in enumerate(shown, 1):
        facts = tuple(_fact(analysis, derived, step) for step in way.steps)
        name = "what it names is there" if len(shown) == 1 else f"what it names is there, way {number} of {len(shown)}"
        found.append(Fact(name, None, when=show(way.condition, root, derived.space), children=facts))
    return found


def _fact(analysis: Analysis, derived: Derived, step: Step) -> Fact:
    root = derived.found.root
    c = root.crate
    below: list[Fact] = []
    for gate in step.gates:
        if gate.form is Form.MANIFEST and gate.written == "required-features":
            line = line_of(root.package.document, step.kind)
            below.append(Fact("required-features", Spot(analysis.display_path(str(root.package.manifest)), line or 1)))
        elif gate.form is Form.MANIFEST:
            below += dependency_facts(analysis, root, gate.written)
        elif gate.crate not in (-1, c.d.crate):
            below += foreign_facts(analysis, root, gate.own, gate.crate)
    written = " ".join(dict.fromkeys(gate.written for gate in step.gates if gate.form is not Form.MANIFEST))
    spot = _step_spot(analysis, step)
    return Fact(
        text=step_label(step),
        spot=spot,
        gate=written,
        when="" if step.condition is TRUE else show(step.condition, root, derived.space),
        is_missing=any(derived.is_missing(gate) for gate in step.gates),
        children=tuple(below),
    )


def _lines(analysis: Analysis, derived: Derived, shown: Sequence[Way]) -> list[Line]:
    root = derived.found.root
    lines: list[Line] = []
    for step in [*derived.trail, *(step for way in shown for step in way.steps)]:
        for gate in step.gates:
            spot = _spot(analysis, gate) or _step_spot(analysis, step)
            label = step_label(step)
            lines.append(Line(label, spot, show(gate.condition, root, derived.space), gate.condition))
    lines.append(Line("the reference is compiled", None, "", derived.context))
    lines.append(Line("what it names is there", None, "", derived.resolved))
    return lines


# Sentences


def _headline(derived: Derived, verdict: Verdict, finding: Finding | None) -> str:
    root = derived.found.root
    path = "::".join(derived.found.question.path)
    if verdict is Verdict.FAILS:
        return finding.message if finding is not None else f"`{path}` fails when {words(derived.failing, root)}"
    if verdict is Verdict.NEVER_COMPILED:
        return f"`{path}` is compiled in no valid combination"
    if verdict is Verdict.UNDECIDED:
        return f"`{path}` cannot be decided"
    if derived.context is TRUE:
        return f"`{path}` holds in every combination"
    return f"`{path}` holds wherever it is compiled: when {words(derived.context, root)}"


def _provisos(derived: Derived, proof: Proof | None, finding: Finding | None) -> tuple[str, ...]:
    """What the reader must know before anything else."""
    root = derived.found.root
    said: list[str] = []
    if proof is None or derived.failing is FALSE:
        return ()
    if proof.cfgs:
        said.append(
            f"only with the flag `{'`, `'.join(f'--cfg {cfg}' for cfg in proof.cfgs)}`, which nothing sets by default"
        )
    if proof.target is not None:
        own = "" if derived.space is root.space else ", a target that the workspace does not name"
        said.append(f"only on some targets, such as `{proof.target}`{own}")
    without_test = {TEST: False}
    if TEST in derived.failing.atoms() and derived.failing.restrict(without_test) is FALSE:
        said.append("only in the unit-test build of this target (`cfg(test)`)")
    if DEBUG_ASSERTIONS in derived.failing.atoms() and derived.failing.restrict({DEBUG_ASSERTIONS: True}) is FALSE:
        said.append("only without debug assertions, as in the release profile")
    if root.target.kind.value in ("test", "bench", "example"):
        said.append(
            f"only when the {root.target.kind.value} `{root.target.name}` is built, which sees dev-dependencies"
        )
    if finding is not None and finding.worlds == ("standalone",):
        said.append(f"only when `{root.package.name}` is built alone: the workspace build hides it")
    return tuple(said)


def _sentences(
    analysis: Analysis,
    derived: Derived,
    verdict: Verdict,
    shown: Sequence[Way],
    implied: Sequence[Fact],
    counts: tuple[int, int],
) -> Iterable[str]:
    root = derived.found.root
    path = "::".join(derived.found.question.path)
    present = "in every combination" if derived.context is TRUE else f"when {words(derived.context, root)}"
    yield sentence_of(
        [_reason(analysis, derived, step) for step in derived.trail if step.gates],
        f"the reference is compiled {present}",
    )
    for way in shown:
        there = "in every combination" if way.condition is TRUE else f"when {words(way.condition, root)}"
        reasons = [_reason(analysis, derived, step) for step in way.steps if step.gates]
        through = "" if len(shown) == 1 else f" by way of {step_label(way.steps[0])}"
        yield sentence_of(reasons, f"`{path}` is there{through} {there}")
    if not shown:
        yield f"Nothing that is known here declares or imports `{derived.found.question.path[-1]}`, in any configuration."
    facts = _manifest_facts(analysis, derived, shown)
    if facts:
        yield f"In the manifests, {joined([f'{fact.text} ({fact.spot})' for fact in facts])}."
    if implied:
        yield f"In the manifest, {joined([f'{fact.text} ({fact.spot})' for fact in implied])}."
    if verdict is Verdict.FAILS:
        times = f": {counts[0]:,} of {counts[1]:,} combinations" if counts[1] else ""
        absence = derived.found.absence
        is_lacking = absence is not None and absence.kind in LACKING
        clash = (
            "it is there and is not named here" if is_lacking else "the reference is compiled and nothing answers to it"
        )
        yield f"So when {words(derived.failing, root)}, {clash}{times}."
    elif verdict is Verdict.HOLDS and _is_known(derived):
        yield "So wherever it is compiled, something answers to it."
    elif verdict is Verdict.HOLDS:
        yield "Elsewhere it may come from what is not read: a dependency, the standard library, or a macro's expansion."
    elif verdict is Verdict.UNDECIDED:
        yield f"Whether that is enough rests on something unknown: {_doubt(derived)}."


def _is_known(derived: Derived) -> bool:
    """Whether what is known to answer does so wherever the reference is compiled."""
    open_still = derived.context & ~disjunction(way.condition for way in derived.ways)
    try:
        return open_still is FALSE or not satisfiable(open_still, derived.space)
    except GaveUpError:
        return True


def _doubt(derived: Derived) -> str:
    for doubt in derived.found.root.doubts:
        if doubt.mount == derived.found.question.mount and doubt.start == derived.found.start:
            return doubt.reason
    return "something that cannot be read from the source"


def _manifest_facts(analysis: Analysis, derived: Derived, shown: Sequence[Way]) -> list[Fact]:
    facts: dict[Fact, None] = {}
    for way in shown:
        for step in way.steps:
            for fact in _fact(analysis, derived, step).children:
                if fact.spot is not None and fact.text != "required-features":
                    facts.setdefault(fact)
    return list(facts)


def _reason(analysis: Analysis, derived: Derived, step: Step) -> str:
    parts = []
    for gate in step.gates:
        spot = _spot(analysis, gate) or _step_spot(analysis, step)
        text = gate_text(analysis, derived.found.root, gate)
        parts.append(f"{text} ({spot})" if spot is not None else text)
    return f"{step_label(step)} {joined(list(dict.fromkeys(parts)))}"


def conditions_of(steps: Iterable[Step]) -> Condition:
    """What all steps demand together."""
    return conjunction(step.condition for step in steps)


def atoms_of(derived: Derived) -> frozenset[Atom]:
    """The atoms that a derivation speaks of."""
    return derived.context.atoms() | disjunction([derived.resolved, derived.failing]).atoms()


def severity_of(explanation: Explanation) -> Severity | None:
    """How bad it is, None where nothing is wrong."""
    return None if explanation.finding is None else explanation.finding.severity

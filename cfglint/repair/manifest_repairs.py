"""Repairs in Cargo.toml: a feature that turns on another, or a dependency, or a feature of one; `required-features`.

Which feature should do so is read from the gates of the reference, the innermost first. Source: Cargo book, Features and
Cargo Targets.
"""

from __future__ import annotations

from collections.abc import Iterator

from cfglint.condition.atom import AtomKind, feature
from cfglint.condition.diagram import FALSE, TRUE, Condition, conjunction, literal
from cfglint.manifest.configuration import requested_features
from cfglint.manifest.positions import Key
from cfglint.manifest.solver import GaveUpError, least
from cfglint.manifest.targets import TargetKind
from cfglint.nameres.crate import QUALIFIER
from cfglint.nameres.verdicts import Kind
from cfglint.repair.candidate import Candidate, Case
from cfglint.repair.edits import Edit
from cfglint.repair.predicates import occurs
from cfglint.repair.toml_edits import appended, at_end, dependency_feature, key_in_table, quoted

_ARRAYS = {TargetKind.BIN: "bin", TargetKind.TEST: "test", TargetKind.EXAMPLE: "example", TargetKind.BENCH: "bench"}


def implications(case: Case) -> Iterator[Candidate]:
    """A feature that compiles the reference turns on one that what it names is behind."""
    derived = case.derived
    package = derived.found.root.package
    model = derived.found.root.model
    for source in triggers(case):
        for target in model.names:
            on, other = literal(feature(source)), literal(feature(target))
            if target == source or feature(target) not in derived.resolved.atoms():
                continue
            if occurs(derived.failing & (~on | other), derived.space) or source in model.closure((target,)):
                continue
            edit = appended(package.document, ("features", source), target)
            if edit is not None and source in package.features:
                title = f"let the feature `{source}` turn on `{target}`"
                yield Candidate("imply-feature", title, (edit,), 0.0)


def dependencies(case: Case) -> Iterator[Candidate]:
    """A feature that compiles the reference turns on the optional dependency that it names."""
    derived = case.derived
    root = derived.found.root
    absence = derived.found.absence
    known = root.crate.config.extern.get(absence.path[absence.segment]) if absence is not None else None
    if absence is None or absence.kind is not Kind.CRATE or known is None or known.reason != "optional":
        return
    entry = known.key if known.key in root.model.implicit else f"dep:{known.key}"
    for source in triggers(case):
        edit = appended(root.package.document, ("features", source), entry)
        if edit is not None and source in root.package.features and source != known.key:
            yield Candidate("enable-dependency", f"let the feature `{source}` turn on `{entry}`", (edit,), 0.0)


def forwards(case: Case) -> Iterator[Candidate]:
    """The manifest of the root turns on the feature of a dependency that an item there is behind."""
    derived = case.derived
    root = derived.found.root
    absence = derived.found.absence
    linked = case.analysis.linked
    if absence is None or linked is None:
        return
    document = root.package.document
    for atom in sorted(absence.raw.atoms()):
        if atom.kind is not AtomKind.FEATURE or QUALIFIER not in atom.key:
            continue
        number, _, name = atom.key.rpartition(QUALIFIER)
        package = linked.owners[int(number)]
        entries = [d for d in root.package.dependencies if linked.setting.package(root.package, d) is package]
        if not entries or package is root.package:
            continue
        key = entries[0].key
        for source in triggers(case):
            edit = appended(document, ("features", source), f"{key}/{name}")
            if edit is not None and source in root.package.features:
                title = f"let the feature `{source}` turn on `{key}/{name}`"
                yield Candidate("forward-feature", title, (edit,), 0.0)
        edit = dependency_feature(document, entries[0].where, name)
        if edit is not None:
            title = f"ask for the feature `{name}` where `{key}` is declared"
            yield Candidate("enable-dependency-feature", title, (edit,), 0.0, is_guess=bool(list(triggers(case))))


def requirements(case: Case) -> Iterator[Candidate]:
    """The target requires the features without which it does not compile."""
    root = case.derived.found.root
    array = _ARRAYS.get(root.target.kind)
    needed = _needed(case)
    if array is None or not needed:
        return
    document = root.package.document
    index = next(
        (n for n, table in enumerate(document.root.tables(array)) if table.data.get("name") == root.target.name), None
    )
    listed = ", ".join(quoted(name) for name in needed)
    edits: list[Edit] = []
    if index is None:
        if root.package.edition == "2015" and not any(array in path for path in document.data):
            return
        lines = f"[[{array}]]\nname = {quoted(root.target.name)}\nrequired-features = [{listed}]\n"
        edits.append(at_end(document, lines))
    else:
        where: tuple[Key, ...] = (array, index)
        present = root.target.required_features
        if present:
            new = [name for name in needed if name not in present]
            added = [appended(document, (*where, "required-features"), name) for name in new[:1]]
        else:
            added = [key_in_table(document, where, "name", f"required-features = [{listed}]")]
        edits += [edit for edit in added if edit is not None]
    if edits:
        title = f"add `required-features = [{listed}]` to the {root.target.kind.value} `{root.target.name}`"
        # A list of features is a conjunction; where less would do, it takes builds away that are right.
        all_on = conjunction(literal(feature(name)) for name in (*needed, *root.target.required_features))
        is_more = occurs(_all_resolved(case) & root.crate.config.condition & ~all_on, root.space)
        yield Candidate("require-features", title, tuple(edits), 45.0 if is_more else 0.0, is_guess=is_more)


def triggers(case: Case) -> list[str]:
    """The features that are on wherever the reference fails, those of the innermost gates first."""
    derived = case.derived
    model = derived.found.root.model
    found: dict[str, None] = {}
    gates = [gate for step in derived.trail for gate in step.gates][::-1]
    for condition in [*(gate.condition for gate in gates), derived.context]:
        for name in model.names:
            atom = feature(name)
            if atom in condition.atoms() and not occurs(derived.failing & ~literal(atom), derived.space):
                found.setdefault(name)
    found.pop("default", None)
    return list(found)


def _needed(case: Case) -> tuple[str, ...]:
    """The features in whose presence everything that fails in the target's file resolves."""
    root = case.derived.found.root
    wanted = _all_resolved(case)
    if wanted is FALSE or wanted is TRUE:
        return ()
    try:
        configuration = least(wanted, root.space)
    except GaveUpError:
        return ()
    if configuration is None or configuration.cfgs:
        return ()
    return requested_features(configuration.features, root.model)[0]


def _all_resolved(case: Case) -> Condition:
    result = TRUE
    file = case.file
    root = case.derived.found.root
    for absence in root.absences:
        if root.crate.d.mounts[absence.mount].file == file:
            result &= absence.resolved | ~absence.context
    return result & case.derived.resolved

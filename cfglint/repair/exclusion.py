"""Declaring that the failing combinations are none: a `compile_error!` at the crate root.

The last resort: it mends nothing, it says so. Combinations that others may need are taken from them.
"""

from __future__ import annotations

from collections.abc import Iterator

from cfglint.condition.diagram import Condition
from cfglint.graph.evidence import show, words
from cfglint.manifest.targets import TargetKind
from cfglint.nameres.analysis import Root
from cfglint.repair.candidate import Candidate, Case
from cfglint.repair.edits import Edit
from cfglint.repair.gate_edits import newline
from cfglint.repair.predicates import is_of_platform
from cfglint.syntax.carriers import first_item


def exclusions(case: Case) -> Iterator[Candidate]:
    """The candidate, where the reference fails in a library or a program for reasons of features."""
    derived = case.derived
    root = derived.found.root
    if root.target.kind not in (TargetKind.LIB, TargetKind.BIN):
        return
    yield from excluding(case, root, derived.failing)


def excluding(case: Case, root: Root, failing: Condition) -> Iterator[Candidate]:
    """The candidate that forbids these combinations of a crate root."""
    if not failing.atoms() or is_of_platform(failing) or any(atom.key == "test" for atom in failing.atoms()):
        return
    file = str(root.target.path)
    source = case.analysis.files.source(file)
    at = first_item(source)
    end = newline(source)
    reason = words(failing, root).replace("`", "").replace('"', '\\"')
    guard = f'#[cfg({show(failing, root)})]{end}compile_error!("not supported: {reason}");{end}{end}'
    title = f"declare that it cannot be built when {words(failing, root)}"
    yield Candidate("exclude", title, (Edit(file, at, at, guard),), 0.0, is_guess=True)

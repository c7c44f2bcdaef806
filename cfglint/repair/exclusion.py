"""Declaring that the failing combinations are none: a `compile_error!` at the crate root.

The last resort: it mends nothing, it says so. Combinations that others may need are taken from them.
"""

from __future__ import annotations

from collections.abc import Iterator

from cfglint.condition.diagram import Condition
from cfglint.graph.evidence import show, words
from cfglint.manifest.targets import TargetKind
from cfglint.nameres.analysis import Analysis, Root
from cfglint.repair.candidate import Candidate, Case
from cfglint.repair.edits import Edit
from cfglint.repair.gate_edits import newline
from cfglint.repair.predicates import is_of_platform
from cfglint.syntax.carriers import first_item


def exclusions(case: Case, *, rank: float) -> Iterator[Candidate]:
    """The candidate for a reference that fails."""
    yield from excluding(case.analysis, case.derived.found.root, case.derived.failing, rank=rank)


def excluding(analysis: Analysis, root: Root, failing: Condition, *, rank: float) -> Iterator[Candidate]:
    """The candidate that forbids these combinations to a library or a program, where they are a matter of features."""
    if root.target.kind not in (TargetKind.LIB, TargetKind.BIN) or not failing.atoms():
        return
    if is_of_platform(failing) or any(atom.key == "test" for atom in failing.atoms()):
        return
    file = str(root.target.path)
    source = analysis.files.source(file)
    at = first_item(source)
    end = newline(source)
    reason = words(failing, root).replace("`", "").replace('"', '\\"')
    guard = f'#[cfg({show(failing, root)})]{end}compile_error!("not supported: {reason}");{end}{end}'
    title = f"declare that it cannot be built when {words(failing, root)}"
    yield Candidate("exclude", title, (Edit(file, at, at, guard),), rank, is_guess=True)

"""Definitions of one name that some configuration compiles together: one of them steps aside there.

The later one does, unless that breaks more; then the earlier one. Where either is compiled nowhere else it has to go.
"""

from __future__ import annotations

from collections.abc import Iterator

from cfglint.finding import Finding
from cfglint.graph.parsed import condition_of
from cfglint.nameres.analysis import Analysis, Root
from cfglint.repair.candidate import Candidate
from cfglint.repair.gate_edits import without
from cfglint.repair.narrow import Spot, narrowed, narrowed_names
from cfglint.syntax.attribute_text import subject_at
from cfglint.syntax.carriers import Carrier, carriers_of, use_at


def overlaps(analysis: Analysis, root: Root, finding: Finding) -> Iterator[Candidate]:
    """The candidates for a finding of overlapping definitions."""
    failing = condition_of(finding.fails_when)
    here = _spot(analysis, root, finding.location.file, finding.location.line, finding.location.column)
    others = [_spot(analysis, root, item.file, item.line, 0, item.name) for item in finding.items]
    for rank, spot in enumerate([here, *others]):
        carrier = _carrier(spot) if spot is not None else None
        if spot is None or carrier is None:
            continue
        word, name = subject_at(spot.source, carrier.code_start)
        which = "later" if rank == 0 else "earlier"
        use = use_at(spot.source, spot.offset) if carrier.kind == "import" else None
        if use is not None and len(use.leaves) > 1:
            made = narrowed_names(spot, carrier, failing)
            what = f"the {which} import of `{finding.path}`"
        else:
            made = narrowed(spot, carrier, failing)
            what = f"the {which} {word} `{name}`" if word and carrier.kind != "import" else f"the {which} definition"
        if made is not None:
            edits, predicate = made
            title = f"gate {what} with `#[cfg({predicate})]`"
            yield Candidate("exclude-each-other", title, tuple(edits), 10.0 + rank)
        elif use is None or len(use.leaves) == 1:
            title = f"remove {what}: it is compiled only where the other one is"
            edit = without(spot.file, spot.source, carrier)
            yield Candidate("remove-definition", title, (edit,), 30.0 + rank, is_guess=True)


def _spot(analysis: Analysis, root: Root, name: str, line: int, column: int, word: str = "") -> Spot | None:
    """The declaration that is named on a line."""
    c = root.crate
    for mount, data in enumerate(c.d.mounts):
        if analysis.display_path(data.file) != name:
            continue
        source = analysis.source(data.file)
        tree = data.tree
        rows = [(i.start, i.name, i.gate) for i in tree.items]
        rows += [(i.start, i.name, i.gate) for i in tree.modules]
        rows += [(i.start, i.name, i.gate) for i in tree.imports]
        rows += [(i.start, i.name, i.gate) for i in tree.macros]
        rows += [(part.start, part.name, part.gate) for item in tree.items for part in item.members]
        for start, named, gate in rows:
            at_line, at_column = analysis.position(data.file, start)
            if at_line == line and (at_column == column or (not column and named == word)):
                return Spot(root, root.space, mount, gate, data.file, source, start)
    return None


def _carrier(spot: Spot) -> Carrier | None:
    return next((carrier for carrier in carriers_of(spot.source, spot.offset) if carrier.kind != "statement"), None)

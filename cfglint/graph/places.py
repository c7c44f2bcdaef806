"""From a place in a file to the references that stand there, in every crate root that mounts the file.

A place is a line, perhaps with a column; columns count UTF-8 bytes from 1. What a reference means is not asked here.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from cfglint.items import model as m
from cfglint.nameres.absence import question_of, question_of_import, questions_of_prefixes
from cfglint.nameres.analysis import Analysis, Root
from cfglint.nameres.bodies import body_references
from cfglint.nameres.model import NOTHING
from cfglint.nameres.verdicts import Absence, Question


@dataclass(frozen=True, slots=True)
class Place:
    """A line of a file (its absolute name), and a column or 0 for the whole line."""

    file: str
    line: int
    column: int = 0


@dataclass(frozen=True, slots=True)
class Found:
    """One reference: where it is, and what it asks in one crate root. `absence` is what is known of its failing."""

    root: Root
    start: int
    end: int
    question: Question
    absence: Absence | None


def references_at(analysis: Analysis, root: Root, place: Place) -> list[Found]:
    """The references of one crate root at a place, in source order; several paths may end at one offset."""
    first, last = _bytes_of(analysis, place)
    if last <= first:
        return []
    found: dict[tuple[int, m.Path], Found] = {}
    absences = {(a.mount, a.start, a.path): a for a in root.absences}
    for each in _all(root, place.file, first, last):
        start, end, question = each
        absence = absences.get((question.mount, start, question.path))
        key = (start, question.path)
        if key not in found or (absence is not None and found[key].absence is None):
            found[key] = Found(root, start, end, question, absence)
    for absence in root.absences:
        if absence.members and root.crate.d.mounts[absence.mount].file == place.file:
            if absence.start < last and absence.end > first:
                use = Found(root, absence.start, absence.end, place_of(root, absence), absence)
                found[absence.start, absence.path] = use
    return sorted(found.values(), key=lambda f: (f.start, f.end, f.question.path))


def covers(analysis: Analysis, found: Found, place: Place) -> bool:
    """Whether the reference itself stands at the column, not only on the line."""
    if not place.column:
        return True
    first, _ = _bytes_of(analysis, Place(place.file, place.line))
    at = first + place.column - 1
    return found.start <= at < found.end


def mounts(root: Root, file: str) -> bool:
    """Whether the crate root has the file in its module tree."""
    return any(mount.file == file for mount in root.crate.d.mounts)


def _all(root: Root, file: str, first: int, last: int) -> Iterator[tuple[int, int, Question]]:
    c = root.crate
    for mount, data in enumerate(c.d.mounts):
        if data.file != file:
            continue
        for reference in data.tree.references:
            spans = [span for span in reference.spans if span[0] < last and span[1] > first]
            if spans:
                question = question_of(c, mount, reference)
                yield from ((start, end, question) for start, end in spans)
        for index, imported in enumerate(data.tree.imports):
            if any(start < last and end > first for _, start, end in imported.shared):
                yield from (
                    asked for asked in questions_of_prefixes(c, mount, index) if asked[0] < last and asked[1] > first
                )
            if imported.start < last and imported.end > first:
                yield imported.start, imported.end, question_of_import(c, mount, index)
        if any(macro.crate_paths for macro in data.tree.macros):
            for body in body_references(c):
                if body.home == mount and body.start < last and body.end > first:
                    # Where it always resolves only the whole path has been looked up.
                    missing = len(body.path) - len(body.prefixes)
                    prefixes = (*body.prefixes[-1:] * missing, *body.prefixes)
                    question = Question(mount, body.scope, body.path, body.kind, body.context, prefixes)
                    yield body.start, body.end, question


def _bytes_of(analysis: Analysis, place: Place) -> tuple[int, int]:
    """The offsets of the line's first byte and of its end."""
    analysis.position(place.file, 0)
    source, starts = analysis.lines[place.file]
    if not 1 <= place.line <= len(starts):
        return 0, 0
    first = starts[place.line - 1]
    last = starts[place.line] - 1 if place.line < len(starts) else len(source)
    return first, max(last, first)


def place_of(root: Root, absence: Absence) -> Question:
    """What the reference of an absence asks."""
    c = root.crate
    if absence.members:
        return Question(absence.mount, absence.scope, absence.path, None, absence.context, (NOTHING,))
    data = c.d.mounts[absence.mount]
    for reference in data.tree.references:
        if reference.path == absence.path and (absence.start, absence.end) in reference.spans:
            return question_of(c, absence.mount, reference)
    for index, imported in enumerate(data.tree.imports):
        if (imported.start, imported.path) == (absence.start, absence.path):
            return question_of_import(c, absence.mount, index)
        for start, _, question in questions_of_prefixes(c, absence.mount, index):
            if (start, question.path) == (absence.start, absence.path):
                return question
    for body in body_references(c):
        if (body.home, body.start, body.path) == (absence.mount, absence.start, absence.path) and body.prefixes:
            return Question(absence.mount, body.scope, body.path, body.kind, body.context, tuple(body.prefixes))
    found = NOTHING
    return Question(absence.mount, absence.scope, absence.path, absence.space, absence.context, (found,))

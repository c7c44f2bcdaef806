"""The missing import: names that nothing in scope declares are imported inside the function that uses them.

Inside, for at the top of the module the import would be unused in every other combination. Names of one function that
come from one module are imported together.
"""

from __future__ import annotations

from collections.abc import Iterator

from cfglint.condition.diagram import TRUE, Condition
from cfglint.items import model as m
from cfglint.nameres.absence import namespaces_of
from cfglint.nameres.model import DefKind, EntryKind, Namespace
from cfglint.nameres.paths import step
from cfglint.nameres.scope import own
from cfglint.nameres.verdicts import Absence, Kind
from cfglint.repair.candidate import Candidate, Case
from cfglint.repair.edits import Edit
from cfglint.repair.gate_edits import newline
from cfglint.repair.predicates import occurs
from cfglint.syntax.attribute_text import line_start
from cfglint.syntax.carriers import Body, function_body

_MOST_SOURCES = 3


def imports(case: Case) -> Iterator[Candidate]:
    """The candidates, one for each module that has the name, the nearest first."""
    absence = case.derived.found.absence
    if absence is None or absence.kind is not Kind.NEVER or absence.segment != 0 or absence.space is m.Space.MACRO:
        return
    body = function_body(case.source, case.offset)
    if body is None:
        return
    together = [a for a in _beside(case, body) if a.segment == 0]
    for place in _sources(case, absence)[:_MOST_SOURCES]:
        names = sorted({a.path[0] for a in together if place in _sources(case, a)} | {absence.path[0]})
        listed = names[0] if len(names) == 1 else f"{{{', '.join(names)}}}"
        statement = f"use {place}::{listed};"
        edit = Edit(case.file, body.first, body.first, _line(case.source, body, statement))
        yield Candidate("add-import", f"add `{statement}` to the function", (edit,), 0.0)


def _line(source: bytes, body: Body, statement: str) -> str:
    begin = line_start(source, body.first)
    indent = source[begin : body.first]
    if indent.strip():
        return f"{statement} "
    return f"{statement}{newline(source)}{indent.decode()}"


def _beside(case: Case, body: Body) -> list[Absence]:
    """The names that the same function lacks in the same way."""
    root = case.derived.found.root
    mount = case.derived.found.question.mount
    return [
        absence
        for absence in root.absences
        if absence.mount == mount and absence.kind is Kind.NEVER and body.start <= absence.start < body.end
    ]


def _sources(case: Case, absence: Absence) -> list[str]:
    """The paths of modules of this crate from which the name can be imported wherever it is used."""
    c = case.derived.found.root.crate
    here = c.d.scopes[absence.scope].module
    name = absence.path[0]
    single = len(absence.path) == 1
    wanted = namespaces_of(absence.space) if single else (Namespace.TYPE,)
    found: list[tuple[tuple[int, int, str], str]] = []
    for number, module in enumerate(c.d.modules):
        data = c.d.scopes[module.scope]
        if number == here or name not in data.names:
            continue
        declared = all(entry.kind is EntryKind.ITEM for entry in data.names[name])
        target = own(c, module.scope, name, wanted[0]).hits
        if not target or all(hit.target.kind in (DefKind.OPAQUE, DefKind.ERROR) for hit in target):
            continue
        covered: Condition = _seen(case, number, name, wanted[0], here)
        if occurs(absence.failing & ~c.final(covered & _reachable(case, number, here)), case.derived.space):
            continue
        path = c.d.path_of(number)
        found.append(((0 if declared else 1, path.count("::"), path), path))
    return [path for _, path in sorted(found)]


def _seen(case: Case, module: int, name: str, namespace: Namespace, here: int) -> Condition:
    from cfglint.nameres.model import Def

    c = case.derived.found.root.crate
    container = Def(DefKind.MODULE, c.d.crate, module, -1, c.d.modules[module].name)
    return step(c, container, name, namespace, here).covered


def _reachable(case: Case, module: int, here: int) -> Condition:
    """Where the module can be named from `here` by its path from the crate root."""
    from cfglint.nameres.paths import resolve

    c = case.derived.found.root.crate
    path = tuple(c.d.path_of(module).split("::"))
    if len(path) == 1:
        return TRUE
    return resolve(c, c.d.modules[here].scope, path, Namespace.TYPE).covered

"""References that are compiled where what they name is configured out: which segment is absent, where, and why.

Works on settled name resolution and on one configuration space. It makes no findings; rules choose among absences.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from cfglint.condition.diagram import FALSE, TRUE, Condition, disjunction
from cfglint.condition.predicate import MacroGate
from cfglint.items import model as m
from cfglint.manifest.solver import GaveUpError, satisfiable, where_satisfiable
from cfglint.manifest.space import ConfigSpace
from cfglint.nameres import preludes
from cfglint.nameres.bodies import BodyReference, body_references
from cfglint.nameres.causes import kind_of, suppliers_of
from cfglint.nameres.crate import Crate, certainly
from cfglint.nameres.cycles import import_decided
from cfglint.nameres.failures import failed_on_the_way
from cfglint.nameres.imports import SPACES, glob_covered, glob_target, import_target
from cfglint.nameres.macros import macro_of_path
from cfglint.nameres.model import Def, DefKind, Found, Namespace
from cfglint.nameres.paths import resolve, resolve_import_path
from cfglint.nameres.verdicts import Absence, Doubt, Question


@dataclass(slots=True)
class Tally:
    """What was looked at: every place counts."""

    references: int = 0
    decided: int = 0


_SPACES: dict[m.Space, tuple[Namespace, ...]] = {
    m.Space.TYPE: (Namespace.TYPE,),
    m.Space.TRAIT: (Namespace.TYPE,),
    m.Space.STRUCT: (Namespace.TYPE,),
    m.Space.VALUE: (Namespace.VALUE,),
    m.Space.CALL: (Namespace.VALUE,),
    m.Space.TUPLE_PATTERN: (Namespace.VALUE,),
    m.Space.MACRO: (Namespace.MACRO,),
    m.Space.DERIVE: (Namespace.MACRO,),
    m.Space.ATTRIBUTE: (Namespace.MACRO,),
    m.Space.ANY: SPACES,
}


def absences(c: Crate, space: ConfigSpace, tally: Tally) -> Iterator[Absence | Doubt]:
    """Every reference and import of a crate that fails, or may fail, in some valid configuration."""
    for mount, data in enumerate(c.d.mounts):
        tree = data.tree
        for reference in tree.references:
            count = len(reference.spans)
            tally.references += count
            verdict = _judge_reference(c, space, mount, reference)
            if verdict is None:
                tally.decided += count
                continue
            for start, end in reference.spans:
                found = verdict.at(start, end)
                tally.decided += isinstance(found, Absence)
                yield found
        for index, imported in enumerate(tree.imports):
            tally.references += 1
            of_import = _judge_import(c, space, mount, index, imported)
            tally.decided += not any(isinstance(one, Doubt) for one in of_import)
            yield from of_import
    for body in body_references(c, lambda failing: _may_be(failing, space)):
        tally.references += 1
        verdict = _verdict(
            c, space, Question(body.home, body.scope, body.path, body.kind, body.context, tuple(body.prefixes))
        )
        tally.decided += verdict is None or verdict.absence is not None
        if verdict is not None:
            found = verdict.at(body.start, body.end)
            if isinstance(found, Absence) and body.owner:
                found = replace(found, path=(body.owner, *body.path[1:]), macro=_macro_at(c, body))
            yield found


def _macro_at(c: Crate, body: BodyReference) -> str:
    """The name of the macro whose call is the reference, as it is called there."""
    calls = c.d.mounts[body.home].tree.calls
    return next("::".join(call.path) for call in calls if call.start == body.start and call.end == body.end)


@dataclass(frozen=True, slots=True)
class _Verdict:
    """A verdict on one path, before it is placed."""

    absence: Absence | None
    doubt: Doubt | None

    def at(self, start: int, end: int) -> Absence | Doubt:
        if self.absence is not None:
            a = self.absence
            return replace(a, start=start, end=end)
        assert self.doubt is not None
        return Doubt(self.doubt.mount, start, self.doubt.reason)


def _found(c: Crate, scope: int, reference: m.Reference, path: m.Path) -> Found:
    """What a prefix of a reference's path means in the namespaces that count for it."""
    if len(path) < len(reference.path):
        return resolve(c, scope, path, Namespace.TYPE)
    if reference.space in (m.Space.MACRO, m.Space.DERIVE, m.Space.ATTRIBUTE):
        if reference.space is m.Space.MACRO:
            return macro_of_path(c, scope, reference.spans[0][0], path)
        return resolve(c, scope, path, Namespace.MACRO)
    namespaces = _SPACES[reference.space]
    if len(namespaces) == 1:
        return _of_kind(c, reference.space, resolve(c, scope, path, namespaces[0]))
    parts = [resolve(c, scope, path, n) for n in namespaces]
    covered = FALSE
    for part in parts:
        covered |= part.covered
    return Found(tuple(h for part in parts for h in part.hits), covered)


def _of_kind(c: Crate, space: m.Space, found: Found) -> Found:
    """Without what is of the wrong kind for the place: a struct where a trait is meant, a module where a type is (E0404, E0573)."""
    wrong = [h for h in found.hits if _is_wrong(c, space, h.target)]
    if not wrong:
        return found
    hits = tuple(h for h in found.hits if h not in wrong)
    covered = FALSE
    for hit in hits:
        covered |= hit.condition
    return Found(hits, covered)


def _is_wrong(c: Crate, space: m.Space, target: Def) -> bool:
    if target.kind is DefKind.MODULE:
        return space in (m.Space.TYPE, m.Space.TRAIT, m.Space.STRUCT)
    if target.kind is not DefKind.ITEM:
        return False
    kind = c.program.crates[target.crate].d.mounts[target.at].tree.items[target.index].kind
    if space is m.Space.TRAIT:
        return kind in ("struct", "enum", "union")
    return space is m.Space.STRUCT and kind == "trait"


def _judge_reference(c: Crate, space: ConfigSpace, mount: int, reference: m.Reference) -> _Verdict | None:
    scope = c.d.mounts[mount].first_scope + reference.scope
    found = _found(c, scope, reference, reference.path)
    if not found.hits and reference.space in (m.Space.VALUE, m.Space.CALL) and _is_argument(c, mount, reference.gate):
        found = resolve(c, scope, reference.path, Namespace.TYPE)
    if found.covered is TRUE:
        return None
    covered = c.final(found.covered)
    # Where no context can make it certain, what macros around it do need not be found out.
    can_fail = bool(reference.locals) or certainly(~covered) is not FALSE
    context = c.final(c.context(mount, reference.gate) if can_fail else c.outer_context(mount, reference.gate))
    for gate, _ in reference.locals:
        covered |= c.final(c.context(mount, gate))
    absent = context & ~covered
    if absent is FALSE:
        return None
    prefixes = [_found(c, scope, reference, reference.path[: n + 1]) for n in range(len(reference.path) - 1)] + [
        Found(found.hits, covered)
    ]
    question = Question(mount, scope, reference.path, reference.space, context, tuple(prefixes), reference.locals)
    return _verdict(c, space, question)


def _is_argument(c: Crate, mount: int, gate: int) -> bool:
    """Whether code under `gate` is given to a macro that may take what reads like an expression for a type."""
    tree = c.d.mounts[mount].tree
    while gate > 0:
        predicate = tree.gates[gate].predicate
        if isinstance(predicate, MacroGate) and tree.calls[predicate.call].path[-1] not in preludes.EXPRESSION_MACROS:
            return True
        gate = tree.gates[gate].parent
    return False


def _judge_import(c: Crate, space: ConfigSpace, mount: int, index: int, imported: m.Import) -> list[Absence | Doubt]:
    """What may fail of an import: the prefixes that it shares with others, then what is its own."""
    scope = c.d.mounts[mount].first_scope + imported.scope
    if imported.is_crate:
        return _judge_extern_crate(c, space, mount, index, imported, scope)
    covered = glob_covered(c, scope, index) if imported.is_glob else import_decided(c, scope, index)
    if covered is TRUE:
        return []
    if imported.is_glob:
        hits = glob_target(c, scope, index).hits
    else:
        hits = tuple(h for n in SPACES for h in import_target(c, scope, index, n).hits)
    covered = c.final(covered)
    context = c.final(c.context(mount, imported.gate))
    if context & ~covered is FALSE:
        return []
    prefixes = [
        resolve_import_path(c, scope, imported.path[: n + 1], Namespace.TYPE) for n in range(len(imported.path) - 1)
    ]
    prefixes.append(Found(hits, covered))
    found: list[Absence | Doubt] = []
    parts = [part for part in imported.shared if part[0] < len(imported.path)]
    for length, start, end in (*parts, (len(imported.path), imported.start, imported.end)):
        there = Found(prefixes[length - 1].hits, c.final(prefixes[length - 1].covered))
        before = (*prefixes[: length - 1], there)
        question = Question(mount, scope, imported.path[:length], None, context, before, judged=(scope, index))
        verdict = _verdict(c, space, question)
        if verdict is not None:
            found.append(verdict.at(*_place(imported, verdict, (start, end))))
            context &= there.covered
    return found


def _place(imported: m.Import, verdict: _Verdict, own: tuple[int, int]) -> tuple[int, int]:
    """Where rustc points: of `a::b::{self}` without `a` to the path that `self` stands for, as for all in the braces."""
    absence = verdict.absence
    if absence is not None and imported.is_self and absence.segment < len(absence.path) - 1:
        return next(((start, end) for length, start, end in imported.shared if length == len(absence.path)), own)
    return own


def _judge_extern_crate(
    c: Crate, space: ConfigSpace, mount: int, index: int, imported: m.Import, scope: int
) -> list[Absence | Doubt]:
    name = imported.path[0]
    if name in preludes.SYSROOT or name == "self":
        return []
    known = c.config.extern.get(name)
    covered = known.condition if known is not None else TRUE
    context = c.final(c.context(mount, imported.gate))
    prefix = Found((), c.final(covered))
    question = Question(mount, scope, imported.path, None, context, (prefix,), judged=(scope, index))
    verdict = _verdict(c, space, question)
    return [] if verdict is None else [verdict.at(imported.start, imported.end)]


def _verdict(c: Crate, space: ConfigSpace, question: Question) -> _Verdict | None:
    try:
        return _decide(c, space, question)
    except GaveUpError:
        return _Verdict(None, Doubt(question.mount, 0, "conditions too large to decide"))


def _decide(c: Crate, space: ConfigSpace, question: Question) -> _Verdict | None:
    covered = question.prefixes[-1].covered
    where = where_satisfiable(question.context & ~covered, space)
    if where is None:
        return None
    if not _is_lone_crate(c, question):
        failed = c.final(failed_on_the_way(c, question.scope, question.path, question.judged))
        if failed is not FALSE:
            question = replace(question, context=question.context & ~failed)
            where = where_satisfiable(question.context & ~covered, space)
            if where is None:
                return None
    absent = question.context & ~covered
    failing = certainly(absent)
    if not satisfiable(failing, where):
        if not _matters(question.space, question.prefixes[-1]):
            return None
        return _Verdict(None, Doubt(question.mount, 0, _reason(absent)))
    segment = _first_absent(c, question, where)
    what = kind_of(c, question, segment)
    if what is None:
        if question.space is m.Space.ATTRIBUTE:
            return None
        return _Verdict(None, Doubt(question.mount, 0, "the name may come from something unknown"))
    absence = Absence(
        kind=what,
        mount=question.mount,
        start=0,
        end=0,
        path=question.path,
        segment=segment,
        space=question.space,
        context=question.context,
        resolved=covered,
        failing=failing,
        suppliers=tuple(suppliers_of(c, question, segment)),
        scope=question.scope,
        raw=disjunction(h.condition for h in question.prefixes[-1].hits),
        is_foreign_platform=where is not space,
    )
    return _Verdict(absence, None)


def _is_lone_crate(c: Crate, question: Question) -> bool:
    """Whether this is an import of nothing but a crate: no other import stands on its way."""
    return question.judged is not None and len(question.path) == 1 and question.path[0] in c.config.extern


def _first_absent(c: Crate, question: Question, space: ConfigSpace) -> int:
    """The first segment that is absent in some configuration; a leading keyword never is."""
    path = question.path
    segment = len(path) - 1
    for position, prefix in enumerate(question.prefixes):
        if path[position] == "":
            continue
        if satisfiable(certainly(question.context & ~c.final(prefix.covered)), space):
            segment = position
            break
    if path[segment] in _KEYWORDS and segment < len(path) - 1:
        segment += 1
    return segment


_KEYWORDS = frozenset({"crate", "self", "super", "Self", "$crate", ""})


def _may_be(failing: Condition, space: ConfigSpace) -> bool:
    try:
        return where_satisfiable(failing, space) is not None
    except GaveUpError:
        return True


def _matters(kind: m.Space | None, found: Found) -> bool:
    """Attributes may be helpers of a derive: without a definition they say nothing."""
    return kind is not m.Space.ATTRIBUTE or any(h.target.kind is not DefKind.OPAQUE for h in found.hits)


def _reason(absent: Condition) -> str:
    atoms = sorted(a.key for a in absent.atoms() if a.kind == 3)
    return f"depends on what is not known: {atoms[0]}" if atoms else "not decided"


def question_of(c: Crate, mount: int, reference: m.Reference) -> Question:
    """What a reference asks, in full, whether it may fail or not: for those who explain it."""
    scope = c.d.mounts[mount].first_scope + reference.scope
    found = [_found(c, scope, reference, reference.path[: n + 1]) for n in range(len(reference.path))]
    covered = c.final(found[-1].covered)
    for gate, _ in reference.locals:
        covered |= c.final(c.context(mount, gate))
    prefixes = (*found[:-1], Found(found[-1].hits, covered))
    context = c.final(c.context(mount, reference.gate))
    return Question(mount, scope, reference.path, reference.space, context, prefixes, reference.locals)


def question_of_import(c: Crate, mount: int, index: int) -> Question:
    """What an import asks, in the same way."""
    imported = c.d.mounts[mount].tree.imports[index]
    scope = c.d.mounts[mount].first_scope + imported.scope
    if imported.is_crate:
        known = c.config.extern.get(imported.path[0])
        last = Found((), c.final(known.condition) if known is not None else TRUE)
    elif imported.is_glob:
        last = Found(glob_target(c, scope, index).hits, c.final(glob_covered(c, scope, index)))
    else:
        hits = tuple(h for n in SPACES for h in import_target(c, scope, index, n).hits)
        last = Found(hits, c.final(import_decided(c, scope, index)))
    leading = tuple(
        resolve_import_path(c, scope, imported.path[:n], Namespace.TYPE) for n in range(1, len(imported.path))
    )
    context = c.final(c.context(mount, imported.gate))
    return Question(mount, scope, imported.path, None, context, (*leading, last), judged=(scope, index))


def namespaces_of(space: m.Space | None) -> tuple[Namespace, ...]:
    """Where the last segment of a reference is looked up; None stands for an import."""
    return SPACES if space is None else _SPACES[space]


def absences_where(c: Crate, space: ConfigSpace, wanted: Callable[[int, m.Path], bool]) -> Iterator[Absence | Doubt]:
    """The same as `absences`, of those references and imports only that `wanted` picks by their mount and path."""
    for mount, data in enumerate(c.d.mounts):
        for reference in data.tree.references:
            if wanted(mount, reference.path):
                verdict = _judge_reference(c, space, mount, reference)
                if verdict is not None:
                    yield from (verdict.at(start, end) for start, end in reference.spans)
        for index, imported in enumerate(data.tree.imports):
            if wanted(mount, imported.path):
                yield from _judge_import(c, space, mount, index, imported)
    for body in body_references(c, lambda failing: _may_be(failing, space)):
        if wanted(body.home, body.path):
            asked = Question(body.home, body.scope, body.path, body.kind, body.context, tuple(body.prefixes))
            verdict = _verdict(c, space, asked)
            found = None if verdict is None else verdict.at(body.start, body.end)
            if isinstance(found, Absence) and body.owner:
                found = replace(found, path=(body.owner, *body.path[1:]), macro=_macro_at(c, body))
            if found is not None:
                yield found


def questions_of_prefixes(c: Crate, mount: int, index: int) -> Iterator[tuple[int, int, Question]]:
    """What the prefixes ask that an import shares with others, each with its span."""
    whole = question_of_import(c, mount, index)
    for length, start, end in c.d.mounts[mount].tree.imports[index].shared:
        if length < len(whole.path):
            there = whole.prefixes[length - 1]
            prefixes = (*whole.prefixes[: length - 1], Found(there.hits, c.final(there.covered)))
            yield start, end, replace(whole, path=whole.path[:length], prefixes=prefixes)


def meaning_of(c: Crate, mount: int, reference: m.Reference) -> Found:
    """What a reference means, its conditions in the words of its crate."""
    return _found(c, c.d.mounts[mount].first_scope + reference.scope, reference, reference.path)

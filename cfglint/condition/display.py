"""Conditions as text: the shortest `cfg(...)` predicate, and a few words for messages.

Shortest counts literals first, then characters. The text is a matter of meaning alone: it does not depend on the order in
which atoms were first seen, only on the order asked for. It is exact inside the care set and says nothing outside.

What this deliberately does not do: find a minimum by search (see `cover`), or print a formula that nobody could read.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from cfglint.condition.atom import Atom, AtomKind
from cfglint.condition.cover import Formula, Group, Signed, formulas
from cfglint.condition.diagram import FALSE, TRUE, Condition, leading_run

WORDED_LITERALS = 4
"""Literals up to which a condition is put into words."""


def shortest(condition: Condition, *, care: Condition = TRUE, order: Callable[[Atom], Any] | None = None) -> str:
    """The shortest predicate that equals `condition` wherever `care` holds, as rustc prints it.

    It names no atom that `condition` does not depend on. `order` gives a sort key for atoms (of features: their place in
    the manifest); without it, and among equals, they go by name. Features come before flags, key-value options last.
    A condition that has no readable text (thousands of terms) becomes a comment, which is no predicate.
    """
    formula = _minimal(condition, care, _sorted_atoms(condition, order))
    if isinstance(formula, bool):
        return "true" if formula else "false"
    if formula is None:
        return f"/* a condition over {len(condition.atoms())} options */"
    return _text(formula)


def in_words(condition: Condition, *, care: Condition = TRUE, order: Callable[[Atom], Any] | None = None) -> str:
    """A clause that completes "when": "`gpu` is enabled and `grad` is disabled".

    Up to `WORDED_LITERALS` literals joined by one "and" or "or"; anything larger is its `shortest` text in backticks.
    A condition that always holds is "always", one that never does "never".
    """
    formula = _minimal(condition, care, _sorted_atoms(condition, order))
    if isinstance(formula, bool):
        return "always" if formula else "never"
    literals = _literals_of(formula)
    if not 0 < len(literals) <= WORDED_LITERALS or any(each.atom.kind is AtomKind.OPAQUE for each in literals):
        return f"`{shortest(condition, care=care, order=order)}`"
    every = isinstance(formula, Group) and formula.operator == "all"
    return _clauses(literals, "and" if every else "or")


def _sorted_atoms(condition: Condition, order: Callable[[Atom], Any] | None) -> tuple[Atom, ...]:
    if order is None:
        return tuple(sorted(condition.atoms()))
    return tuple(sorted(condition.atoms(), key=lambda atom: (atom.kind, order(atom), atom)))


@functools.lru_cache(maxsize=4096)
def _minimal(condition: Condition, care: Condition, atoms: tuple[Atom, ...]) -> Formula | bool | None:
    """The formula to print; a bool where it is constant, None where it is too large."""
    lower, upper = _interval(condition, care)
    if lower is FALSE:
        return False
    if upper is TRUE:
        return True
    if lower is upper:
        return _exact(condition, atoms)
    candidates = list(formulas(lower, upper, atoms))
    exact = _exact(condition, atoms)  # a care set must never lengthen the text
    return min(candidates if exact is None else [*candidates, exact], key=_length, default=None)


def _exact(condition: Condition, atoms: tuple[Atom, ...]) -> Formula | None:
    absorbing, literals, rest = leading_run(condition)
    if rest.atom is None:
        place = {atom: index for index, atom in enumerate(atoms)}
        run = sorted((Signed(atom, holds) for atom, holds in literals), key=lambda each: place[each.atom])
        return run[0] if len(run) == 1 else Group("all" if absorbing is FALSE else "any", tuple(run))
    candidates: list[Formula] = []
    for formula in formulas(condition, condition, atoms):
        candidates.append(formula)
        if _size(formula) == len(atoms):  # each atom once: no other formula is as short
            break
    return min(candidates, key=_length, default=None)


def _length(formula: Formula) -> tuple[int, int]:
    return _size(formula), len(_text(formula))


def _interval(condition: Condition, care: Condition) -> tuple[Condition, Condition]:
    """What must be true and what may be, over the atoms of `condition` alone. A care set without a model is no help."""
    if care is TRUE or care is FALSE:
        return condition, condition
    others = care.atoms() - condition.atoms()
    lower = (condition & care).exists(others)
    upper = (condition | ~care).forall(others)
    if lower.implies(condition) and condition.implies(upper):
        return lower, upper
    return condition, condition  # one of the steps was too large


def _size(formula: Formula) -> int:
    return 1 if isinstance(formula, Signed) else sum(map(_size, formula.args))


def _text(formula: Formula) -> str:
    return _texts(formula)[0]


def _texts(formula: Formula) -> tuple[str, str]:
    """The shortest spellings of the formula and of its negation."""
    if isinstance(formula, Signed):
        plain, negated = formula.atom.text, f"not({formula.atom.text})"
        return (plain, negated) if formula.holds else (negated, plain)
    args = [_texts(arg) for arg in formula.args]
    opposites = [(negated, plain) for plain, negated in args]
    other = "any" if formula.operator == "all" else "all"
    plains, negations = _spellings(formula.operator, other, args), _spellings(other, formula.operator, opposites)
    return (
        min(*plains, f"not({negations[0]})", key=len),
        min(*negations, f"not({plains[0]})", key=len),
    )


def _spellings(operator: str, other: str, args: list[tuple[str, str]]) -> list[str]:
    """The group as it stands, and with the negations among its arguments under one `not`."""
    plain = f"{operator}({', '.join(text for text, _ in args)})"
    under = [index for index, (text, negated) in enumerate(args) if text == f"not({negated})"]
    if not 2 <= len(under) < len(args):
        return [plain]
    parts: list[str] = [text for text, _ in args]
    parts[under[0]] = f"not({other}({', '.join(args[index][1] for index in under)}))"
    return [plain, f"{operator}({', '.join(part for index, part in enumerate(parts) if index not in under[1:])})"]


def _literals_of(formula: Formula | None) -> list[Signed]:
    """The literals of a single group, or the only one; none if there are groups within groups."""
    if not isinstance(formula, Group):
        return [] if formula is None else [formula]
    literals = [arg for arg in formula.args if isinstance(arg, Signed)]
    return literals if len(literals) == len(formula.args) else []


def _clauses(literals: list[Signed], conjunction: str) -> str:
    """One clause for each state, in order of appearance: "`a` and `b` are enabled and `unix` is not set"."""
    states: dict[str, list[str]] = {}
    for each in literals:
        is_feature = each.atom.kind is AtomKind.FEATURE
        state = ("enabled" if each.holds else "disabled") if is_feature else ("set" if each.holds else "not set")
        states.setdefault(state, []).append(f"`{each.atom.key if is_feature else each.atom.text}`")
    return _joined(
        [
            f"{_joined(names, conjunction)} {'are' if len(names) > 1 and conjunction == 'and' else 'is'} {state}"
            for state, names in states.items()
        ],
        conjunction,
    )


def _joined(words: list[str], conjunction: str) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} {conjunction} {words[-1]}"

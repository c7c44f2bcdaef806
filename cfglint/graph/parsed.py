"""Conditions from text: what a finding says of itself, and what the command line asks for."""

from __future__ import annotations

from cfglint.condition.atom import flag, key_value, opaque
from cfglint.condition.diagram import Condition, literal
from cfglint.condition.parse import parse_predicate
from cfglint.condition.predicate import Invalid, MacroGate, Option, lower


def condition_of(text: str) -> Condition:
    """The condition that a predicate spells; a part that is no predicate is unknown."""
    return lower(parse_predicate(text), _leaf)


def invalid_part(text: str) -> str | None:
    """The first part of the text that is no predicate, None where it is one."""
    found: list[str] = []

    def leaf(part: Option | Invalid | MacroGate) -> Condition:
        if isinstance(part, Invalid):
            found.append(part.text)
        return _leaf(part)

    lower(parse_predicate(text), leaf)
    return found[0] if found else None


def _leaf(part: Option | Invalid | MacroGate) -> Condition:
    if isinstance(part, Option):
        return literal(flag(part.key) if part.value is None else key_value(part.key, part.value))
    return literal(opaque(part.text if isinstance(part, Invalid) else f"macro call {part.call}"))

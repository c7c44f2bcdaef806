"""Which rule of a `macro_rules!` a call takes, and the names of the caller's that the rule could put anywhere.

Nothing is transcribed. Captured items, blocks, expressions and types stay whole: no rule finds a name in them.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from cfglint.items.macro_definition import Rule, definition
from cfglint.items.macro_tokens import Kind, UncertainError, flattened
from cfglint.items.matching import Binding, Capture, arguments, match_rule

_OPEN_KINDS = frozenset({"ident", "tt", "pat", "pat_param", "path"})


class Match(NamedTuple):
    """The rule that a call takes; `names` are identifiers of the call, `kinds` the fragment specifiers in use."""

    rule: Rule
    names: frozenset[str]
    kinds: frozenset[str]


def matched(macro_source: bytes, name_start: int, call_source: bytes, call_start: int, call_end: int) -> Match | None:
    """The first rule that matches; None when none does, or when it is not certain which does.

    `name_start` is where the name in `macro_rules! name` stands, `call_start..call_end` is the whole invocation.
    """
    try:
        rules = definition(macro_source, name_start).rules
        stream = arguments(call_source, call_start, call_end)
        for rule in rules:
            bindings = match_rule(rule, stream)
            if bindings is not None:
                captures = list(_captures(bindings.values()))
                names = frozenset(
                    token.text.removeprefix("r#")
                    for capture in captures
                    if capture.kind in _OPEN_KINDS
                    for token in flattened(capture.tokens)
                    if token.kind is Kind.IDENT
                )
                return Match(rule, names, frozenset(capture.kind for capture in captures))
    except (UncertainError, RecursionError):
        pass
    return None


def _captures(bindings: Iterable[Binding]) -> Iterable[Capture]:
    for binding in bindings:
        if isinstance(binding, Capture):
            yield binding
        else:
            yield from _captures(binding)

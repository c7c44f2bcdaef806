"""The predicate of a `[target.….dependencies]` table as a condition over target options and `--cfg` flags.

Cargo evaluates it with what `rustc --print cfg` says before anything is compiled: no features, `debug_assertions` on,
`test` and `proc_macro` off, and the flags of RUSTFLAGS (Cargo book, Platform specific dependencies).
"""

from __future__ import annotations

import functools

from cfglint.condition.atom import flag, key_value, opaque
from cfglint.condition.diagram import FALSE, TRUE, Condition, literal
from cfglint.condition.parse import parse_predicate
from cfglint.condition.predicate import Invalid, MacroGate, Option, lower
from cfglint.manifest.platform import TRIPLE

_DEFAULTS = {"debug_assertions": TRUE, "test": FALSE, "proc_macro": FALSE, "doc": FALSE, "doctest": FALSE}


@functools.lru_cache(maxsize=4096)
def target_condition(text: str) -> Condition:
    """The condition of `text`: `cfg(...)`, or the name of one target.

    What is no predicate, which Cargo rejects, is an opaque atom.
    """
    stripped = text.strip()
    if stripped.startswith("cfg(") and stripped.endswith(")"):
        return lower(parse_predicate(stripped.removeprefix("cfg(").removesuffix(")")), _meaning)
    return literal(key_value(TRIPLE, stripped))


def _meaning(leaf: Option | Invalid | MacroGate) -> Condition:
    if isinstance(leaf, Option):
        if leaf.value is None:
            return _DEFAULTS[leaf.key] if leaf.key in _DEFAULTS else literal(flag(leaf.key))
        return FALSE if leaf.key == "feature" else literal(key_value(leaf.key, leaf.value))
    return literal(opaque(str(leaf)))

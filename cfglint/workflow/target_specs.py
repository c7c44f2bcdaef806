"""Targets of a workspace's own: what a JSON specification says that the built-in target of its name does not.

Read is the width of atomic operations, for which such files are mostly made; in everything else the target is taken for the
built-in one.

Source: rustc book, Custom Targets; `max-atomic-width` of a target specification.
"""

from __future__ import annotations

import json
from pathlib import Path

from cfglint.condition.atom import Atom
from cfglint.matrix.combination import parse_cfg

_WIDTHS = (8, 16, 32, 64, 128)
_LARGEST = 1 << 16
"""Bytes; a specification has a few hundred."""


def atomics_of(file: Path) -> frozenset[Atom]:
    """The `target_has_atomic` options of the target, all of them; none where the file does not speak of them."""
    try:
        if not file.is_file() or file.stat().st_size > _LARGEST:
            return frozenset()
        found = json.loads(file.read_text("utf-8"))
    except (OSError, ValueError, RecursionError):
        return frozenset()
    widest = found.get("max-atomic-width") if isinstance(found, dict) else None
    if not isinstance(widest, int):
        return frozenset()
    widths = [str(width) for width in _WIDTHS if width <= widest]
    pointer = str(found.get("target-pointer-width", ""))
    names = [*widths, "ptr"] if pointer in widths else widths
    return frozenset(parse_cfg(f'target_has_atomic="{name}"') for name in names)

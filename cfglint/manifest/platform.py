"""Targets: the rows of rustc's own table, and which configuration options hold on each.

A set of targets is a bit mask over rows, so a predicate over `unix`, `target_os` and the like is decided by `&`. The
table is what `rustc --print cfg` says of every built-in target; a custom target specification is not in it.

What this deliberately does not do: `debug_assertions` and `test` belong to the profile, not to the target, and are left
to the solver; a target feature that a target has by default cannot be switched off here (`-C target-feature=-sse2`).
"""

from __future__ import annotations

import functools
import json
from collections.abc import Iterable
from dataclasses import dataclass
from importlib import resources

from cfglint.condition.atom import Atom, AtomKind

HOST = "x86_64-unknown-linux-gnu"
"""The target that a witness takes where any will do: the command then needs no `--target`."""

TIER_ONE = (
    HOST,
    "aarch64-unknown-linux-gnu",
    "x86_64-apple-darwin",
    "aarch64-apple-darwin",
    "x86_64-pc-windows-msvc",
    "x86_64-pc-windows-gnu",
    "aarch64-pc-windows-msvc",
    "i686-unknown-linux-gnu",
    "i686-pc-windows-msvc",
)
"""The hosts that rustc guarantees to work (rustc book, platform support), the host first."""

TRIPLE = "target"
"""Key of the pseudo option that stands for one target by name, as `[target.x86_64-pc-windows-gnu]` does."""

# An option that rustc prints for every target, empty where a target has nothing to say.
_ALWAYS_PRINTED = ("target_env", "target_abi")
_FEATURE_KEY = "target_feature"


@dataclass(frozen=True, slots=True, eq=False)
class TargetTable:
    """All targets, most preferred first: bit `i` of a mask is `triples[i]`."""

    triples: tuple[str, ...]
    keys: frozenset[str]
    flags: frozenset[str]
    _masks: dict[Atom, int]
    _rows: dict[str, int]
    _features: dict[str, int]

    @property
    def all_rows(self) -> int:
        """The mask of every target."""
        return (1 << len(self.triples)) - 1

    def rows(self, triples: Iterable[str]) -> int:
        """The mask of `triples`; names that the table lacks are left out."""
        mask = 0
        for triple in triples:
            row = self._rows.get(triple)
            if row is not None:
                mask |= 1 << row
        return mask

    def mask(self, atom: Atom) -> int | None:
        """The targets on which `atom` holds, or None if it is not for the target to say.

        A key of the table with a value that no target has holds nowhere: mask 0. `target_feature` is None, for it can be
        switched on anywhere; see `feature_mask`.
        """
        found = self._masks.get(atom)
        if found is not None:
            return found
        if atom.kind is AtomKind.KEY_VALUE and atom.key in self.keys:
            return 0
        return None

    def values(self, key: str) -> frozenset[str | None]:
        """Every value that the option `key` has on some target."""
        return frozenset(atom.value for atom in self._masks if atom.key == key)

    def feature_mask(self, atom: Atom) -> int:
        """The targets that have the target feature `atom` without being asked to."""
        if atom.kind is not AtomKind.KEY_VALUE or atom.key != _FEATURE_KEY:
            return 0
        return self._features.get(atom.value or "", 0)


@functools.cache
def table() -> TargetTable:
    """The built-in targets, read once, `HOST` and the other tier-1 hosts before the rest."""
    text = resources.files("cfglint.manifest").joinpath("data").joinpath("targets.json").read_text(encoding="utf-8")
    lines: dict[str, str] = json.loads(text)["targets"]
    triples = TIER_ONE + tuple(sorted(set(lines) - set(TIER_ONE)))
    options: dict[tuple[str, str], int] = {}
    for row, triple in enumerate(triples):
        bit = 1 << row
        seen = {(TRIPLE, triple)}
        for word in lines[triple].split():
            key, _, values = word.partition("=")
            full = key if key == "panic" else f"target_{key}"
            seen.update((full, value) for value in values.split(","))
        for key in _ALWAYS_PRINTED:
            if not any(name == key for name, _ in seen):
                seen.add((key, ""))
        for option in seen:
            options[option] = options.get(option, 0) | bit
    features = {value: mask for (key, value), mask in options.items() if key == _FEATURE_KEY}
    masks = {
        Atom(AtomKind.KEY_VALUE, key, value): mask for (key, value), mask in options.items() if key != _FEATURE_KEY
    }
    families = frozenset({"unix", "windows"})
    for family in families:
        masks[Atom(AtomKind.FLAG, family)] = options["target_family", family]
    keys = frozenset(key for key, _ in options) - {_FEATURE_KEY}
    return TargetTable(triples, keys, families, masks, {triple: row for row, triple in enumerate(triples)}, features)

"""Atoms: the independent yes-or-no facts that conditions are made of.

An atom says nothing about when it holds. Two atoms that cannot both hold (`unix`, `windows`) are still two atoms.
"""

from __future__ import annotations

import enum
import functools
from dataclasses import dataclass


class AtomKind(enum.IntEnum):
    """What an atom stands for; the order is that in which atoms are printed."""

    __hash__ = int.__hash__  # that of Enum is slow

    FEATURE = 0
    FLAG = 1
    KEY_VALUE = 2
    OPAQUE = 3


@dataclass(frozen=True, slots=True, order=True)
class Atom:
    """One fact: a Cargo feature (`key` is its name), a bare `--cfg` flag, a `key = "value"` option, or an unknown.

    Build atoms with `feature`, `flag`, `key_value` and `opaque`.

    Raises:
        ValueError: if a value is given for anything but `KEY_VALUE`, or missing there.
    """

    kind: AtomKind
    key: str
    value: str | None = None

    def __post_init__(self) -> None:
        if (self.value is not None) != (self.kind is AtomKind.KEY_VALUE):
            raise ValueError(f"value {self.value!r} does not fit an atom of kind {self.kind.name}")

    @property
    def text(self) -> str:
        """As rustc prints it: `feature = "gpu"`, `windows`, `target_os = "linux"`; an opaque atom is its source."""
        match self.kind:
            case AtomKind.FEATURE:
                return f"feature = {_quoted(self.key)}"
            case AtomKind.FLAG:
                return f"r#{self.key}" if self.key in _LITERALS else self.key
            case AtomKind.KEY_VALUE:
                return f"{self.key} = {_quoted(self.value or '')}"
            case AtomKind.OPAQUE:
                return " ".join(self.key.split())


@functools.cache
def feature(name: str) -> Atom:
    """The Cargo feature `name` of the crate that is being compiled, `feature = "name"` in a predicate."""
    return Atom(AtomKind.FEATURE, name)


@functools.cache
def flag(name: str) -> Atom:
    """A bare option such as `windows`, `test` or `loom`."""
    return Atom(AtomKind.FLAG, name)


@functools.cache
def key_value(key: str, value: str) -> Atom:
    """The option `key = "value"`; with the key `feature` that is `feature(value)`."""
    return feature(value) if key == "feature" else Atom(AtomKind.KEY_VALUE, key, value)


@functools.cache
def opaque(source: str) -> Atom:
    """Something whose truth cfglint does not know, named after what it comes from. Equal sources are one atom."""
    return Atom(AtomKind.OPAQUE, source)


# Bare, these two are literals; as options they are written raw (Reference, conditional compilation).
_LITERALS = frozenset({"true", "false"})

_ESCAPES = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t", "\0": "\\0"}


def _quoted(value: str) -> str:
    """A Rust string literal."""
    if value.isprintable() and '"' not in value and "\\" not in value:
        return f'"{value}"'
    return '"' + "".join(_ESCAPES.get(char) or _escaped(char) for char in value) + '"'


def _escaped(char: str) -> str:
    return char if char.isprintable() else f"\\u{{{ord(char):x}}}"

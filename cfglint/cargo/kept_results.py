"""Results kept on disk while a matrix is built, so that a run that was cut short can go on.

One JSON line a result, written as soon as it is there. A result counts again only for the same command on the same
sources: its key is a hash of both. A damaged line, or one of another version, is passed over.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import msgspec

from cfglint import __version__
from cfglint.matrix.combination import Combination
from cfglint.matrix.results import Result

_SOURCES = (".rs", ".toml", ".lock")
_NOT_OURS = frozenset({"target", ".git", "node_modules"})


class _Line(msgspec.Struct, frozen=True):
    version: str
    key: str
    result: Result


@dataclass(frozen=True, slots=True)
class Store:
    """Results of one matrix in `file`; `sources` is the hash of what is built."""

    file: Path
    sources: str

    def load(self, combinations: Iterable[Combination], words: Iterable[str]) -> Mapping[int, Result]:
        """What is known of these combinations, by their position."""
        words = tuple(words)
        known = dict(self._lines())
        found = ((index, known.get(self.key(one, words))) for index, one in enumerate(combinations))
        return {index: replace(result, is_old=True) for index, result in found if result is not None}

    def add(self, result: Result, words: Iterable[str]) -> None:
        """Keep a result; that it cannot be kept is no reason to stop."""
        line = _Line(__version__, self.key(result.combination, words), result)
        with contextlib.suppress(OSError), self.file.open("ab") as file:
            file.write(msgspec.json.encode(line) + b"\n")

    def clear(self) -> None:
        """Forget all."""
        with contextlib.suppress(OSError):
            self.file.unlink(missing_ok=True)

    def key(self, one: Combination, words: Iterable[str]) -> str:
        """What a result rests on: sources, command, and the flags of whoever calls."""
        parts = (self.sources, one.command, *words, os.environ.get("RUSTFLAGS", ""))
        return hashlib.sha256("\x1f".join(parts).encode("utf-8", "replace")).hexdigest()

    def _lines(self) -> Iterator[tuple[str, Result]]:
        try:
            lines = self.file.read_bytes().splitlines()
        except OSError:
            return
        for line in lines:
            with contextlib.suppress(msgspec.MsgspecError, ValueError):
                read = msgspec.json.decode(line, type=_Line)
                if read.version == __version__:
                    yield read.key, read.result


def hash_of_sources(root: Path) -> str:
    """A hash of every Rust file, manifest and lock file below `root`, by name and content."""
    digest = hashlib.sha256()
    for folder, folders, files in os.walk(root):
        folders[:] = sorted(name for name in folders if name not in _NOT_OURS)
        for name in sorted(files):
            if name.endswith(_SOURCES):
                path = os.path.join(folder, name)
                with contextlib.suppress(OSError), open(path, "rb") as file:
                    digest.update(os.path.relpath(path, root).encode("utf-8", "surrogateescape"))
                    digest.update(hashlib.sha256(file.read()).digest())
    return digest.hexdigest()

"""Pieces of files that know where each of their characters stands, whatever quoting or indentation was taken off.

Positions are 1-based lines and byte columns, as everywhere in cfglint.
"""

from __future__ import annotations

import bisect
import functools
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

LARGEST_FILE = 4 << 20
"""Bytes. A workflow or script beyond that is not read."""


@dataclass(frozen=True, slots=True, eq=False)
class Source:
    """A file's text. Compared by identity."""

    path: Path
    text: str
    starts: tuple[int, ...]

    def position(self, index: int) -> tuple[int, int]:
        """Line and column of a character."""
        line = bisect.bisect_right(self.starts, max(index, 0)) - 1
        start = self.starts[line]
        return line + 1, len(self.text[start:index].encode("utf-8", "surrogatepass")) + 1


@dataclass(frozen=True, slots=True, eq=False)
class Excerpt:
    """Text out of a file: `indices` says of each character where it stands there; there is one more for the end."""

    source: Source
    text: str
    indices: Sequence[int]

    def at(self, offset: int) -> tuple[int, int]:
        """Line and column of a UTF-8 byte offset into the text."""
        if not self.text.isascii():
            offset = len(self.text.encode("utf-8", "surrogatepass")[:offset].decode("utf-8", "ignore"))
        return self.source.position(self.indices[min(offset, len(self.text))])


def make_source(path: Path, text: str) -> Source:
    """The source of a file that has been read."""
    starts = [0]
    at = text.find("\n")
    while at != -1:
        starts.append(at + 1)
        at = text.find("\n", at + 1)
    return Source(path, text, tuple(starts))


@functools.lru_cache(maxsize=512)
def read_source(path: Path) -> Source | None:
    """The source of a file; None where it cannot be read, is too large, or is no text."""
    try:
        if not path.is_file() or path.stat().st_size > LARGEST_FILE:
            return None
        data = path.read_bytes()
    except OSError:
        return None
    if b"\0" in data:
        return None
    return make_source(path, data.decode("utf-8-sig", "replace").replace("\r\n", "\n"))


def whole(source: Source) -> Excerpt:
    """A whole file as an excerpt."""
    return Excerpt(source, source.text, range(len(source.text) + 1))


def lines_of(source: Source, first: int, last: int, cut: int = 0) -> Excerpt:
    """Lines `first` to `last` (0-based, the last one included) without up to `cut` leading blanks each."""
    text: list[str] = []
    indices: list[int] = []
    for number in range(first, last + 1):
        start = source.starts[number]
        end = source.starts[number + 1] if number + 1 < len(source.starts) else len(source.text)
        line = source.text[start:end]
        taken = min(cut, len(line) - len(line.lstrip(" \t")))
        text.append(line[taken:])
        indices.extend(range(start + taken, end))
    indices.append(source.starts[last + 1] if last + 1 < len(source.starts) else len(source.text))
    return Excerpt(source, "".join(text), indices)


def aligned(source: Source, value: str, start: int, end: int) -> Excerpt:
    """What became of `source.text[start:end]` by unquoting and folding: each character is looked for from left to right."""
    indices: list[int] = []
    at = start
    for char in value:
        if not char.isspace():
            found = source.text.find(char, at, end)
            if found != -1:
                at = found
        indices.append(min(at, max(end - 1, start)))
        if not char.isspace():
            at += 1
    indices.append(min(at, end))
    return Excerpt(source, value, indices)

"""One TOML file, read with suspicion: every value may be absent or of the wrong type.

A file that is no TOML raises; a value of the wrong type is recorded as a problem and treated as absent, so one mistake
never hides the rest of a manifest.
"""

from __future__ import annotations

import stat
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import tomli

from cfglint.errors import ManifestError
from cfglint.manifest.positions import Key, Position, positions

SIZE_CAP = 16 * 1024 * 1024
"""Bytes; a manifest beyond it is refused rather than parsed for minutes."""


@dataclass(frozen=True, slots=True)
class Document:
    """The text of a TOML file, what it says, and what was wrong with it (a list that readers append to)."""

    path: Path
    text: str
    data: dict[str, object]
    problems: list[ManifestError]

    @property
    def root(self) -> Table:
        """The document as a table."""
        return Table(self, (), self.data)


def read_document(path: Path) -> Document:
    """Read and parse `path`.

    Raises:
        ManifestError: the file cannot be read, is not UTF-8, or is not TOML.
    """
    try:
        status = path.stat()
        if not stat.S_ISREG(status.st_mode):
            raise ManifestError("is not a regular file", path)
        if status.st_size > SIZE_CAP:
            raise ManifestError(f"is larger than {SIZE_CAP} bytes", path)
        raw = path.read_bytes()
    except (OSError, ValueError, RuntimeError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise ManifestError(f"cannot be read: {reason}", path) from error
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise ManifestError("is not valid UTF-8", path, line) from error
    try:
        data = tomli.loads(text)
    except tomli.TOMLDecodeError as error:
        raise ManifestError(f"is not valid TOML: {error.msg}", path, error.lineno) from error
    except (RecursionError, ValueError) as error:
        raise ManifestError(f"is not valid TOML: {error}", path) from error
    return Document(path, text, data, [])


@dataclass(frozen=True, slots=True)
class Table:
    """A table of a document. Readers return None (or nothing) for what is absent or of the wrong type."""

    document: Document
    where: tuple[Key, ...]
    data: dict[str, object]

    def __contains__(self, key: str) -> bool:
        return key in self.data

    def string(self, *keys: str) -> str | None:
        """The string under the first of `keys` (spellings of one key) that is present."""
        key, value = self._first(keys)
        if value is None or isinstance(value, str):
            return value
        self._wrong(key, "a string")
        return None

    def boolean(self, *keys: str) -> bool | None:
        """The boolean under the first of `keys` that is present."""
        key, value = self._first(keys)
        if value is None or isinstance(value, bool):
            return value
        self._wrong(key, "a boolean")
        return None

    def strings(self, *keys: str) -> tuple[str, ...]:
        """The array of strings under the first of `keys` that is present; elements that are no strings are left out."""
        key, value = self._first(keys)
        if value is None:
            return ()
        if not isinstance(value, list):
            self._wrong(key, "an array of strings")
            return ()
        kept = tuple(element for element in value if isinstance(element, str))
        if len(kept) < len(value):
            self._wrong(key, "an array of strings")
        return kept

    def table(self, *keys: str) -> Table:
        """The table under the first of `keys` that is present; an empty one if there is none."""
        key, value = self._first(keys)
        if isinstance(value, dict):
            return Table(self.document, (*self.where, key), value)
        if value is not None:
            self._wrong(key, "a table")
        return Table(self.document, (*self.where, key), {})

    def tables(self, key: str) -> Iterator[Table]:
        """The elements of the array of tables `key`."""
        value = self.data.get(key)
        if value is None:
            return
        if not isinstance(value, list):
            self._wrong(key, "an array of tables")
            return
        for index, element in enumerate(value):
            if isinstance(element, dict):
                yield Table(self.document, (*self.where, key, index), element)
            else:
                self._wrong(key, "an array of tables")

    def problem(self, message: str, *keys: Key) -> None:
        """Record that something is wrong at `keys` below this table."""
        document = self.document
        line = line_of(document, *self.where, *keys)
        document.problems.append(ManifestError(message, document.path, line))

    def _first(self, keys: tuple[str, ...]) -> tuple[str, object]:
        for key in keys:
            if key in self.data:
                return key, self.data[key]
        return keys[0], None

    def _wrong(self, key: str, expected: str) -> None:
        name = ".".join(map(str, (*self.where, key)))
        self.problem(f"`{name}` is not {expected}", key)


def position_of(document: Document, *keys: Key) -> Position | None:
    """Where the value (or the key) at `keys` stands, or the nearest table around it that is written down."""
    found = positions(document.text)
    while keys:
        position = found.get(keys)
        if position is not None:
            return position
        keys = keys[:-1]
    return None


def line_of(document: Document, *keys: Key) -> int | None:
    """The 1-based line of `position_of`."""
    position = position_of(document, *keys)
    return None if position is None else position.line


def exists(path: Path) -> bool:
    """Whether `path` is a file that can be seen; never raises."""
    try:
        return path.is_file()
    except (OSError, ValueError, RuntimeError):
        return False

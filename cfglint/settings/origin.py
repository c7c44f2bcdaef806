"""Where settings were read, so that whatever is wrong with them is shown with its line."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from cfglint.errors import ConfigError, Excerpt
from cfglint.manifest.positions import Key, Position, positions

_VALUE = re.compile(r"""\s*=\s*("(?:[^"\\\n]|\\.)*"|'[^'\n]*'|[^\s,#\[\]{}]+)""")


@dataclass(frozen=True, slots=True)
class Origin:
    """A file, its text, and the path of the table in it that holds the settings."""

    file: Path
    text: str
    where: tuple[Key, ...] = ()

    def key_error(self, message: str, *keys: Key) -> ConfigError:
        """Something is wrong with the key (or the array element) at `keys` below the table."""
        return self._error(message, self._position(keys))

    def value_error(self, message: str, *keys: Key) -> ConfigError:
        """Something is wrong with the value at `keys`: it is pointed at where it is a plain one, else its key is."""
        position = self._position(keys)
        return self._error(message, position and (self._value_of(position) or position))

    def _position(self, keys: tuple[Key, ...]) -> Position | None:
        path = (*self.where, *keys)
        found = positions(self.text)
        while path and path not in found:
            path = path[:-1]
        return found.get(path)

    def _value_of(self, key: Position) -> Position | None:
        line = self.text.splitlines()[key.line - 1]
        start = len(line.encode()[: key.end_column - 1].decode("utf-8", "replace"))
        value = _VALUE.match(line, start)
        if value is None:
            return None
        left, right = (len(line[:at].encode()) + 1 for at in value.span(1))
        return Position(key.line, left, key.line, right)

    def _error(self, message: str, position: Position | None) -> ConfigError:
        if position is None:
            return ConfigError(message, self.file)
        line = self.text.splitlines()[position.line - 1]
        end = position.end_column if position.end_line == position.line else len(line.encode()) + 1
        return ConfigError(message, self.file, position.line, Excerpt(line, position.column, end))

"""Where in a TOML text each key and each array element stands.

A scanner for text that the TOML parser has accepted: it knows strings, brackets and comments, and nothing of values. On
anything else it ends early with what it has. Called only when a finding or a problem points into a manifest.
"""

from __future__ import annotations

import ast
import bisect
import functools
import re
from dataclasses import dataclass, field
from typing import TypeAlias

Key: TypeAlias = str | int
"""A step into a document: a key of a table, or an index into an array."""

Path: TypeAlias = tuple[Key, ...]


@dataclass(frozen=True, slots=True, order=True)
class Position:
    """A region of the text, 1-based, columns in UTF-8 bytes, `end_column` exclusive."""

    line: int
    column: int
    end_line: int
    end_column: int


@functools.lru_cache(maxsize=64)
def positions(text: str) -> dict[Path, Position]:
    """The position of every key (the key itself, not its value) and of every array element of `text`.

    Elements of `[[array]]` tables are numbered from 0, and so are those of `[...]`. A key that is written several times,
    as the tables of `[dependencies.a]` and `[dependencies.b]` do with `dependencies`, has its first position.
    """
    scan = _Scan(text)
    scan.document()
    starts = [0, *(match.end() for match in re.finditer("\n", text))]

    def place(offset: int) -> tuple[int, int]:
        line = bisect.bisect_right(starts, offset)
        return line, len(text[starts[line - 1] : offset].encode("utf-8", "replace")) + 1

    return {path: Position(*place(start), *place(end)) for path, (start, end) in scan.found.items()}


_BLANK = re.compile(r"(?:[ \t\r\n]|#[^\n]*)*")
_SPACE = re.compile(r"[ \t]*")
_KEY = re.compile(r"""[A-Za-z0-9_-]+|"(?:[^"\\\n]|\\.)*"|'[^'\n]*'""")
_STRING = re.compile(
    r'"""(?:[^\\]|\\.)*?"{3,5}(?!")' r"|'''.*?'{3,5}(?!')" r'|"(?:[^"\\\n]|\\.)*"' r"|'[^'\n]*'",
    re.DOTALL,
)
_SCALAR = re.compile(r"[^,\]}\n#]+")
_REST_OF_LINE = re.compile(r"[^\n]*")


@dataclass(slots=True)
class _Scan:
    text: str
    at: int = 0
    found: dict[Path, tuple[int, int]] = field(default_factory=dict)
    counts: dict[Path, int] = field(default_factory=dict)

    def document(self) -> None:
        """Read the whole text; `found` has the offsets afterwards."""
        table: Path = ()
        while True:
            self._skip(_BLANK)
            if self.at >= len(self.text):
                return
            if self.text[self.at] == "[":
                header = self._header()
                if header is None:
                    return
                table = header
            else:
                path = self._keys(table)
                if path is None or not self._take("="):
                    return
                self._value(path)
            self._skip(_REST_OF_LINE)

    def _header(self) -> Path | None:
        is_array = self.text.startswith("[[", self.at)
        self.at += 2 if is_array else 1
        start = self.at
        path = self._keys(())
        if path is None or not is_array:
            return path
        index = self.counts.get(path, 0)
        self.counts[path] = index + 1
        path = (*path, index)
        self.found.setdefault(path, (start, self.at))
        return path

    def _keys(self, base: Path) -> Path | None:
        """`base` followed by the parts of a dotted key; a part that names an array of tables means its last element."""
        path = base
        while True:
            self._skip(_SPACE)
            match = _KEY.match(self.text, self.at)
            if match is None:
                return None
            path = (*path, _unquoted(match.group()))
            self.found.setdefault(path, match.span())
            self.at = match.end()
            if not self._take("."):
                return path
            if path in self.counts:
                path = (*path, self.counts[path] - 1)

    def _value(self, path: Path) -> None:
        """Read one value at `path`, with a stack for what is nested."""
        nested: list[tuple[Path, int]] = []  # an array with its next index, an inline table with -1
        while True:
            self._skip(_BLANK if nested else _SPACE)
            start = self.at
            opening = self.text[start : start + 1]
            if opening in ("[", "{"):
                self.at += 1
                nested.append((path, 0 if opening == "[" else -1))
            else:
                match = _STRING.match(self.text, start) or _SCALAR.match(self.text, start)
                if match is None:
                    return
                self.at = match.end()
                if nested and nested[-1][1] >= 0:
                    self.found.setdefault(path, match.span())
            following = self._next_element(nested)
            if following is None:
                return
            path = following

    def _next_element(self, nested: list[tuple[Path, int]]) -> Path | None:
        """Close what ends here and move to the next element or key; None when the outermost value is complete."""
        while nested:
            base, index = nested[-1]
            self._skip(_BLANK)
            while self._take(","):
                self._skip(_BLANK)
            here = self.text[self.at : self.at + 1]
            if here == ("]" if index >= 0 else "}"):
                self.at += 1
                nested.pop()
                continue
            if index >= 0:
                nested[-1] = (base, index + 1)
                return (*base, index) if here else None
            path = self._keys(base)
            return path if path is not None and self._take("=") else None
        return None

    def _take(self, char: str) -> bool:
        self._skip(_SPACE)
        if self.text.startswith(char, self.at):
            self.at += 1
            return True
        return False

    def _skip(self, pattern: re.Pattern[str]) -> None:
        match = pattern.match(self.text, self.at)
        if match is not None:
            self.at = match.end()


def _unquoted(key: str) -> str:
    if key.startswith("'"):
        return key[1:-1]
    if key.startswith('"'):
        try:
            return str(ast.literal_eval(key))
        except (SyntaxError, ValueError):
            return key[1:-1]
    return key

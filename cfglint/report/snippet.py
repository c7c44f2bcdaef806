"""Source lines under a diagnostic: read from disk, cut to a window, underlined.

Lines and columns are those of a Location (1-based, columns in UTF-8 bytes, end exclusive). A file that cannot be read
gives no snippet and no error: the analysis read it before and has said what was wrong.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from cfglint.report.terminal import printable, width

_WINDOW = 140
_BEFORE = 40
_ATTRIBUTE_LINES = 12


@dataclass(frozen=True, slots=True)
class Underlined:
    """A source line fit for a terminal: `mark` columns are to be underlined after `indent` ones."""

    number: int
    text: str
    indent: int
    mark: int


def underlined(raw: bytes, number: int, start: int, end: int) -> Underlined:
    """A line with the bytes from column `start` to column `end` marked; at least one column is."""
    before, marked, after = (
        printable(part.decode("utf-8", "replace"))
        for part in (raw[: start - 1], raw[start - 1 : end - 1], raw[max(end, start) - 1 :])
    )
    if len(before) + len(marked) + len(after) > _WINDOW:
        before = before if len(before) <= _BEFORE else "..." + before[-_BEFORE:]
        marked = marked[: _WINDOW - _BEFORE]
        room = max(_WINDOW - len(before) - len(marked), 0)
        after = after if len(after) <= room else after[:room] + "..."
    return Underlined(number, (before + marked + after).rstrip(), width(before), max(width(marked), 1))


class Sources:
    """The lines of files below a root, each file read once."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._lines: dict[str, list[bytes]] = {}

    def line(self, file: str, number: int) -> bytes | None:
        """Line `number` without its end, or None."""
        if file not in self._lines:
            try:
                content = (self._root / file).read_bytes()
            except (OSError, ValueError):
                content = b""
            self._lines[file] = content.removeprefix(b"\xef\xbb\xbf").split(b"\n")
        lines = self._lines[file]
        if not 1 <= number <= len(lines) or lines == [b""]:
            return None
        return lines[number - 1].removesuffix(b"\r")

    def offset(self, file: str, number: int) -> int:
        """Where line `number` starts, in bytes from the start of the file; 0 for a file that cannot be read."""
        self.line(file, number)
        raw = self._lines[file]
        return sum(len(line) + 1 for line in raw[: number - 1]) if raw != [b""] else 0

    def text(self, file: str) -> str | None:
        """The whole file, byte order mark included; None where it cannot be read."""
        try:
            return (self._root / file).read_bytes().decode("utf-8", "replace")
        except (OSError, ValueError):
            return None

    def underlined(self, file: str, number: int, start: int, end: int) -> Underlined | None:
        """The line with the bytes from column `start` to column `end` marked; at least one column is."""
        raw = self.line(file, number)
        if raw is None:
            return None
        return underlined(raw, number, start, end)

    def named(self, file: str, number: int, name: str) -> tuple[int, int] | None:
        """The columns of `name` as a whole word on a line: where a definition is named."""
        raw = self.line(file, number)
        if raw is None or not name:
            return None
        word = re.search(rb"(?<![\w#])(?:r#)?" + re.escape(name.encode("utf-8", "replace")) + rb"(?!\w)", raw)
        if word is None:
            return None
        return word.start() + 1, word.end() + 1

    def gate(self, file: str, number: int, predicate: str) -> tuple[int, int, int] | None:
        """Line and columns of the `#[cfg(predicate)]` written among the attributes right above a line."""
        wanted = "".join(predicate.split())
        for above in range(number - 1, max(number - 1 - _ATTRIBUTE_LINES, 0), -1):
            raw = self.line(file, above)
            text = raw.strip() if raw is not None else b""
            if raw is None or not text.startswith((b"#[", b"//")):
                return None
            found = re.search(rb"#\[\s*cfg\s*\((.*)\)\s*\]", raw)
            if found and "".join(found[1].decode("utf-8", "replace").split()).removesuffix(",") == wanted:
                return above, found.start(1) + 1, found.end(1) + 1
        return None

    def first_word(self, file: str, number: int) -> tuple[int, int]:
        """The columns of what is written on a line, without its indentation; (1, 2) where there is nothing."""
        raw = self.line(file, number) or b""
        text = raw.strip()
        start = len(raw) - len(raw.lstrip()) + 1
        return start, start + max(len(text), 1)

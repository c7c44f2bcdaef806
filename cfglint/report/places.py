"""Where a finding is, in the words of who reads the report: paths from the repository's top, columns in other units.

A Location counts UTF-8 bytes from the workspace root. Machines that annotate code want paths from the top of the
repository and columns in UTF-16 units or characters. Nothing is resolved on disk but the line in question.
"""

from __future__ import annotations

import posixpath
from dataclasses import dataclass
from pathlib import Path

from cfglint.finding import Finding, GatedItem, Location
from cfglint.report.snippet import Sources


@dataclass(frozen=True, slots=True)
class Region:
    """One stretch of a line, 1-based, `end_column` exclusive; the unit of columns is the maker's choice."""

    line: int
    column: int
    end_line: int
    end_column: int


@dataclass(frozen=True, slots=True)
class Places:
    """The sources of a workspace, and where the workspace lies in its repository (`""`, or `rust/`)."""

    sources: Sources
    prefix: str = ""

    def path(self, file: str) -> str:
        """A file of the workspace as seen from the repository's top."""
        return posixpath.normpath(self.prefix + file) if self.prefix or ".." in file else file

    def first_line(self, location: Location) -> Region:
        """The part of a location on its first line, columns in UTF-16 units: what annotations are shown on."""
        file, line = location.file, location.line
        end = location.end_column
        if location.end_line != line:
            end = len(self.sources.line(file, line) or b"") + 1
        start = self.utf16(file, line, location.column)
        return Region(line, start, line, max(self.utf16(file, line, end), start + 1))

    def characters(self, location: Location) -> Region:
        """The whole location, columns in characters as rustc's JSON has them."""
        return Region(
            location.line,
            self.character(location.file, location.line, location.column),
            location.end_line,
            self.character(location.file, location.end_line, location.end_column),
        )

    def item(self, item: GatedItem) -> Region:
        """Where an item is named on its line, columns in UTF-16 units."""
        found = self.sources.named(item.file, item.line, item.name) or self.sources.first_word(item.file, item.line)
        start, end = (self.utf16(item.file, item.line, column) for column in found)
        return Region(item.line, start, item.line, max(end, start + 1))

    def utf16(self, file: str, line: int, column: int) -> int:
        """A column in UTF-16 units, from one in bytes."""
        text = self._before(file, line, column)
        return column if text is None else len(text.encode("utf-16-le", "surrogatepass")) // 2 + 1

    def character(self, file: str, line: int, column: int) -> int:
        """A column in characters, from one in bytes."""
        text = self._before(file, line, column)
        return column if text is None else len(text) + 1

    def _before(self, file: str, line: int, column: int) -> str | None:
        raw = self.sources.line(file, line)
        return None if raw is None else raw[: column - 1].decode("utf-8", "replace")


def places(root: Path, prefix: str) -> Places:
    """The places of the workspace at `root`, which lies at `prefix` in its repository."""
    return Places(Sources(root), prefix)


def is_one_line(finding: Finding) -> bool:
    """Whether a finding's region ends on the line where it starts."""
    return finding.location.line == finding.location.end_line

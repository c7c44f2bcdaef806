"""The one tree of errors that cfglint raises.

An error means that the tool could not do its work (exit status 2). What cfglint has to say about the analysed
project is a finding or an undecided reference, never an exception.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


class CfglintError(Exception):
    """Root of the tree. `str(error)` is one line fit for a person."""


class UsageError(CfglintError):
    """The command line asks for something that does not exist or does not fit together."""


@dataclass(frozen=True, slots=True)
class Excerpt:
    """A line of a file, and the columns in it that an error is about (1-based, UTF-8 bytes, end exclusive)."""

    line: str
    column: int
    end_column: int


class ConfigError(CfglintError):
    """Our own configuration is wrong: an unknown key, a value of the wrong type."""

    def __init__(self, message: str, file: Path, line: int | None = None, excerpt: Excerpt | None = None) -> None:
        where = f"{file}:{line}" if line else str(file)
        super().__init__(f"{where}: {message}")
        self.file = file
        self.line = line
        self.excerpt = excerpt


class ManifestError(CfglintError):
    """A Cargo.toml that cannot be read, parsed, or understood.

    `fatal` tells whether nothing can be analysed without it (the root manifest) or only one member is lost.
    """

    def __init__(self, message: str, file: Path, line: int | None = None) -> None:
        where = f"{file}:{line}" if line else str(file)
        super().__init__(f"{where}: {message}")
        self.message = message
        self.file = file
        self.line = line

"""Edits of source files as values: applied in memory, shown as a patch. Nothing is written here.

Offsets are in bytes of the file as it was read. Two edits of one file may touch but not overlap; the same edit twice is
one edit.
"""

from __future__ import annotations

import difflib
import itertools
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from cfglint.errors import CfglintError


class OverlappingEditsError(CfglintError):
    """Two edits want to change the same bytes in different ways."""


@dataclass(frozen=True, slots=True, order=True)
class Edit:
    """The bytes from `start` to `end` of a file (its absolute name) become `text`."""

    file: str
    start: int
    end: int
    text: str


def merged(edits: Iterable[Edit]) -> tuple[Edit, ...]:
    """The edits in order, each once.

    Raises OverlappingEditsError.
    """
    ordered = sorted(set(edits))
    for one, other in itertools.pairwise(ordered):
        if one.file == other.file and (other.start < one.end or (one.start, one.end) == (other.start, other.end)):
            raise OverlappingEditsError(f"two edits of {one.file} overlap at byte {other.start}")
    return tuple(ordered)


def applied(edits: Iterable[Edit], read: Callable[[str], bytes]) -> dict[str, bytes]:
    """The new contents of the edited files.

    Raises OverlappingEditsError.
    """
    contents: dict[str, bytes] = {}
    for edit in reversed(merged(edits)):
        before = contents[edit.file] if edit.file in contents else read(edit.file)
        contents[edit.file] = before[: edit.start] + edit.text.encode() + before[edit.end :]
    return dict(sorted(contents.items()))


def patch(contents: Mapping[str, bytes], read: Callable[[str], bytes], name: Callable[[str], str]) -> str:
    """The changes as a unified diff that `git apply` and `patch -p1` take; `name` gives a file's name in it."""
    parts: list[str] = []
    for file, after in sorted(contents.items()):
        before = read(file)
        if before == after:
            continue
        label = name(file)
        lines = difflib.unified_diff(_lines(before), _lines(after), f"a/{label}", f"b/{label}")
        parts += [line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines]
    return "".join(parts)


def _lines(content: bytes) -> list[str]:
    return content.decode("utf-8", "surrogateescape").splitlines(keepends=True)

"""Member patterns of a workspace: `crates/*`, `crates/**/plugin-[ab]`.

Only directories match, in sorted order. Symlinked directories match but `**` does not walk into them, so a loop of links
ends; hidden directories match only where the pattern says so with its first character.
"""

from __future__ import annotations

import fnmatch
import os
import re
from collections.abc import Iterator
from pathlib import Path

_SPECIAL = re.compile(r"[*?\[]")


def is_pattern(entry: str) -> bool:
    """Whether `entry` has a character that makes it a pattern."""
    return _SPECIAL.search(entry) is not None


def expand(base: Path, pattern: str) -> tuple[Path, ...]:
    """The directories that `pattern`, relative to `base`, matches. Unreadable directories match nothing."""
    found: dict[str, None] = {os.path.abspath(base): None}
    for part in pattern.replace("\0", "").split("/"):
        if part in ("", "."):
            continue
        found = dict.fromkeys(path for directory in found for path in _step(directory, part))
    return tuple(Path(path) for path in sorted(found))


def _step(directory: str, part: str) -> Iterator[str]:
    if part == "**":
        yield from _descend(directory)
    elif is_pattern(part):
        yield from (entry.path for entry in _directories(directory) if _matches(entry.name, part))
    else:
        yield os.path.normpath(f"{directory}/{part}")


def _descend(directory: str) -> Iterator[str]:
    pending = [directory]
    while pending:
        current = pending.pop()
        yield current
        pending.extend(
            entry.path
            for entry in _directories(current)
            if not entry.is_symlink() and not entry.name.startswith(".") and entry.name != "target"
        )


def _matches(name: str, part: str) -> bool:
    if name.startswith(".") and not part.startswith("."):
        return False
    return fnmatch.fnmatchcase(name, part)


def _directories(directory: str) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(directory) as entries:
            return [entry for entry in entries if _is_directory(entry)]
    except OSError:
        return []


def _is_directory(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir()
    except OSError:
        return False

"""Writing repaired files: each whole, each only where it still is what was analysed, none outside the workspace.

What is to be written has been decided and tried before. A file is replaced in one step, so that a run that is stopped
leaves the old or the new one.
"""

from __future__ import annotations

import contextlib
import os
import tempfile
from collections.abc import Mapping
from pathlib import Path

from cfglint.errors import CfglintError


class FixError(CfglintError):
    """A file cannot be written, or must not be."""


def write_all(contents: Mapping[str, bytes], before: Mapping[str, bytes], root: Path) -> None:
    """Replace the files by their new contents.

    `before` is what was analysed. Nothing is written where one of the files lies outside of `root` or has changed since.

    Raises FixError.
    """
    inside = os.path.realpath(root)
    for file in contents:
        real = os.path.realpath(file)
        if os.path.commonpath([inside, real]) != inside:
            raise FixError(f"{file} lies outside the workspace and is left alone")
        try:
            now = Path(file).read_bytes()
        except OSError as error:
            raise FixError(f"{file} cannot be read: {error.strerror or error}") from error
        if now != before[file]:
            raise FixError(f"{file} has changed while it was analysed; nothing is written")
    for file, content in sorted(contents.items()):
        _replace(os.path.realpath(file), content)


def _replace(file: str, content: bytes) -> None:
    folder, name = os.path.split(file)
    handle, temporary = tempfile.mkstemp(prefix=f".{name}.", dir=folder)
    try:
        with os.fdopen(handle, "wb") as out:
            out.write(content)
        os.chmod(temporary, os.stat(file).st_mode & 0o7777)
        os.replace(temporary, file)
    except OSError as error:
        with contextlib.suppress(OSError):
            os.unlink(temporary)
        raise FixError(f"{file} cannot be written: {error.strerror or error}") from error

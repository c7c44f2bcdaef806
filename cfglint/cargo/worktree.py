"""What git says of files that are about to be changed: which of them have changes that no commit holds.

git is only asked, with hooks and monitors of the repository switched off. Nothing is written.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterable
from pathlib import Path

from cfglint.errors import CfglintError

_TIMEOUT = 60


class NoRepositoryError(CfglintError):
    """The files are under no version control that can be asked."""


def uncommitted(root: Path, files: Iterable[str]) -> tuple[str, ...]:
    """Those of the files (absolute names) that have uncommitted changes, staged or not, or that git does not track.

    Raises NoRepositoryError where git or a repository is missing.
    """
    listed = sorted(files)
    if not listed:
        return ()
    command = ["git", "-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null", "-C", str(root)]
    command += ["status", "--porcelain=v1", "-z", "--untracked-files=all", "--ignored=matching", "--", *listed]
    environment = {**os.environ, "GIT_OPTIONAL_LOCKS": "0", "LC_ALL": "C", "GIT_TERMINAL_PROMPT": "0"}
    try:
        done = subprocess.run(  # noqa: S603 -- a list, and no file name before `--`
            command, stdin=subprocess.DEVNULL, capture_output=True, timeout=_TIMEOUT, check=False, env=environment
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise NoRepositoryError(f"git cannot be asked: {error}") from error
    if done.returncode != 0:
        reason = done.stderr.decode("utf-8", "replace").strip().partition("\n")[0]
        raise NoRepositoryError(f"git knows nothing of {root}: {reason}")
    return tuple(sorted(_names(done.stdout)))


def _names(output: bytes) -> list[str]:
    """The paths of the entries; a renamed file is followed by the name it had."""
    parts = output.split(b"\0")
    names: list[str] = []
    position = 0
    while position < len(parts) and parts[position]:
        entry = parts[position]
        names.append(entry[3:].decode("utf-8", "surrogateescape"))
        position += 2 if entry[:1] in (b"R", b"C") else 1
    return names

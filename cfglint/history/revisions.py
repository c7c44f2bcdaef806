"""Revisions of a git repository, read by dulwich, which starts no process.

`REV` is what git takes for a commit: a branch, a tag, an abbreviated hash, with `~2` and `^` behind it. `REV...` means where
the current branch left REV, as the three dots of `git diff` do.
"""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from cfglint.errors import UsageError

if TYPE_CHECKING:
    from dulwich.objects import Commit, ObjectID
    from dulwich.repo import Repo

EXTRA = "git"
"""The optional dependencies of the distribution that bring dulwich."""
_STEPS = re.compile(r"(?P<base>[^~^]+)(?P<steps>[~^].*)")
_DIRECTORY = 0o040000
_FILES = frozenset({0o100644, 0o100755, 0o100664})
_LINK = 0o120000


@dataclass(frozen=True, slots=True)
class Blob:
    """A file of a revision: its path from the repository's top with forward slashes, and its object."""

    path: str
    object_id: bytes
    is_link: bool


@dataclass(frozen=True, slots=True)
class Revision:
    """One commit. `top` is the directory that the repository's working tree starts at."""

    name: str
    commit: str
    top: Path
    repository: Repo
    tree: ObjectID

    def blobs(self) -> Iterator[Blob]:
        """Every file, in git's order. Submodules are left out, and names that no file system should see."""
        pending: list[tuple[str, ObjectID]] = [("", self.tree)]
        while pending:
            folder, tree = pending.pop()
            for entry in self.repository[tree].iteritems():  # type: ignore[attr-defined]  # a tree, as its entry says
                path = _joined(folder, entry.path)
                if path is None:
                    continue
                if entry.mode == _DIRECTORY:
                    pending.append((path, entry.sha))
                elif entry.mode in _FILES or entry.mode == _LINK:
                    yield Blob(path, entry.sha, is_link=entry.mode == _LINK)

    def content(self, blob: Blob) -> bytes:
        """What a file holds, or where a link points."""
        return self.repository[blob.object_id].data  # type: ignore[no-any-return, attr-defined]


@contextlib.contextmanager
def open_revision(start: Path, name: str) -> Iterator[Revision]:
    """The revision `name` of the repository around `start`.

    Raises UsageError where there is no repository, no such revision, or no dulwich.
    """
    try:
        from dulwich.errors import NotGitRepository
        from dulwich.repo import Repo
    except ImportError as error:
        raise UsageError(f"--since needs dulwich: install `cargo-cfglint[{EXTRA}]`") from error
    try:
        repository = Repo.discover(str(start.absolute()))
    except NotGitRepository as error:
        raise UsageError(f"--since needs a git repository, and {start} is in none") from error
    with contextlib.closing(repository):
        try:
            commit = _commit(repository, name)
        except Exception as error:  # a damaged repository raises anything
            hint = " (in a shallow clone, fetch it first)" if repository.get_shallow() else ""
            raise UsageError(f"git has no commit `{name}` here{hint}") from error
        top = Path(os.path.abspath(repository.path))
        yield Revision(name, commit.id.decode(), top, repository, commit.tree)


def _commit(repository: Repo, name: str) -> Commit:
    from dulwich.graph import find_merge_base

    if not name.endswith("..."):
        return _plain_commit(repository, name)
    other = _plain_commit(repository, name.removesuffix("..."))
    base = find_merge_base(repository, [repository.head(), other.id])[0]
    return _plain_commit(repository, base.decode())


def _plain_commit(repository: Repo, name: str) -> Commit:
    from dulwich.objects import Commit, Tag
    from dulwich.objectspec import parse_commit, parse_object

    steps = _STEPS.fullmatch(name)
    if steps is None:
        return parse_commit(repository, name.encode())
    found = parse_object(repository, parse_commit(repository, steps["base"].encode()).id + steps["steps"].encode())
    while isinstance(found, Tag):
        found = repository[found.object[1]]
    if not isinstance(found, Commit):
        raise KeyError(name)
    return found


def _joined(folder: str, name: bytes) -> str | None:
    """A path below the top; None for a name that would leave it or mean something to a file system."""
    part = os.fsdecode(name)
    if part in ("", ".", "..") or part.lower() == ".git" or "/" in part or "\\" in part or "\0" in part or ":" in part:
        return None
    return f"{folder}/{part}" if folder else part

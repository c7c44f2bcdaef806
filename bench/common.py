"""What the campaigns share: checkouts from git directories, runs of cfglint with their cost, Markdown tables.

Takes nothing from the network and judges nothing. Runs on Linux and macOS; memory over several processes is only
measured where there is a /proc.
"""

from __future__ import annotations

import argparse
import contextlib
import datetime as dt
import json
import os
import resource
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

TOP = Path(__file__).resolve().parent.parent
"""The checkout of cfglint that is measured."""

CFGLINT = (sys.executable, "-m", "cfglint")

_SOURCES = (".rs", ".toml", ".yml", ".yaml", ".sh", ".in", "Cargo.lock")
_LARGEST_ASSET = 1 << 20
"""Bytes. A build may want a file that is not source (`include_str!`, a schema), but hardly one larger than this."""

_MAXRSS_UNIT = 1 if sys.platform == "darwin" else 1024

_running: set[int] = set()
"""Process groups that this process started and must not leave behind."""


class NoSnapshot(Exception):
    """The git directory, or the commit in it, is not there."""


@dataclass(frozen=True, slots=True)
class Cost:
    """What a process cost with all it waited for: seconds, and the bytes of its largest process."""

    wall: float
    cpu: float
    peak: int


@dataclass(frozen=True, slots=True)
class Run:
    """One run of `cfglint check --format json`. `report` is None where there is none, and `problem` says why."""

    report: dict[str, Any] | None
    cost: Cost
    problem: str = ""

    @property
    def findings(self) -> list[dict[str, Any]]:
        """The findings of the report; none where there is no report."""
        return list(self.report["findings"]) if self.report is not None else []


def mirror_of(mirrors: Path, repository: str) -> Path:
    """The git directory of `owner/name`: `mirrors/owner+name` or `mirrors/owner+name/repo`, bare or not.

    Raises NoSnapshot.
    """
    base = mirrors / repository.replace("/", "+")
    for place in (base / "repo", base):
        if (place / "HEAD").exists() or (place / ".git").exists():
            return place
    raise NoSnapshot(f"no git directory of {repository}")


def head_of(git: Path) -> str:
    """The commit at HEAD. Raises NoSnapshot."""
    return _git(git, "rev-parse", "--verify", "HEAD^{commit}").decode().strip()


@contextlib.contextmanager
def checkout(git: Path, commit: str, place: Path | None = None, *, whole: bool = False) -> Iterator[Path]:
    """A folder with the sources of a commit; with `whole`, also the other files a build may want.

    Not `git archive`: a snapshot may lack large blobs. What it lacks is left out. The folder is removed at the end
    unless it is `place`, which is used as it is when it holds this very commit already. Raises NoSnapshot.
    """
    if place is not None:
        stamp = place.parent / f"{place.name}.commit"
        if not stamp.exists() or stamp.read_text("utf-8") != commit:
            place.mkdir(parents=True)
            _fill(git, commit, place, whole=whole)
            stamp.write_text(commit, "utf-8")
        yield place
        return
    with tempfile.TemporaryDirectory(prefix="cfglint-bench-") as folder:
        into = Path(folder) / "checkout"
        into.mkdir()
        _fill(git, commit, into, whole=whole)
        yield into


def _fill(git: Path, commit: str, into: Path, *, whole: bool) -> None:
    blobs: dict[bytes, bytes] = {}
    for entry in _git(git, "ls-tree", "-r", "-z", commit).split(b"\0"):
        head, _, name = entry.partition(b"\t")
        mode, _, rest = head.partition(b" ")
        if name and mode != b"160000":
            blobs[name] = rest.split(b" ")[1]
    asked = b"".join(oid + b"\n" for oid in blobs.values())
    answers = _git(git, "cat-file", "--batch-check=%(objectname) %(objectsize)", stdin=asked).splitlines()
    suffixes = tuple(suffix.encode() for suffix in _SOURCES)
    wanted = []
    for name, answer in zip(blobs, answers, strict=True):
        size = answer.partition(b" ")[2]
        if size.isdigit() and (name.endswith(suffixes) or (whole and int(size) <= _LARGEST_ASSET)):
            wanted.append(name)
    index = into.parent / f"{into.name}.index"
    try:
        _git(git, "read-tree", commit, index=index)
        tree = f"--work-tree={into}"
        _git(git, tree, "checkout-index", "-f", "-q", "-z", "--stdin", index=index, stdin=b"\0".join(wanted))
    finally:
        index.unlink(missing_ok=True)


def _git(git: Path, *arguments: str, stdin: bytes = b"", index: Path | None = None) -> bytes:
    environment = {**os.environ, "GIT_NO_LAZY_FETCH": "1", "GIT_LFS_SKIP_SMUDGE": "1"}
    if index is not None:
        environment["GIT_INDEX_FILE"] = str(index)
    done = subprocess.run(
        ["git", "-C", str(git), *arguments], input=stdin, capture_output=True, env=environment, check=False
    )
    if done.returncode:
        raise NoSnapshot(done.stderr.decode("utf-8", "replace").strip()[-200:])
    return done.stdout


def run_check(directory: Path, *options: str, limit: float = 600.0) -> Run:
    """Run `cfglint check directory --format json options` as a user would, and read what it prints."""
    out, err, status, cost = run_measured([*CFGLINT, "check", str(directory), "--format", "json", *options], limit)
    if status is None:
        return Run(None, cost, f"stopped after {limit:g} seconds")
    if status not in (0, 1):
        return Run(None, cost, f"exit status {status}: {err.decode('utf-8', 'replace').strip()[-300:]}")
    try:
        report = json.loads(out)
    except ValueError as error:
        return Run(None, cost, f"not JSON: {error}")
    return Run(report, cost)


def run_measured(command: Sequence[str], limit: float) -> tuple[bytes, bytes, int | None, Cost]:
    """Run a command in the checkout of cfglint: its output, status (None when stopped at the limit) and cost.

    The cost is wait4's: processes that the command did not wait for are not in it.
    """
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        started = time.perf_counter()
        process = subprocess.Popen(
            command, cwd=TOP, stdin=subprocess.DEVNULL, stdout=out, stderr=err, start_new_session=True
        )
        _running.add(process.pid)
        stopped = threading.Event()

        def stop() -> None:
            stopped.set()
            _kill(process.pid)

        timer = threading.Timer(limit, stop)
        timer.start()
        try:
            _, status, usage = os.wait4(process.pid, 0)
        except BaseException:
            stop()
            raise
        finally:
            timer.cancel()
            _running.discard(process.pid)
        process.returncode = os.waitstatus_to_exitcode(status)
        cost = _cost(time.perf_counter() - started, usage)
        out.seek(0)
        err.seek(0)
        return out.read(), err.read(), None if stopped.is_set() else process.returncode, cost


def leave_nothing_behind() -> None:
    """On SIGTERM, end what was started as well: it runs in sessions of its own."""

    def end(number: int, _frame: object) -> None:
        for group in sorted(_running):
            _kill(group)
        sys.exit(128 + number)

    signal.signal(signal.SIGTERM, end)


def _kill(group: int) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.killpg(group, signal.SIGKILL)


def _cost(wall: float, usage: resource.struct_rusage) -> Cost:
    return Cost(wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * _MAXRSS_UNIT)


def table(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A Markdown table; columns whose cells are all numbers or empty are set to the right."""
    cells = [[_cell(value) for value in row] for row in rows]
    numeric = [
        any(row[at] for row in cells) and all(_is_number(row[at]) for row in cells) for at in range(len(columns))
    ]
    lines = [columns, ["---:" if right else "---" for right in numeric], *cells]
    return "".join("| " + " | ".join(line) + " |\n" for line in lines)


def _cell(value: object) -> str:
    text = f"{value:.2f}" if isinstance(value, float) else str(value)
    return text.replace("|", "\\|").replace("\n", " ")


def _is_number(text: str) -> bool:
    return text == "" or text.rstrip("%x").replace(".", "", 1).replace("/", "", 1).isdigit()


def heading(title: str, module: str, arguments: Sequence[str]) -> str:
    """Title, date, commit of cfglint and the command; of paths in it only the last component is printed."""
    shown = " ".join(Path(word).name if word.startswith(("/", "..")) else word for word in arguments)
    day = dt.datetime.now(dt.timezone.utc).date().isoformat()
    return f"# {title}\n\nMade on {day} with cfglint at {own_commit()} by\n\n```sh\npython -m {module} {shown}\n```\n"


def own_commit() -> str:
    """The abbreviated commit of cfglint, with a note when cfglint/ differs from it."""
    try:
        commit = _git(TOP, "rev-parse", "--short=10", "HEAD").decode().strip()
        changed = _git(TOP, "status", "--porcelain", "--", "cfglint").strip()
    except (NoSnapshot, OSError):
        return "an unknown commit"
    return f"`{commit}`{' with changes' if changed else ''}"


def publish(text: str, out: Path | None) -> None:
    """Print the page, and write it where that is asked for."""
    print(text)
    if out is not None:
        out.parent.mkdir(parents=True, exist_ok=True)
        out.write_text(text.rstrip("\n") + "\n", "utf-8")


def add_common(parser: argparse.ArgumentParser) -> None:
    """The options that every campaign over repositories has."""
    parser.add_argument(
        "--mirrors", type=Path, required=True, metavar="DIR", help="holds git directories OWNER+NAME or OWNER+NAME/repo"
    )
    parser.add_argument("--out", type=Path, metavar="FILE", help="write the page there as well")
    parser.add_argument("--limit", type=float, default=600.0, metavar="S", help="seconds that one check may take")


def mebibytes(size: int) -> int:
    """Rounded up."""
    return -(-size // (1 << 20))

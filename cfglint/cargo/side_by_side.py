"""Several processes at a time, each waited for, none left behind.

One thread starts them, looks which have ended, and gives what they printed. Output goes to files, so that nobody has to
read while others run. Whatever ends the loop, an interrupt included, ends the processes and all that they started.
"""

from __future__ import annotations

import contextlib
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from cfglint.cargo.runner import stop
from cfglint.errors import CfglintError

_PAUSE = 0.02
_LONGEST_OUTPUT = 64 << 20
"""Bytes of output that are read; a program may print without end."""


@dataclass(frozen=True, slots=True)
class Command:
    """A process to be: what it is called with, and its whole environment."""

    arguments: Sequence[str]
    environment: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Ended:
    """A process that has ended. `status` is None where it took too long and was stopped."""

    index: int
    stdout: str
    stderr: str
    status: int | None
    seconds: float


@dataclass(slots=True)
class _Running:
    index: int
    slot: int
    process: subprocess.Popen[bytes]
    out: IO[bytes]
    err: IO[bytes]
    started: float


def run_all(
    indices: Iterable[int], command: Callable[[int, int], Command], root: Path, *, slots: int, timeout: float
) -> Iterator[Ended]:
    """Run a command for each index in `root`, up to `slots` at a time, and give them as they end.

    `command` is asked with the index and the slot (from 0) that it will run in. Raises CfglintError where one cannot be
    started.
    """
    waiting = iter(indices)
    free = list(reversed(range(slots)))
    running: list[_Running] = []
    try:
        while True:
            while free and (index := next(waiting, None)) is not None:
                with _undisturbed():
                    running.append(_start(index, free.pop(), command, root))
            if not running:
                return
            for one in [one for one in running if _has_ended(one, timeout)]:
                running.remove(one)
                free.append(one.slot)
                yield _ended(one)
            time.sleep(_PAUSE)
    finally:
        for one in running:
            stop(one.process)
            one.out.close()
            one.err.close()


@contextlib.contextmanager
def _undisturbed() -> Iterator[None]:
    """Signals wait until the block is done: a process that has been started must not be lost before it is noted."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    caught: list[int] = []
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    for number in before:
        signal.signal(number, lambda number, _frame: caught.append(number))
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
        for late in caught:
            signal.raise_signal(late)


def _start(index: int, slot: int, command: Callable[[int, int], Command], root: Path) -> _Running:
    asked = command(index, slot)
    out, err = tempfile.TemporaryFile(), tempfile.TemporaryFile()  # noqa: SIM115  (closed when it has been read)
    try:
        process = subprocess.Popen(  # noqa: S603  # no shell; the user asked for this very command
            list(asked.arguments),
            cwd=root,
            env=dict(asked.environment),
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=err,
            start_new_session=sys.platform != "win32",
        )
    except OSError as error:
        raise CfglintError(f"cannot start {asked.arguments[0]}: {error.strerror or error}") from error
    return _Running(index, slot, process, out, err, time.monotonic())


def _has_ended(one: _Running, timeout: float) -> bool:
    return one.process.poll() is not None or time.monotonic() - one.started > timeout


def _ended(one: _Running) -> Ended:
    status = one.process.poll()
    if status is None:
        stop(one.process)
    stdout, stderr = _content(one.out), _content(one.err)
    return Ended(one.index, stdout, stderr, status, time.monotonic() - one.started)


def _content(file: IO[bytes]) -> str:
    with file:
        file.seek(0)
        return file.read(_LONGEST_OUTPUT).decode("utf-8", "replace")

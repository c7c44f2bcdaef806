"""Where cargo may write while we call it, and that nothing is left behind: target directories, Cargo.lock, signals."""

from __future__ import annotations

import contextlib
import signal
import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path


@contextlib.contextmanager
def ended_by_sigterm() -> Iterator[None]:
    """SIGTERM, as of a cancelled CI job, unwinds like an interrupt: cargo is ended and `Cargo.lock` put back."""
    is_ours = threading.current_thread() is threading.main_thread()
    if not is_ours or signal.getsignal(signal.SIGTERM) is not signal.SIG_DFL:
        yield
        return

    def end(number: int, _frame: object) -> None:
        raise SystemExit(128 + number)

    signal.signal(signal.SIGTERM, end)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)


@contextlib.contextmanager
def target_dir_of(root: Path, use: str) -> Iterator[Path]:
    """`target/cfglint/<use>`, so that dependencies are built once; a temporary folder where that cannot be written.

    Never shared with another workspace: cargo tells path packages apart by their place in the workspace only.
    """
    directory = root / "target" / "cfglint" / use
    try:
        directory.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=directory):
            pass
    except OSError:
        with tempfile.TemporaryDirectory(prefix=f"cfglint-{use}-") as folder:
            yield Path(folder)
    else:
        yield directory


@contextlib.contextmanager
def lockfile_kept(root: Path) -> Iterator[None]:
    """Put `Cargo.lock` back as it was, or remove it where there was none."""
    lockfile = root / "Cargo.lock"
    try:
        before = lockfile.read_bytes()
    except OSError:
        before = None
    try:
        yield
    finally:
        with contextlib.suppress(OSError):
            if before is None:
                lockfile.unlink()
            elif lockfile.read_bytes() != before:
                lockfile.write_bytes(before)

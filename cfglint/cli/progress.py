"""A progress bar on stderr, only where a person watches and only when the run is long.

Nothing is drawn in a pipe, in CI, or in the first half second.
"""

from __future__ import annotations

import contextlib
import os
import sys
import time
from collections.abc import Iterator
from typing import TYPE_CHECKING

from cfglint.config import Progress, silent

if TYPE_CHECKING:
    from rich.progress import Progress as Bar

_PATIENCE = 0.5


@contextlib.contextmanager
def progress_bar() -> Iterator[Progress]:
    """A callback that draws; the bar is gone when the context ends."""
    if not sys.stderr.isatty() or os.environ.get("CI") or os.environ.get("TERM") == "dumb":
        yield silent
        return
    with contextlib.ExitStack() as stack:
        started = time.monotonic()
        bar: Bar | None = None

        def draw(stage: str, done: int, total: int) -> None:
            nonlocal bar
            if bar is None:
                if time.monotonic() - started < _PATIENCE:
                    return
                bar = stack.enter_context(_new_bar())
                bar.add_task(stage)
            bar.update(bar.task_ids[0], description=stage, completed=done, total=total)

        yield draw


def _new_bar() -> Bar:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn
    from rich.progress import Progress as Bar

    columns = (TextColumn("{task.description}", markup=False), BarColumn(), MofNCompleteColumn())
    return Bar(*columns, console=Console(stderr=True, highlight=False), transient=True)

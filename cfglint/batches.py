"""Crate roots in batches, done by one process or by several: what is forked has read the workspace already.

Deliberately not here: what is done with a crate root.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar, cast

from cfglint.config import Config
from cfglint.nameres.analysis import Analysis

_WORKERS_FROM_BYTES = 1_500_000
"""Less source than this is checked sooner than workers start."""
_CHUNK = 12
"""Crate roots of one package that a worker takes at a time."""

_Result = TypeVar("_Result")

_shared: tuple[Analysis, Callable[[Analysis, Sequence[int]], object]] | None = None
"""What forked workers inherit."""


def by_package(analysis: Analysis) -> dict[str, list[int]]:
    """The numbers of the crate roots of each package."""
    found: dict[str, list[int]] = {}
    for number, (package, _) in enumerate(analysis.tasks):
        found.setdefault(package.name, []).append(number)
    return found


def jobs(config: Config) -> int:
    """How many processes may be used."""
    if config.jobs:
        return config.jobs
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def pays_workers(analysis: Analysis, batches: Sequence[Sequence[int]]) -> bool:
    """Whether the batches are done sooner by several processes than these take to start."""
    workers = jobs(analysis.config)
    return workers > 1 and len(batches) > 1 and analysis.files.bytes_read >= _WORKERS_FROM_BYTES and _can_fork()


def on_batches(
    analysis: Analysis,
    work: Callable[[Analysis, Sequence[int]], _Result],
    batches: Sequence[Sequence[int]],
    stage: str,
) -> list[_Result]:
    """`work` done on each batch, in order, by several processes where that pays."""
    if pays_workers(analysis, batches):
        return in_workers(analysis, work, batches, stage)
    return [work(analysis, numbers) for numbers in batches]


def in_workers(
    analysis: Analysis,
    work: Callable[[Analysis, Sequence[int]], _Result],
    batches: Sequence[Sequence[int]],
    stage: str,
) -> list[_Result]:
    """`work` done on each batch, in order, by forked processes."""
    import multiprocessing  # these two take their time, and most runs need no workers
    from concurrent.futures import ProcessPoolExecutor

    global _shared  # noqa: PLW0603  (the one way to hand a forked worker what cannot be pickled)
    _shared = analysis, work
    results: list[_Result] = []
    with ProcessPoolExecutor(jobs(analysis.config), mp_context=multiprocessing.get_context("fork")) as pool:
        for done, result in enumerate(pool.map(_work_shared, batches)):
            results.append(cast("_Result", result))
            analysis.config.progress(stage, done + 1, len(batches))
    _shared = None
    return results


def _can_fork() -> bool:
    return hasattr(os, "fork") and sys.platform != "darwin"


def _work_shared(numbers: Sequence[int]) -> object:
    assert _shared is not None, "set before the workers start"
    analysis, work = _shared
    return work(analysis, numbers)


def batches_of(analysis: Analysis) -> Iterable[tuple[int, ...]]:
    """Numbers of crate roots: a few of one package at a time, the largest packages first."""
    for numbers in sorted(by_package(analysis).values(), key=len, reverse=True):
        for at in range(0, len(numbers), _CHUNK):
            yield tuple(numbers[at : at + _CHUNK])

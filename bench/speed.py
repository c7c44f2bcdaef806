"""How long `cfglint check` takes beside tree-sitter's own parse of the same files, in the same run.

    python -m bench.speed --mirrors DIR --repos tokio-rs/tokio tracel-ai/burn [--rounds 5] [--out FILE]

For each repository at HEAD: first one run that is not timed, which tells the files cfglint reads and brings them into
the page cache; then rounds in which the parse (one thread, files in memory) and the whole process (start-up, reading,
report; nothing cached below target/) take turns. Medians are printed. Memory is measured in one more run: the sum over
all of cfglint's processes, sampled, at its highest. Pages that processes share count once for each, so it is an upper
bound.
"""

from __future__ import annotations

import argparse
import os
import shutil
import statistics
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import tree_sitter
import tree_sitter_rust

from bench.common import (
    CFGLINT,
    TOP,
    Cost,
    NoSnapshot,
    add_common,
    checkout,
    head_of,
    heading,
    leave_nothing_behind,
    mebibytes,
    mirror_of,
    publish,
    run_check,
    table,
)

_SAMPLES_EVERY = 0.02
_NOTHING = Cost(0.0, 0.0, 0)

_LIST_FILES = """\
import sys
from pathlib import Path
from cfglint.config import Config
from cfglint.pipeline import analyze, run
analysis = analyze(Config(path=Path(sys.argv[1]), jobs=1))
run(analysis)
print("\\0".join(sorted(path for path, tree in analysis.files.trees.items() if tree is not None)), end="")
"""


@dataclass(frozen=True, slots=True)
class Outcome:
    """Medians for one repository."""

    repository: str
    commit: str = ""
    files: int = 0
    size: int = 0
    parse: Cost = _NOTHING
    check: Cost = _NOTHING
    problem: str = ""


def parse(sources: Sequence[bytes]) -> Cost:
    """What tree-sitter's parse of these sources costs in this process."""
    parser = tree_sitter.Parser(tree_sitter.Language(tree_sitter_rust.language()))
    wall, cpu = time.perf_counter(), time.process_time()
    for source in sources:
        parser.parse(source)
    return Cost(time.perf_counter() - wall, time.process_time() - cpu, 0)


def files_read(directory: Path) -> list[Path]:
    """The source files that cfglint reads, each once. Raises subprocess.CalledProcessError."""
    command = [sys.executable, "-c", _LIST_FILES, str(directory)]
    listed = subprocess.run(command, cwd=TOP, capture_output=True, check=True).stdout
    return [Path(os.fsdecode(name)) for name in listed.split(b"\0") if name]


def peak_memory(command: Sequence[str]) -> int:
    """The highest sum of resident memory over a command and its descendants, in bytes; 0 where there is no /proc."""
    if not os.path.isdir("/proc/self"):
        return 0
    quiet = subprocess.DEVNULL
    process = subprocess.Popen(command, cwd=TOP, stdin=quiet, stdout=quiet, stderr=quiet)
    highest = 0
    try:
        while process.poll() is None:
            highest = max(highest, sum(map(_resident, _family(process.pid))))
            time.sleep(_SAMPLES_EVERY)
    finally:
        process.kill()
    return highest


def _family(pid: int) -> list[int]:
    """The process and its descendants that are alive."""
    found, wave = [], [pid]
    while wave:
        found += wave
        wave = [child for parent in wave for child in _children(parent)]
    return found


def _children(pid: int) -> list[int]:
    children: list[int] = []
    try:
        for task in os.listdir(f"/proc/{pid}/task"):
            with open(f"/proc/{pid}/task/{task}/children", encoding="ascii") as file:
                children += map(int, file.read().split())
    except OSError:
        pass
    return children


def _resident(pid: int) -> int:
    try:
        with open(f"/proc/{pid}/statm", encoding="ascii") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, IndexError):
        return 0


def measure(repository: str, options: argparse.Namespace) -> Outcome:
    """All rounds on one repository."""
    try:
        git = mirror_of(options.mirrors, repository)
        commit = head_of(git)
        with checkout(git, commit) as directory:
            return _rounds(repository, commit, directory, options)
    except NoSnapshot as problem:
        return Outcome(repository, problem=str(problem))
    except subprocess.CalledProcessError as error:
        return Outcome(repository, problem=error.stderr.decode("utf-8", "replace").strip()[-300:])


def _rounds(repository: str, commit: str, directory: Path, options: argparse.Namespace) -> Outcome:
    paths = files_read(directory)
    sources = [path.read_bytes() for path in paths]
    jobs = ("-j", str(options.jobs)) if options.jobs else ()
    parses, checks = [], []
    for _ in range(options.rounds):
        parses.append(parse(sources))
        _make_cold(directory)
        run = run_check(directory, *jobs, limit=options.limit)
        if run.report is None:
            return Outcome(repository, commit, problem=run.problem)
        checks.append(run.cost)
    _make_cold(directory)
    peak = peak_memory([*CFGLINT, "check", str(directory), "--format", "json", *jobs])
    one, other = _median(parses), _median(checks)
    whole = Cost(other.wall, other.cpu, max(peak, other.peak))
    return Outcome(repository, commit, len(paths), sum(map(len, sources)), one, whole)


def _make_cold(directory: Path) -> None:
    for kept in directory.rglob("target/cfglint"):
        shutil.rmtree(kept)


def _median(costs: Sequence[Cost]) -> Cost:
    wall = statistics.median(cost.wall for cost in costs)
    cpu = statistics.median(cost.cpu for cost in costs)
    return Cost(wall, cpu, max(cost.peak for cost in costs))


def page(outcomes: Sequence[Outcome], options: argparse.Namespace, arguments: Sequence[str]) -> str:
    """The Markdown page."""
    columns = "repository|commit|files|KiB|parse s|check s|check CPU s|wall ratio|CPU ratio|MiB".split("|")
    rows: list[list[object]] = []
    for one in outcomes:
        if one.problem:
            rows.append([one.repository, one.commit[:10], *[""] * 7, one.problem])
            continue
        row: list[object] = [one.repository, one.commit[:10], one.files, one.size >> 10, one.parse.wall]
        ratios = [f"{one.check.wall / one.parse.wall:.1f}x", f"{one.check.cpu / one.parse.cpu:.1f}x"]
        rows.append([*row, one.check.wall, one.check.cpu, *ratios, mebibytes(one.check.peak)])
    version = f"Python {sys.version_info.major}.{sys.version_info.minor}, {_processors()} processors"
    return (
        f"{heading('Speed', 'bench.speed', arguments)}\n"
        f"Medians of {options.rounds} rounds on {version}. *parse* is tree-sitter's own parse, in one thread, of the "
        "files that cfglint reads; *check* is the whole process with nothing cached but the files themselves, which the "
        "system has in memory. *MiB* is the sum over all its processes at its highest.\n\n" + table(columns, rows)
    )


def _processors() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def main(arguments: list[str] | None = None) -> int:
    """Run the command; gives the exit status."""
    words = sys.argv[1:] if arguments is None else arguments
    parser = argparse.ArgumentParser(
        prog="python -m bench.speed", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add_common(parser)
    parser.add_argument("--repos", nargs="+", required=True, metavar="OWNER/NAME")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--jobs", type=int, metavar="N", help="cfglint's own -j (default: its default)")
    options = parser.parse_args(words)
    leave_nothing_behind()
    outcomes = []
    for repository in options.repos:
        outcome = measure(repository, options)
        print(f"{repository}: {outcome.problem or 'done'}", file=sys.stderr, flush=True)
        outcomes.append(outcome)
    publish(page(outcomes, options, words), options.out)
    return int(any(outcome.problem for outcome in outcomes))


if __name__ == "__main__":
    sys.exit(main())

"""`cfglint run`: build every combination of a matrix, and read what rustc says of each.

Nothing stops at a first failure: not the run, not cargo within one combination. The target directory is one for each job,
so that disk use is bounded by what the combinations differ in; `Cargo.lock` is left as it was. What the results mean is
`predictions`' work.
"""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cfglint.cargo.kept_results import Store, hash_of_sources
from cfglint.cargo.runner import find_cargo, first_error, objects, regions_of, split_command, unit_of
from cfglint.cargo.sandbox import ended_by_sigterm, lockfile_kept, target_dir_of
from cfglint.cargo.side_by_side import Command, Ended, run_all
from cfglint.config import Progress, silent
from cfglint.errors import CfglintError, UsageError
from cfglint.matrix.combination import Combination
from cfglint.matrix.results import Diagnostic, Place, Result, Status

TIMEOUT = 3_600.0
"""Seconds that one combination may take unless told otherwise."""

_SPEAKS_JSON = frozenset("bench build check clippy doc fix run rustc rustdoc test".split())
"""Subcommands that take `--message-format` (Cargo book, external tools)."""
_KEEPS_GOING = frozenset("build check clippy doc fix rustc".split())
_NO_ALL_TARGETS = frozenset("doc rustdoc".split())
_LIBRARIES = frozenset("lib rlib dylib cdylib staticlib proc-macro".split())
_FAILED_TEST = re.compile(r"^test (\S+) \.\.\. FAILED$", re.MULTILINE)
_SUMMARY = re.compile(r"aborting due to|could not compile|\d+ warnings? emitted")


@dataclass(frozen=True, slots=True)
class Options:
    """How to run: the subcommand with its arguments, how many at a time, and what to keep."""

    words: tuple[str, ...] = ("check",)
    jobs: int = 1
    timeout: float = TIMEOUT
    resume: bool = False
    clean: bool = False


@dataclass(slots=True)
class Run:
    """Results as far as they have come, by position."""

    results: list[Result]
    seconds: float = 0.0
    is_interrupted: bool = False


def run_matrix(
    combinations: Sequence[Combination],
    options: Options,
    root: Path,
    *,
    progress: Progress = silent,
    told: Callable[[Result], None] = lambda _: None,
) -> Run:
    """Build every combination in `root`; `told` hears of each as it ends.

    An interrupt (Ctrl-C, SIGTERM) ends the run, not the program: what has been built is in the answer.
    Raises CfglintError where cargo cannot be started, UsageError for a subcommand that makes no sense.
    """
    words = _checked(options.words)
    run = Run([Result(one, Status.NOT_RUN) for one in combinations])
    started = time.monotonic()
    with contextlib.ExitStack() as stack:
        stack.enter_context(_unwinding(run))
        stack.enter_context(ended_by_sigterm())
        directory = stack.enter_context(target_dir_of(root, "run"))
        stack.enter_context(lockfile_kept(root))
        store = Store(directory / "results.jsonl", hash_of_sources(root))
        pending = _pending(run, combinations, store, options, words)
        for result in run.results:
            if result.status is not Status.NOT_RUN:
                told(result)
        left = {
            package: sum(combinations[i].package == package for i in pending) for package in _packages(combinations)
        }

        def command(index: int, slot: int) -> Command:
            return _command(combinations[index], words, directory / f"job-{slot}")

        progress("building", 0, len(pending))
        for done, ended in enumerate(
            run_all(pending, command, root, slots=options.jobs, timeout=options.timeout), start=1
        ):
            one = combinations[ended.index]
            result = run.results[ended.index] = _result(one, ended, options.timeout)
            store.add(result, words)
            told(result)
            progress("building", done, len(pending))
            left[one.package] -= 1
            if options.clean and not left[one.package]:
                _clean(one.package, directory, root)
    run.seconds = time.monotonic() - started
    return run


def has_std(triple: str) -> bool:
    """Whether the compiler on the path has the standard library of a target; True where that cannot be asked."""
    rustc = os.environ.get("RUSTC") or shutil.which("rustc")
    if rustc is None:
        return True
    try:
        asked = [rustc, "--print", "target-libdir", "--target", triple]
        done = subprocess.run(asked, capture_output=True, text=True, timeout=60, check=False)  # noqa: S603
    except (OSError, subprocess.SubprocessError):
        return True
    return done.returncode == 0 and Path(done.stdout.strip()).is_dir()


@contextlib.contextmanager
def _unwinding(run: Run) -> Iterator[None]:
    """An interrupt ends what is going on, and the run is answered as far as it has come."""
    try:
        yield
    except (KeyboardInterrupt, SystemExit):
        run.is_interrupted = True


def _checked(words: tuple[str, ...]) -> tuple[str, ...]:
    if not words or words[0].startswith(("-", "+")):
        raise UsageError("after `--` comes a cargo subcommand, such as `check` or `test --no-run`")
    return words


def _packages(combinations: Sequence[Combination]) -> list[str]:
    return list(dict.fromkeys(one.package for one in combinations))


def _pending(
    run: Run, combinations: Sequence[Combination], store: Store, options: Options, words: Sequence[str]
) -> list[int]:
    """What has to be built: not what an earlier run has, nor what this toolchain cannot."""
    if options.resume:
        for index, result in store.load(combinations, words).items():
            run.results[index] = result
    else:
        store.clear()
    there = {one.target: not one.target or has_std(one.target) for one in combinations}
    for index, one in enumerate(combinations):
        if run.results[index].status is Status.NOT_RUN and not there[one.target]:
            complaint = f"the standard library of {one.target} is not installed (rustup target add {one.target})"
            run.results[index] = Result(one, Status.SKIPPED, complaint=complaint)
    return [index for index, result in enumerate(run.results) if result.status is Status.NOT_RUN]


def _command(one: Combination, words: Sequence[str], target_dir: Path) -> Command:
    """The combination's own command with another subcommand, the user's arguments, and JSON for an answer."""
    assigned, given = split_command(one.command)
    if given[:2] != ["cargo", "check"]:
        raise CfglintError(f"not a combination that cfglint has made: {one.command}")
    subcommand, *own = words
    at = own.index("--") if "--" in own else len(own)
    rest = [word for word in given[2:] if word != "--all-targets" or subcommand not in _NO_ALL_TARGETS]
    arguments = [find_cargo(), subcommand]
    if subcommand in _SPEAKS_JSON:
        arguments.append("--message-format=json")
    if subcommand in _KEEPS_GOING:
        arguments.append("--keep-going")
    elif subcommand == "test" and "--no-run" not in own:
        arguments.append("--no-fail-fast")
    arguments += [*rest, *own[:at], *own[at:]]
    return Command(arguments, _environment(assigned, target_dir))


def _environment(assigned: Mapping[str, str], target_dir: Path) -> dict[str, str]:
    """The caller's, with the combination's flags after the caller's own."""
    environment = dict(os.environ)
    flags = assigned.get("RUSTFLAGS", "")
    encoded = environment.get("CARGO_ENCODED_RUSTFLAGS")
    if flags and encoded is not None:
        environment["CARGO_ENCODED_RUSTFLAGS"] = "\x1f".join([*filter(None, [encoded]), *flags.split()])
    elif flags:
        environment["RUSTFLAGS"] = " ".join(filter(None, [environment.get("RUSTFLAGS", ""), flags]))
    return environment | {
        "CARGO_TARGET_DIR": str(target_dir),
        "CARGO_INCREMENTAL": "0",
        "CARGO_TERM_COLOR": "never",
        "CARGO_TERM_PROGRESS_WHEN": "never",
        "CARGO_TERM_VERBOSE": "false",
        "CARGO_TERM_QUIET": "false",
    }


def _result(one: Combination, ended: Ended, timeout: float) -> Result:
    crates: set[tuple[str, str, str, bool]] = set()
    found: dict[tuple[object, ...], Diagnostic] = {}
    warnings = 0
    for message in objects(ended.stdout):
        unit = unit_of(message)
        if message.get("reason") == "compiler-artifact":
            is_test = bool((message.get("profile") or {}).get("test"))
            crates.add((unit.package, "lib" if unit.kind in _LIBRARIES else unit.kind, unit.name, is_test))
        elif message.get("reason") == "compiler-message" and isinstance(message.get("message"), dict):
            said: dict[str, Any] = message["message"]
            level = str(said.get("level", ""))
            if level.startswith("error"):
                diagnostic = _diagnostic(said, unit.package, unit.kind, unit.name)
                if diagnostic.places or not _SUMMARY.match(diagnostic.message):
                    found.setdefault(diagnostic.key, diagnostic)
            elif level == "warning" and not _SUMMARY.search(str(said.get("message", ""))):
                warnings += 1
    passed = ended.status == 0
    return Result(
        combination=one,
        status=Status.PASSED if passed else Status.FAILED,
        seconds=round(ended.seconds, 3),
        diagnostics=tuple(found.values()),
        warnings=warnings,
        complaint="" if passed else _complaint(ended, timeout),
        crates=frozenset(crates),
    )


def _diagnostic(said: Mapping[str, Any], package: str, kind: str, target: str) -> Diagnostic:
    code = said.get("code")
    places: dict[Place, None] = {}
    for span in said.get("spans") or ():
        if span.get("is_primary"):
            column = int(span.get("column_start", 1))
            for region in regions_of(span):
                places[Place(region.file.replace("\\", "/"), region.line, region.end_line, column)] = None
                column = 1
    return Diagnostic(
        code=str(code["code"]) if isinstance(code, dict) and code.get("code") else None,
        message=str(said.get("message", "")),
        package=package,
        kind=kind,
        target=target,
        places=tuple(places),
        rendered=str(said.get("rendered") or said.get("message", "")),
    )


def _complaint(ended: Ended, timeout: float) -> str:
    if ended.status is None:
        return f"stopped after {timeout:g} seconds"
    failed = _FAILED_TEST.findall(ended.stdout)
    if failed:
        shown = ", ".join(failed[:5]) + (f" and {len(failed) - 5} more" if len(failed) > 5 else "")
        return f"{len(failed)} {'test fails' if len(failed) == 1 else 'tests fail'}: {shown}"
    return first_error(ended.stderr)


def _clean(package: str, directory: Path, root: Path) -> None:
    """Take what was compiled of the package out of every target directory; what it depends on stays."""
    for target_dir in sorted(directory.glob("job-*")):
        arguments = [find_cargo(), "clean", "-p", package]
        with contextlib.suppress(OSError, subprocess.SubprocessError):
            subprocess.run(  # noqa: S603
                arguments, cwd=root, env=_environment({}, target_dir), capture_output=True, timeout=300, check=False
            )

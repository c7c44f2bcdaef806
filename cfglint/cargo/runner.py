"""One cargo command, run and read: what was built, and what rustc said.

Cargo prints JSON lines (Cargo book, "External tools", JSON messages). This module reads them and judges nothing; what
a build says about a finding is `confirm`'s work. The only module that starts a process.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cfglint.errors import CfglintError

# The caller's flags would make it another build than the witness; a wrapper such as clippy-driver, another compiler.
_FOREIGN = (
    "RUSTFLAGS",
    "CARGO_ENCODED_RUSTFLAGS",
    "CARGO_BUILD_RUSTFLAGS",
    "CARGO_BUILD_TARGET",
    "RUSTC_WORKSPACE_WRAPPER",
)
_AMBIGUOUS = re.compile(r"\bspecification\w* `[^`]*` is ambiguous")
_ASSIGNMENT = re.compile(r"([A-Za-z_]\w*)=(.*)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Region:
    """Lines of a file that a message points at, as rustc names the file (relative to where it ran, or absolute)."""

    file: str
    line: int
    end_line: int


@dataclass(frozen=True, slots=True)
class Unit:
    """A crate that cargo builds: the package's name and its target's kind and name."""

    package: str
    kind: str
    name: str


@dataclass(frozen=True, slots=True)
class RustcError:
    """An error of rustc. `regions` are its primary spans and those of the macro calls that they come from."""

    unit: Unit
    code: str | None
    message: str
    regions: tuple[Region, ...]


@dataclass(frozen=True, slots=True)
class Build:
    """What became of a command. `complaint` is why there is nothing to read: cargo's own error, or that it was stopped."""

    success: bool
    built: frozenset[Unit]
    errors: tuple[RustcError, ...]
    complaint: str


def find_cargo(environment: Mapping[str, str] | None = None) -> str:
    """The cargo to call: `$CARGO` (set when cargo called us), else the one on the path.

    Raises CfglintError where there is none.
    """
    environment = os.environ if environment is None else environment
    cargo = environment.get("CARGO") or shutil.which("cargo", path=environment.get("PATH"))
    if cargo is None:
        raise CfglintError("cargo is needed, and there is none on PATH")
    return cargo


def run_build(command: str, *, cfgs: Iterable[str], root: Path, target_dir: Path, timeout: float) -> Build:
    """Run `command` (`cargo check ...`, as a witness says) in `root`.

    `cfgs` become RUSTFLAGS. A build that takes longer than `timeout` seconds is stopped, with everything it started.
    Raises CfglintError where cargo cannot be started at all.
    """
    assigned, words = split_command(command)
    if words[:1] != ["cargo"] or len(words) < 2:
        return Build(success=False, built=frozenset(), errors=(), complaint=f"not a cargo command: {command}")
    environment = _environment(assigned, tuple(cfgs), target_dir)
    build = _build(words, environment, root, timeout)
    if _AMBIGUOUS.search(build.complaint):
        exact = _by_manifest(words, environment, root, timeout)
        if exact is not None:
            build = _build(exact, environment, root, timeout)
    return build


def _build(words: list[str], environment: dict[str, str], root: Path, timeout: float) -> Build:
    ended = _run([find_cargo(), words[1], "--message-format=json", *words[2:]], environment, root, timeout)
    if ended is None:
        return Build(success=False, built=frozenset(), errors=(), complaint=f"stopped after {timeout:g} seconds")
    stdout, stderr, status = ended
    return read_messages(stdout, stderr, success=status == 0)


def _by_manifest(words: list[str], environment: dict[str, str], root: Path, timeout: float) -> list[str] | None:
    """The command with `--manifest-path` in place of `-p NAME`, which also names a dependency of the member.

    That cargo cannot tell them apart depends on what the registry offers today. None if there is no such member.
    """
    try:
        at = words.index("-p")
        name = words[at + 1]
    except (ValueError, IndexError):
        return None
    ended = _run([find_cargo(), "metadata", "--no-deps", "--format-version=1"], environment, root, timeout)
    found = next(objects(ended[0]), {}).get("packages") if ended is not None else None
    for package in found if isinstance(found, list) else ():
        if isinstance(package, dict) and package.get("name") == name:
            return [*words[:at], "--manifest-path", str(package.get("manifest_path")), *words[at + 2 :]]
    return None


def _run(
    arguments: list[str], environment: dict[str, str], root: Path, timeout: float
) -> tuple[str, str, int | None] | None:
    """Standard output, standard error and status; None if it took too long and was stopped."""
    try:
        process = subprocess.Popen(  # noqa: S603  # no shell; the user asked for this very command
            arguments,
            cwd=root,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            encoding="utf-8",
            errors="replace",
            start_new_session=sys.platform != "win32",
        )
    except OSError as error:
        raise CfglintError(f"cannot start {arguments[0]}: {error.strerror or error}") from error
    with process:
        try:
            stdout, stderr = process.communicate(timeout=timeout)
        except subprocess.TimeoutExpired:
            stop(process)
            return None
        except BaseException:
            stop(process)
            raise
    return stdout, stderr, process.returncode


def read_messages(stdout: str, stderr: str, *, success: bool) -> Build:
    """The build that these JSON lines tell of; a line that is not an object (a build script's) is passed over."""
    built: set[Unit] = set()
    errors: dict[RustcError, None] = {}
    for message in objects(stdout):
        if message.get("reason") == "compiler-artifact":
            built.add(unit_of(message))
        elif message.get("reason") == "compiler-message":
            diagnostic = message.get("message")
            if isinstance(diagnostic, dict) and str(diagnostic.get("level", "")).startswith("error"):
                errors[_error(unit_of(message), diagnostic)] = None
    complaint = "" if success else first_error(stderr)
    return Build(success=success, built=frozenset(built), errors=tuple(errors), complaint=complaint)


def split_command(command: str) -> tuple[dict[str, str], list[str]]:
    """Leading `NAME=value` words and the rest, as a POSIX shell reads them."""
    try:
        words = shlex.split(command)
    except ValueError:
        return {}, []
    assigned: dict[str, str] = {}
    while words and (assignment := _ASSIGNMENT.fullmatch(words[0])):
        assigned[assignment[1]] = assignment[2]
        del words[0]
    return assigned, words


def _environment(assigned: Mapping[str, str], cfgs: tuple[str, ...], target_dir: Path) -> dict[str, str]:
    environment = {name: value for name, value in os.environ.items() if name not in _FOREIGN}
    environment.update(assigned)
    if cfgs and "RUSTFLAGS" not in assigned:
        # Encoded, because a value may hold a space (Cargo book, CARGO_ENCODED_RUSTFLAGS: separated by 0x1f).
        environment["CARGO_ENCODED_RUSTFLAGS"] = "\x1f".join(word for cfg in cfgs for word in ("--cfg", cfg))
    return environment | {
        "CARGO_TARGET_DIR": str(target_dir),
        "CARGO_INCREMENTAL": "0",
        "CARGO_TERM_COLOR": "never",
        "CARGO_TERM_PROGRESS_WHEN": "never",
        "CARGO_TERM_VERBOSE": "false",
        "CARGO_TERM_QUIET": "false",
    }


def stop(process: subprocess.Popen[Any]) -> None:
    """End cargo and the compilers that it started."""
    with contextlib.suppress(OSError):
        if sys.platform == "win32":
            process.kill()
        else:
            os.killpg(process.pid, signal.SIGKILL)
    with contextlib.suppress(subprocess.TimeoutExpired, OSError, ValueError):
        process.communicate(timeout=5)


def objects(stdout: str) -> Iterator[dict[str, Any]]:
    """The JSON objects among the lines of `stdout`."""
    for line in stdout.splitlines():
        if line.startswith("{"):
            with contextlib.suppress(ValueError):
                value = json.loads(line)
                if isinstance(value, dict):
                    yield value


def unit_of(message: dict[str, Any]) -> Unit:
    """The crate that a message of cargo is about."""
    target = message.get("target") or {}
    kinds = target.get("kind") or [""]
    return Unit(package_name(str(message.get("package_id", ""))), str(kinds[0]), str(target.get("name", "")))


def package_name(package_id: str) -> str:
    """The name in a package id: `path+file:///a/seam#0.1.0`, `...#net@0.1.0`, or the older `seam 0.1.0 (path+...)`.

    Cargo book, "Package ID specifications".
    """
    if " " in package_id:
        return package_id.split(" ", 1)[0]
    location, _, fragment = package_id.partition("#")
    if "@" in fragment:
        return fragment.split("@", 1)[0]
    if fragment and not fragment[0].isdigit():
        return fragment
    return location.split("?", 1)[0].rstrip("/").rsplit("/", 1)[-1]


def _error(unit: Unit, diagnostic: dict[str, Any]) -> RustcError:
    code = diagnostic.get("code")
    regions: dict[Region, None] = {}
    for span in diagnostic.get("spans") or ():
        if span.get("is_primary"):
            regions.update(dict.fromkeys(regions_of(span)))
    return RustcError(unit, code.get("code") if code else None, str(diagnostic.get("message", "")), tuple(regions))


def regions_of(span: dict[str, Any]) -> Iterator[Region]:
    """A span, the call of the macro that it comes from, the call of that one, ..."""
    current: dict[str, Any] | None = span
    while current is not None:
        yield Region(str(current["file_name"]), int(current["line_start"]), int(current["line_end"]))
        expansion = current.get("expansion")
        current = expansion.get("span") if expansion else None


def first_error(stderr: str) -> str:
    """The line of `stderr` that tells most."""
    lines = [line.strip() for line in stderr.splitlines()]
    errors = [line for line in lines if line.startswith("error")]
    return next(iter(errors), next((line for line in reversed(lines) if line), "cargo failed without a word"))

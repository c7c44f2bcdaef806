"""Derived matrices beside cargo-hack, on the same crates in the same run.

    python -m bench.hack --mirrors DIR --repos rust-random/rand hyperium/hyper uuid-rs/uuid [--mutants 8] [--out FILE]

For the root package of each repository at HEAD: how many builds `cargo hack --each-feature`, `cargo hack --feature-powerset
--depth 2` and `cfglint matrix` ask for, and how long they take from an empty target directory (dependencies are downloaded
before); how long `cfglint check` takes, which builds nothing. Then gates of the library are deleted one at a time, and each
approach is asked again: an error that the untouched crate does not have is a deletion caught. The list of cfglint is derived
anew from the changed source, as it would be in CI. Builds for other targets than the host are left out on all sides.

Needs cargo-hack on PATH, and the registry for dependencies.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import shlex
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from bench.common import (
    CFGLINT,
    TOP,
    add_common,
    checkout,
    head_of,
    heading,
    leave_nothing_behind,
    mirror_of,
    publish,
    table,
)

_GATE = re.compile(r"^\s*#\[cfg\((?=.*feature)(?!.*\btest\b).*\)\]\s*$")
_EACH = ("--each-feature",)
_PAIRS = ("--feature-powerset", "--depth", "2")
_HOST = "x86_64-unknown-linux-gnu"


@dataclass(frozen=True, slots=True)
class Mutant:
    """A gate deleted: the file, its line, and what stood there."""

    file: str
    line: int
    text: str


@dataclass(slots=True)
class Approach:
    """One way to look for errors: builds, seconds from nothing, and the mutants that it catches."""

    name: str
    builds: int = 0
    seconds: float = 0.0
    caught: list[Mutant] = field(default_factory=list)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; gives the exit status."""
    parser = argparse.ArgumentParser(prog="python -m bench.hack", description=__doc__)
    add_common(parser)
    parser.add_argument("--repos", nargs="+", required=True)
    parser.add_argument("--mutants", type=int, default=8)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(arguments)
    leave_nothing_behind()
    pages = [heading("Beside cargo-hack", "bench.hack", list(arguments if arguments is not None else sys.argv[1:]))]
    for repository in options.repos:
        git = mirror_of(options.mirrors, repository)
        with checkout(git, head_of(git), whole=True) as root:
            pages.append(_compare(repository, head_of(git), root, options.mutants, options.seed))
            print(pages[-1], flush=True)
    publish("\n".join(pages), options.out)
    return 0


def _compare(repository: str, commit: str, root: Path, mutants: int, seed: int) -> str:
    package = _package(root)
    _run(["cargo", "fetch"], root, root / "target/fetch")
    chosen = _mutants(root, mutants, seed)
    approaches = [Approach("cargo hack --each-feature"), Approach("cargo hack --feature-powerset --depth 2")]
    derived, check = Approach("cfglint matrix, built by cfglint run"), Approach("cfglint check (no build)")
    for one, words in zip(approaches, (_EACH, _PAIRS), strict=True):
        commands = _listed(root, words)
        one.builds = len(commands)
        one.seconds = _timed(["cargo", "hack", "check", *words, "--keep-going"], root, root / f"target/{one.name[-8:]}")
        clean = _errors_of(commands, root, root / "target/shared")
        for mutant in chosen:
            with _Applied(root, mutant):
                if any(
                    error not in clean for error in _errors_one_by_one(commands, root, root / "target/shared", clean)
                ):
                    one.caught.append(mutant)
    started = time.monotonic()
    clean, derived.builds = _by_cfglint_run(root, package)
    derived.seconds = time.monotonic() - started
    started = time.monotonic()
    known = _by_cfglint_check(root, package)
    check.seconds = time.monotonic() - started
    for mutant in chosen:
        with _Applied(root, mutant):
            if _by_cfglint_run(root, package)[0] - clean:
                derived.caught.append(mutant)
            if _by_cfglint_check(root, package) - known:
                check.caught.append(mutant)
    return _page(repository, commit, package, chosen, [*approaches, derived, check])


class _Applied:
    """The source with one gate deleted, put back at the end. An empty line stays, so that no other line moves."""

    def __init__(self, root: Path, mutant: Mutant) -> None:
        self.file = root / mutant.file
        self.line = mutant.line
        self.before = self.file.read_text("utf-8")

    def __enter__(self) -> None:
        lines = self.before.split("\n")
        lines[self.line - 1] = ""
        self.file.write_text("\n".join(lines), "utf-8")

    def __exit__(self, *_: object) -> None:
        self.file.write_text(self.before, "utf-8")


def _package(root: Path) -> str:
    done = _run(["cargo", "metadata", "--no-deps", "--format-version=1"], root, root / "target/shared")
    packages = json.loads(done.stdout)["packages"]
    return str(next(p["name"] for p in packages if Path(p["manifest_path"]).parent.resolve() == root.resolve()))


def _mutants(root: Path, number: int, seed: int) -> list[Mutant]:
    found = [
        Mutant(file.relative_to(root).as_posix(), line, text.strip())
        for file in sorted((root / "src").rglob("*.rs"))
        for line, text in enumerate(file.read_text("utf-8").split("\n"), start=1)
        if _GATE.match(text)
    ]
    chosen = random.Random(seed).sample(found, min(number, len(found)))  # noqa: S311  (a seeded choice, no secret)
    return sorted(chosen, key=lambda one: (one.file, one.line))


def _listed(root: Path, words: Sequence[str]) -> list[list[str]]:
    done = _run(["cargo", "hack", "check", *words, "--print-command-list"], root, root / "target/shared")
    return [shlex.split(line) for line in done.stdout.splitlines() if line.startswith("cargo ")]


def _errors_of(commands: Iterable[list[str]], root: Path, target: Path) -> frozenset[tuple[str, ...]]:
    return frozenset(error for command in commands for error in _errors(command, root, target))


def _errors_one_by_one(
    commands: Iterable[list[str]], root: Path, target: Path, clean: frozenset[tuple[str, ...]]
) -> Iterator[tuple[str, ...]]:
    """Errors as they come; whoever has seen a new one need not build the rest."""
    del clean
    for command in commands:
        yield from _errors(command, root, target)


def _errors(command: list[str], root: Path, target: Path) -> set[tuple[str, ...]]:
    done = _run([*command[:2], "--message-format=json", *command[2:]], root, target)
    found = set()
    for line in done.stdout.splitlines():
        message = json.loads(line).get("message") if line.startswith('{"reason":"compiler-message"') else None
        if message and message["level"] == "error" and message["spans"]:
            span = next((span for span in message["spans"] if span["is_primary"]), message["spans"][0])
            found.add(
                (
                    str((message.get("code") or {}).get("code")),
                    message["message"],
                    span["file_name"],
                    str(span["line_start"]),
                )
            )
    return found


def _by_cfglint_run(root: Path, package: str) -> tuple[frozenset[tuple[str, ...]], int]:
    words = [*CFGLINT, "run", str(root), "-p", package, "--target", _HOST, "--format", "json", "--quiet"]
    done = subprocess.run(words, cwd=TOP, capture_output=True, text=True, check=False)
    report = json.loads(done.stdout)
    found = {
        (str(one["code"]), one["message"], str(one["file"]), str(one["line"]))
        for one in report["problems"]
        if one["file"]
    }
    return frozenset(found), len(report["combinations"])


def _by_cfglint_check(root: Path, package: str) -> frozenset[tuple[str, ...]]:
    words = [*CFGLINT, "check", str(root), "-p", package, "--target", _HOST, "--format", "json"]
    done = subprocess.run(words, cwd=TOP, capture_output=True, text=True, check=False)
    report = json.loads(done.stdout)
    errors = [one for one in report["findings"] if one["rule"].startswith("CFG0")]
    return frozenset((one["rule"], one["path"], one["file"], str(one["line"]), one["fails_when"]) for one in errors)


def _timed(words: Sequence[str], root: Path, target: Path) -> float:
    started = time.monotonic()
    _run(words, root, target)
    return time.monotonic() - started


def _run(words: Sequence[str], root: Path, target: Path) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "CARGO_TARGET_DIR": str(target), "CARGO_INCREMENTAL": "0", "CARGO_TERM_COLOR": "never"}
    return subprocess.run(words, cwd=root, env=environment, capture_output=True, text=True, check=False)


def _page(repository: str, commit: str, package: str, mutants: Sequence[Mutant], approaches: Sequence[Approach]) -> str:
    caught = {mutant for one in approaches for mutant in one.caught}
    rows = [
        [one.name, one.builds or "", f"{one.seconds:.1f}", f"{len(one.caught)}/{len(caught)}"] for one in approaches
    ]
    marks = [
        [
            f"{mutant.file}:{mutant.line}",
            f"`{mutant.text}`",
            *("yes" if mutant in one.caught else "no" for one in approaches),
        ]
        for mutant in mutants
    ]
    return "\n".join(
        [
            f"## {repository} ({package} at {commit[:10]})",
            "",
            table(["approach", "builds", "seconds", "deletions caught"], rows),
            f"Of {len(mutants)} deletions {len(mutants) - len(caught)} break nothing that anybody sees.",
            "",
            table(["deleted", "gate", "each", "depth 2", "derived", "check"], marks),
        ]
    )


if __name__ == "__main__":
    sys.exit(main())

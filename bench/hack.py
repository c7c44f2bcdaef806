"""Derived matrices beside cargo-hack, on the same crates in the same run.

    python -m bench.hack --mirrors DIR --repos rust-lang/hashbrown rust-random/rand m4b/goblin [--mutants 8] [--out FILE]

For the root package of each repository at HEAD: how many builds `cargo hack --each-feature`, `cargo hack --feature-powerset
--depth 2` and `cfglint matrix` ask for, and how long they take from an empty target directory (dependencies are downloaded
before); how long `cfglint check` takes, which builds nothing. Then gates of the library are deleted one at a time, and each
approach is asked again: an error that the untouched crate does not have is a deletion caught. The list of cfglint is derived
anew from the changed source, as it would be in CI. Builds for other targets than the host are left out on all sides.

cargo-hack is asked twice, plainly (library and binaries) and with `--all-targets`: the derived list has tests, examples and
benches in it wherever a gate of theirs or of a unit test wants them. A stable compiler is told to take what is for nightly.

Needs cargo-hack on PATH, and the registry for dependencies.
"""

from __future__ import annotations

import argparse
import itertools
import json
import os
import random
import re
import shlex
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
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
_CHOICES = {"each": ("--each-feature",), "depth 2": ("--feature-powerset", "--depth", "2")}
_UNITS = {"": (), ", all targets": ("--all-targets",)}
_HOST = "x86_64-unknown-linux-gnu"


@dataclass(frozen=True, slots=True)
class Mutant:
    """A gate deleted: the file, its line, and what stood there."""

    file: str
    line: int
    text: str


@dataclass(slots=True)
class Approach:
    """One way to look for errors: builds, seconds from nothing, builds that fail unchanged, mutants that it catches."""

    name: str
    short: str
    builds: int = 0
    failing: int = 0
    seconds: float = 0.0
    caught: list[Mutant] = field(default_factory=list)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; gives the exit status."""
    parser = argparse.ArgumentParser(prog="python -m bench.hack", description=__doc__)
    add_common(parser)
    parser.add_argument("--repos", nargs="+", required=True)
    parser.add_argument("--mutants", type=int, default=8)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--plain", action="store_true", help="leave cargo-hack's builds of all targets out, the longest"
    )
    options = parser.parse_args(arguments)
    leave_nothing_behind()
    os.environ["RUSTC_BOOTSTRAP"] = "1"  # features for nightly compile, too: both sides list them
    pages = [heading("Beside cargo-hack", "bench.hack", list(arguments if arguments is not None else sys.argv[1:]))]
    for repository in options.repos:
        git = mirror_of(options.mirrors, repository)
        with checkout(git, head_of(git), whole=True) as root:
            pages.append(_compare(repository, head_of(git), root, options))
            print(pages[-1], flush=True)
    publish("\n".join(pages), options.out)
    return 0


def _compare(repository: str, commit: str, root: Path, options: argparse.Namespace) -> str:
    package = _package(root)
    _run(["cargo", "fetch"], root, root / "target/fetch")
    chosen = _mutants(root, options.mutants, options.seed)
    pairs = list(itertools.product(_CHOICES, _UNITS))
    hacks = [_by_cargo_hack(root, *pair, chosen) for pair in pairs if not (options.plain and pair[1])]
    derived = Approach("cfglint matrix, built by cfglint run", "derived")
    check = Approach("cfglint check (no build)", "check")
    started = time.monotonic()
    clean, derived.builds, derived.failing = _by_cfglint_run(root, package)
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
    return _page(repository, commit, package, chosen, [*hacks, derived, check])


def _by_cargo_hack(root: Path, choice: str, units: str, mutants: Sequence[Mutant]) -> Approach:
    """Time the command from an empty target directory, then run its list for each mutant until an error is new."""
    words = [*_CHOICES[choice], *_UNITS[units]]
    one = Approach(f"cargo hack check {' '.join(words)}", f"{choice}{units}")
    commands = _listed(root, words)
    one.builds = len(commands)
    started = time.monotonic()
    _run(["cargo", "hack", "check", *words, "--keep-going"], root, root / "target" / one.short.replace(" ", "-"))
    one.seconds = time.monotonic() - started
    target = root / "target/shared"
    outcomes = list(_outcomes(commands, root, target))
    one.failing = sum(failed for _, failed in outcomes)
    clean = frozenset(error for errors, _ in outcomes for error in errors)
    for mutant in mutants:
        with _Applied(root, mutant):
            if any(errors - clean for errors, _ in _outcomes(commands, root, target)):
                one.caught.append(mutant)
    return one


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


def _outcomes(commands: Sequence[list[str]], root: Path, target: Path) -> Iterator[tuple[set[tuple[str, ...]], bool]]:
    """The errors of each command, and whether it failed, as they come: whoever has seen enough need not build the rest."""
    for command in commands:
        yield _errors(command, root, target)


def _errors(command: list[str], root: Path, target: Path) -> tuple[set[tuple[str, ...]], bool]:
    done = _run([*command[:2], "--message-format=json", *command[2:]], root, target)
    found: set[tuple[str, ...]] = set()
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
    return found, done.returncode != 0


def _by_cfglint_run(root: Path, package: str) -> tuple[frozenset[tuple[str, ...]], int, int]:
    words = [*CFGLINT, "run", str(root), "-p", package, "--target", _HOST, "--format", "json", "--quiet"]
    done = subprocess.run(words, cwd=TOP, capture_output=True, text=True, check=False)
    report = json.loads(done.stdout)
    found = {
        (str(one["code"]), one["message"], str(one["file"]), str(one["line"]))
        for one in report["problems"]
        if one["file"]
    }
    failing = sum(one["status"] == "failed" for one in report["combinations"])
    return frozenset(found), len(report["combinations"]), failing


def _by_cfglint_check(root: Path, package: str) -> frozenset[tuple[str, ...]]:
    words = [*CFGLINT, "check", str(root), "-p", package, "--target", _HOST, "--format", "json"]
    done = subprocess.run(words, cwd=TOP, capture_output=True, text=True, check=False)
    report = json.loads(done.stdout)
    errors = [one for one in report["findings"] if one["rule"].startswith("CFG0")]
    return frozenset((one["rule"], one["path"], one["file"], str(one["line"]), one["fails_when"]) for one in errors)


def _run(words: Sequence[str], root: Path, target: Path) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "CARGO_TARGET_DIR": str(target), "CARGO_INCREMENTAL": "0", "CARGO_TERM_COLOR": "never"}
    return subprocess.run(words, cwd=root, env=environment, capture_output=True, text=True, check=False)


def _page(repository: str, commit: str, package: str, mutants: Sequence[Mutant], approaches: Sequence[Approach]) -> str:
    caught = {mutant for one in approaches for mutant in one.caught}
    rows = [
        [
            f"`{one.name}`" if one.name.startswith("cargo") else one.name,
            one.builds or "",
            one.failing if one.builds else "",
            f"{one.seconds:.1f}",
            f"{len(one.caught)}/{len(caught)}",
        ]
        for one in approaches
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
            table(["approach", "builds", "fail unchanged", "seconds", "deletions caught"], rows),
            f"Of {len(mutants)} deletions {len(mutants) - len(caught)} break nothing that anybody sees.",
            "",
            table(["deleted", "gate", *(one.short for one in approaches)], marks),
        ]
    )


if __name__ == "__main__":
    sys.exit(main())

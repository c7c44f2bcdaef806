"""Whether CI's commands compile what `cfglint ci --coverage` says they do: ask rustc.

    python -m bench.spots --mirrors DIR --repos uuid-rs/uuid chronotope/chrono ... [--commands 12] [--out FILE]

Beside every gate that stands alone at the beginning of a line, a function is put under the same gate, with a name of its own.
rustc warns that it is never used exactly where it compiles the gate's code. Then cargo commands of CI are run (those for the
host that need no other toolchain; `check` in place of `test`, with the same targets; of cargo-hack, which must be on PATH, a
few choices), and the functions that rustc warns of are compared with the gates that cfglint says the command compiles.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import subprocess
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from bench.common import add_common, checkout, head_of, heading, mirror_of, publish, table
from cfglint.config import Config
from cfglint.manifest.package import Package
from cfglint.manifest.platform import HOST
from cfglint.manifest.targets import TargetKind
from cfglint.matrix.gates import gates
from cfglint.matrix.goals import Unit, built_as
from cfglint.nameres.analysis import Analysis
from cfglint.workflow.builds import LIBRARY, Build, builds, select
from cfglint.workflow.invocations import Invocation
from cfglint.workflow.survey import survey

_GATE = re.compile(r"^#\[cfg\((.*)\)\]$")
_NAME = re.compile(r"cfglint_spot_(\d+)")
_KIND_FLAGS = {
    TargetKind.LIB: "--lib",
    TargetKind.BIN: "--bins",
    TargetKind.EXAMPLE: "--examples",
    TargetKind.TEST: "--tests",
    TargetKind.BENCH: "--benches",
}


@dataclass(frozen=True, slots=True)
class Spot:
    """A gate with a function beside it."""

    number: int
    file: Path
    line: int


@dataclass(frozen=True, slots=True)
class Tried:
    """A command: the spots that rustc compiled and those that cfglint says it compiles."""

    command: str
    seen: frozenset[int]
    said: frozenset[int]
    fails: bool


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; gives the exit status."""
    parser = argparse.ArgumentParser(prog="python -m bench.spots", description=__doc__)
    add_common(parser)
    parser.add_argument("--repos", nargs="+", required=True)
    parser.add_argument("--commands", type=int, default=12, help="commands of a repository that are run")
    options = parser.parse_args(arguments)
    rows: list[list[object]] = []
    remarks: list[str] = []
    for repository in options.repos:
        git = mirror_of(options.mirrors, repository)
        with checkout(git, head_of(git), whole=True) as root:
            spots, tried = _try(root, options.commands)
        compared = len(spots) * len(tried)
        wrong = [(one, number) for one in tried for number in sorted(one.seen ^ one.said)]
        rows.append(
            [
                repository,
                head_of(git)[:10],
                len(spots),
                len(tried),
                sum(len(one.seen) for one in tried),
                compared,
                len(wrong),
            ]
        )
        for one, number in wrong[:20]:
            spot = spots[number]
            word = "compiles" if number in one.seen else "does not compile"
            remarks.append(f"* {repository}: `{one.command}` {word} {spot.file.relative_to(root)}:{spot.line}")
        print(rows[-1], *remarks, sep="\n", flush=True)
    columns = ["repository", "commit", "gates", "commands", "compiled", "compared", "wrong"]
    page = heading(
        "What CI compiles, asked of rustc", "bench.spots", list(arguments if arguments is not None else sys.argv[1:])
    )
    publish("\n".join([page, table(columns, rows), *remarks]), options.out)
    return 0


def _try(root: Path, most: int) -> tuple[list[Spot], list[Tried]]:
    import cfglint.pipeline as pipeline  # noqa: PLR0402
    from cfglint.crate_roots import roots_of

    analysis = pipeline.analyze(Config(path=root, jobs=1))
    linked = analysis.linked
    assert linked is not None
    found = survey(analysis.workspace, linked.setting)
    by_package: dict[Package, list[int]] = {}
    for number, (package, _) in enumerate(analysis.tasks):
        by_package.setdefault(package, []).append(number)
    gates_of = {
        package: [
            (root_, gate, (gate.file, analysis.position(gate.file, gate.start)[0]))
            for root_ in roots_of(analysis, numbers)
            for gate in gates(root_)
        ]
        for package, numbers in by_package.items()
    }
    spots = _plant(root, analysis)  # not before lines have been counted
    by_place = {(str(spot.file), spot.line): spot.number for spot in spots}
    chosen: dict[str, tuple[list[str], dict[str, str], list[Build]]] = {}
    for one in found.invocations:
        if one.unknown or not one.builds or one.call.host != HOST:
            continue
        if one.is_miri or one.program in ("wasm-pack", "cross"):
            continue
        own = [b for b in builds(one, found.workspace, found.setting, found.prefix) if b.triple == HOST]
        for words, environment, some in _commands(one, own, select(one, found.workspace, found.prefix).packages):
            chosen.setdefault(" ".join([*environment.values(), *words]), (words, environment, some))
    picked = random.Random(7).sample(sorted(chosen), min(most, len(chosen)))  # noqa: S311  (a seeded choice)
    tried = []
    for key in sorted(picked):
        words, environment, some = chosen[key]
        said: set[int] = set()
        for build in some:
            for root_, gate, place in gates_of.get(build.package, ()):
                number = by_place.get(place)
                if number is not None and any(
                    build.units.has(root_.target.kind, root_.target.name, is_test=is_test)
                    and set(root_.target.required_features) <= build.features
                    and build.configuration(is_test=is_test).satisfies(Unit(root_, is_test).seen(gate.on))
                    for is_test in built_as(root_.target)
                ):
                    said.add(number)
        seen, fails = _run(words, environment, root)
        tried.append(Tried(" ".join(words), seen, frozenset(said), fails))
    return spots, [one for one in tried if not one.fails]


def _plant(root: Path, analysis: Analysis) -> list[Spot]:
    """Put a function beside each gate, on its line."""
    spots: list[Spot] = []
    for name in sorted(file for file, tree in analysis.files.trees.items() if tree is not None):
        file = Path(name)
        if root.resolve() not in file.resolve().parents and root not in file.parents:
            continue
        lines = file.read_text("utf-8").split("\n")
        for index, line in enumerate(lines):
            gate = _GATE.match(line)
            if gate is None or "docsrs" in line or _is_continued(lines, index):
                continue
            number = len(spots)
            spots.append(Spot(number, file, index + 1))
            lines[index] = f"#[cfg({gate[1]})] #[warn(dead_code)] fn cfglint_spot_{number}() {{}} {line}"
        file.write_text("\n".join(lines), "utf-8")
    return spots


def _is_continued(lines: Sequence[str], index: int) -> bool:
    """Whether attributes or documentation stand before or behind: they would become the function's."""
    before = lines[index - 1].strip() if index else ""
    behind = lines[index + 1].strip() if index + 1 < len(lines) else ""
    return before.startswith(("#[", "///", "//!", "/**")) or behind.startswith(("#[", "///"))


def _commands(
    one: Invocation, own: Sequence[Build], packages: Sequence[Package]
) -> Iterable[tuple[list[str], dict[str, str], list[Build]]]:
    """The command as a check, and of cargo-hack one for each of a few choices."""
    flags = (
        " ".join(f"--cfg {atom.text}" for atom in sorted(own[0].flags) if atom.text != "debug_assertions")
        if own
        else ""
    )
    environment = {"RUSTFLAGS": flags} if flags else {}
    if not own or not packages or one.named or any(word.startswith("-Z") for word in one.call.words):
        return
    units = own[0].units
    kinds = [
        _KIND_FLAGS[kind] for kind in TargetKind if kind in _KIND_FLAGS and (kind in units.plain or kind in units.tests)
    ]
    if TargetKind.LIB in units.tests and TargetKind.TEST not in units.tests:
        return  # `cargo check` has no way to build unit tests alone with this profile
    head = ["hack", "--no-dev-deps", "check"] if one.no_dev_deps else ["check"]
    selection = [word for package in packages for word in ("-p", package.name)]
    if one.hack is not None:
        groups = _by_choice(own)
        for group in random.Random(3).sample(groups, min(4, len(groups))):  # noqa: S311  (a seeded choice)
            first = group[0]
            features = ["--features", ",".join(sorted(first.features))] if first.features else []
            yield [*head, "-p", first.package.name, "--no-default-features", *features, *kinds], environment, group
        return
    words = [*head, *selection, *kinds, *(["--all-features"] if one.all_features else [])]
    words += ["--no-default-features"] if one.no_default else []
    words += ["--features", ",".join(one.features)] if one.features else []
    words += ["--release"] if one.release else []
    yield words, environment, list(own)


def _by_choice(own: Sequence[Build]) -> list[list[Build]]:
    """The builds of cargo-hack, each package that it goes through with those that it depends on."""
    groups: list[list[Build]] = []
    for build in own:
        if build.units != LIBRARY:
            groups.append([])
        groups[-1].append(build)
    return groups


def _run(words: Sequence[str], environment: dict[str, str], root: Path) -> tuple[frozenset[int], bool]:
    """The spots that rustc warns of, and whether the command failed (then some crates may not have been compiled)."""
    variables = {
        **os.environ,
        "CARGO_INCREMENTAL": "0",
        "CARGO_TARGET_DIR": str(root / "target/spots"),
        "RUSTFLAGS": "",
        **environment,
    }
    at = words.index("check") + 1
    done = subprocess.run(
        ["cargo", *words[:at], "--message-format=json", "--keep-going", *words[at:]],
        cwd=root,
        env=variables,
        capture_output=True,
        text=True,
        check=False,
    )
    seen: set[int] = set()
    for line in done.stdout.splitlines():
        if '"cfglint_spot_' in line or "cfglint_spot_" in line:
            message = json.loads(line).get("message") or {}
            if (message.get("code") or {}).get("code") == "dead_code":
                seen.update(int(number) for number in _NAME.findall(str(message.get("message"))))
                for child in [message, *message.get("children", [])]:
                    for span in child.get("spans", []):
                        for text in span.get("text", []):
                            part = text["text"][text["highlight_start"] - 1 : text["highlight_end"] - 1]
                            seen.update(int(number) for number in _NAME.findall(part))
    return frozenset(seen), done.returncode != 0


if __name__ == "__main__":
    sys.exit(main())

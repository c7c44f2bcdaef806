"""Make a package small that shows one disagreement, for a person to look at.

Works on lines and their indentation, which the generator writes regularly: whole blocks go first, then features, then
single lines. A step is kept if rustc still has nothing to say but what cfglint should know, and the same line is still
disagreed about in the same way. It looks for a small package, not for the smallest.
"""

from __future__ import annotations

import dataclasses
import re
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path

from .cargo_oracle import FeatureSet, Verdict, compile_all, feature_sets, read_crate
from .compare import CfglintFailed, Disagreement, compare, run_cfglint
from .generate import Package


def shrink(package: Package, wanted: Disagreement, work: Path, *, threads: int = 2) -> str:
    """The text of a small package that shows `wanted`, all files in one string. `work` is overwritten."""
    files = _read(package.directory)
    if not _shows(package, files, wanted, work, threads):
        return "(not reproduced on its own)"
    changed = True
    while changed:
        changed = False
        for name in sorted(files, key=lambda name: (name != "Cargo.toml", name)):
            at = 0
            while at < len(files.get(name, ())):
                smaller = next(
                    (one for one in _smaller(files, name, at) if _shows(package, one, wanted, work, threads)), None
                )
                if smaller is None:
                    at += 1
                else:
                    files, changed = smaller, True
    parts = [f"//- {name}\n" + "\n".join(lines) for name, lines in sorted(files.items()) if any(lines)]
    return "\n".join(parts)


Files = dict[str, tuple[str, ...]]


def _smaller(files: Files, name: str, at: int) -> Iterator[Files]:
    """What may be tried at line `at`: to drop its block with its attributes, to unwrap it, to drop the line."""
    lines = files[name]
    line = lines[at]
    if name.endswith("Cargo.toml"):
        if re.match(r"\w[\w-]* = \[", line):
            feature = line.split(" ")[0]
            rest = tuple(re.sub(rf'"{feature}"(, )?', "", one) for one in (*lines[:at], *lines[at + 1 :]))
            yield {**files, name: rest}
        return
    if not line.strip() or line.strip().startswith(("}", ")", "]")):
        return
    end = _block_end(lines, at)
    yield {**files, name: lines[:at] + lines[end + 1 :]}
    if end > at + 1:
        yield {**files, name: lines[:at] + lines[at + 1 : end] + lines[end + 1 :]}
        yield {**files, name: lines[:at] + lines[at + 1 :]}


def _block_end(lines: tuple[str, ...], at: int) -> int:
    """The last line of what begins at `at`: attributes take the thing after them along."""
    indent = _indent(lines[at])
    end = at
    while end + 1 < len(lines) and lines[end].strip().startswith(("#[", "///")) and _indent(lines[end + 1]) == indent:
        end += 1
    while end + 1 < len(lines):
        following = lines[end + 1]
        closes = _indent(following) == indent and following.strip().startswith(("}", ")", "]"))
        if not closes and _indent(following) <= indent:
            break
        end += 1
        if closes:
            break
    return end


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def _read(directory: Path) -> Files:
    names = [path for path in directory.rglob("*") if path.suffix in (".rs", ".toml")]
    return {str(path.relative_to(directory)): tuple(path.read_text("utf-8").splitlines()) for path in sorted(names)}


def _shows(package: Package, files: Files, wanted: Disagreement, work: Path, threads: int) -> bool:
    shutil.rmtree(work, ignore_errors=True)
    for name, lines in files.items():
        path = work / "package" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("\n".join(lines) + "\n", "utf-8")
    (work / "scratch").mkdir()
    try:
        crate = read_crate(work / "package")
        report = run_cfglint(crate.directory)
        verdicts = compile_all(crate, feature_sets(crate), work / "scratch", threads=threads)
    except (CfglintFailed, RuntimeError, KeyError):
        return False
    if not all(error.expected for verdict in verdicts.values() for error in verdict.errors):
        return False
    if wanted.kind != "false-positive" and not _lives_somewhere(wanted, verdicts):
        return False
    now = dataclasses.replace(package, directory=crate.directory, crate=crate, verdicts=verdicts)
    return any(_same(one, wanted) for one in compare(now, report))


def _lives_somewhere(wanted: Disagreement, verdicts: Mapping[FeatureSet, Verdict]) -> bool:
    """Whether there is a set in which rustc does not have the error: else the name may just not exist any more."""
    message = wanted.detail.partition("] ")[2].partition("`")[0]
    return any(not any(error.message.startswith(message) for error in one.errors) for one in verdicts.values())


def _same(one: Disagreement, other: Disagreement) -> bool:
    code = re.search(r"\[\w+\] [^`]*`?[\w:]*", one.detail), re.search(r"\[\w+\] [^`]*`?[\w:]*", other.detail)
    return (
        one.kind == other.kind
        and one.source.strip() == other.source.strip()
        and code[0] is not None
        and code[1] is not None
        and code[0].group() == code[1].group()
    )

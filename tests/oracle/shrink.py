"""Make a package small that shows one disagreement, for a person to look at.

Works on lines and their indentation, which the generator writes regularly: whole blocks go first, then features, then
single lines. A step is kept if rustc still has nothing to say but what cfglint should know, and the same line is still
disagreed about in the same way. It looks for a small package, not for the smallest.
"""

from __future__ import annotations

import dataclasses
import re
import shutil
import time
from collections.abc import Iterator
from pathlib import Path

from .cargo_oracle import Place, compile_all, feature_sets, read_crate
from .compare import CfglintFailed, Disagreement, compare, run_cfglint
from .generate import Package


def shrink(package: Package, wanted: Disagreement, work: Path, *, threads: int = 2, seconds: float = 300) -> str:
    """The text of a small package that shows `wanted`, all files in one string. `work` is overwritten.

    What has been reached after `seconds` is given.
    """
    deadline = time.monotonic() + seconds
    files = _read(package.directory)
    if not _shows(package, files, wanted, work, threads):
        return "(not reproduced on its own)"
    changed = True
    while changed:
        changed = False
        for name in sorted(files, key=lambda name: (name != "Cargo.toml", name)):
            at = 0
            while at < len(files.get(name, ())) and time.monotonic() < deadline:
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
    if end > at + 1 and "macro_rules!" not in line:
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
    if wanted.kind != "false-positive" and not _still_defined(wanted, files):
        return False
    shutil.rmtree(work, ignore_errors=True)
    for name, lines in files.items():
        path = work / "package" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("\n".join(lines) + "\n", "utf-8")
    (work / "scratch").mkdir()
    try:
        crate = read_crate(work / "package")
        verdicts = compile_all(crate, feature_sets(crate), work / "scratch", threads=threads)
        errors = [error for verdict in verdicts.values() for error in verdict.errors]
        if not all(error.expected for error in errors):
            return False
        if wanted.kind != "false-positive" and not any(_at(error.outermost, files, wanted) for error in errors):
            return False
        report = run_cfglint(crate.directory)
    except (CfglintFailed, RuntimeError, KeyError):
        return False
    left = frozenset[str]().union(*(each.features for each in verdicts))
    now = dataclasses.replace(package, directory=crate.directory, crate=crate, verdicts=verdicts)
    return any(_same(one, wanted, left) for one in compare(now, report))


def _still_defined(wanted: Disagreement, files: Files) -> bool:
    """Whether what rustc does not find is still defined somewhere: else the question has become another one."""
    found = re.search(r"`(?:[^`]*::)?(\w+)`", wanted.detail)
    if found is None:
        return True
    word = re.escape(found.group(1))
    definition = re.compile(
        rf"(\b(fn|struct|enum|trait|mod|const|static|type)|macro_rules!) {word}\b|^\s*{word}(\(u32\))?,$"
    )
    return any(definition.search(line) for lines in files.values() for line in lines)


def _at(place: Place, files: Files, wanted: Disagreement) -> bool:
    return files[place.file][place.line - 1].strip() == wanted.source.strip()


def _same(one: Disagreement, other: Disagreement, left: frozenset[str]) -> bool:
    """Whether it is the same line, of the same kind, in the same sets as far as the features are still there."""
    return (
        one.kind == other.kind
        and one.source.strip() == other.source.strip()
        and _subject(one) == _subject(other)
        and {each.features for each in one.sets} == {each.features & left for each in other.sets}
    )


def _subject(one: Disagreement) -> str:
    found = re.search(r"\[\w+\] [^`]*(`[\w:]*)?", one.detail)
    return found.group() if found else ""

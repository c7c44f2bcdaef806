"""Apply the first repair of each finding in random packages, and let rustc judge: `python -m bench.repairs --packages 60`.

For each finding of each package the first repair that `cfglint check --diff --format json` proposes is applied to a copy,
and the copy is compiled in every closed feature set. The repair is right when the line of the finding, wherever it has
moved, fails in no set any more, and no line fails in a set in which it did not. Prints one line for each that is not, and
a table; exits with 1 if there is any.
"""

from __future__ import annotations

import argparse
import collections
import concurrent.futures
import difflib
import json
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench.common import TOP
from tests.oracle.cargo_oracle import FeatureSet, Place, Verdict, compile_all, feature_sets, read_crate
from tests.oracle.generate import GenerationError, Package, generate


@dataclass(frozen=True, slots=True)
class Judged:
    """What came of one finding: right, wrong (with the reason), or none where nothing was proposed."""

    seed: int
    rule: str
    place: Place
    kind: str
    verdict: str
    why: str = ""


def findings_of(directory: Path) -> list[dict[str, Any]]:
    """The errors of a package, with their repairs."""
    command = [sys.executable, "-m", "cfglint", "check", str(directory), "--diff", "--format", "json", "-j", "1"]
    done = subprocess.run(command, cwd=TOP, capture_output=True, text=True, check=False, timeout=300)
    if done.returncode not in (0, 1):
        raise RuntimeError(f"cfglint failed: {done.stderr[-2000:]}")
    return [finding for finding in json.loads(done.stdout)["findings"] if finding["severity"] == "error"]


def apply(repair: Mapping[str, Any], source: Path, into: Path) -> None:
    """Copy a package with the edits of a repair."""
    shutil.copytree(source, into)
    by_file: dict[str, list[Mapping[str, Any]]] = collections.defaultdict(list)
    for edit in repair["edits"]:
        by_file[edit["file"]].append(edit)
    for name, edits in by_file.items():
        content = (into / name).read_bytes()
        starts = [0]
        for line in content.splitlines(keepends=True):
            starts.append(starts[-1] + len(line))
        placed = [
            (starts[e["line"] - 1] + e["column"] - 1, starts[e["end_line"] - 1] + e["end_column"] - 1, e["text"])
            for e in edits
        ]
        for start, end, text in sorted(placed, reverse=True):
            content = content[:start] + text.encode() + content[end:]
        (into / name).write_bytes(content)


def examine(seed: int, directory: Path) -> list[Judged]:
    """Every finding of the package of a seed."""
    package = generate(seed, directory / "package", directory / "scratch", threads=1)
    judged = []
    for number, finding in enumerate(findings_of(package.directory)):
        judged.append(judge(package, finding, directory / f"mended-{number}"))
    return judged


def judge(package: Package, finding: Mapping[str, Any], copy: Path) -> Judged:
    """Apply the first repair of a finding and compile."""
    place = Place(finding["file"], finding["line"])
    if not finding["repairs"]:
        return Judged(package.seed, finding["rule"], place, "-", "none")
    repair = finding["repairs"][0]
    told = Judged(package.seed, finding["rule"], place, repair["kind"], "right")
    if repair["leaves"] or repair["creates"]:
        return Judged(package.seed, told.rule, place, told.kind, "declined", "; ".join(repair["creates"])[:200])
    apply(repair, package.directory, copy)
    crate = read_crate(copy)
    scratch = copy.with_name(f"{copy.name}-scratch")
    scratch.mkdir()
    verdicts = compile_all(crate, feature_sets(crate), scratch, threads=1)
    why = _wrong(package, verdicts, _moves(package.directory, copy), place, excluded=repair["kind"] == "exclude")
    shutil.rmtree(scratch)
    return told if not why else Judged(package.seed, told.rule, place, told.kind, "wrong", why)


def _wrong(
    package: Package,
    after: Mapping[FeatureSet, Verdict],
    moves: Mapping[Place, Place],
    place: Place,
    *,
    excluded: bool,
) -> str:
    """Why a repair is not right; empty where it is. `moves` tells where a line of the mended package stood before."""
    before = {one.features: verdict for one, verdict in package.verdicts.items()}
    for one, verdict in after.items():
        if excluded and any("not supported" in error.message for error in verdict.errors):
            continue
        known = before.get(one.features)
        # What rustc kept silent about, because a glob failed or an earlier phase did, is not new when it comes to light.
        said = (*known.errors, *known.behind) if known is not None else ()
        failed = {at for error in said for at in (error.outermost, *error.places)}
        hidden = known is not None and known.depth <= 1
        for error in verdict.errors:
            old = moves.get(error.outermost)
            if moves.get(error.places[0]) == place and error.expected:
                return f"still fails in {one}: {error.message}"
            if old is None or old not in failed:
                if error.phase > 1 and hidden:
                    continue
                if not any(moves.get(at) in failed for at in error.places):
                    return f"new in {one}: {error.outermost.file}:{error.outermost.line} [{error.code}] {error.message}"
    return ""


def _moves(before: Path, after: Path) -> dict[Place, Place]:
    """Where each line of the mended package stood."""
    moves: dict[Place, Place] = {}
    for path in sorted(after.rglob("*.rs")):
        name = path.relative_to(after).as_posix()
        old, new = (root / name for root in (before, after))
        one, other = (file.read_text("utf-8").splitlines() for file in (old, new))
        for block in difflib.SequenceMatcher(None, one, other, autojunk=False).get_matching_blocks():
            for offset in range(block.size):
                moves[Place(name, block.b + offset + 1)] = Place(name, block.a + offset + 1)
    return moves


def main(arguments: list[str] | None = None) -> int:
    """Run the command; gives the exit status."""
    parser = argparse.ArgumentParser(prog="python -m bench.repairs", description=__doc__)
    parser.add_argument("--packages", type=int, default=60, help="how many packages with findings")
    parser.add_argument("--seed-base", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--keep", type=Path, help="keep the packages below this directory")
    options = parser.parse_args(arguments)
    started = time.monotonic()
    judged: list[Judged] = []
    packages = 0
    with tempfile.TemporaryDirectory(prefix="repairs-") as name:
        root = options.keep or Path(name)
        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            seed = options.seed_base
            while packages < options.packages and seed < options.seed_base + 20 * options.packages:
                batch = range(seed, seed + 2 * options.jobs)
                seed += 2 * options.jobs
                for found in pool.map(lambda one: _examined(one, root / str(one)), batch):
                    if found and packages < options.packages:
                        packages += 1
                        judged += found
                        for each in found:
                            _show(each)
    _table(judged, packages, time.monotonic() - started)
    return int(any(each.verdict != "right" for each in judged))


def _examined(seed: int, directory: Path) -> list[Judged]:
    try:
        return examine(seed, directory)
    except GenerationError:
        return []


def _show(each: Judged) -> None:
    if each.verdict != "right":
        where = f"{each.place.file}:{each.place.line}"
        print(f"seed {each.seed}: {where} {each.rule} {each.kind}: {each.verdict} {each.why}", flush=True)


def _table(judged: list[Judged], packages: int, seconds: float) -> None:
    verdicts = collections.Counter(each.verdict for each in judged)
    kinds = collections.Counter((each.kind, each.verdict) for each in judged)
    print(f"{'packages with findings':<36}{packages:>8}")
    print(f"{'findings':<36}{len(judged):>8}")
    for verdict in ("right", "wrong", "declined", "none"):
        share = f"{100 * verdicts[verdict] / len(judged):.1f} %" if judged else "-"
        print(f"{f'first repair {verdict}':<36}{verdicts[verdict]:>8}{share:>10}")
    for (kind, verdict), number in sorted(kinds.items()):
        print(f"{f'  {kind}: {verdict}':<36}{number:>8}")
    print(f"{'seconds':<36}{seconds:>8.1f}")


if __name__ == "__main__":
    sys.exit(main())

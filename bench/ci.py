"""What CI of real repositories compiles, beside what the derived matrix would build.

    python -m bench.ci --mirrors DIR --repos tokio-rs/tokio rust-lang/futures-rs ... [--out FILE]

For each repository at HEAD: cargo commands that were read in workflows and scripts, places that could not be read, findings by
rule, gates that are compiled on and off, and the number of builds that CI makes of the workspace's packages (each closed
feature set of a package on a target with flags counts once) beside the number of builds of `cfglint matrix`, on all targets
and on the host alone. Nothing of the repository is run.
"""

from __future__ import annotations

import argparse
import collections
import json
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from bench.common import (
    CFGLINT,
    NoSnapshot,
    add_common,
    checkout,
    head_of,
    heading,
    mirror_of,
    publish,
    run_measured,
    table,
)

_HOST = "x86_64-unknown-linux-gnu"
_RULES = ("CFG301", "CFG302", "CFG303", "CFG304", "CFG305", "CFG306")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; gives the exit status."""
    parser = argparse.ArgumentParser(prog="python -m bench.ci", description=__doc__)
    add_common(parser)
    parser.add_argument("--repos", nargs="+", required=True)
    options = parser.parse_args(arguments)
    rows: list[list[object]] = []
    failed = False
    for repository in options.repos:
        try:
            git = mirror_of(options.mirrors, repository)
            with checkout(git, head_of(git)) as root:
                row = _row(repository, head_of(git), root, options.limit)
        except NoSnapshot as error:
            print(f"{repository}: {error}", file=sys.stderr)
            continue
        failed |= isinstance(row, str)
        if isinstance(row, str):
            print(f"{repository}: {row}", file=sys.stderr)
        else:
            rows.append(row)
            print(f"{repository}: {row}", flush=True)
    columns = [
        "repository",
        "commit",
        "commands",
        "not read",
        *_RULES,
        "gates",
        "on and off",
        "builds of CI",
        "matrix",
        "on the host",
        "seconds",
    ]
    page = heading("CI of real repositories", "bench.ci", list(arguments if arguments is not None else sys.argv[1:]))
    publish(page + "\n" + table(columns, rows), options.out)
    return int(failed)


def _row(repository: str, commit: str, root: Path, limit: float) -> list[object] | str:
    started = time.monotonic()
    report = _json(["ci", str(root), "--format", "json"], limit)
    coverage = _json(["ci", str(root), "--format", "json", "--coverage"], limit)
    matrix = _json(["matrix", str(root), "--format", "json"], limit)
    alone = _json(["matrix", str(root), "--format", "json", "--target", _HOST], limit)
    for each in (report, coverage, matrix, alone):
        if isinstance(each, str):
            return each
    assert not isinstance(report, str)
    assert not isinstance(coverage, str)
    assert not isinstance(matrix, str)
    assert not isinstance(alone, str)
    counts = collections.Counter(one["rule"] for one in report["findings"])
    gates = [gate for gate in coverage["coverage"] if gate["on"]["possible"] or gate["off"]["possible"]]
    both = sum(all(not gate[side]["possible"] or gate[side]["jobs"] for side in ("on", "off")) for gate in gates)
    return [
        repository,
        commit[:10],
        report["summary"]["references"],
        len(report["undecided"]),
        *(counts[rule] for rule in _RULES),
        len(gates),
        both,
        coverage["builds"],
        len(matrix["include"]),
        len(alone["include"]),
        f"{time.monotonic() - started:.0f}",
    ]


def _json(arguments: list[str], limit: float) -> dict[str, Any] | str:
    out, err, status, _ = run_measured([*CFGLINT, *arguments], limit)
    if status not in (0, 1):
        return f"{arguments[0]}: exit status {status}: {err.decode('utf-8', 'replace').strip()[-300:]}"
    try:
        value = json.loads(out)
    except ValueError as error:
        return f"{arguments[0]}: not JSON: {error}"
    return value if isinstance(value, dict) else f"{arguments[0]}: no object"


if __name__ == "__main__":
    sys.exit(main())

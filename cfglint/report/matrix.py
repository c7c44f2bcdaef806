"""A matrix as text: cargo commands, the JSON of a GitHub `strategy.matrix`, or TOML; and which features interact.

Commands are one a line with remarks behind `#`, so that the text is a shell script. The JSON holds nothing but `include`,
for every other key would become an axis.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence

from cfglint.matrix.combination import Combination
from cfglint.matrix.derive import PackageMatrix
from cfglint.matrix.lists import Drift, as_row
from cfglint.report.terminal import printable


def commands(matrices: Sequence[PackageMatrix], chosen: Sequence[Combination]) -> str:
    """The chosen combinations under a remark for each package."""
    lines: list[str] = []
    for matrix in matrices:
        own = [one for one in chosen if one.package == matrix.package]
        if own:
            lines += [f"# {printable(remark(matrix))}", *(printable(one.command) for one in own)]
    lines.append(
        f"# {_number(len(chosen), 'combination')} of {_number(len({one.package for one in chosen}), 'package')}"
    )
    return "\n".join(lines) + "\n"


def remark(matrix: PackageMatrix) -> str:
    """`net: 4 combinations of 5 features; pairs that provably do not interact: 7 of 10`."""
    text = f"{matrix.package}: {_number(len(matrix.combinations), 'combination')}"
    if matrix.features:
        text += f" of {_number(len(matrix.features), 'feature')}"
    if matrix.meets is not None and matrix.pairs:
        text += f"; pairs that provably do not interact: {matrix.pairs_apart} of {matrix.pairs}"
    if matrix.flags:
        text += f"; left out, for nothing declares them: {', '.join(matrix.flags)}"
    if matrix.too_large:
        text += f"; {_number(matrix.too_large, 'condition')} too large to decide"
    return text


def github(chosen: Iterable[Combination]) -> str:
    """What `strategy.matrix: ${{ fromJSON(..) }}` takes."""
    return json.dumps({"include": [as_row(one) for one in chosen]}, indent=2) + "\n"


def toml(chosen: Iterable[Combination]) -> str:
    """One `[[combination]]` each, with the fields of the JSON."""
    blocks = []
    for one in chosen:
        # A JSON string is a TOML basic string, as long as it has no escapes beyond those of both.
        fields = (f"{name} = {json.dumps(value)}" for name, value in as_row(one).items())
        blocks.append("[[combination]]\n" + "\n".join(fields) + "\n")
    return "# Made by `cfglint matrix --format toml`.\n\n" + "\n".join(blocks)


def interactions(matrices: Iterable[PackageMatrix]) -> str:
    """For each feature, which others it interacts with."""
    return "\n".join(line for matrix in matrices for line in _interactions(matrix)) + "\n"


def difference(drift: Drift, name: str) -> str:
    """What a committed list lacks (`+`) and has too much (`-`), as a diff from it to the derived one."""
    lines = [f"--- {name}", "+++ derived"]
    lines += [f"-{command}" for command in drift.superfluous]
    lines += [f"+{command}" for command in drift.missing]
    return "".join(printable(line) + "\n" for line in lines)


def _interactions(matrix: PackageMatrix) -> Iterator[str]:
    yield printable(remark(matrix))
    alone = []
    for index, name in enumerate(matrix.features):
        met = matrix.met_by(index)
        if met:
            yield printable(f"  {name} interacts with {', '.join(met)}")
        else:
            alone.append(name)
    if alone:
        verb = "interacts" if len(alone) == 1 else "interact"
        yield printable(f"  {', '.join(alone)} {verb} with no other")


def _number(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"

"""Lists of combinations as files: slices of them for parallel jobs, reading back what was written, and what differs.

The formats are those of `cfglint.report.matrix`: lines of cargo commands, the JSON of a GitHub `strategy.matrix`, TOML.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from cfglint.errors import ConfigError, UsageError
from cfglint.matrix.combination import Combination

_FIELDS: Mapping[str, type] = {
    "package": str,
    "targets": str,
    "features": str,
    "default_features": bool,
    "target": str,
    "cfgs": str,
    "rustflags": str,
    "release": bool,
    "command": str,
}


@dataclass(frozen=True, slots=True)
class Partition:
    """The part `number` of `of`, counted from 1."""

    number: int
    of: int


@dataclass(frozen=True, slots=True)
class Drift:
    """How a committed list differs from the derived one, as commands: what it lacks and what it has beyond it."""

    missing: tuple[str, ...]
    superfluous: tuple[str, ...]

    @property
    def is_none(self) -> bool:
        """Whether the two are the same set."""
        return not self.missing and not self.superfluous


def parse_partition(text: str) -> Partition:
    """`2/5`.

    Raises UsageError for anything else, and where the part is not among them.
    """
    found = re.fullmatch(r"([0-9]{1,6})/([0-9]{1,6})", text)
    if found is None or not 1 <= int(found[1]) <= int(found[2]):
        raise UsageError(f"`{text}` is not a part such as `1/4`")
    return Partition(int(found[1]), int(found[2]))


def part(combinations: Sequence[Combination], partition: Partition | None) -> tuple[Combination, ...]:
    """A part of the list: neighbours stay together, for they share what is built; parts differ by one at most."""
    if partition is None:
        return tuple(combinations)
    start = len(combinations) * (partition.number - 1) // partition.of
    end = len(combinations) * partition.number // partition.of
    return tuple(combinations[start:end])


def as_row(one: Combination) -> dict[str, object]:
    """The fields of a combination as a GitHub `strategy.matrix` takes them: flat, with strings and booleans."""
    return {
        "package": one.package,
        "targets": one.targets,
        "features": ",".join(one.features),
        "default_features": one.default_features,
        "target": one.target,
        "cfgs": " ".join(one.cfgs),
        "rustflags": one.rustflags,
        "release": one.release,
        "command": one.command,
    }


def read_list(file: Path) -> tuple[Combination, ...]:
    """The combinations in a JSON or TOML file that cfglint has written.

    Raises ConfigError where there is no such file or it is none of ours.
    """
    text = _text(file)
    rows = _rows(text, file)
    if rows is None:
        raise ConfigError("is neither JSON nor TOML of `cfglint matrix` (a list of commands cannot be run)", file)
    return tuple(_combination(row, file) for row in rows)


def drift(file: Path, derived: Iterable[Combination]) -> Drift:
    """How the list in `file` (of any format) differs from the derived one; order and comments do not matter.

    Raises ConfigError where it cannot be read.
    """
    text = _text(file)
    rows = _rows(text, file)
    if rows is None:
        lines = (line.strip() for line in text.splitlines())
        committed = {line for line in lines if line and not line.startswith("#")}
    else:
        committed = {_combination(row, file).command for row in rows}
    wanted = {one.command for one in derived}
    return Drift(tuple(sorted(wanted - committed)), tuple(sorted(committed - wanted)))


def _text(file: Path) -> str:
    try:
        return file.read_text("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"cannot be read: {error}", file) from error


def _rows(text: str, file: Path) -> list[Mapping[str, object]] | None:
    """The rows of JSON or TOML; None for a list of commands."""
    import tomli

    value: object
    try:
        if text.lstrip().startswith("{"):
            value = json.loads(text).get("include")
        elif re.search(r"^\s*\[\[combination\]\]", text, re.MULTILINE):
            value = tomli.loads(text).get("combination")
        else:
            return None
    except (ValueError, RecursionError, AttributeError) as error:
        raise ConfigError(f"cannot be read: {error}", file) from error
    if not isinstance(value, list) or not all(isinstance(row, dict) for row in value):
        raise ConfigError("has no list of combinations", file)
    return value


def _combination(row: Mapping[str, object], file: Path) -> Combination:
    for name, kind in _FIELDS.items():
        if not isinstance(row.get(name), kind):
            raise ConfigError(f"a combination has no {kind.__name__} `{name}`", file)
    words = {name: str(row[name]) for name in ("package", "targets", "target", "rustflags", "command")}
    return Combination(
        **words,
        features=tuple(str(row["features"]).split(",")) if row["features"] else (),
        default_features=row["default_features"] is True,
        cfgs=tuple(str(row["cfgs"]).split()),
        release=row["release"] is True,
    )

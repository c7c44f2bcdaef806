"""The file `.cfglint-baseline.json`: one object a line, sorted, so that two branches that shorten it merge.

An entry says what is tolerated by rule, package, referring item and path, and how often; no line numbers, so that moving
code changes nothing. The same findings always give the same bytes.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from cfglint.errors import ConfigError, Excerpt
from cfglint.finding import Finding

FILE = ".cfglint-baseline.json"
SCHEMA_VERSION = 1
_KEYS = {"rule": str, "package": str, "item": str, "path": str, "count": int}


@dataclass(frozen=True, slots=True, order=True)
class Key:
    """What an entry is about."""

    package: str
    item: str
    rule: str
    path: str


@dataclass(frozen=True, slots=True)
class Entry:
    """`count` findings of one key; `line` is where the file says so, up to `end_column` (0 where nothing was read)."""

    key: Key
    count: int
    line: int = 0
    end_column: int = 0


@dataclass(frozen=True, slots=True)
class Baseline:
    """The entries of a file, by key. A key stands there once."""

    file: Path
    entries: tuple[Entry, ...]


def key_of(finding: Finding) -> Key:
    """The key of a finding."""
    return Key(finding.package, finding.scope, finding.rule, finding.path)


def listed(findings: Iterable[Finding]) -> tuple[Entry, ...]:
    """The entries that tolerate these findings and no others."""
    counts = Counter(key_of(finding) for finding in findings)
    return tuple(Entry(key, count) for key, count in sorted(counts.items()))


def read_baseline(file: Path) -> Baseline | None:
    """The baseline in `file`; None where there is no such file.

    Raises ConfigError where it is none.
    """
    try:
        text = file.read_bytes().decode("utf-8")
    except FileNotFoundError:
        return None
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"cannot be read: {error}", file) from error
    entries = tuple(_entries(text, file))
    seen: dict[Key, int] = {}
    for entry in entries:
        if entry.key in seen:
            raise ConfigError(f"says the same as line {seen[entry.key]}", file, entry.line)
        seen[entry.key] = entry.line
    return Baseline(file, entries)


def text_of(entries: Iterable[Entry]) -> str:
    """The text of the file, with a final newline."""
    rows = [f"  {json.dumps(_object(entry))}" for entry in sorted(entries, key=lambda entry: entry.key)]
    head = f'{{"schema_version": {SCHEMA_VERSION}, "findings": ['
    return "\n".join((head, *(",\n".join(rows).split("\n") if rows else ()), "]}")) + "\n"


def _object(entry: Entry) -> dict[str, object]:
    key = entry.key
    return {"rule": key.rule, "package": key.package, "item": key.item, "path": key.path, "count": entry.count}


def _entries(text: str, file: Path) -> Iterator[Entry]:
    """The entries, line by line: that is the form in which the file is written, and the lines are what is pointed at."""
    lines = text.splitlines()
    try:
        whole = json.loads(text)
    except (json.JSONDecodeError, RecursionError) as error:
        if not isinstance(error, json.JSONDecodeError):
            raise ConfigError("is nested too deeply", file) from error
        line = lines[error.lineno - 1] if error.lineno <= len(lines) else ""
        column = len(line[: error.colno - 1].encode()) + 1
        excerpt = Excerpt(line, column, column + 1)
        raise ConfigError(f"is no JSON: {error.msg}", file, error.lineno, excerpt) from error
    if not isinstance(whole, dict) or whole.get("schema_version") != SCHEMA_VERSION:
        raise ConfigError(f"is no baseline of schema version {SCHEMA_VERSION}", file, 1)
    found = whole.get("findings")
    rows = [number for number, line in enumerate(lines, 1) if line.lstrip().startswith('{"rule"')]
    if not isinstance(found, list):
        raise ConfigError("`findings` must be an array", file, 1)
    if len(rows) != len(found):
        raise ConfigError("must have one object a line, as `cfglint baseline write` writes it", file, 1)
    for entry, number in zip(found, rows, strict=True):
        yield _entry(entry, file, number, len(lines[number - 1].rstrip(",").encode()) + 1)


def _entry(entry: object, file: Path, line: int, end_column: int) -> Entry:
    if not isinstance(entry, dict) or set(entry) != set(_KEYS):
        raise ConfigError(f"an entry must have the keys {', '.join(_KEYS)} and no other", file, line)
    for key, kind in _KEYS.items():
        if not isinstance(entry[key], kind) or isinstance(entry[key], bool) or entry[key] == 0:
            what = "a positive number" if kind is int else "a string"
            raise ConfigError(f"`{key}` must be {what}", file, line)
    return Entry(Key(entry["package"], entry["item"], entry["rule"], entry["path"]), entry["count"], line, end_column)

"""What the user asked for: one frozen Config from the command line and the workspace's own settings.

Settings stand in `cfglint.toml` or in `[workspace.metadata.cfglint]` of a Cargo.toml (Cargo ignores `metadata`, Cargo
book, "The workspace.metadata table"). The command line wins over both. This module does not judge manifests: a
Cargo.toml that cannot be parsed is left to the manifest room, which says so better. It does not know rules either:
whether a code exists is asked by the command line, which has the rulebook.
"""

from __future__ import annotations

import difflib
import enum
import functools
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TypeAlias, TypeVar

from cfglint.errors import ConfigError, UsageError

Progress: TypeAlias = Callable[[str, int, int], None]
"""Called with what is being done, how many steps are done, and how many there are."""

SETTINGS_FILE = "cfglint.toml"
METADATA_TABLE = ("workspace", "metadata", "cfglint")
_WORKSPACE = re.compile(r"^[ \t]*\[[ \t]*workspace[ \t]*[\].]", re.MULTILINE)
_CLOSE = 0.6


class Format(enum.Enum):
    """How a report is printed."""

    TEXT = "text"
    CONCISE = "concise"
    JSON = "json"
    JSON_LINES = "json-lines"
    GITHUB = "github"
    GITLAB = "gitlab"
    JUNIT = "junit"
    MARKDOWN = "markdown"
    RDJSON = "rdjson"
    RUSTC_JSON = "rustc-json"
    SARIF = "sarif"


class FailOn(enum.Enum):
    """The least severity that makes the exit status 1."""

    ERROR = "error"
    WARNING = "warning"
    NEVER = "never"


class ColorChoice(enum.Enum):
    """Whether to colour what is printed; AUTO asks the environment and the terminal."""

    AUTO = "auto"
    ALWAYS = "always"
    NEVER = "never"


class Level(enum.Enum):
    """What the user makes of a rule, in rustc's words; DEFAULT is what the rule page says."""

    DEFAULT = "default"
    ALLOW = "allow"
    WARN = "warn"
    DENY = "deny"


def silent(stage: str, done: int, total: int) -> None:
    """The progress of a run that nobody watches."""


@dataclass(frozen=True, slots=True)
class Config:
    """Everything that decides what a run does. `path` is a directory or a Cargo.toml.

    `select` and `ignore` are prefixes of codes (`CFG0`); an empty `select` means every rule. `levels` are `-A`, `-W` and
    `-D` in the order given: the last one that fits a code wins, as with rustc. `targets` are triples; empty means the
    default ones; `is_narrowed` tells that the command line asks for less than the project does, so that what is not found
    may be there all the same. `format` goes to `output_file` or stdout, each of `outputs` to its file as well. `jobs` None means as many
    as there are processors.
    """

    path: Path
    manifest_path: Path | None = None
    packages: tuple[str, ...] = ()
    targets: tuple[str, ...] = ()
    format: Format = Format.TEXT
    fail_on: FailOn = FailOn.ERROR
    color: ColorChoice = ColorChoice.AUTO
    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    levels: tuple[tuple[str, Level], ...] = ()
    confirm: bool = False
    output_file: Path | None = None
    outputs: tuple[tuple[Format, Path], ...] = ()
    jobs: int | None = None
    quiet: bool = False
    is_narrowed: bool = False
    progress: Progress = field(default=silent, compare=False, repr=False)

    @property
    def start(self) -> Path:
        """Where the search for a manifest begins: `--manifest-path` if given, else PATH."""
        return self.manifest_path or self.path

    def needs_reason(self, package: str) -> bool:
        """Whether suppressions in `package` must say why."""
        del package
        return False

    def level(self, code: str) -> Level:
        """What the user makes of the rule `code`: `-A/-W/-D` first, then `ignore`, then `select`."""
        for prefix, level in reversed(self.levels):
            if code.startswith(prefix):
                return level
        ignored = _longest(self.ignore, code)
        if ignored and ignored >= _longest(self.select, code):
            return Level.ALLOW
        if self.select and not any(map(code.startswith, self.select)):
            return Level.ALLOW
        return Level.DEFAULT


@dataclass(frozen=True, slots=True)
class Settings:
    """What a settings file may say; None where it says nothing."""

    fail_on: FailOn | None = None
    format: Format | None = None
    select: tuple[str, ...] | None = None
    ignore: tuple[str, ...] | None = None
    targets: tuple[str, ...] | None = None
    levels: tuple[tuple[str, Level], ...] = ()


def with_settings(config: Config, settings: Settings, *, given: Iterable[str]) -> Config:
    """`config` with the settings filled in, except for the fields in `given`, which the command line has set."""
    taken = frozenset(given)
    wanted = {
        name: value
        for name in ("fail_on", "format", "select", "ignore", "targets")
        if (value := getattr(settings, name)) is not None and name not in taken
    }
    return replace(config, **wanted, levels=settings.levels + config.levels)


def find_settings(start: Path) -> Settings:
    """The settings that apply at `start`: the nearest `cfglint.toml` or `[workspace.metadata.cfglint]` upwards.

    The search ends at the workspace root (the first manifest with a `[workspace]` table); without one, at the top. In one
    directory `cfglint.toml` and the metadata table exclude each other.

    Raises ConfigError for a file that cannot be read or parsed, an unknown key, or a value of the wrong type.
    """
    directory = start.parent if start.is_file() else start
    directory = directory.absolute()
    for folder in (directory, *directory.parents):
        own, manifest = folder / SETTINGS_FILE, folder / "Cargo.toml"
        in_manifest = _metadata(manifest)
        if own.is_file():
            if in_manifest is not None:
                raise ConfigError(f"both {SETTINGS_FILE} and [workspace.metadata.cfglint] are present; keep one", own)
            text = _read(own)
            return _settings(_parse(text, own), own, text, ())
        if in_manifest is not None:
            return _settings(in_manifest, manifest, _read(manifest), METADATA_TABLE)
        if _is_workspace_root(manifest):
            break
    return Settings()


def did_you_mean(word: str, choices: Iterable[str]) -> str:
    """`; did you mean `x`?` where one of the choices is close, else nothing."""
    folded = word.casefold()
    ranked = sorted((-difflib.SequenceMatcher(None, folded, choice.casefold()).ratio(), choice) for choice in choices)
    return f"; did you mean `{ranked[0][1]}`?" if ranked and ranked[0][0] <= -_CLOSE else ""


def _longest(prefixes: Iterable[str], code: str) -> int:
    return max((len(prefix) for prefix in prefixes if code.startswith(prefix)), default=0)


def _read(file: Path) -> str:
    try:
        return file.read_text("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"cannot be read: {error}", file) from error


def _parse(text: str, file: Path) -> Mapping[str, object]:
    import tomli

    try:
        return tomli.loads(text)
    except (tomli.TOMLDecodeError, RecursionError) as error:
        found = re.search(r"\(at line (\d+)", str(error))
        raise ConfigError(f"invalid TOML: {error}", file, int(found[1]) if found else None) from error


def _is_workspace_root(manifest: Path) -> bool:
    try:
        return manifest.is_file() and _WORKSPACE.search(_read(manifest)) is not None
    except ConfigError:
        return False


def _metadata(manifest: Path) -> Mapping[str, object] | None:
    """`[workspace.metadata.cfglint]`, or None where there is none or the manifest is not for us to judge."""
    if not manifest.is_file():
        return None
    try:
        text = _read(manifest)
        if METADATA_TABLE[-1] not in text:
            return None
        table: object = _parse(text, manifest)
    except ConfigError:
        return None
    for key in METADATA_TABLE:
        if not isinstance(table, Mapping) or key not in table:
            return None
        table = table[key]
    if not isinstance(table, Mapping):
        raise ConfigError(
            "`workspace.metadata.cfglint` must be a table",
            manifest,
            _line_of(text, METADATA_TABLE[:-1], METADATA_TABLE[-1]),
        )
    return table


_KEYS = ("fail-on", "format", "select", "ignore", "targets", "levels")


def _settings(table: Mapping[str, object], file: Path, text: str, where: tuple[str, ...]) -> Settings:
    def wrong(key: str, message: str, inner: tuple[str, ...] = ()) -> ConfigError:
        return ConfigError(message, file, _line_of(text, (*where, *inner), key))

    def strings(key: str) -> tuple[str, ...] | None:
        value = table.get(key)
        if value is None:
            return None
        if not isinstance(value, list) or not all(isinstance(entry, str) for entry in value):
            raise wrong(key, f"`{key}` must be an array of strings")
        return tuple(value)

    def choice(key: str, kind: type[_E]) -> _E | None:
        value = table.get(key)
        return None if value is None else _member(kind, value, functools.partial(wrong, key), key)

    for key in table:
        if key not in _KEYS:
            raise wrong(key, f"unknown key `{key}`{did_you_mean(key, _KEYS)}")
    levels = table.get("levels", {})
    if not isinstance(levels, Mapping):
        raise wrong("levels", "`levels` must be a table from codes to `allow`, `warn` or `deny`")
    return Settings(
        fail_on=choice("fail-on", FailOn),
        format=choice("format", Format),
        select=strings("select"),
        ignore=strings("ignore"),
        targets=strings("targets"),
        levels=tuple(
            (code, _member(Level, value, functools.partial(wrong, code, inner=("levels",)), code))
            for code, value in levels.items()
        ),
    )


_E = TypeVar("_E", bound=enum.Enum)


def _member(kind: type[_E], value: object, wrong: Callable[[str], ConfigError], key: str) -> _E:
    names = [member.value for member in kind if member is not Level.DEFAULT]
    if isinstance(value, str) and value in names:
        return kind(value)
    hint = did_you_mean(value, names) if isinstance(value, str) else ""
    raise wrong(f"`{key}` must be one of {', '.join(names)}{hint}")


_HEADER = re.compile(r"\s*\[([^\[\]]+)\]\s*(?:#.*)?$")
_ENTRY = re.compile(r"""\s*(?:"([^"]*)"|'([^']*)'|([\w-]+))\s*[=.]""")


def _line_of(text: str, table: tuple[str, ...], key: str) -> int | None:
    """The line on which `key` of `table` is written; None where it is written in a way not looked for (inline tables)."""
    current: tuple[str, ...] = ()
    header_line = None
    for number, line in enumerate(text.splitlines(), 1):
        if header := _HEADER.match(line):
            current = tuple(part.strip().strip("\"'") for part in header[1].split("."))
            if current == (*table, key):
                return number
            if current == table:
                header_line = number
        elif current == table and (entry := _ENTRY.match(line)) and key in entry.groups():
            return number
    return header_line


def check_jobs(jobs: int | None) -> int | None:
    """`--jobs` must be at least 1 (cargo rejects 0 as well)."""
    if jobs is not None and jobs < 1:
        raise UsageError("--jobs must be at least 1")
    return jobs

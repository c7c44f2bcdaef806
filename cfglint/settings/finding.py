"""Which settings count for a path: the nearest `cfglint.toml` or `[workspace.metadata.cfglint]` upwards.

The search ends at the workspace root (the first manifest with a `[workspace]` table); without one, at the top. In one
directory both exclude each other. A Cargo.toml that cannot be parsed is left to the manifest room, which says so better;
Cargo itself ignores `metadata` (Cargo book, "The workspace.metadata table").
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

import tomli

from cfglint.config import Settings
from cfglint.errors import ConfigError, Excerpt
from cfglint.settings.origin import Origin
from cfglint.settings.reading import workspace_settings

SETTINGS_FILE = "cfglint.toml"
METADATA_TABLE = ("workspace", "metadata", "cfglint")
_WORKSPACE = re.compile(r"^[ \t]*\[[ \t]*workspace[ \t]*[\].]", re.MULTILINE)


def find_settings(start: Path) -> Settings:
    """The settings that apply at `start`, a directory or a file in one.

    Raises ConfigError for a file that cannot be read or parsed, an unknown key or value, or one of the wrong type.
    """
    found = find_origin(start)
    if found is None:
        return Settings()
    table, origin = found
    return workspace_settings(table, origin)


def find_origin(start: Path) -> tuple[Mapping[str, object], Origin] | None:
    """The table that counts at `start` and where it is; None where there is none. Raises as `find_settings` does."""
    directory = (start.parent if start.is_file() else start).absolute()
    for folder in (directory, *directory.parents):
        own, manifest = folder / SETTINGS_FILE, folder / "Cargo.toml"
        in_manifest = _metadata(manifest)
        if own.is_file():
            if in_manifest is not None:
                raise ConfigError(f"both {SETTINGS_FILE} and [workspace.metadata.cfglint] are present; keep one", own)
            text = _read(own)
            return _parse(text, own), Origin(own, text)
        if in_manifest is not None:
            return in_manifest, Origin(manifest, _read(manifest), METADATA_TABLE)
        if _is_workspace_root(manifest):
            break
    return None


def _read(file: Path) -> str:
    try:
        return file.read_text("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"cannot be read: {error}", file) from error


def _parse(text: str, file: Path) -> Mapping[str, object]:
    try:
        return tomli.loads(text)
    except tomli.TOMLDecodeError as error:
        lines = text.splitlines()
        line = lines[error.lineno - 1] if error.lineno <= len(lines) else ""
        column = len(line[: error.colno - 1].encode()) + 1
        raise ConfigError(
            f"invalid TOML: {error.msg}", file, error.lineno, Excerpt(line, column, column + 1)
        ) from error
    except RecursionError as error:
        raise ConfigError("invalid TOML: nested too deeply", file) from error


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
        origin = Origin(manifest, text, METADATA_TABLE[:-1])
        raise origin.key_error("`workspace.metadata.cfglint` must be a table", METADATA_TABLE[-1])
    return table

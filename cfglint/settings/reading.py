"""One table of settings, read strictly: an unknown key or value is an error, since a setting that does nothing misleads.

Every error says where, and what may have been meant. What only the workspace can tell (whether a package or a feature
exists) is asked later, see packages.
Source of the form: docs/configuration.md.
"""

from __future__ import annotations

import enum
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TypeAlias, TypeVar

from cfglint.config import Dependencies, FailOn, FlagValue, Format, Level, Settings, did_you_mean
from cfglint.manifest.platform import table as target_table
from cfglint.manifest.positions import Key
from cfglint.rulebook import codes_for, rulebook
from cfglint.settings.origin import Origin

TOML: TypeAlias = Mapping[str, object]

WORKSPACE_KEYS = (
    "fail-on",
    "format",
    "select",
    "ignore",
    "levels",
    "targets",
    "dependencies",
    "flags",
    "exclude",
    "exclude-paths",
    "exclusive-features",
    "require-reason",
)
PACKAGE_KEYS = ("ignore", "levels", "targets", "flags", "exclude", "exclusive-features", "require-reason")
_OF_THE_PROFILE = ("test", "debug_assertions", "proc_macro", "doc", "doctest", "overflow_checks", "ub_checks")


def workspace_settings(table: TOML, origin: Origin) -> Settings:
    """The settings of a whole workspace.

    Raises ConfigError for an unknown key or value, or a value of the wrong type.
    """
    read = _Reader(table, origin)
    read.only(WORKSPACE_KEYS, "")
    return Settings(
        fail_on=read.choice("fail-on", FailOn),
        format=read.choice("format", Format),
        dependencies=read.choice("dependencies", Dependencies),
        select=read.codes("select"),
        ignore=read.codes("ignore"),
        targets=read.targets(),
        levels=read.levels(),
        flags=read.flags(),
        exclude=read.strings("exclude") or (),
        exclude_paths=read.path_patterns("exclude-paths"),
        exclusive_features=read.exclusive_features(),
        require_reason=read.boolean("require-reason"),
    )


def package_settings(table: TOML, origin: Origin) -> Settings:
    """The settings of one package; `exclude = true` leaves it out.

    Raises ConfigError as `workspace_settings` does.
    """
    read = _Reader(table, origin)
    read.only(PACKAGE_KEYS, " is a setting of the workspace: write it in cfglint.toml or [workspace.metadata.cfglint]")
    return Settings(
        ignore=read.codes("ignore"),
        targets=read.targets(),
        levels=read.levels(),
        flags=read.flags(),
        exclude=("*",) if read.boolean("exclude") else (),
        exclusive_features=read.exclusive_features(),
        require_reason=read.boolean("require-reason"),
    )


_E = TypeVar("_E", bound=enum.Enum)


@dataclass(frozen=True, slots=True)
class _Reader:
    table: TOML
    origin: Origin

    def only(self, keys: tuple[str, ...], elsewhere: str) -> None:
        """Refuse every other key; one of the workspace's own gets the remark `elsewhere`."""
        for key in self.table:
            if key in keys:
                continue
            if key in WORKSPACE_KEYS:
                raise self.origin.key_error(f"`{key}`{elsewhere}", key)
            raise self.origin.key_error(f"unknown key `{key}`{did_you_mean(key, keys)}", key)

    def strings(self, key: str) -> tuple[str, ...] | None:
        value = self.table.get(key)
        if value is None:
            return None
        return self._strings(value, f"`{key}` must be an array of strings", key)

    def path_patterns(self, key: str) -> tuple[str, ...]:
        """Patterns as in `.gitignore`."""
        patterns = self.strings(key) or ()
        for number, pattern in enumerate(patterns):
            from pathspec import GitIgnoreSpec

            try:
                GitIgnoreSpec.from_lines([pattern])
            except ValueError:
                raise self.origin.key_error(f"`{pattern}` is no pattern as in .gitignore", key, number) from None
        return patterns

    def boolean(self, key: str) -> bool | None:
        value = self.table.get(key)
        if value is None or isinstance(value, bool):
            return value
        raise self.origin.value_error(f"`{key}` must be true or false", key)

    def choice(self, key: str, kind: type[_E]) -> _E | None:
        value = self.table.get(key)
        return None if value is None else self._member(kind, value, key)

    def codes(self, key: str) -> tuple[str, ...] | None:
        """Codes, beginnings of codes, and names of rules, all as codes."""
        words = self.strings(key)
        if words is None:
            return None
        return tuple(self._code(word, key, number) for number, word in enumerate(words))

    def targets(self) -> tuple[str, ...] | None:
        triples = self.strings("targets")
        known = target_table()
        for number, triple in enumerate(triples or ()):
            if not known.rows((triple,)):
                hint = did_you_mean(triple, known.triples)
                raise self.origin.key_error(f"`{triple}` is not a target that rustc knows{hint}", "targets", number)
        return triples

    def levels(self) -> tuple[tuple[str, Level], ...]:
        table = self._table("levels", "`levels` must be a table from codes to `allow`, `warn` or `deny`")
        return tuple(
            (word, level)
            for key, value in table.items()
            for level in (self._member(Level, value, "levels", key),)
            for word in (self._code(key, "levels", key),)
        )

    def flags(self) -> tuple[tuple[str, FlagValue], ...]:
        """`--cfg` flags that are always (true), never (false) or only with these values (strings) set."""
        wanted = "must be true, false, a string or an array of strings"
        found: list[tuple[str, FlagValue]] = []
        for name, value in self._table("flags", "`flags` must be a table from names of flags to their values").items():
            if name in target_table().flags or name in target_table().keys:
                raise self.origin.key_error(f"`{name}` follows from the target: use `targets`", "flags", name)
            if name == "feature" or name in _OF_THE_PROFILE:
                raise self.origin.key_error(f"`{name}` is not a flag that a project sets with `--cfg`", "flags", name)
            if isinstance(value, bool):
                found.append((name, value))
            elif isinstance(value, str):
                found.append((name, (value,)))
            elif isinstance(value, list):
                found.append((name, self._strings(value, f"`{name}` {wanted}", "flags", name)))
            else:
                raise self.origin.value_error(f"`{name}` {wanted}", "flags", name)
        return tuple(found)

    def exclusive_features(self) -> tuple[tuple[str, ...], ...]:
        """Groups of features of which at most one is on in a valid build."""
        key = "exclusive-features"
        message = f"`{key}` must be an array of arrays of at least two features"
        value = self.table.get(key, [])
        if not isinstance(value, list):
            raise self.origin.value_error(message, key)
        groups = []
        for number, group in enumerate(value):
            names = self._strings(group, message, key, number)
            if len(set(names)) < 2:
                raise self.origin.key_error(message, key, number)
            groups.append(names)
        return tuple(groups)

    def _table(self, key: str, message: str) -> TOML:
        value = self.table.get(key, {})
        if not isinstance(value, Mapping):
            raise self.origin.value_error(message, key)
        return value

    def _strings(self, value: object, message: str, *keys: Key) -> tuple[str, ...]:
        if not isinstance(value, list):
            raise self.origin.value_error(message, *keys)
        for number, entry in enumerate(value):
            if not isinstance(entry, str):
                raise self.origin.key_error(message, *keys, number)
        return tuple(value)

    def _code(self, word: str, *keys: Key) -> str:
        code = codes_for(word)
        if code is None:
            words = (word for rule in rulebook() for word in (rule.code, rule.name))
            raise self.origin.key_error(f"unknown rule `{word}`{did_you_mean(word, words)}", *keys)
        return code

    def _member(self, kind: type[_E], value: object, *keys: str) -> _E:
        names = _names(kind)
        if isinstance(value, str) and value in names:
            return kind(value)
        hint = did_you_mean(value, names) if isinstance(value, str) else ""
        raise self.origin.value_error(f"`{keys[-1]}` must be one of {', '.join(names)}{hint}", *keys)


def _names(kind: Iterable[enum.Enum]) -> list[str]:
    return [member.value for member in kind if member is not Level.DEFAULT]

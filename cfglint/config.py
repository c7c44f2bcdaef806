"""What the user asked for: one frozen Config from the command line and the project's own settings.

Values only: settings are read by the room of that name, the command line by `cli`. The command line wins over what a
package says of itself, and that over what the workspace says.
"""

from __future__ import annotations

import difflib
import enum
import fnmatch
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TypeAlias

from cfglint.errors import UsageError

Progress: TypeAlias = Callable[[str, int, int], None]
"""Called with what is being done, how many steps are done, and how many there are."""

FlagValue: TypeAlias = bool | tuple[str, ...]
"""A `--cfg` flag that is always or never set, or the values that `name = "value"` is set to."""

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


class Dependencies(enum.Enum):
    """Whether the sources of dependencies from outside are looked into where they are on disk."""

    READ = "read"
    SKIP = "skip"


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
class Settings:
    """What a project says of itself, or a package; None and empty where it says nothing.

    `flags` are `--cfg` flags with a value once and for all. `exclude` are patterns of package names (in a package's own
    settings `*`, for itself), `exclude_paths` patterns of paths as git ignores them, `exclusive_features` groups of which
    at most one feature is on in a valid build.
    """

    fail_on: FailOn | None = None
    format: Format | None = None
    dependencies: Dependencies | None = None
    select: tuple[str, ...] | None = None
    ignore: tuple[str, ...] | None = None
    targets: tuple[str, ...] | None = None
    levels: tuple[tuple[str, Level], ...] = ()
    flags: tuple[tuple[str, FlagValue], ...] = ()
    exclude: tuple[str, ...] = ()
    exclude_paths: tuple[str, ...] = ()
    exclusive_features: tuple[tuple[str, ...], ...] = ()
    require_reason: bool | None = None


NOTHING_SAID = Settings()


@dataclass(frozen=True, slots=True)
class Narrowing:
    """What the command line takes away from the configurations and packages that are decided.

    `features` are on in every configuration that counts (`package/feature` for one package), `without_default` has
    `default` off and `all_features` everything on. `exclude` are patterns of package names, `whole_workspace` takes all
    members whatever the path says.
    """

    features: tuple[str, ...] = ()
    without_default: bool = False
    all_features: bool = False
    exclude: tuple[str, ...] = ()
    whole_workspace: bool = False


@dataclass(frozen=True, slots=True)
class Config:
    """Everything that decides what a run does. `path` is a directory or a Cargo.toml.

    `select` and `ignore` are prefixes of codes (`CFG0`); an empty `select` means every rule. `levels` are `-A`, `-W` and
    `-D` in the order given: the last one that fits a code wins, as with rustc. `targets` are triples; empty means the
    default ones. `kinds` are crate roots to look at (`lib`, `bins`, `tests`, `examples`, `benches`), empty for all.
    `format` goes to `output_file` or stdout, each of `outputs` to its file as well. `jobs` None means as
    many as there are processors. `baseline` None is the file of that name in the workspace root; `since` is a revision of git.
    `settings` are those of the workspace, `members` those of single packages, by name.
    """

    path: Path
    manifest_path: Path | None = None
    packages: tuple[str, ...] = ()
    narrowing: Narrowing = field(default_factory=Narrowing)
    targets: tuple[str, ...] = ()
    kinds: frozenset[str] = frozenset()
    dependencies: Dependencies = Dependencies.READ
    format: Format = Format.TEXT
    fail_on: FailOn = FailOn.ERROR
    color: ColorChoice = ColorChoice.AUTO
    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    levels: tuple[tuple[str, Level], ...] = ()
    baseline: Path | None = None
    without_baseline: bool = False
    since: str | None = None
    confirm: bool = False
    output_file: Path | None = None
    outputs: tuple[tuple[Format, Path], ...] = ()
    jobs: int | None = None
    quiet: bool = False
    settings: Settings = NOTHING_SAID
    members: tuple[tuple[str, Settings], ...] = ()
    progress: Progress = field(default=silent, compare=False, repr=False)

    @property
    def start(self) -> Path:
        """Where the search for a manifest begins: `--manifest-path` if given, else PATH."""
        return self.manifest_path or self.path

    @property
    def is_narrowed(self) -> bool:
        """Whether fewer configurations are decided than the project has: what is not found may be there all the same."""
        narrowing = self.narrowing
        asked = bool(narrowing.features or narrowing.without_default or narrowing.all_features or self.kinds)
        return asked or self._targets_are_asked_for

    @property
    def _targets_are_asked_for(self) -> bool:
        return self.targets != (self.settings.targets or ())

    def member(self, package: str) -> Settings:
        """What a package says of itself."""
        return dict(self.members).get(package, NOTHING_SAID)

    def targets_of(self, package: str) -> tuple[str, ...]:
        """The triples to decide for; empty for the default ones."""
        if self._targets_are_asked_for:
            return self.targets
        return self.member(package).targets or self.targets

    def flags_of(self, package: str) -> Mapping[str, FlagValue]:
        """The flags with a value once and for all."""
        return dict((*self.settings.flags, *self.member(package).flags))

    def exclusive_features_of(self, package: str) -> tuple[tuple[str, ...], ...]:
        """Groups of features that exclude each other."""
        return (*self.settings.exclusive_features, *self.member(package).exclusive_features)

    def includes(self, package: str) -> bool:
        """Whether a package is asked for by name, or else not left out."""
        if self.packages:
            return _fits(package, self.packages) and not _fits(package, self.narrowing.exclude)
        return not _fits(package, (*self.settings.exclude, *self.narrowing.exclude, *self.member(package).exclude))

    def needs_reason(self, package: str) -> bool:
        """Whether suppressions in a package must say why."""
        said = self.member(package).require_reason
        return bool(self.settings.require_reason if said is None else said)

    def level(self, code: str, package: str = "") -> Level:
        """What is to be made of the rule `code` in a package: `-A/-W/-D` and `levels` first, then `ignore`, then `select`."""
        member = self.member(package)
        for prefix, level in (*self.levels[::-1], *member.levels[::-1], *self.settings.levels[::-1]):
            if code.startswith(prefix):
                return level
        ignored = _longest((*self.ignore, *(member.ignore or ())), code)
        if ignored and ignored >= _longest(self.select, code):
            return Level.ALLOW
        if self.select and not any(map(code.startswith, self.select)):
            return Level.ALLOW
        return Level.DEFAULT


def with_settings(config: Config, settings: Settings, *, given: Iterable[str]) -> Config:
    """`config` with the settings filled in, except for the fields in `given`, which the command line has set."""
    taken = frozenset(given)
    wanted = {
        name: value
        for name in ("fail_on", "format", "select", "ignore", "targets", "dependencies")
        if (value := getattr(settings, name)) is not None and name not in taken
    }
    return replace(config, **wanted, settings=settings)


def did_you_mean(word: str, choices: Iterable[str]) -> str:
    """`; did you mean `x`?` where one of the choices is close, else nothing."""
    folded = word.casefold()
    ranked = sorted((-difflib.SequenceMatcher(None, folded, choice.casefold()).ratio(), choice) for choice in choices)
    return f"; did you mean `{ranked[0][1]}`?" if ranked and ranked[0][0] <= -_CLOSE else ""


def _fits(name: str, patterns: Iterable[str]) -> bool:
    return any(fnmatch.fnmatchcase(name, pattern) for pattern in patterns)


def _longest(prefixes: Iterable[str], code: str) -> int:
    return max((len(prefix) for prefix in prefixes if code.startswith(prefix)), default=0)


def check_jobs(jobs: int | None) -> int | None:
    """`--jobs` must be at least 1 (cargo rejects 0 as well)."""
    if jobs is not None and jobs < 1:
        raise UsageError("--jobs must be at least 1")
    return jobs

"""Cargo command lines: which packages, features, targets and flags a call asks for.

Programs that pass on to cargo (cargo-hack, nextest, cross, ...) are read like cargo, as far as their words are cargo's.
What the words mean in a workspace is `builds`' work.

Source: Cargo book, commands; the help texts of cargo-hack, cargo-nextest, cargo-llvm-cov.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from cfglint.workflow.calls import Call
from cfglint.workflow.expressions import UNKNOWN, is_known

BUILDING = frozenset("bench build check clippy doc fix install package publish run rustc rustdoc test".split())
"""Subcommands that compile something of the workspace."""

_SHORT = {"b": "build", "c": "check", "d": "doc", "r": "run", "t": "test"}
_LIKE_BUILD = {
    "cbuild": "build",
    "cinstall": "build",
    "ctest": "test",
    "zigbuild": "build",
    "xwin": "build",
    "udeps": "check",
    "tarpaulin": "test",
    "criterion": "bench",
}
_PASSING_ON = frozenset("hack nextest llvm-cov miri careful minimal-versions ndk xwin auditable valgrind".split())
_WRAPPERS = frozenset(
    "time nice env sudo exec command nohup timeout stdbuf xvfb-run xargs retry wasmtime unbuffer doas caffeinate".split()
)
_VALUED = frozenset(
    """-p --package --exclude -F --features --target --manifest-path --bin --example --test --bench --profile -j --jobs
    --target-dir --message-format --color --config -Z --path --root --git --branch --rev --tag --version --out-dir
    --partition -E --filter-expr --filterset --retries --test-threads --output-path --lockfile-path --artifact-dir
    --exclude-features --skip --include-features --group-features --mutually-exclusive-features --at-least-one-of
    --depth --version-range --clean-per-version --log-group --ignore-filename-regex --workspace-remap --archive-file
    --build-jobs --no-capture --run-ignored --status-level --final-status-level --cargo-profile --index --registry
    --token -C --kind""".split()
)
_OPTIONAL_VALUES = frozenset({"--optional-deps"})
_KINDS: Mapping[str, str] = {
    "--lib": "lib",
    "--bins": "bins",
    "--bin": "bins",
    "--examples": "examples",
    "--example": "examples",
    "--tests": "tests",
    "--test": "tests",
    "--benches": "benches",
    "--bench": "benches",
    "--all-targets": "all",
    "--doc": "doc",
}


@dataclass(frozen=True, slots=True)
class Hack:
    """What cargo-hack varies: up to `depth` features at a time (None: any number), each package by itself.

    `varies` is False where it only goes through the packages. `groups` are turned on together, of `exclusive` features no
    two, `at_least_one_of` one at least; without and with all features is built unless that is ruled out.
    """

    varies: bool
    depth: int | None = None
    excluded: tuple[str, ...] = ()
    included: tuple[str, ...] = ()
    optional: tuple[str, ...] | None = None
    exclusive: tuple[tuple[str, ...], ...] = ()
    groups: tuple[tuple[str, ...], ...] = ()
    at_least_one_of: tuple[tuple[str, ...], ...] = ()
    builds_without_default: bool = True
    builds_with_all: bool = True
    ignores_unknown: bool = False
    ignores_private: bool = False
    keeps_going: bool = False


@dataclass(frozen=True, slots=True)
class Invocation:
    """One cargo command. `subcommand` is what cargo does in the end (`test` for nextest); `program` who last passes it on.

    `named` are targets selected by name, as (kind, name); `no_dev_deps` tells that cargo-hack takes dev-dependencies out of
    the manifests; `last_flags` are what `cargo rustc` and `cargo rustdoc` hand on for the packages that are named;
    `unknown` says which parts only a run could tell.
    """

    call: Call
    program: str
    subcommand: str
    packages: tuple[str, ...] = ()
    excluded: tuple[str, ...] = ()
    whole_workspace: bool = False
    features: tuple[str, ...] = ()
    all_features: bool = False
    no_default: bool = False
    targets: tuple[str, ...] = ()
    manifest_path: str = ""
    kinds: frozenset[str] = frozenset()
    named: tuple[tuple[str, str], ...] = ()
    release: bool = False
    hack: Hack | None = None
    is_miri: bool = False
    no_dev_deps: bool = False
    last_flags: tuple[str, ...] = ()
    unknown: frozenset[str] = frozenset()

    @property
    def builds(self) -> bool:
        """Whether it compiles anything of a workspace; a program from a registry is not."""
        return self.subcommand in BUILDING and (self.subcommand != "install" or bool(self.manifest_path))

    @property
    def text(self) -> str:
        """The command as one line; what is not known is shown as an ellipsis."""
        return " ".join(self.call.words).replace(UNKNOWN, "…")


def invocations(calls: Iterable[Call], aliases: Mapping[str, Sequence[str]]) -> Iterator[Invocation]:
    """The cargo commands among these calls; `aliases` are those of `.cargo/config.toml`."""
    for call in calls:
        words = unwrapped(call.words)
        if not words:
            continue
        name = words[0].rpartition("/")[2].removesuffix(".exe")
        if name in ("cargo", "cross") or name.startswith("cargo-"):
            found = _of_cargo(call, name, _in_short(name, words[1:]), aliases)
        elif name == "wasm-pack":
            found = _of_wasm_pack(call, words[1:])
        else:
            continue
        if found is not None:
            yield found


def unwrapped(words: Sequence[str]) -> Sequence[str]:
    """The words without programs that run another one (`time`, `env A=1`, `xargs -n1`)."""
    rest = list(words)
    while (program := _program(rest)) in _WRAPPERS:
        del rest[0]
        while _is_wrapper_option(rest):
            del rest[0]
        if program == "xargs":
            rest.append(UNKNOWN)
    return rest[3:] if rest[:2] == ["rustup", "run"] else rest


def _program(words: Sequence[str]) -> str:
    return words[0].rpartition("/")[2] if words else ""


def _is_wrapper_option(words: Sequence[str]) -> bool:
    return bool(words) and (
        words[0].startswith("-") or "=" in words[0] or re.fullmatch(r"\d+[smh]?", words[0]) is not None
    )


def _in_short(name: str, words: Sequence[str]) -> list[str]:
    return [name.removeprefix("cargo-"), *words] if name.startswith("cargo-") else list(words)


def _of_cargo(
    call: Call, name: str, words: list[str], aliases: Mapping[str, Sequence[str]], depth: int = 0
) -> Invocation | None:
    program = "cross" if name == "cross" else "cargo"
    words, before = _after_globals(words)
    if not words:
        return None
    subcommand = words.pop(0)
    if not is_known(subcommand):
        return Invocation(call, program, UNKNOWN, unknown=frozenset({"subcommand"}))
    if subcommand in aliases and subcommand not in BUILDING and depth < 5:
        return _of_cargo(call, name, [*aliases[subcommand], *words], aliases, depth + 1)
    inner_options: list[str] = []
    through: list[str] = []
    while subcommand in _PASSING_ON:
        program = subcommand
        through.append(program)
        inner_options, subcommand, words = _passed_on(program, words, inner_options)
    subcommand = _SHORT.get(subcommand, _LIKE_BUILD.get(subcommand, subcommand))
    return _parsed(call, program, subcommand, [*before, *inner_options, *words], through)


def _after_globals(words: list[str]) -> tuple[list[str], list[str]]:
    """The words from the subcommand on, and cargo's own options before it."""
    words, before = list(words), []
    while words and (words[0].startswith("+") or (words[0].startswith("-") and words[0] != "--")):
        option = words.pop(0)
        if not option.startswith("+"):
            before.append(option)
            if option in _VALUED and words:
                before.append(words.pop(0))
    return words, before


def _passed_on(program: str, words: list[str], options: list[str]) -> tuple[list[str], str, list[str]]:
    """Options of a program that passes on, what it has cargo do, and the rest."""
    known = BUILDING | _SHORT.keys() | _PASSING_ON
    default = {"nextest": "test", "llvm-cov": "test", "hack": "", "ndk": "build", "xwin": "build"}.get(program, "")
    own: list[str] = list(options)
    rest = list(words)
    while rest:
        word = rest[0]
        if word == "--":
            break
        if word.startswith("-"):
            own.append(rest.pop(0))
            if word in _VALUED and rest:
                own.append(rest.pop(0))
            elif word in _OPTIONAL_VALUES and rest and not rest[0].startswith("-") and rest[0] not in known:
                own[-1] = f"{word}={rest.pop(0)}"
            continue
        if program == "nextest":
            rest.pop(0)
            return own, "test" if word in ("run", "list", "archive", "r") else word, rest
        if word in known or (program != "llvm-cov" and is_known(word)):
            rest.pop(0)
            return own, word, rest
        break
    return own, default, rest


def _parsed(call: Call, program: str, subcommand: str, words: list[str], through: Collection[str] = ()) -> Invocation:
    found = _Options()
    rest = list(words)
    while rest:
        word = rest.pop(0)
        if word == "--":
            break
        option, equals, value = word.partition("=")
        if option.startswith("-F") and len(option) > 2:
            option, equals, value = "-F", "=", word[2:]
        elif option.startswith("-p") and not option.startswith("--") and len(option) > 2:
            option, equals, value = "-p", "=", word[2:]
        if not word.startswith("-"):
            if not is_known(word):
                found.unknown.add("words")
            continue
        if option in _VALUED and not equals:
            value = rest.pop(0) if rest else ""
        elif option in _OPTIONAL_VALUES and not equals and rest and not rest[0].startswith("-"):
            value = rest.pop(0)
        found.take(option, value)
    targets = tuple(found.targets) or (
        (call.environment["CARGO_BUILD_TARGET"],) if call.environment.get("CARGO_BUILD_TARGET") else ()
    )
    return Invocation(
        call=call,
        program=program,
        subcommand=subcommand,
        packages=tuple(found.packages),
        excluded=tuple(found.excluded),
        whole_workspace=found.flag("--workspace", "--all"),
        features=tuple(found.features),
        all_features=found.flag("--all-features"),
        no_default=found.flag("--no-default-features"),
        targets=targets,
        manifest_path=found.manifest_path,
        kinds=frozenset(found.kinds),
        named=tuple(found.named),
        release=found.is_release(subcommand),
        # cargo-minimal-versions takes dev-dependencies away and has cargo-hack do the rest.
        hack=found.hack() if "hack" in through or "minimal-versions" in through else None,
        is_miri="miri" in through,
        no_dev_deps="minimal-versions" in through
        or ("hack" in through and found.flag("--no-dev-deps", "--remove-dev-deps")),
        last_flags=tuple(rest) if subcommand in ("rustc", "rustdoc") else (),
        unknown=frozenset(found.unknown),
    )


class _Options:
    """Options taken up one after the other."""

    def __init__(self) -> None:
        self.packages: list[str] = []
        self.excluded: list[str] = []
        self.features: list[str] = []
        self.targets: list[str] = []
        self.kinds: set[str] = set()
        self.named: list[tuple[str, str]] = []
        self.flags: set[str] = set()
        self.manifest_path = ""
        self.profile = ""
        self.unknown: set[str] = set()
        self.lists: dict[str, list[tuple[str, ...]]] = {}

    def flag(self, *names: str) -> bool:
        return not self.flags.isdisjoint(names)

    def take(self, option: str, value: str) -> None:
        self.flags.add(option)
        match option:
            case "-p" | "--package":
                self.note("packages", value)
                self.packages += filter(None, value.split(",") if is_known(value) else [])
            case "--exclude":
                self.note("packages", value)
                self.excluded += filter(None, value.split(",") if is_known(value) else [])
            case "-F" | "--features":
                self.note("features", value)
                self.features += [word for word in re.split(r"[\s,]+", value) if word and is_known(word)]
            case "--target":
                self.note("targets", value)
                self.targets.append(value)
            case "--manifest-path" | "--path":
                self.note("packages", value)
                self.manifest_path = value if option == "--manifest-path" else f"{value}/Cargo.toml"
            case "--profile":
                self.profile = value
            case "--optional-deps" | "--depth":
                self.lists.setdefault(option, []).append(tuple(re.split(r"[\s,]+", value)) if value else ())
            case _ if value and option.startswith("--"):
                self.lists.setdefault(option, []).append(tuple(word for word in re.split(r"[\s,]+", value) if word))
        if option in _KINDS:
            self.kinds.add(_KINDS[option])
            if option in ("--bin", "--example", "--test", "--bench") and is_known(value) and value:
                self.named.append((option[2:], value))
        if not is_known(option):
            self.unknown.add("words")

    def is_release(self, subcommand: str) -> bool:
        """Whether optimised code is built; benches and what is installed are by default (Cargo book, Profiles)."""
        if self.profile:
            return self.profile in ("release", "bench")
        return self.flag("--release", "-r") or (subcommand in ("bench", "install") and not self.flag("--debug"))

    def note(self, what: str, value: str) -> None:
        if not is_known(value):
            self.unknown.add(what)

    def hack(self) -> Hack:
        def words(*names: str) -> tuple[str, ...]:
            return tuple(word for name in names for group in self.lists.get(name, ()) for word in group)

        powerset, each = self.flag("--feature-powerset"), self.flag("--each-feature")
        depth = words("--depth")
        return Hack(
            varies=powerset or each,
            depth=1 if not powerset else int(depth[0]) if depth and depth[0].isdigit() else None,
            excluded=words("--exclude-features", "--skip"),
            included=words("--include-features"),
            optional=words("--optional-deps") if self.flag("--optional-deps") else None,
            exclusive=tuple(self.lists.get("--mutually-exclusive-features", ())),
            groups=tuple(self.lists.get("--group-features", ())),
            at_least_one_of=tuple(self.lists.get("--at-least-one-of", ())),
            builds_without_default=not self.flag("--exclude-no-default-features", "--skip-no-default-features"),
            builds_with_all=not self.flag("--exclude-all-features"),
            ignores_unknown=self.flag("--ignore-unknown-features"),
            ignores_private=self.flag("--ignore-private", "--no-private"),
            keeps_going=self.flag("--keep-going"),
        )


def _of_wasm_pack(call: Call, words: Sequence[str]) -> Invocation | None:
    """`wasm-pack test --node -- --features x`: what stands behind `--` is cargo's."""
    if not words or words[0] not in ("build", "test"):
        return None
    rest = list(words[words.index("--") + 1 :]) if "--" in words else []
    found = _parsed(call, "wasm-pack", words[0], rest)
    is_release = "--release" in words or (words[0] == "build" and not {"--dev", "--debug"} & set(words))
    return replace(found, targets=found.targets or ("wasm32-unknown-unknown",), release=is_release)

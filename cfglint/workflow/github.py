"""GitHub workflows: what the steps of every job run, for every combination of its matrix.

Followed are reusable workflows and composite actions of the same repository; those of others are gaps. A script in another
language than shell is a gap.

Source: GitHub docs, workflow syntax; the default shell stops at the first failure (`bash -e`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from cfglint.manifest.platform import HOST
from cfglint.workflow import matrix_axes
from cfglint.workflow import yaml_nodes as y
from cfglint.workflow.calls import Call, Gap, Origin, Place, Recorded
from cfglint.workflow.excerpts import Excerpt, Source, read_source
from cfglint.workflow.expressions import UNKNOWN, Lookup, filled, is_known, truth_of, value_of
from cfglint.workflow.interpreter import interpret
from cfglint.workflow.shell_state import Setting, State
from cfglint.workflow.shell_words import Variables, stand_ins

FOLDER = ".github/workflows"
_DEEPEST = 5
_BUILDS = re.compile(r"cargo|cross|rust", re.IGNORECASE)
_CARGO_ACTIONS = re.compile(r"/cargo@|/actions-rust-cross@|/clippy-check@")
_HANDED_ON = re.compile(r"\bcargo\s+(?:\+\S+\s+)?(?:build|check|clippy|hack|nextest|test)\b")
_VIRTUAL_MACHINES = re.compile(r"^(?:vmactions/(\w+)-vm|cross-platform-actions/action)@")
_SYSTEMS = {
    "dragonflybsd": "x86_64-unknown-dragonfly",
    "freebsd": "x86_64-unknown-freebsd",
    "netbsd": "x86_64-unknown-netbsd",
    "omnios": "x86_64-unknown-illumos",
    "openbsd": "x86_64-unknown-openbsd",
    "solaris": "x86_64-pc-solaris",
}
_SHELLS = ("bash", "sh")
_RUNNERS = (
    (r"windows.*arm", "aarch64-pc-windows-msvc"),
    (r"windows", "x86_64-pc-windows-msvc"),
    (r"macos.*(?:intel|large\b)|macos-(?:11|12|13)$", "x86_64-apple-darwin"),
    (r"macos", "aarch64-apple-darwin"),
    (r"(?:ubuntu|linux).*(?:arm|aarch64)", "aarch64-unknown-linux-gnu"),
)


@dataclass(frozen=True, slots=True, eq=False)
class Job:
    """A job as written, for rules that look at it as a whole: where its matrix stands and whether it stops at a failure."""

    origin: Origin
    source: Source
    node: y.Node
    axes: matrix_axes.Axes
    matrix_node: y.Node | None
    fails_fast: bool
    first: int
    last: int


@dataclass(slots=True)
class Workflows:
    """All that was read: commands, gaps, jobs."""

    recorded: Recorded = field(default_factory=Recorded)
    jobs: list[Job] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class _Scope:
    """What an expression can see: a combination of the matrix, inputs, and environments from the outside in."""

    matrix: matrix_axes.Combination
    axes_known: bool
    inputs: Mapping[str, str]
    environment: Mapping[str, str]
    host: str = HOST

    def lookup(self, name: str) -> str | None:
        kind, _, rest = name.partition(".")
        match kind:
            case "matrix":
                return matrix_axes.lookup(self.matrix, rest, is_known=self.axes_known)
            case "env":
                return self.environment.get(rest)
            case "inputs":
                return self.inputs.get(rest)
            case _:
                return None

    def with_environment(self, node: y.Node | None) -> _Scope:
        found = dict(self.environment)
        for name, _, value in y.entries(node):
            found[name] = filled(y.text(value) or "", self.lookup)
        return replace(self, environment=found)


def read_workflows(root: Path, into: Workflows) -> None:
    """Everything below `.github/workflows` of a repository."""
    folder = root / FOLDER
    try:
        files = sorted(path for path in folder.iterdir() if path.suffix in (".yml", ".yaml"))
    except OSError:
        return
    for file in files:
        _Reader(root, into).workflow(file, {})


class _Reader:
    """One workflow, and those that it calls."""

    def __init__(self, root: Path, into: Workflows) -> None:
        self.root = root
        self.into = into

    def gap(self, source: Source, node: y.Node, reason: str) -> None:
        line, _ = y.position(source, node)
        self.into.recorded.gaps[Gap(str(source.path), line, reason)] = None

    def document(self, file: Path) -> tuple[Source, y.Node] | None:
        source = read_source(file)
        if source is None:
            self.into.recorded.gaps[Gap(str(file), 1, "cannot be read")] = None
            return None
        found = y.documents(source)
        if isinstance(found, y.Broken):
            self.into.recorded.gaps[Gap(str(file), found.line, found.reason)] = None
            return None
        return (source, found[0]) if found else None

    def workflow(self, file: Path, inputs: Mapping[str, str], depth: int = 0) -> None:
        found = self.document(file)
        if found is None:
            return
        source, root = found
        # Called by another workflow, the inputs are its; by hand, nobody knows them.
        defaults = {
            name: y.text(y.get(value, "default")) or UNKNOWN
            for kind in ("workflow_call", "workflow_dispatch")
            for name, _, value in y.entries(y.get(root, "on", kind, "inputs"))
        }
        scope = _Scope({}, axes_known=True, inputs={**defaults, **inputs}, environment={}).with_environment(
            y.get(root, "env")
        )
        for name, _, job in y.entries(y.get(root, "jobs")):
            self.job(source, root, name, job, scope, depth)

    def job(self, source: Source, root: y.Node, name: str, node: y.Node, scope: _Scope, depth: int) -> None:
        matrix_node = y.get(node, "strategy", "matrix")
        axes = matrix_axes.axes(matrix_node)
        if not axes.is_known and matrix_node is not None:
            self.gap(source, matrix_node, "a matrix that is made at run time")
        origin = Origin(source.path.relative_to(self.root).as_posix(), name)
        first = len(self.into.recorded.calls)
        for one in axes.combinations:
            inner = replace(scope, matrix=one, axes_known=axes.is_known).with_environment(y.get(node, "env"))
            inner = replace(inner, host=_host(y.get(node, "runs-on"), inner.lookup))
            condition = y.text(y.get(node, "if"))
            if condition is not None and truth_of(condition, inner.lookup) is False:
                continue
            uses = y.get(node, "uses")
            if uses is not None:
                self.called(source, node, uses, inner, depth)
            else:
                self.steps(source, root, node, origin, inner, depth)
        fails_fast = (y.text(y.get(node, "strategy", "fail-fast")) or "true") != "false"
        self.into.jobs.append(
            Job(origin, source, node, axes, matrix_node, fails_fast, first, len(self.into.recorded.calls))
        )

    def called(self, source: Source, node: y.Node, uses: y.Node, scope: _Scope, depth: int) -> None:
        """A reusable workflow."""
        name = y.text(uses) or ""
        if not name.startswith("./"):
            self.gap(source, uses, f"the workflow `{name.partition('@')[0]}` of another repository is not read")
            return
        if depth >= _DEEPEST:
            return
        inputs = {key: filled(y.text(value) or "", scope.lookup) for key, _, value in y.entries(y.get(node, "with"))}
        file = self.inside(name)
        if file is None:
            self.gap(source, uses, "a path that leads out of the repository")
        else:
            self.workflow(file, inputs, depth + 1)

    def inside(self, name: str) -> Path | None:
        """A path of the repository as `uses: ./..` gives it."""
        parts = name.removeprefix("./").split("/")
        return None if ".." in parts or "" in parts[:1] else self.root.joinpath(*parts)

    def steps(self, source: Source, root: y.Node, node: y.Node, origin: Origin, scope: _Scope, depth: int) -> None:
        exported: dict[str, tuple[str, ...]] = {}
        for step in y.items(y.get(node, "steps")) if y.is_sequence(y.get(node, "steps")) else []:
            title = filled(y.text(y.get(step, "name")) or "", scope.lookup)
            own = Origin(origin.workflow, origin.job, title)
            inner = scope.with_environment(y.get(step, "env"))
            condition = y.text(y.get(step, "if"))
            if condition is not None and truth_of(condition, inner.lookup) is False:
                continue
            run = y.get(step, "run")
            if run is not None:
                shell = _default(root, node, step, "shell")
                folder = _default(root, node, step, "working-directory")
                after = self.run(source, run, own, inner, exported, shell, folder, is_detached=_is_detached(step))
                exported.update(_exports(after))
            elif y.get(step, "uses") is not None:
                self.action(source, step, own, inner, exported, depth)

    def run(
        self,
        source: Source,
        node: y.Node,
        origin: Origin,
        scope: _Scope,
        exported: Mapping[str, tuple[str, ...]],
        shell: str | None,
        folder: str | None,
        *,
        is_detached: bool,
    ) -> list[State]:
        excerpt = y.excerpt(source, node)
        if excerpt is None:
            return []
        # `$IsWindows` and the like aside, what such scripts call looks the same in PowerShell.
        if shell is not None and not shell.startswith((*_SHELLS, "pwsh", "powershell")):
            if _BUILDS.search(excerpt.text):
                self.gap(source, node, f"a script for `{shell}` is not read")
            return []
        text, expressions = stand_ins(excerpt.text)
        variables: Variables = {key: (value,) for key, value in scope.environment.items()}
        variables.update(exported)
        variables |= {name: (value_of(expression, scope.lookup),) for name, expression in expressions.items()}
        where = filled(folder or "", scope.lookup)
        state = State(variables, {}, _normal(where) if is_known(where) else None)
        errexit = shell is None or shell in _SHELLS or "e" in "".join(re.findall(r"\s-(\w+)", shell))
        setting = Setting(
            self.root,
            origin,
            errexit,
            pipefail=shell == "bash",
            variant=_spelled(scope.matrix),
            is_detached=is_detached,
            host=scope.host,
        )
        return interpret(Excerpt(source, text, excerpt.indices), setting, [state], self.into.recorded)

    def action(
        self,
        source: Source,
        step: y.Node,
        origin: Origin,
        scope: _Scope,
        exported: Mapping[str, tuple[str, ...]],
        depth: int,
    ) -> None:
        uses = y.get(step, "uses")
        assert uses is not None, "asked for by the caller"
        name = y.text(uses) or ""
        given = {key: filled(y.text(value) or "", scope.lookup) for key, _, value in y.entries(y.get(step, "with"))}
        if name.startswith("./"):
            self.composite(name, given, origin, scope, depth)
        elif _CARGO_ACTIONS.search(name):
            self.cargo_action(source, step, given, origin, scope, exported)
        elif (found := _VIRTUAL_MACHINES.match(name)) is not None:
            host = _SYSTEMS.get(found[1] or given.get("operating_system", ""), scope.host)
            node = y.get(step, "with", "run")
            if node is not None:
                self.run(
                    source,
                    node,
                    origin,
                    replace(scope, host=host),
                    exported,
                    "sh",
                    None,
                    is_detached=_is_detached(step),
                )
        elif any(_HANDED_ON.search(text) for text in given.values()):
            self.gap(source, uses, f"the script that `{name.partition('@')[0]}` is handed is not read")

    def composite(self, name: str, given: Mapping[str, str], origin: Origin, scope: _Scope, depth: int) -> None:
        folder = self.inside(name)
        if folder is None:
            return
        file = next((folder / each for each in ("action.yml", "action.yaml") if (folder / each).is_file()), None)
        found = self.document(file) if file is not None and depth < _DEEPEST else None
        if found is None:
            return
        source, root = found
        defaults = {key: y.text(y.get(value, "default")) or "" for key, _, value in y.entries(y.get(root, "inputs"))}
        inner = replace(scope, inputs={**defaults, **given})
        runs = y.get(root, "runs")
        if runs is not None:
            self.steps(source, root, runs, origin, inner, depth + 1)

    def cargo_action(
        self,
        source: Source,
        step: y.Node,
        given: Mapping[str, str],
        origin: Origin,
        scope: _Scope,
        exported: Mapping[str, tuple[str, ...]],
    ) -> None:
        """`uses: ../cargo@v1 with: {command: check, args: ..}`, by custom."""
        program = "cross" if given.get("use-cross") == "true" else "cargo"
        words = [program, *given.get("command", "clippy").split(), *given.get("args", "").split()]
        if "target" in given and "--target" not in words and given["target"]:
            words += ["--target", given["target"]]
        line, column = y.position(source, y.get(step, "uses") or step)
        variables = {**scope.environment, **{key: value[0] for key, value in exported.items() if value}}
        folder = given.get("working-directory", "")
        self.into.recorded.calls.append(
            Call(
                words=tuple(words),
                place=Place(source, line, column),
                origin=origin,
                script=self.into.recorded.scripts,
                environment=variables,
                cwd=_normal(folder) if is_known(folder) else None,
                stops=True,
                variant=_spelled(scope.matrix),
                host=scope.host,
            )
        )
        self.into.recorded.scripts += 1


def _exports(states: Sequence[State]) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Variables of a script that `GITHUB_ENV` carries on; which were written there is marked by the interpreter."""
    for state in states[:1]:
        for name in state.exported:
            yield name, state.variables.get(name, (UNKNOWN,))


def _host(node: y.Node | None, lookup: Lookup) -> str:
    """The triple of the machine that `runs-on` asks for (GitHub docs, GitHub-hosted runners)."""
    labels = [filled(y.text(item) or "", lookup).casefold() for item in y.items(node)]
    for label in labels:
        for pattern, triple in _RUNNERS:
            if re.search(pattern, label):
                return triple
    return HOST


def _is_detached(step: y.Node) -> bool:
    """Whether a step neither stops the job by failing nor is left out where another fails."""
    condition = y.text(y.get(step, "if")) or ""
    return y.text(y.get(step, "continue-on-error")) == "true" or any(
        word in condition for word in ("always()", "cancelled()", "failure()")
    )


def _default(root: y.Node, job: y.Node, step: y.Node, key: str) -> str | None:
    """A setting of a step, the job's default, the workflow's default."""
    for node in (y.get(step, key), y.get(job, "defaults", "run", key), y.get(root, "defaults", "run", key)):
        found = y.text(node)
        if found is not None:
            return found
    return None


def _normal(folder: str) -> str | None:
    parts = [part for part in folder.replace("\\", "/").split("/") if part not in ("", ".")]
    if folder.startswith("/") or ".." in parts:
        return None
    return "/".join(parts)


def _spelled(matrix: matrix_axes.Combination) -> str:
    return ", ".join(text for text in matrix.values() if is_known(text))

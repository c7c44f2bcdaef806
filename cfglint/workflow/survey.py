"""Everything that CI does with a workspace: commands read, what they build, what could not be read.

Where CI's files are is looked up from the workspace upwards: its own folder, or the repository around it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from cfglint.errors import ManifestError
from cfglint.manifest.document import exists, read_document
from cfglint.manifest.package import Package
from cfglint.manifest.unification import Setting
from cfglint.manifest.workspace import Workspace
from cfglint.workflow import gitlab
from cfglint.workflow.builds import Build, builds, select
from cfglint.workflow.calls import Call, Gap
from cfglint.workflow.github import FOLDER, Job, Workflows, read_workflows
from cfglint.workflow.invocations import Invocation, invocations, unwrapped
from cfglint.workflow.neighbours import Neighbours


@dataclass(frozen=True, slots=True, eq=False)
class Survey:
    """What was read. `prefix` leads from the repository to the workspace; `hidden` are commands that may build more."""

    repository: Path
    prefix: str
    workspace: Workspace
    setting: Setting
    calls: tuple[Call, ...]
    jobs: tuple[Job, ...]
    invocations: tuple[Invocation, ...]
    gaps: tuple[Gap, ...]
    hidden: tuple[Gap, ...]

    def derived_jobs(self, package: Package) -> tuple[str, ...]:
        """The jobs in which `cfglint run` builds the derived matrix, hence every gate of a package on and off."""
        found: dict[str, None] = {}
        for call in self.calls:
            words = unwrapped(call.words)
            if list(words[:1]) == ["cargo"]:
                words = words[1:]
            if [word.rpartition("/")[2] for word in words[:2]] != ["cfglint", "run"]:
                continue
            strategies = [words[index + 1] for index, word in enumerate(words[:-1]) if word == "--strategy"]
            named = [words[index + 1] for index, word in enumerate(words[:-1]) if word in ("-p", "--package")]
            if strategies in ([], ["derived"]) and "--matrix" not in words and (not named or package.name in named):
                found[str(call.origin)] = None
        return tuple(found)

    @property
    def has_ci(self) -> bool:
        """Whether there is anything to look at."""
        return bool(self.calls or self.jobs or self.gaps)

    def builds_by_package(self) -> Mapping[Package, list[Build]]:
        """What is compiled of each package."""
        found: dict[Package, list[Build]] = {package: [] for package in self.workspace.packages}
        others = Neighbours(self.repository, self.workspace)
        for invocation in self.invocations:
            for build in builds(invocation, self.workspace, self.setting, self.prefix):
                if build.package in found:
                    found[build.package].append(build)
            if invocation.builds and select(invocation, self.workspace, self.prefix).is_foreign:
                for build in others.builds(invocation):
                    found[build.package].append(build)
        return found


def survey(workspace: Workspace, setting: Setting) -> Survey:
    """Read the CI of the repository that a workspace is in."""
    repository = repository_of(workspace.root)
    found = Workflows()
    read_workflows(repository, found)
    gitlab.read_pipelines(repository, found)
    calls = tuple(found.recorded.calls)
    read = tuple(_distinct(_without_dev_deps(invocations(calls, aliases(repository, workspace.root)))))
    gaps = tuple(sorted(found.recorded.gaps))
    prefix = "" if repository == workspace.root else workspace.root.relative_to(repository).as_posix()
    hidden = (*(gap for gap in gaps), *_programs(read))
    return Survey(
        repository, prefix, workspace, setting, calls, tuple(found.jobs), read, gaps, tuple(sorted(set(hidden)))
    )


def repository_of(root: Path) -> Path:
    """The nearest folder from the workspace upwards that has CI files or is a repository; the workspace itself if none."""
    for folder in (root, *root.parents):
        if (folder / FOLDER).is_dir() or (folder / gitlab.FILE).is_file():
            return folder
        if (folder / ".git").exists():
            return folder
    return root


def aliases(repository: Path, root: Path) -> Mapping[str, Sequence[str]]:
    """`[alias]` of `.cargo/config.toml` (Cargo book, configuration)."""
    found: dict[str, Sequence[str]] = {}
    for folder in dict.fromkeys((repository, root)):
        for name in ("config.toml", "config"):
            file = folder / ".cargo" / name
            if not exists(file):
                continue
            try:
                table = read_document(file).root.table("alias")
            except ManifestError:
                continue
            for key, value in table.data.items():
                if isinstance(value, str):
                    found[key] = value.split()
                elif isinstance(value, list):
                    found[key] = [str(word) for word in value]
    return found


def _without_dev_deps(found: Iterable[Invocation]) -> Iterable[Invocation]:
    """The commands, those behind a `cargo hack --remove-dev-deps` of the same job without dev-dependencies."""
    removed: set[tuple[str, str, str]] = set()
    for one in found:
        job = (one.call.origin.workflow, one.call.origin.job, one.call.variant)
        if one.hack is not None and "--remove-dev-deps" in one.call.words:
            removed.add(job)
        yield replace(one, no_dev_deps=True) if job in removed else one


def _distinct(found: Iterable[Invocation]) -> Iterable[Invocation]:
    """Each command once: a matrix that does not change it repeats it."""
    seen: set[tuple[object, ...]] = set()
    for one in found:
        call = one.call
        key = (
            str(call.place.source.path),
            call.place.line,
            call.place.column,
            call.words,
            tuple(sorted(call.environment.items())),
            call.cwd,
            call.origin.job,
            call.host,
            one.no_dev_deps,
        )
        if key not in seen:
            seen.add(key)
            yield one


def _programs(found: Iterable[Invocation]) -> Iterable[Gap]:
    """Programs of the workspace that are run, and may well call cargo themselves; commands that are not known."""
    for one in found:
        place = one.call.place
        ran = [name for name in one.packages if "xtask" in name] if one.subcommand == "run" else []
        if ran:
            reason = f"`{ran[0]}` is a program, and what it calls is not read"
            yield Gap(str(place.source.path), place.line, reason)
        elif "subcommand" in one.unknown:
            yield Gap(str(place.source.path), place.line, "a cargo command that only a run could tell")

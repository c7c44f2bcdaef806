"""GitLab CI: the scripts of every job of `.gitlab-ci.yml`, with `extends`, `default`, `variables` and `parallel: matrix`.

Local `include`s are followed; those of other projects, and what rules decide at run time, are not.

Source: GitLab docs, CI/CD YAML syntax reference. Every command of a script stops the job when it fails.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from pathlib import Path

from cfglint.workflow import yaml_nodes as y
from cfglint.workflow.calls import Gap, Origin
from cfglint.workflow.excerpts import Source, read_source
from cfglint.workflow.expressions import UNKNOWN
from cfglint.workflow.github import Workflows
from cfglint.workflow.interpreter import interpret
from cfglint.workflow.shell_state import Setting, State
from cfglint.workflow.shell_words import Variables

FILE = ".gitlab-ci.yml"
_NO_JOBS = frozenset(
    "default include stages variables workflow image services cache before_script after_script spec".split()
)
_DEEPEST = 5
_MOST = 256
_PARTS = ("before_script", "script", "after_script")


def read_pipelines(root: Path, into: Workflows) -> None:
    """The pipeline of a repository, if it has one."""
    if (root / FILE).is_file():
        _Reader(root, into).file(root / FILE, 0)


class _Reader:
    """The pipeline file and what it includes; jobs may extend templates of any of them."""

    def __init__(self, root: Path, into: Workflows) -> None:
        self.root = root
        self.into = into
        self.templates: dict[str, y.Node] = {}

    def file(self, file: Path, depth: int) -> None:
        source = read_source(file)
        found = y.documents(source) if source is not None else y.Broken("cannot be read", 1)
        if source is None or isinstance(found, y.Broken):
            broken = found if isinstance(found, y.Broken) else y.Broken("cannot be read", 1)
            self.into.recorded.gaps[Gap(str(file), broken.line, broken.reason)] = None
            return
        for document in found:
            self.includes(source, document, depth)
            for name, _, job in y.entries(document):
                self.templates.setdefault(name, job)
            for name, _, job in y.entries(document):
                if name not in _NO_JOBS and not name.startswith(".") and y.is_mapping(job):
                    self.job(source, document, name, job)

    def includes(self, source: Source, document: y.Node, depth: int) -> None:
        node = y.get(document, "include")
        entries = y.items(node) if not y.is_mapping(node) else [node] if node is not None else []
        for entry in entries:
            local = y.text(entry) or y.text(y.get(entry, "local"))
            if local is not None and "://" not in local and depth < _DEEPEST:
                path = self.root / local.lstrip("/")
                if ".." not in Path(local).parts and path.is_file():
                    self.file(path, depth + 1)
                    continue
            line, _ = y.position(source, entry)
            self.into.recorded.gaps[Gap(str(source.path), line, "an include that is not in this repository")] = None

    def job(self, source: Source, document: y.Node, name: str, job: y.Node) -> None:
        variables = {**self.variables(document), **self.variables(y.get(document, "default")), **self.inherited(job)}
        origin = Origin(source.path.relative_to(self.root).as_posix(), name)
        for chosen in _parallel(y.get(job, "parallel", "matrix")):
            known: Variables = {key: (text,) for key, text in {**variables, **chosen}.items()}
            states = [State(known, {}, "")]
            for part in _PARTS:
                node = self.inherited_node(job, part) or y.get(document, "default", part) or y.get(document, part)
                for line in _lines(node):
                    excerpt = y.excerpt(source, line)
                    if excerpt is not None:
                        setting = Setting(
                            self.root, origin, errexit=part != "after_script", variant=", ".join(chosen.values())
                        )
                        states = interpret(excerpt, setting, states, self.into.recorded)

    def variables(self, node: y.Node | None) -> dict[str, str]:
        return {
            key: text
            for key, _, value in y.entries(y.get(node, "variables"))
            if (text := y.text(value) or y.text(y.get(value, "value"))) is not None
        }

    def inherited(self, job: y.Node, depth: int = 0) -> dict[str, str]:
        found: dict[str, str] = {}
        for base in self.bases(job) if depth < _DEEPEST else ():
            found.update(self.inherited(base, depth + 1))
        return found | self.variables(job)

    def inherited_node(self, job: y.Node, part: str, depth: int = 0) -> y.Node | None:
        own = y.get(job, part)
        if own is not None or depth >= _DEEPEST:
            return own
        found = [self.inherited_node(base, part, depth + 1) for base in self.bases(job)]
        return next((node for node in reversed(found) if node is not None), None)

    def bases(self, job: y.Node) -> Iterator[y.Node]:
        for entry in y.items(y.get(job, "extends")):
            base = self.templates.get(y.text(entry) or "")
            if base is not None:
                yield base


def _lines(node: y.Node | None) -> Iterator[y.Node]:
    """The commands of a script; lists within lists (by anchors) are one list."""
    for item in y.items(node):
        if y.is_sequence(item):
            yield from y.items(item)
        else:
            yield item


def _parallel(node: y.Node | None) -> list[Mapping[str, str]]:
    """The combinations of `parallel: matrix`: each entry is a product of its lists."""
    found: list[Mapping[str, str]] = []
    for entry in y.items(node) if y.is_sequence(node) else []:
        axes = [
            [(key, text) for item in y.items(value) if (text := y.text(item)) is not None] or [(key, UNKNOWN)]
            for key, _, value in y.entries(entry)
        ]
        found.extend(dict(chosen) for chosen in itertools.islice(itertools.product(*axes), _MOST))
    return found or [{}]

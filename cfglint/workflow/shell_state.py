"""What the interpreter of scripts carries along: states of a shell, settings, and small questions about commands."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from cfglint.manifest.platform import HOST
from cfglint.syntax import shell
from cfglint.workflow.calls import Origin
from cfglint.workflow.expressions import UNKNOWN, is_known
from cfglint.workflow.shell_words import Variables

MOST_STATES = 8
"""States that a script may be in at once; beyond them they are merged."""

_ENDS = frozenset({"exit", "break", "return"})


@dataclass(slots=True)
class State:
    """What a shell knows at one point: variables, functions, where it is, and what it handed on to later steps."""

    variables: Variables
    functions: dict[str, shell.Node] = field(default_factory=dict)
    cwd: str | None = ""
    exported: frozenset[str] = frozenset()

    def copy(self) -> State:
        """A state that can go its own way."""
        return State(dict(self.variables), dict(self.functions), self.cwd, self.exported)

    def key(self) -> tuple[object, ...]:
        """Equal for states that behave alike."""
        return (tuple(sorted(self.variables.items())), self.cwd)


@dataclass(frozen=True, slots=True)
class Setting:
    """Where a script runs: the repository, who runs it, whether a failure ends it, and whether pipes count."""

    root: Path
    origin: Origin
    errexit: bool = True
    pipefail: bool = False
    variant: str = ""
    is_detached: bool = False
    host: str = HOST


def goals(name: str, words: Sequence[str], cwd: str | None) -> tuple[str | None, list[str], dict[str, str]]:
    """Where make or just looks for its file, what it is asked for, and variables on its command line."""
    goals: list[str] = []
    overrides: dict[str, str] = {}
    rest = list(words)
    while rest:
        word = rest.pop(0)
        key, equals, value = word.partition("=")
        if word in ("-C", "--directory", "-d", "--working-directory") and rest:
            cwd = joined(cwd, rest.pop(0))
        elif word in ("-f", "--file", "-j", "--jobs", "--justfile") and rest and (word != "-j" or rest[0].isdigit()):
            rest.pop(0)
        elif equals and key.replace("_", "a").isalnum() and (name != "just" or not goals):
            overrides[key] = value
        elif not word.startswith("-") or (name == "just" and goals):
            goals.append(word)
    return cwd, goals, overrides


def bounded(states: Iterable[State]) -> list[State]:
    """The distinct states; beyond a few, one that knows only what they agree on."""
    unique = {state.key(): state for state in states}
    found = list(unique.values())
    if len(found) <= MOST_STATES:
        return found
    merged = found[0].copy()
    for other in found[1:]:
        for key in {*merged.variables, *other.variables}:
            if merged.variables.get(key) != other.variables.get(key):
                merged.variables[key] = (UNKNOWN,)
        if merged.cwd != other.cwd:
            merged.cwd = None
    return [merged]


def copies(states: Iterable[State]) -> list[State]:
    """Each state anew, to go its own way."""
    return [state.copy() for state in states]


def set_arguments(variables: Variables, arguments: Sequence[str]) -> None:
    """Let `$1`, `$@` and the like be these."""
    for key in [key for key in variables if key.isdigit()]:
        del variables[key]
    variables["@"] = variables["*"] = tuple(arguments)
    variables.update({str(number): (text,) for number, text in enumerate(arguments, start=1)})


def joined(cwd: str | None, name: str) -> str | None:
    """Where `cd name` leads; None where that is not known or outside of the repository."""
    if cwd is None or not is_known(name) or name in ("-", "~") or posixpath.isabs(name):
        return None
    joined = posixpath.normpath(posixpath.join(cwd, name))
    return None if joined.startswith("..") else ("" if joined == "." else joined)


def joins_outputs(redirects: Iterable[shell.Redirect]) -> bool:
    """Whether standard error goes where standard output goes."""
    return any(redirect.operator == ">&" and redirect.descriptor == "2" for redirect in redirects)


def teed(downstream: Iterable[tuple[str, ...]]) -> str:
    """The file that a `tee` further down a pipeline writes to."""
    for words in downstream:
        if words and words[0] == "tee":
            return next((word for word in words[1:] if not word.startswith("-")), "")
    return ""


def gives_up(node: shell.Node) -> bool:
    """Whether what is done after a failure ends the loop or the script."""
    match node:
        case shell.Command(_, words):
            first = words[0].parts if words else ()
            return len(first) == 1 and isinstance(first[0], shell.Text) and first[0].text in _ENDS
        case shell.Block(items):
            return any(gives_up(item) for item in items)
        case _:
            return False

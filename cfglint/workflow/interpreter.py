"""What a script would run: its commands with variables filled in, loops gone through, functions and scripts followed.

Both sides of an `if` are taken, for what decides it is rarely known; what the sides set differently goes on as several
states, up to a few. A value that only a run could tell is `UNKNOWN`, and so is every word that holds it.

What this deliberately does not do: run anything, evaluate tests or arithmetic, or go on for ever: loops, states, calls
and nesting are bounded, and what is left out is a gap.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from cfglint.syntax import shell
from cfglint.syntax.shell_parser import parse_script
from cfglint.workflow import recipes
from cfglint.workflow.calls import KEPT_VARIABLES, Call, Gap, Loop, Place, Recorded
from cfglint.workflow.excerpts import Excerpt, read_source, whole
from cfglint.workflow.expressions import UNKNOWN, is_known
from cfglint.workflow.shell_state import (
    Setting,
    State,
    bounded,
    copies,
    gives_up,
    goals,
    joined,
    joins_outputs,
    set_arguments,
    teed,
)
from cfglint.workflow.shell_words import Variables, expand, expand_one, mentioned

_MOST_VALUES = 300
_MOST_CALLS = 20_000
_DEEPEST = 16
_SHELLS = frozenset({"bash", "sh", "dash", "zsh"})
_BUILTINS = frozenset(
    "echo printf true false exit return break continue shift set export local read cd : test [".split()
)


def interpret(excerpt: Excerpt, setting: Setting, states: Sequence[State], recorded: Recorded) -> list[State]:
    """Record what a script runs, from each of these states; returns the states at its end."""
    return _Interpreter(excerpt, setting, recorded, depth=0).script(states)


@dataclass(frozen=True, slots=True)
class _Around:
    """What surrounds a command: whether its failure is looked at, loops, pipeline, where its output goes."""

    guarded: bool = False
    ends_on_failure: bool = False
    loops: tuple[Loop, ...] = ()
    upstream: tuple[tuple[str, ...], ...] = ()
    downstream: tuple[tuple[str, ...], ...] = ()
    kept_in: str = ""
    discards: bool = False
    assignments: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


class _Interpreter:
    """One script (or one script called by another) on its way."""

    def __init__(self, excerpt: Excerpt, setting: Setting, recorded: Recorded, depth: int) -> None:
        self.excerpt = excerpt
        self.setting = setting
        self.recorded = recorded
        self.depth = depth
        self.errexit = setting.errexit
        self.pipefail = setting.pipefail
        self.number = recorded.scripts
        recorded.scripts += 1

    def script(self, states: Sequence[State]) -> list[State]:
        parsed = parse_script(self.excerpt.text)
        for offset in parsed.gaps[:3]:
            self.gap(offset, "shell syntax that is not understood")
        return self.block(parsed.body, list(states), _Around())

    def place(self, offset: int) -> Place:
        return Place(self.excerpt.source, *self.excerpt.at(offset))

    def gap(self, offset: int, reason: str) -> None:
        place = self.place(offset)
        self.recorded.gaps[Gap(str(place.source.path), place.line, reason)] = None

    # Statements

    def block(self, block: shell.Block, states: list[State], around: _Around) -> list[State]:
        inside = [state.copy() for state in states] if block.is_subshell else states
        around = self.with_redirects(around, block.redirects, states)
        for item in block.items:
            inside = bounded(self.run(item, inside, around))
        return states if block.is_subshell else inside

    def run(self, node: shell.Node, states: list[State], around: _Around) -> list[State]:
        if len(self.recorded.calls) > _MOST_CALLS:
            self.gap(node.start, "more commands than are looked at")
            return states
        match node:
            case shell.Command():
                return [after for state in states for after in self.command(node, state, around)]
            case shell.Block():
                return self.block(node, states, around)
            case shell.Pipeline():
                return self.pipeline(node, states, around)
            case shell.Chain(left, operator, right):
                ends = operator == "||" and gives_up(right)
                states = self.run(left, states, replace(around, guarded=operator == "||", ends_on_failure=ends))
                return self.run(right, states, around)
            case shell.Negated(body):
                return self.run(body, states, replace(around, guarded=True))
            case shell.For():
                return self.for_loop(node, states, around)
            case shell.While(condition, body, start):
                loop = Loop(self.place(start), "", ())
                states = self.block(condition, states, replace(around, guarded=True))
                return self.block(body, states, replace(around, loops=(*around.loops, loop)))
            case shell.If():
                return self.conditional(node, states, around)
            case shell.Case(bodies):
                return [after for body in bodies for after in self.block(body, copies(states), around)] + states
            case shell.Function(name, body):
                for state in states:
                    state.functions[name] = body
                return states

    def pipeline(self, node: shell.Pipeline, states: list[State], around: _Around) -> list[State]:
        for state in states:
            words = [tuple(self.words(part, state)) for part in node.parts]
            for index, part in enumerate(node.parts):
                is_last = index == len(node.parts) - 1
                inner = replace(
                    around,
                    guarded=around.guarded or not (is_last or self.pipefail),
                    upstream=tuple(words[:index]),
                    downstream=tuple(words[index + 1 :]),
                    kept_in=around.kept_in or teed(words[index + 1 :]),
                )
                self.run(part, [state.copy()], inner)
        return states

    def words(self, node: shell.Node, state: State) -> list[str]:
        if isinstance(node, shell.Command):
            return [field for word in node.words for field in expand(word, state.variables)]
        return [UNKNOWN]

    def conditional(self, node: shell.If, states: list[State], around: _Around) -> list[State]:
        found: list[State] = []
        for condition, body in node.branches:
            is_negated = len(condition.items) == 1 and isinstance(condition.items[0], shell.Negated)
            failing = body if is_negated else node.otherwise
            ends = failing is not None and gives_up(failing)
            states = self.block(condition, states, replace(around, guarded=True, ends_on_failure=ends))
            found += self.block(body, copies(states), around)
        found += self.block(node.otherwise, copies(states), around) if node.otherwise is not None else states
        return found

    def for_loop(self, node: shell.For, states: list[State], around: _Around) -> list[State]:
        after: list[State] = []
        for state in states:
            values = [(text, self.place(word.start)) for word in node.values for text in self.values(word, state)]
            if len(values) > _MOST_VALUES:
                self.gap(node.start, f"a loop over more than {_MOST_VALUES} values")
                values = values[:_MOST_VALUES]
            loop = Loop(self.place(node.start), node.name, tuple(values))
            inner = replace(around, loops=(*around.loops, loop))
            current = [state]
            for text, _ in values or [(UNKNOWN, self.place(node.start))]:
                for one in current:
                    one.variables[node.name] = (text,)
                current = bounded(self.block(node.body, current, inner))
            after += current
        return after

    def values(self, word: shell.Word, state: State) -> Iterator[str]:
        """What a word of a `for` becomes; patterns are names of files."""
        for part in word.parts:
            if isinstance(part, shell.Substitution):
                self.block(part.body, [state.copy()], _Around(guarded=True))
        for text in expand(word, state.variables, self.read_file(state)):
            if any(char in text for char in "*?[") and is_known(text):
                yield from self.named(text, state.cwd)
            else:
                yield text

    def named(self, pattern: str, cwd: str | None) -> list[str]:
        folder = self.inside(cwd, "")
        if folder is None or posixpath.isabs(pattern) or ".." in pattern.split("/"):
            return [UNKNOWN]
        try:
            found = sorted(path.relative_to(folder).as_posix() for path in folder.glob(pattern.rstrip("/")))
        except (OSError, ValueError, NotImplementedError):
            return [UNKNOWN]
        return found[: _MOST_VALUES + 1] or [pattern]

    def read_file(self, state: State) -> Mapping[str, str]:
        """The texts of files that `$(cat name)` may ask for, read when asked."""
        return _FileTexts(self, state.cwd)

    # Commands

    def command(self, node: shell.Command, state: State, around: _Around) -> list[State]:
        own = self.assigned(node, state, around)
        if not node.words:
            state.variables.update(own)
            return [state]
        around = self.with_redirects(around, node.redirects, [state])
        for part in (part for word in node.words for part in word.parts):
            if isinstance(part, shell.Substitution):
                self.block(part.body, [state.copy()], _Around(guarded=True, loops=around.loops))
        words = [text for word in node.words for text in expand(word, state.variables, self.read_file(state))]
        if not words:
            return [state]
        return self.called(words, node, state, around, own)

    def assigned(self, node: shell.Command, state: State, around: _Around) -> Variables:
        found: Variables = {}
        for one in node.assignments:
            for part in (part for word in one.values for part in word.parts):
                if isinstance(part, shell.Substitution):
                    inner = _Around(
                        guarded=around.guarded or bool(node.words), loops=around.loops, kept_in=f"${one.name}"
                    )
                    self.block(part.body, [state.copy()], inner)
            variables = {**state.variables, **found}
            if one.is_array:
                values = tuple(text for word in one.values for text in expand(word, variables, self.read_file(state)))
            else:
                values = (expand_one(one.values[0], variables, self.read_file(state)) if one.values else "",)
            if one.appends:
                before = variables.get(one.name, ("",))
                values = (*before, *values) if one.is_array else (before[0] + values[0],)
            found[one.name] = values
        return found

    def called(
        self, words: list[str], node: shell.Command, state: State, around: _Around, own: Variables
    ) -> list[State]:
        name = words[0]
        if name in state.functions and self.depth < _DEEPEST:
            return self.function(words, node, state, around, own)
        self.record(words, node, state, around, own)
        match name:
            case "cd" | "pushd":
                state.cwd = joined(state.cwd, words[1]) if len(words) > 1 else None
            case "popd":
                state.cwd = ""
            case "set":
                self.set_options(words[1:])
            case "export" | "local" | "readonly" | "declare":
                for word in words[1:]:
                    key, equals, value = word.partition("=")
                    if equals:
                        state.variables[key] = (value,)
            case "read" | "mapfile" | "readarray":
                for word in words[1:]:
                    state.variables[word] = (UNKNOWN,)
            case "echo" | "printf":
                self.exported(words, node, state)
            case "source" | ".":
                if len(words) > 1:
                    self.follow(words[1:], node, state, around, same_shell=True)
            case _:
                self.follow_program(words, node, state, around)
        return [state]

    def record(self, words: list[str], node: shell.Command, state: State, around: _Around, own: Variables) -> None:
        variables = {**state.variables, **own}
        environment = {key: variables[key][0] for key in KEPT_VARIABLES if key in variables}
        self.recorded.calls.append(
            Call(
                words=tuple(words),
                place=self.place(node.words[0].start),
                origin=self.setting.origin,
                script=self.number,
                environment=environment,
                cwd=state.cwd,
                stops=around.ends_on_failure or (self.errexit and not around.guarded),
                loops=around.loops,
                upstream=around.upstream,
                downstream=around.downstream,
                mentions=frozenset(mentioned(node)),
                kept_in=around.kept_in,
                discards=around.discards,
                variant=self.setting.variant,
                is_detached=self.setting.is_detached,
                host=self.setting.host,
            )
        )

    def function(
        self, words: list[str], node: shell.Command, state: State, around: _Around, own: Variables
    ) -> list[State]:
        outer = {key: value for key, value in state.variables.items() if key.isdigit() or key in ("@", "*")}
        inside = state.copy()
        inside.variables.update(own)
        set_arguments(inside.variables, words[1:])
        self.depth += 1
        # An error is reported at the command in the function; what calls it decides what becomes of it.
        after = self.run(state.functions[words[0]], [inside], replace(around, assignments={}))
        self.depth -= 1
        del node
        for one in after:
            for key in [key for key in one.variables if key.isdigit() or key in ("@", "*")]:
                del one.variables[key]
            one.variables.update(outer)
        return after

    def follow_program(self, words: list[str], node: shell.Command, state: State, around: _Around) -> None:
        name = words[0].rpartition("/")[2]
        if name in _SHELLS:
            rest = list(words[1:])
            while rest and rest[0].startswith(("-", "+")):
                option = rest.pop(0)
                if option == "-c":
                    return
            if rest:
                self.follow(rest, node, state, around, same_shell=False)
        elif name in ("make", "gmake", "just"):
            self.follow_recipe(name, words[1:], node, state, around)
        elif "/" in words[0] and is_known(words[0]):
            self.follow(words, node, state, around, same_shell=False)

    def follow_recipe(
        self, name: str, words: Sequence[str], node: shell.Command, state: State, around: _Around
    ) -> None:
        """Go through the recipes of a Makefile or justfile."""
        cwd, wanted, overrides = goals(name, words, state.cwd)
        files = recipes.JUSTFILES if name == "just" else recipes.MAKEFILES
        paths = [path for file in files if (path := self.inside(cwd, file)) is not None and path.is_file()]
        source = read_source(paths[0]) if paths and self.depth < _DEEPEST else None
        lines = None
        if source is not None and all(map(is_known, wanted)):
            read = recipes.just_lines if name == "just" else recipes.make_lines
            lines = read(source, wanted, {**{k: v[0] for k, v in state.variables.items() if v}, **overrides})
        if lines is None:
            self.gap(node.start, f"what `{' '.join([name, *wanted]).replace(UNKNOWN, '…')}` runs is not read")
            return
        for line in lines:
            # make and just give each line to a shell of its own, which goes on after a failure in a loop.
            alone = line.is_script or not re.search(r"\bfor\b|\bwhile\b", line.excerpt.text)
            inner = replace(self.setting, errexit=alone and not line.is_script, pipefail=False)
            other = _Interpreter(line.excerpt, inner, self.recorded, self.depth + 1)
            started = State(dict(state.variables), {}, cwd)
            guarded = _Around(loops=around.loops, guarded=line.ignores_failure)
            other.block(parse_script(line.excerpt.text).body, [started], guarded)

    def follow(
        self, words: Sequence[str], node: shell.Command, state: State, around: _Around, *, same_shell: bool
    ) -> None:
        """Go through a script of the repository that a command runs."""
        path = self.inside(state.cwd, words[0]) if is_known(words[0]) else None
        source = read_source(path) if path is not None and self.depth < _DEEPEST else None
        if source is None:
            return
        first = source.text.partition("\n")[0]
        is_shell = path is not None and path.suffix in (".sh", ".bash")
        if first.startswith("#!"):
            is_shell = re.search(r"\b(?:ba|da|z)?sh\b", first) is not None
        if not (is_shell or same_shell):
            if "cargo" in source.text:
                self.gap(node.start, f"`{words[0]}` calls cargo, is no shell script, and is not read")
            return
        inner = self.setting
        if not same_shell:
            inner = replace(inner, errexit=bool(re.search(r"\s-\w*e", first)), pipefail=False)
        other = _Interpreter(whole(source), inner, self.recorded, self.depth + 1)
        variables = dict(state.variables)
        set_arguments(variables, words[1:])
        functions = state.functions if same_shell else {}
        started = State(variables, dict(functions), state.cwd)
        parsed = parse_script(source.text)
        after = other.block(parsed.body, [started], _Around(loops=around.loops))
        if same_shell and after:
            state.variables, state.functions = after[0].variables, after[0].functions

    def set_options(self, words: Sequence[str]) -> None:
        for index, word in enumerate(words):
            if word.startswith("-") and "e" in word[1:]:
                self.errexit = True
            elif word.startswith("+") and "e" in word[1:]:
                self.errexit = False
            if word.startswith("-") and word.endswith("o") and "pipefail" in words[index + 1 : index + 2]:
                self.pipefail = True

    def exported(self, words: Sequence[str], node: shell.Command, state: State) -> None:
        """`echo NAME=value >> $GITHUB_ENV`: later steps have it (GitHub docs, setting an environment variable)."""
        for redirect in node.redirects:
            if redirect.target is not None and "GITHUB_ENV" in mentioned(redirect.target):
                key, equals, value = " ".join(words[1:]).partition("=")
                if equals and key.isidentifier():
                    state.variables[key] = (value,)
                    state.exported |= {key}

    def with_redirects(self, around: _Around, redirects: Sequence[shell.Redirect], states: list[State]) -> _Around:
        for redirect in redirects:
            if redirect.target is None or not redirect.operator.startswith((">", "&>")) or redirect.operator == ">&":
                continue
            name = expand_one(redirect.target, states[0].variables) if states else ""
            if name == "/dev/null":
                # Diagnostics go to standard error; to throw away only standard output hides none.
                if redirect.descriptor == "2" or redirect.operator.startswith("&>") or joins_outputs(redirects):
                    around = replace(around, discards=True)
            elif name:
                around = replace(around, kept_in=name)
        return around

    def inside(self, cwd: str | None, name: str) -> Path | None:
        """A path of the repository; None where it is not known or leads out of it."""
        if cwd is None or not is_known(cwd) or not is_known(name):
            return None
        joined = posixpath.normpath(posixpath.join(cwd, name))
        if posixpath.isabs(joined) or joined.startswith(".."):
            return None
        return self.setting.root / joined


class _FileTexts(Mapping[str, str]):
    """Files of the repository by the name that a script uses, read when asked for."""

    def __init__(self, interpreter: _Interpreter, cwd: str | None) -> None:
        self.interpreter = interpreter
        self.cwd = cwd

    def __getitem__(self, name: str) -> str:
        path = self.interpreter.inside(self.cwd, name)
        source = read_source(path) if path is not None else None
        if source is None:
            raise KeyError(name)
        return source.text

    def __iter__(self) -> Iterator[str]:
        return iter(())

    def __len__(self) -> int:
        return 0

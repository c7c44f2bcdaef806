"""Shell scripts as a small typed tree: commands, words and their parts, and what runs which of them.

Values only; `shell_parser` makes them. Offsets are in bytes of the text that was parsed. The tree says what is written;
which words a variable becomes is for the interpreter in `cfglint.workflow`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class Text:
    """Literal text, quotes and escapes taken off."""

    text: str


@dataclass(frozen=True, slots=True)
class Variable:
    """`$name`, `${name}`, `${name:-fallback}` (`operator` is `:-`); `quoted` keeps its value one word."""

    name: str
    quoted: bool
    operator: str = ""
    fallback: str = ""


@dataclass(frozen=True, slots=True)
class Substitution:
    """`$(script)`."""

    body: Block
    quoted: bool


@dataclass(frozen=True, slots=True)
class Unknown:
    """A part that is not understood."""

    text: str


Part: TypeAlias = Text | Variable | Substitution | Unknown


@dataclass(frozen=True, slots=True)
class Word:
    """One word as written. An array in an assignment is several (`Assignment.values`)."""

    parts: tuple[Part, ...]
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Assignment:
    """`name=value`, `name+=value` (`appends`), or `name=(a b)`, which has several values."""

    name: str
    values: tuple[Word, ...]
    is_array: bool
    appends: bool
    start: int


@dataclass(frozen=True, slots=True)
class Redirect:
    """Where a command's output goes or its input comes from: `descriptor` as written, `operator` such as `>` or `2>`."""

    descriptor: str
    operator: str
    target: Word | None


@dataclass(frozen=True, slots=True)
class Command:
    """A simple command; without words it is nothing but assignments."""

    assignments: tuple[Assignment, ...]
    words: tuple[Word, ...]
    redirects: tuple[Redirect, ...]
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Pipeline:
    """`a | b`."""

    parts: tuple[Node, ...]
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Chain:
    """`left && right` or `left || right`."""

    left: Node
    operator: str
    right: Node
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Negated:
    """`! command`."""

    body: Node
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Block:
    """Commands one after the other; `is_subshell` where what they set does not last."""

    items: tuple[Node, ...]
    start: int
    end: int
    is_subshell: bool = False
    redirects: tuple[Redirect, ...] = ()


@dataclass(frozen=True, slots=True)
class For:
    """`for name in values; do body; done`."""

    name: str
    values: tuple[Word, ...]
    body: Block
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class While:
    """`while` and `until`."""

    condition: Block
    body: Block
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class If:
    """Each branch with its condition, and what is done otherwise."""

    branches: tuple[tuple[Block, Block], ...]
    otherwise: Block | None
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Case:
    """`case`: its bodies; which of them is taken is not decided."""

    bodies: tuple[Block, ...]
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Function:
    """A definition."""

    name: str
    body: Node
    start: int
    end: int


Node: TypeAlias = Command | Pipeline | Chain | Negated | Block | For | While | If | Case | Function


@dataclass(slots=True)
class Script:
    """A parsed script; `gaps` are offsets of what was not understood."""

    body: Block
    gaps: list[int] = field(default_factory=list)

"""From words as written to words as run: variables filled in, split where they are not quoted.

An expression of the workflow stands in a script as a variable of its own (`stand_ins`), as long as the text it replaces, so
that everything behind it stays where it is. Its value is text that the shell reads anew, quotes included.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable, Iterator, Mapping
from typing import TypeAlias

from cfglint.syntax import shell
from cfglint.workflow.expressions import EXPRESSION, UNKNOWN, is_known

Variables: TypeAlias = dict[str, tuple[str, ...]]
"""Values by name; an array has several."""

NOTHING: Mapping[str, str] = {}
_STAND_IN = re.compile(r"\$\{(_[0-9a-z]{2}_*)\}")
_PREFIX = "_"
_ARRAY = re.compile(r"(\w+)\[[@*]\]")
_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"
_MOST = len(_DIGITS) ** 2


def stand_ins(text: str) -> tuple[str, Mapping[str, str]]:
    """A script with each expression replaced by a variable, and the expressions by these variables' names."""
    names: dict[str, str] = {}

    def replace(found: re.Match[str]) -> str:
        number = len(names)
        length = len(found[0].encode("utf-8")) - len("${}")
        if number >= _MOST or length < 3:
            return found[0]
        name = f"{_PREFIX}{_DIGITS[number // len(_DIGITS)]}{_DIGITS[number % len(_DIGITS)]}".ljust(length, "_")
        names[name] = found[1]
        return f"${{{name}}}"

    return EXPRESSION.sub(replace, text), names


def is_stand_in(name: str) -> bool:
    """Whether a variable stands for an expression."""
    return re.fullmatch(r"_[0-9a-z]{2}_*", name) is not None


def expand(word: shell.Word, variables: Variables, files: Mapping[str, str] = NOTHING) -> list[str]:
    """The fields that a word becomes; none where it is an unquoted variable that is empty."""
    fields: list[str] = []
    is_open = False
    for part in _parts(word.parts):
        for index, piece in enumerate(_pieces(part, variables, files)):
            if index == 0 and is_open:
                fields[-1] += piece
            else:
                fields.append(piece)
            is_open = True
    if not fields and any(_is_quoted(part) for part in word.parts):
        return [""]
    return fields


def expand_one(word: shell.Word, variables: Variables, files: Mapping[str, str] = NOTHING) -> str:
    """What a word becomes where nothing is split: in assignments and redirections."""
    return "".join(" ".join(_values(part, variables, files)) for part in _parts(word.parts))


def mentioned(node: shell.Command | shell.Word) -> set[str]:
    """The names of the variables in a word, or in the words and here-strings of a command."""
    words: Iterable[shell.Word]
    if isinstance(node, shell.Word):
        words = (node,)
    else:
        words = (*node.words, *(redirect.target for redirect in node.redirects if redirect.target is not None))
    return {part.name for word in words for part in word.parts if isinstance(part, shell.Variable)}


def _parts(parts: Iterable[shell.Part]) -> Iterator[shell.Part]:
    """The parts, with the stand-ins that the shell itself would not see (in single quotes) taken out of texts."""
    for part in parts:
        if not isinstance(part, shell.Text) or "${_" not in part.text:
            yield part
            continue
        at = 0
        for found in _STAND_IN.finditer(part.text):
            if found.start() > at:
                yield shell.Text(part.text[at : found.start()])
            yield shell.Variable(found[1], quoted=True)
            at = found.end()
        if at < len(part.text):
            yield shell.Text(part.text[at:])


def _pieces(part: shell.Part, variables: Variables, files: Mapping[str, str]) -> list[str]:
    """The fields of one part: the first goes on with what stands before it."""
    values = _values(part, variables, files)
    match part:
        case shell.Text(text):
            return [text]
        case shell.Variable(name, quoted):
            if quoted:
                return list(values) if _is_array(name) else [" ".join(values)]
            if is_stand_in(name):
                return [piece for value in values for piece in _read_anew(value)]
            return [piece for value in values for piece in value.split()]
        case shell.Substitution(_, quoted):
            return [" ".join(values)] if quoted else [piece for value in values for piece in value.split()]
        case _:
            return [UNKNOWN]


def _values(part: shell.Part, variables: Variables, files: Mapping[str, str]) -> tuple[str, ...]:
    match part:
        case shell.Text(text):
            return (text,)
        case shell.Variable(name, _, operator, fallback):
            return _variable(name, operator, fallback, variables)
        case shell.Substitution(body, _):
            return (_printed(body, variables, files),)
        case _:
            return (UNKNOWN,)


def _variable(name: str, operator: str, fallback: str, variables: Variables) -> tuple[str, ...]:
    array = _ARRAY.fullmatch(name)
    value = variables.get(array[1] if array else name)
    if operator in (":-", "-"):
        if value is None or (operator == ":-" and value in ((), ("",))):
            return (fallback if "$" not in fallback else UNKNOWN,)
    elif operator in (":+", "+"):
        if value is None or (operator == ":+" and value in ((), ("",))):
            return ("",)
        return (fallback if "$" not in fallback else UNKNOWN,)
    if value is None:
        return (UNKNOWN,)
    return value if array or name in ("@", "*") else value[:1]


def _is_array(name: str) -> bool:
    return name == "@" or _ARRAY.fullmatch(name) is not None


def _is_quoted(part: shell.Part) -> bool:
    return isinstance(part, shell.Text) or (isinstance(part, (shell.Variable, shell.Substitution)) and part.quoted)


def _read_anew(value: str) -> list[str]:
    if not any(char in value for char in "\"'\\"):
        return value.split()
    try:
        return shlex.split(value)
    except ValueError:
        return [UNKNOWN]


def _printed(body: shell.Block, variables: Variables, files: Mapping[str, str]) -> str:
    """What a substitution prints, where that is an `echo`, a `printf` of strings, or a file."""
    if len(body.items) != 1 or not isinstance(body.items[0], shell.Command):
        return UNKNOWN
    words = [text for word in body.items[0].words for text in expand(word, variables, files)]
    if not words or not all(is_known(word) for word in words):
        return UNKNOWN
    match words[0], words[1:]:
        case "echo", rest:
            return " ".join(word for word in rest if word not in ("-n", "-e"))
        case "printf", ["%s" | "%s\\n", *rest]:
            return " ".join(rest)
        case "cat", [name]:
            return files.get(name, UNKNOWN)
        case _:
            return UNKNOWN

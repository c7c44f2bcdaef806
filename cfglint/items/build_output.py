"""What a build script says to Cargo: lines of text that set or declare options, aliases, and how they add up.

A line may hold what the source does not spell (NUL here): then only as much of it is known as stands before.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from cfglint.condition.predicate import All, Any, Not, Option, Predicate
from cfglint.items.build_values import DEPTH_CAP, FALSE, TRUE, Node, Unknown, either
from cfglint.syntax import grammar as g
from cfglint.syntax.attributes import metas_of_tokens, name_of, predicate_of

ANYWHERE = re.compile(r"\brustc-(check-)?cfg=")
"""What text has in it that may set or declare an option."""

_LINE = re.compile(r"cargo::?(rustc-cfg|rustc-check-cfg)=(.*)", re.DOTALL)
_SETTING = re.compile(r'([A-Za-z_][A-Za-z0-9_]*)(?:="((?:[^"\\]|\\.)*)")?')
_OPEN = re.compile(r'([A-Za-z_][A-Za-z0-9_]*)="')
_PLACEHOLDER = re.compile(r"\{\{|\}\}|\{([^{}]*)\}")
_CHECKED = re.compile(r"cfg\(.*\)", re.DOTALL)
_UNSPELLED = "\0"


@dataclass(slots=True)
class Output:
    """What has been read so far; of an option, all the conditions under which it is printed."""

    options: dict[tuple[str, str | None], Unknown] = field(default_factory=dict)
    check_cfg: dict[str, None] = field(default_factory=dict)
    open_names: set[str] = field(default_factory=set)
    aliases: dict[str, Predicate] = field(default_factory=dict)
    makes_up: bool = False

    def print(self, text: str, path: Unknown) -> None:
        """Text goes to the standard output, under the condition `path`."""
        for line in text.splitlines():
            said = _LINE.match(line)
            if said is not None:
                self._say(said[1] == "rustc-check-cfg", said[2], path)

    def overhear(self, text: str) -> None:
        """Text that may be printed somehow, sometime."""
        for line in text.splitlines():
            start = ANYWHERE.search(line)
            if start is not None:
                self._say(start[1] is not None, line[start.end() :], None)

    def _say(self, is_check: bool, value: str, path: Unknown) -> None:
        value = value.strip()
        if is_check:
            if _CHECKED.fullmatch(value) and _UNSPELLED not in value:
                self.check_cfg[value] = None
            return
        setting = None if _UNSPELLED in value else _SETTING.fullmatch(value)
        if setting is not None:
            key = (setting[1], None if setting[2] is None else re.sub(r"\\(.)", r"\1", setting[2]))
            self.options[key] = either(self.options.get(key, FALSE), path)
            return
        named = _OPEN.match(value)
        if named is not None:
            self.open_names.add(named[1])
        else:
            self.makes_up = True

    def define(self, source: bytes, tokens: Node, path: Unknown) -> None:
        """The `name: { predicate }` entries of `cfg_aliases!`; an alias may be used in others."""
        inside = [child for child in tokens.children[1:-1] if child.kind_id not in g.COMMENTS]
        written: dict[str, Predicate] = {}
        for index, token in enumerate(inside):
            if token.kind_id != g.TOKEN_TREE:
                continue
            metas = metas_of_tokens(source, token.children[1:-1])
            if index < 2 or inside[index - 1].type != ":" or len(metas) != 1:
                self.makes_up = True
            else:
                written[name_of(source, inside[index - 2])] = predicate_of(metas[0])
        for name in written:
            predicate = _expanded(Option(name), written, ())
            if path == TRUE and predicate is not None and name not in self.aliases:
                self.aliases[name] = predicate
            else:
                self.aliases.pop(name, None)
                self.options[name, None] = None


def formatted(text: str, positional: Sequence[str | None], named: Mapping[str, str]) -> str:
    """What a format string prints, given the arguments of which the text is known."""
    position = 0

    def filled(found: re.Match[str]) -> str:
        nonlocal position
        if found[1] is None:
            return found[0][0]
        known: str | None = named.get(found[1])
        if found[1] == "":
            known = positional[position] if position < len(positional) else None
            position += 1
        elif found[1].isdecimal() and int(found[1]) < len(positional):
            known = positional[int(found[1])]
        return _UNSPELLED if known is None else known

    return _PLACEHOLDER.sub(filled, text)


def _expanded(predicate: Predicate, aliases: Mapping[str, Predicate], stack: tuple[str, ...]) -> Predicate | None:
    """The predicate with aliases replaced by what they stand for; None if one stands for itself."""
    if len(stack) > DEPTH_CAP:
        return None
    match predicate:
        case Option(key, None) if key in aliases:
            return None if key in stack else _expanded(aliases[key], aliases, (*stack, key))
        case Not(arg):
            inner = _expanded(arg, aliases, (*stack, ""))
            return None if inner is None else Not(inner)
        case All(args) | Any(args):
            parts = [_expanded(arg, aliases, (*stack, "")) for arg in args]
            known = tuple(part for part in parts if part is not None)
            return type(predicate)(known) if len(known) == len(parts) else None
        case _:
            return predicate

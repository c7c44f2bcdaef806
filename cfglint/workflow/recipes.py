"""Makefiles and justfiles: which commands a goal runs, with their variables filled in.

Read are plain and pattern rules, prerequisites, variables and their substitution references; of just, recipes with their
parameters, dependencies and `{{ }}`. What either would have to be run for (functions, conditionals) is `UNKNOWN`.

Source: GNU make manual (rules, variables, automatic variables); the just manual.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from cfglint.workflow.excerpts import Excerpt, Source, aligned
from cfglint.workflow.expressions import UNKNOWN

MAKEFILES = ("GNUmakefile", "makefile", "Makefile")
JUSTFILES = ("justfile", "Justfile", ".justfile")
_DEEPEST = 12
_MOST_LINES = 2_000
_LONGEST = 20_000


@dataclass(frozen=True, slots=True)
class Line:
    """One command of a recipe. `is_script` where the whole recipe is one script (a shebang in just)."""

    excerpt: Excerpt
    ignores_failure: bool
    is_script: bool = False


@dataclass(slots=True)
class _Rule:
    targets: tuple[str, ...]
    needs: tuple[str, ...]
    recipe: list[int] = field(default_factory=list)
    parameters: tuple[str, ...] = ()
    defaults: Mapping[str, str] = field(default_factory=dict)


# Make


def make_lines(source: Source, goals: Sequence[str], overrides: Mapping[str, str]) -> list[Line] | None:
    """What `make goals` runs; None where a goal has no rule."""
    variables, rules = _read_make(source)
    variables.update(overrides)
    first = next((r.targets[0] for r in rules if not r.targets[0].startswith(".") and "%" not in r.targets[0]), None)
    found: list[Line] = []
    seen: set[str] = set()
    for goal in goals or ([first] if first else []):
        if not _make_goal(source, goal, variables, rules, found, seen, 0):
            return None
    return found


def _make_goal(
    source: Source,
    goal: str,
    variables: Mapping[str, str],
    rules: Sequence[_Rule],
    found: list[Line],
    seen: set[str],
    depth: int,
) -> bool:
    if goal in seen or depth > _DEEPEST or len(found) > _MOST_LINES:
        return True
    seen.add(goal)
    matching = [(rule, stem) for rule in rules for target in rule.targets if (stem := _stem(target, goal)) is not None]
    if not matching:
        return False
    with_recipe = next((one for one in matching if one[0].recipe), matching[0])
    for rule, stem in matching:
        for need in rule.needs:
            _make_goal(source, need.replace("%", stem), variables, rules, found, seen, depth + 1)
    rule, stem = with_recipe
    needs = [need.replace("%", stem) for need in rule.needs]
    automatic = {"@": goal, "*": stem, "<": needs[0] if needs else "", "^": " ".join(needs)}
    found.extend(_recipe_line(source, number, {**variables, **automatic}) for number in rule.recipe)
    return True


def _recipe_line(source: Source, number: int, variables: Mapping[str, str]) -> Line:
    start = source.starts[number]
    last = number
    text = _line(source, last)
    while text.endswith("\\") and last + 1 < len(source.starts):
        last += 1
        text += "\n" + _line(source, last)
    end = source.starts[last] + len(_line(source, last))
    bare = text.lstrip("\t ")
    prefix = re.match(r"[@+-]*", bare)
    assert prefix is not None, "an empty prefix matches"
    body = _expanded(bare[prefix.end() :], variables, 0)
    return Line(aligned(source, body, start, end), "-" in prefix[0])


def _read_make(source: Source) -> tuple[dict[str, str], list[_Rule]]:
    variables: dict[str, str] = {}
    rules: list[_Rule] = []
    current: _Rule | None = None
    number = 0
    while number < len(source.starts):
        line = _line(source, number)
        if line.startswith("\t"):
            if current is not None and line.strip() and not line.strip().startswith("#"):
                current.recipe.append(number)
            while line.endswith("\\") and number + 1 < len(source.starts):
                number += 1
                line = _line(source, number)
            number += 1
            continue
        while line.endswith("\\") and number + 1 < len(source.starts):
            number += 1
            line = line[:-1] + " " + _line(source, number).strip()
        number += 1
        bare = line.partition("#")[0].strip()
        assigned = re.match(r"(?:export\s+|override\s+)?([\w.-]+)\s*(\?=|\+=|::?=|=)\s*(.*)$", bare)
        ruled = re.match(r"([^:=]+):(?!=)(?::)?\s*([^=]*)$", bare)
        if assigned:
            name, operator, value = assigned[1], assigned[2], assigned[3]
            if operator == "+=":
                value = f"{variables.get(name, '')} {value}".strip()
            elif operator == "?=" and name in variables:
                continue
            variables[name] = value
        elif ruled:
            inline = ruled[2].partition(";")[0]
            targets = tuple(_expanded(ruled[1], variables, 0).split())
            current = _Rule(targets, tuple(_expanded(inline.replace("|", " "), variables, 0).split()))
            if targets:
                rules.append(current)
    return variables, rules


def _stem(target: str, goal: str) -> str | None:
    """What `%` stands for where a target matches a goal."""
    if "%" not in target:
        return "" if target == goal else None
    before, _, after = target.partition("%")
    if goal.startswith(before) and goal.endswith(after) and len(goal) > len(before) + len(after):
        return goal[len(before) : len(goal) - len(after)]
    return None


def _expanded(text: str, variables: Mapping[str, str], depth: int) -> str:
    """`text` with make's variables filled in; `$$` is the shell's `$`."""
    if "$" not in text:
        return text
    if depth > _DEEPEST or len(text) > _LONGEST:
        return UNKNOWN
    out: list[str] = []
    at = 0
    while at < len(text):
        char = text[at]
        if char != "$" or at + 1 >= len(text):
            out.append(char)
            at += 1
            continue
        following = text[at + 1]
        if following == "$":
            out.append("$")
            at += 2
        elif following in "({":
            end = _closing(text, at + 1)
            if end == -1:
                return UNKNOWN
            out.append(_reference(_expanded(text[at + 2 : end], variables, depth + 1), variables, depth))
            at = end + 1
        else:
            out.append(_expanded(variables.get(following, ""), variables, depth + 1))
            at += 2
    return "".join(out)


def _reference(inner: str, variables: Mapping[str, str], depth: int) -> str:
    name, colon, rest = inner.partition(":")
    if colon and "=" in rest:
        before, _, after = rest.partition("=")
        value = _expanded(variables.get(name, ""), variables, depth + 1)
        return " ".join(_substituted(word, before, after) for word in value.split())
    if " " in inner or "," in inner:
        return UNKNOWN
    if inner == "MAKE":
        return "make"
    return _expanded(variables.get(inner, ""), variables, depth + 1)


def _substituted(word: str, before: str, after: str) -> str:
    if "%" in before:
        stem = _stem(before, word)
        return after.replace("%", stem) if stem is not None else word
    return word[: len(word) - len(before)] + after if before and word.endswith(before) else word


def _closing(text: str, at: int) -> int:
    pairs = {"(": ")", "{": "}"}
    opening, closing = text[at], pairs[text[at]]
    depth = 0
    for index in range(at, len(text)):
        if text[index] == opening:
            depth += 1
        elif text[index] == closing:
            depth -= 1
            if depth == 0:
                return index
    return -1


# Just


def just_lines(source: Source, words: Sequence[str], overrides: Mapping[str, str]) -> list[Line] | None:
    """What `just recipe arguments` runs; None where there is no such recipe."""
    variables, rules = _read_just(source)
    variables.update(overrides)
    names = {name: rule for rule in rules for name in rule.targets}
    if not words:
        words = [rules[0].targets[0]] if rules else []
    found: list[Line] = []
    rest = list(words)
    while rest:
        rule = names.get(rest.pop(0))
        if rule is None:
            return found or None
        given: dict[str, str] = {}
        for parameter in rule.parameters:
            if parameter.startswith(("*", "+")):
                given[parameter[1:]] = " ".join(rest) or rule.defaults.get(parameter[1:], "")
                rest.clear()
            else:
                given[parameter] = rest.pop(0) if rest else rule.defaults.get(parameter, UNKNOWN)
        _just_recipe(source, rule, names, {**variables, **given}, found, 0)
    return found


def _just_recipe(
    source: Source,
    rule: _Rule,
    names: Mapping[str, _Rule],
    variables: Mapping[str, str],
    found: list[Line],
    depth: int,
) -> None:
    if depth > _DEEPEST or len(found) > _MOST_LINES:
        return
    for need in rule.needs:
        inner = names.get(need)
        if inner is not None:
            given = {name.lstrip("*+"): inner.defaults.get(name.lstrip("*+"), UNKNOWN) for name in inner.parameters}
            _just_recipe(source, inner, names, {**variables, **given}, found, depth + 1)
    lines = list(rule.recipe)
    if lines and _line(source, lines[0]).strip().startswith("#!"):
        start, end = source.starts[lines[0]], source.starts[lines[-1]] + len(_line(source, lines[-1]))
        text = "\n".join(_line(source, number).strip() for number in lines)
        found.append(Line(aligned(source, _filled(text, variables), start, end), ignores_failure=False, is_script=True))
        return
    for number in _joined_lines(source, lines):
        start, end = source.starts[number[0]], source.starts[number[-1]] + len(_line(source, number[-1]))
        text = "\n".join(_line(source, each) for each in number).strip()
        prefix = re.match(r"[@-]*", text)
        assert prefix is not None, "an empty prefix matches"
        body = _filled(text[prefix.end() :], variables)
        found.append(Line(aligned(source, body, start, end), "-" in prefix[0]))


def _joined_lines(source: Source, lines: Sequence[int]) -> Iterator[list[int]]:
    group: list[int] = []
    for number in lines:
        group.append(number)
        if not _line(source, number).endswith("\\"):
            yield group
            group = []
    if group:
        yield group


def _filled(text: str, variables: Mapping[str, str]) -> str:
    return re.sub(r"\{\{\s*([^{}]*?)\s*\}\}", lambda found: variables.get(found[1], UNKNOWN), text)


def _read_just(source: Source) -> tuple[dict[str, str], list[_Rule]]:
    variables: dict[str, str] = {}
    rules: list[_Rule] = []
    current: _Rule | None = None
    for number in range(len(source.starts)):
        line = _line(source, number)
        if line.startswith((" ", "\t")):
            if (
                current is not None
                and line.strip()
                and (not line.strip().startswith("#") or line.strip().startswith("#!"))
            ):
                current.recipe.append(number)
            continue
        bare = line.strip()
        assigned = re.match(r"(?:export\s+)?([\w-]+)\s*:=\s*(.*)$", bare)
        ruled = re.match(r"@?([\w-]+)((?:\s+[^:]*?)?)\s*:(?!=)\s*(.*)$", bare)
        if bare.startswith(("#", "[", "set ", "import", "mod ")) or not bare:
            current = current if bare.startswith(("#", "[")) or not bare else None
        elif bare.startswith("alias ") and assigned is None:
            parts = re.match(r"alias\s+([\w-]+)\s*:=\s*([\w-]+)", bare)
            if parts:
                rules.append(_Rule((parts[1],), (parts[2],)))
        elif assigned:
            variables[assigned[1]] = _literal(assigned[2])
        elif ruled:
            current = _just_rule(ruled[1], ruled[2], ruled[3])
            rules.append(current)
    return variables, rules


def _just_rule(name: str, parameters: str, needs: str) -> _Rule:
    names: list[str] = []
    defaults: dict[str, str] = {}
    for found in re.finditer(r"([*+$]?[\w-]+)(?:\s*=\s*('[^']*'|\"[^\"]*\"|\S+))?", parameters):
        names.append(found[1].lstrip("$"))
        if found[2] is not None:
            defaults[found[1].lstrip("*+$")] = _literal(found[2])
    wanted = re.findall(r"\(?\s*([\w-]+)[^()\s]*(?:\s[^()]*\))?", needs.partition("#")[0].replace("&&", " "))
    return _Rule((name,), tuple(wanted), parameters=tuple(names), defaults=defaults)


def _literal(text: str) -> str:
    text = text.strip()
    found = re.fullmatch(r"'([^']*)'|\"([^\"\\]*)\"", text)
    return (found[1] if found[1] is not None else found[2]) if found else UNKNOWN


def _line(source: Source, number: int) -> str:
    start = source.starts[number]
    end = source.starts[number + 1] if number + 1 < len(source.starts) else len(source.text)
    return source.text[start:end].rstrip("\n")

"""The rules as written in rules/*.md: what each is called, how severe it is, and its documentation.

A page is named `CODE-name.md` and starts with TOML between `+++` lines; the fixed headings follow. The pages are the
one source of `cfglint rule`, of the documentation and of the tests that compile the examples. What a rule decides is
in the check of the same name; nothing here runs one.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from cfglint.errors import ConfigError

HEADINGS = ("What it does", "Why is this bad?", "Example", "Use instead", "Limitations", "References")
SEVERITIES = ("error", "warning", "note")
_KEYS = ("code", "name", "severity", "since", "summary")


@dataclass(frozen=True, slots=True)
class Rule:
    """One page. `sections` maps each heading to its Markdown; `body` is everything after the front matter."""

    code: str
    name: str
    severity: str
    since: str
    summary: str
    body: str
    sections: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class CodeBlock:
    """A fenced block: `info` is what stands after the opening fence (`rust`, `toml`)."""

    info: str
    text: str


def rules_directory() -> Path:
    """Where the pages are: in the wheel beside this module, in a checkout one level up.

    Raises ConfigError where neither is there.
    """
    package = Path(__file__).parent
    for directory in (package / "_rules", package.parent / "rules"):
        if directory.is_dir():
            return directory
    raise ConfigError("the rule pages are missing; the installation is damaged", package / "_rules")


@functools.cache
def rulebook() -> tuple[Rule, ...]:
    """Every rule, by code."""
    return load(rules_directory())


def load(directory: Path) -> tuple[Rule, ...]:
    """Every page of `directory`, by code.

    Raises ConfigError for a page that does not follow the form, or two pages with one code or name.
    """
    rules = [parse(file) for file in sorted(directory.glob("*.md"))]
    seen: dict[str, str] = {}
    for rule in rules:
        for word in (rule.code, rule.name):
            if word in seen:
                raise ConfigError(f"`{word}` is taken by {seen[word]}", directory / f"{rule.code}-{rule.name}.md")
            seen[word] = rule.code
    return tuple(sorted(rules, key=lambda rule: rule.code))


def find(word: str) -> Rule | None:
    """The rule with this code or name, whatever the case."""
    folded = word.casefold()
    return next((rule for rule in rulebook() if folded in (rule.code.casefold(), rule.name)), None)


def codes_for(word: str) -> str | None:
    """What `word` stands for in levels and selections: a code, the beginning of codes, or a rule's name, as a code.

    None where there is no such rule.
    """
    for rule in rulebook():
        if word.casefold() == rule.name:
            return rule.code
    folded = word.upper()
    return folded if folded and any(rule.code.startswith(folded) for rule in rulebook()) else None


def parse(file: Path) -> Rule:
    """One page.

    Raises ConfigError where it is not of the form that this module's docstring gives.
    """
    import tomli

    try:
        text = file.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"cannot be read: {error}", file) from error
    page = re.match(r"\+\+\+\n(.*?)^\+\+\+\n(.*)", text, re.DOTALL | re.MULTILINE)
    if page is None:
        raise ConfigError("must begin with TOML between `+++` lines", file, 1)
    try:
        front = tomli.loads(page[1])
    except tomli.TOMLDecodeError as error:
        raise ConfigError(f"invalid TOML in the front matter: {error}", file) from error
    if sorted(front) != sorted(_KEYS) or not all(isinstance(value, str) for value in front.values()):
        raise ConfigError(f"the front matter must have the string keys {', '.join(_KEYS)} and no other", file)
    if file.name != f"{front['code']}-{front['name']}.md":
        raise ConfigError(f"must be named `{front['code']}-{front['name']}.md`, as its front matter says", file)
    if not re.fullmatch(r"CFG\d{3}", front["code"]) or not re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", front["name"]):
        raise ConfigError("`code` must be like CFG001 and `name` like configured-out-item", file)
    if front["severity"] not in SEVERITIES:
        raise ConfigError(f"`severity` must be one of {', '.join(SEVERITIES)}", file)
    body = page[2].strip() + "\n"
    return Rule(**front, body=body, sections=_sections(body, file))


def code_blocks(markdown: str) -> tuple[CodeBlock, ...]:
    """The fenced blocks of a section, in order."""
    return tuple(
        CodeBlock(block[1].strip(), block[2])
        for block in re.finditer(r"^```([^\n`]*)\n(.*?)^```$", markdown, re.DOTALL | re.MULTILINE)
    )


def _sections(body: str, file: Path) -> Mapping[str, str]:
    sections: dict[str, list[str]] = {}
    current: list[str] | None = None
    fenced = False
    for line in body.splitlines():
        fenced ^= line.startswith("```")
        if line.startswith("## ") and not fenced:
            current = sections.setdefault(line.removeprefix("## ").strip(), [])
        elif current is not None:
            current.append(line)
    if tuple(sections) != HEADINGS:
        raise ConfigError(f"must have exactly these headings in this order: {', '.join(HEADINGS)}", file)
    return {heading: "\n".join(lines).strip() + "\n" for heading, lines in sections.items()}

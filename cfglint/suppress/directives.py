"""Comments of the form `// cfglint: allow(CODES) reason` and `// cfglint: allow-file(CODES) reason`.

At the end of a line such a comment is about that line; on a line of its own about the item, statement, arm or field that
follows; `allow-file` before the first item is about the file. Documentation (`///`, `//!`) is left alone. A comment that
begins with `cfglint:` and is nothing of this kind has a problem, for it would be silently without effect.
"""

from __future__ import annotations

import bisect
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from cfglint.config import did_you_mean
from cfglint.finding import Location
from cfglint.rulebook import rulebook
from cfglint.syntax.outline import Comment, comments_in

MARK = b"cfglint:"
"""A file without these bytes has no directives."""
FORM = "`// cfglint: allow(CODE) reason`"
_DIRECTIVE = re.compile(r"cfglint:\s*(?P<verb>[\w-]+)\s*\((?P<codes>[^()]*)\)(?P<reason>.*)", re.DOTALL)
_VERBS = ("allow", "allow-file")
_BEFORE_REASON = " \t:,-\u2013\u2014"
_EVERYWHERE = ((0, 0), (1 << 60, 0))


@dataclass(frozen=True, slots=True)
class Directive:
    """One comment. `codes` are those that it allows from the place `first` up to `last` (line and column, exclusive).

    With a `problem` it allows nothing, or what it allows is not in question.
    """

    location: Location
    codes: tuple[str, ...]
    reason: str
    first: tuple[int, int]
    last: tuple[int, int]
    problem: str = ""

    def covers(self, location: Location) -> bool:
        """Whether a finding at `location` is in what the directive is about."""
        return location.file == self.location.file and self.first <= (location.line, location.column) < self.last


def directives(source: bytes, file: str) -> tuple[Directive, ...]:
    """The directives of one file in their order; `file` is its name in locations."""
    if MARK not in source:
        return ()
    starts = [0, *(match.end() for match in re.finditer(rb"\n", source))]
    return tuple(
        _directive(comment, _Lines(file, starts))
        for comment in comments_in(source)
        if comment.text.startswith("cfglint:")
    )


@dataclass(frozen=True, slots=True)
class _Lines:
    file: str
    starts: Sequence[int]

    def place(self, offset: int) -> tuple[int, int]:
        line = bisect.bisect_right(self.starts, offset)
        return line, offset - self.starts[line - 1] + 1

    def location(self, start: int, end: int) -> Location:
        return Location(self.file, *self.place(start), *self.place(end))


def _directive(comment: Comment, lines: _Lines) -> Directive:
    location = lines.location(comment.start, comment.end)
    form = _DIRECTIVE.fullmatch(comment.text)
    if form is None or form["verb"] not in _VERBS:
        hint = did_you_mean(form["verb"], _VERBS) if form is not None else ""
        problem = f"this comment suppresses nothing{hint or f'; the form is {FORM}'}"
        return Directive(location, (), "", (0, 0), (0, 0), problem)
    words = [word.strip() for word in form["codes"].split(",") if word.strip()]
    codes = {rule.name: rule.code for rule in rulebook()} | {rule.code: rule.code for rule in rulebook()}
    problems = list(_problems(form["verb"], words, codes, comment))
    if form["verb"] == "allow-file":
        first, last = _EVERYWHERE
    elif comment.is_alone:
        first, last = lines.place(comment.end), lines.place(comment.covers_to)
    else:
        first, last = (location.line, 0), (location.line + 1, 0)
    known = tuple(dict.fromkeys(codes[word] for word in words if word in codes))
    if form["verb"] == "allow-file" and not comment.is_first:
        known = ()
    reason = form["reason"].strip(_BEFORE_REASON).strip()
    return Directive(location, known, reason, first, last, "; ".join(problems))


def _problems(verb: str, words: Sequence[str], codes: dict[str, str], comment: Comment) -> Iterator[str]:
    if not words:
        yield f"no rule is named; the form is {FORM}"
    for word in words:
        if word not in codes:
            yield f"unknown rule `{word}`{did_you_mean(word, codes)}"
    if verb == "allow-file" and not comment.is_first:
        yield "`allow-file` must stand before the first item of the file"

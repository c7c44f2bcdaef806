"""CFG304 hidden-diagnostics: what cargo says of a failure does not reach the log.

Colour codes stand before `error` and within `error:`, so a filter for lines that begin with it finds none where colours are
forced (`CARGO_TERM_COLOR=always`, `--color always`). Output that is thrown away, or kept in a variable and never printed, is
hidden as well.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from cfglint.finding import Finding
from cfglint.workflow.calls import Call
from cfglint.workflow.findings import ci_finding
from cfglint.workflow.invocations import Invocation
from cfglint.workflow.survey import Survey

_RULE = ("CFG304", "hidden-diagnostics")
_FILTERS = frozenset({"grep", "egrep", "rg", "sed", "awk", "gawk", "ack"})
_STRIPS = re.compile(r"\\x1b|\\e\[|\\033|\x1b|ansi|strip|col\b", re.IGNORECASE)
_DEFEATED = re.compile(r"(?:^|[(|/'\"])\^\s*\(?(?:\w+\|)*(?:error|warning)|(?:error|warning):", re.IGNORECASE)
_QUIET = frozenset({"fmt", "install", "run", "publish", "package"})


def hidden_diagnostics(survey: Survey) -> Iterator[Finding]:
    """One finding for each filter or build at fault."""
    seen: set[tuple[object, ...]] = set()
    by_script: dict[int, list[Call]] = {}
    for call in survey.calls:
        by_script.setdefault(call.script, []).append(call)
    for one in survey.invocations:
        if not one.builds or one.subcommand in _QUIET or any("message-format=json" in w for w in one.call.words):
            continue
        for finding in _of_build(survey, one, by_script[one.call.script]):
            key = (finding.location.file, finding.location.line, finding.location.column)
            if key not in seen:
                seen.add(key)
                yield finding


def _of_build(survey: Survey, one: Invocation, script: Sequence[Call]) -> Iterator[Finding]:
    call = one.call
    if call.discards:
        yield _thrown_away(survey, one)
        return
    readers = _readers(call, script)
    if call.kept_in.startswith("$") and not readers:
        if not any(_prints(other, call.kept_in) for other in script):
            yield _never_printed(survey, one)
        return
    if not _is_colored(one) or any(_STRIPS.search(" ".join(words)) for words in call.downstream):
        return
    for reader in readers:
        pattern = _pattern(reader.words)
        stripped = any(_STRIPS.search(" ".join(words)) for words in (*reader.upstream, reader.words))
        if pattern is not None and _DEFEATED.search(pattern) and not stripped:
            yield _defeated(survey, one, reader, pattern)


def _readers(call: Call, script: Sequence[Call]) -> list[Call]:
    """The filters that the output goes through: behind the build in its pipeline, or over what has kept it."""
    name = call.kept_in
    found = []
    for other in script:
        if other.name not in _FILTERS:
            continue
        piped = call.words in other.upstream and other.place.line - call.place.line in range(40)
        kept = bool(name) and (
            name.removeprefix("$") in other.mentions
            or name in other.words
            or any(name in words for words in other.upstream)
            or (name.startswith("$") and _is_fed_by(other, name, script))
        )
        if piped or kept:
            found.append(other)
    return found


def _is_fed_by(reader: Call, name: str, script: Sequence[Call]) -> bool:
    """Whether a command before the filter in its pipeline prints the variable."""
    return any(
        other.words in reader.upstream
        and name.removeprefix("$") in other.mentions
        and other.place.line == reader.place.line
        for other in script
    )


def _prints(call: Call, name: str) -> bool:
    return name.removeprefix("$") in call.mentions


def _is_colored(one: Invocation) -> bool:
    words = one.call.words
    explicit = [words[i + 1] for i, word in enumerate(words[:-1]) if word == "--color"]
    explicit += [word.partition("=")[2] for word in words if word.startswith("--color=")]
    return (explicit[-1] if explicit else one.call.environment.get("CARGO_TERM_COLOR", "auto")) == "always"


def _pattern(words: Sequence[str]) -> str | None:
    """The pattern of a filter: what `-e` gives, else its first argument."""
    for index, word in enumerate(words[1:], start=1):
        if word in ("-e", "--regexp") and index + 1 < len(words):
            return words[index + 1]
        if not word.startswith("-"):
            return word
    return None


def _defeated(survey: Survey, one: Invocation, reader: Call, pattern: str) -> Finding:
    return ci_finding(
        survey,
        *_RULE,
        reader.place,
        len(reader.words[0].encode()),
        origin=reader.origin,
        path=" ".join(reader.words),
        message=f"`{pattern}` matches no line of cargo's, for colour codes stand before the word and behind it",
        notes=(
            f"colours are forced for `{one.text}` in line {one.call.place.line}"
            + (" by CARGO_TERM_COLOR" if "--color" not in one.text else ""),
        ),
        helps=(
            "set `CARGO_TERM_COLOR: never` for this step, or print the output whole",
            "or read `--message-format=json`, as `cfglint run` does",
        ),
    )


def _thrown_away(survey: Survey, one: Invocation) -> Finding:
    return ci_finding(
        survey,
        *_RULE,
        one.call.place,
        len(one.call.words[0].encode()),
        origin=one.call.origin,
        path=one.text,
        message="what cargo says of a failure goes to /dev/null",
        helps=("let standard error through; `--quiet` leaves nothing but diagnostics",),
    )


def _never_printed(survey: Survey, one: Invocation) -> Finding:
    return ci_finding(
        survey,
        *_RULE,
        one.call.place,
        len(one.call.words[0].encode()),
        origin=one.call.origin,
        path=one.text,
        message=f"what cargo says is kept in `{one.call.kept_in.removeprefix('$')}` and never printed",
        helps=("print it where the command fails",),
    )

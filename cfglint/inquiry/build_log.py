"""Errors in the log of a build: cargo's or rustc's text, in colour or not, their JSON lines, all under CI's timestamps.

A log may hold anything; what is no error of rustc with a place is passed over. Whether an error has to do with a gate is
not asked here. Source: rustc's diagnostics in text and JSON (rustc book, JSON output), Cargo book, External tools,
JSON messages.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

SIZE_CAP = 64 * 1024 * 1024
"""Characters beyond which the rest of a log is not read."""

_ANSI = re.compile(r"\x1b\[[0-9;:?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b[@-Z\\-_]")
_STAMP = re.compile(r"^\ufeff?(?:[^\t]*\t[^\t]*\t)?\ufeff?\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z ?")
_PREFIX = re.compile(r"^(?:##\[(?:error|warning|group)\]|\[\d\d:\d\d:\d\d\] ?|#\d+ [\d.]+ )")
_ERROR = re.compile(r"^\s*error(?:\[(?P<code>E\d{4})\])?: (?P<message>.+)$")
_OTHER = re.compile(r"^\s*(?:warning|note|help)(?:\[[^\]]*\])?: ")
_ARROW = re.compile(r"^\s*-->\s+(?P<file>.+?):(?P<line>\d+):(?P<column>\d+)\s*$")
_SUMMARY = re.compile(r"^(?:could not compile|aborting due to|build failed|process didn't exit)")
_LOOKAHEAD = 4
"""Lines between the message of an error and its place: a message may go over several."""


@dataclass(frozen=True, slots=True)
class LoggedError:
    """One error of rustc. `file` is as the log has it; lines and columns as rustc counts, in characters."""

    code: str
    message: str
    file: str
    line: int
    column: int


@dataclass(frozen=True, slots=True)
class BuildLog:
    """The errors in the order of the log, each once; `summaries` counts lines that only say that there were some."""

    errors: tuple[LoggedError, ...]
    placeless: int


def read_log(text: str) -> BuildLog:
    """The errors of a log."""
    lines = [_cleaned(line) for line in text[:SIZE_CAP].splitlines()]
    found: dict[LoggedError, None] = {}
    placeless = 0
    plain: list[str] = []
    for line in lines:
        messages = _json_messages(line)
        if messages is None:
            plain.append(line)
            continue
        found.update(dict.fromkeys(messages))
    for read in _text_errors(plain):
        if read is None:
            placeless += 1
        else:
            found.setdefault(read)
    return BuildLog(tuple(found), placeless)


def _cleaned(line: str) -> str:
    """A line without colours, and without what a CI service writes in front of it."""
    line = _ANSI.sub("", line).rstrip("\r")
    line = _STAMP.sub("", line)
    return _PREFIX.sub("", line)


def _text_errors(lines: list[str]) -> Iterator[LoggedError | None]:
    """Errors of the human format; None for one without a place."""
    for number, line in enumerate(lines):
        error = _ERROR.match(line)
        if error is None or _SUMMARY.match(error["message"]):
            continue
        place = None
        for following in lines[number + 1 : number + 1 + _LOOKAHEAD]:
            place = _ARROW.match(following)
            if place is not None or _ERROR.match(following) or _OTHER.match(following):
                break
        if place is None:
            yield None
        else:
            yield LoggedError(
                error["code"] or "", error["message"].strip(), place["file"], int(place["line"]), int(place["column"])
            )


def _json_messages(line: str) -> list[LoggedError] | None:
    """The errors of a JSON line of cargo or rustc; None where the line is none."""
    text = line.strip()
    if not text.startswith("{") or not text.endswith("}"):
        return None
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return None
    if not isinstance(value, dict):
        return None
    message = value.get("message") if value.get("reason") == "compiler-message" else value
    if not isinstance(message, dict) or "spans" not in message:
        return [] if "reason" in value or "$message_type" in value else None
    return list(_of_diagnostic(message))


def _of_diagnostic(message: dict[str, object]) -> Iterator[LoggedError]:
    if message.get("level") not in ("error", "error: internal compiler error"):
        return
    code = message.get("code")
    name = code.get("code") if isinstance(code, dict) else ""
    for span in _primary(message.get("spans")):
        file, line, column = span.get("file_name"), span.get("line_start"), span.get("column_start")
        if isinstance(file, str) and isinstance(line, int) and isinstance(column, int):
            yield LoggedError(str(name or ""), str(message.get("message")), file, line, column)
            return


def _primary(spans: object) -> Iterable[dict[str, object]]:
    """The primary spans, each at the place in the project that its macro was called from."""
    for span in spans if isinstance(spans, list) else ():
        if not isinstance(span, dict) or not span.get("is_primary"):
            continue
        yield span

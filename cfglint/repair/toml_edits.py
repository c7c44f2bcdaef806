"""Edits of a Cargo.toml as text: one more element in an array, one more key in a table. Formatting stays as it is.

Works on text that the TOML parser has accepted. What cannot be placed for certain is not edited (None).
"""

from __future__ import annotations

import json
import re

from cfglint.manifest.document import Document
from cfglint.manifest.positions import Key, Path, Position, positions
from cfglint.repair.edits import Edit

_NEXT_LINE = re.compile(r"[^\n]*\n?")


def quoted(text: str) -> str:
    """A TOML basic string."""
    return json.dumps(text, ensure_ascii=False)


def appended(document: Document, where: Path, element: str) -> Edit | None:
    """The edit that adds a string to the array at `where`."""
    text = document.text
    places = positions(text)
    elements = sorted(
        (path[-1], place) for path, place in places.items() if path[:-1] == where and isinstance(path[-1], int)
    )
    if not elements:
        opening = _value_start(document, where)
        if opening is None or text[opening] != "[":
            return None
        return _edit(document, opening + 1, opening + 1, quoted(element))
    place = elements[-1][1]
    end = _offset(text, place.end_line, place.end_column)
    begin = _offset(text, place.line, place.column)
    line = text.rfind("\n", 0, begin) + 1
    indent = text[line:begin]
    comma = re.compile(r"\s*,").match(text, end)
    if comma is not None:
        end = comma.end()
    if not indent.strip() and line:
        return _edit(document, end, end, f"{'' if comma else ','}\n{indent}{quoted(element)}{',' if comma else ''}")
    return _edit(document, end, end, f"{'' if comma else ','} {quoted(element)}")


def key_in_table(document: Document, where: Path, after: str, line: str) -> Edit | None:
    """The edit that writes `line` under the key `after` of the table at `where`, which has a line of its own."""
    place = positions(document.text).get((*where, after))
    if place is None:
        return None
    start = _offset(document.text, place.line, 1)
    head = document.text[start : _offset(document.text, place.line, place.column)]
    if head.strip():
        return None
    end = _line_end(document.text, start)
    newline = "" if document.text[:end].endswith("\n") else "\n"
    return _edit(document, end, end, f"{newline}{line}\n")


def key_in_features(document: Document, name: str) -> Edit | None:
    """The edit that declares a feature without entries."""
    text = document.text
    known = [place for path, place in positions(text).items() if path[:1] == ("features",) and len(path) == 2]
    shown = name if re.fullmatch(r"[A-Za-z0-9_-]+", name) else quoted(name)
    if known:
        last = max(known)
        offset = _statement_end(document, ("features", _key_of(document, last)))
        return None if offset is None else _edit(document, offset, offset, f"{shown} = []\n")
    return at_end(document, f"[features]\n{shown} = []\n")


def at_end(document: Document, lines: str) -> Edit:
    """The edit that writes lines at the end of the file, behind an empty one."""
    text = document.text
    gap = "" if not text else "\n" if text.endswith("\n") else "\n\n"
    return _edit(document, len(text), len(text), gap + lines)


def dependency_feature(document: Document, where: Path, requested: str) -> Edit | None:
    """The edit that lets the dependency entry at `where` ask for a feature."""
    text = document.text
    if (*where, "features") in positions(text):
        return appended(document, (*where, "features"), requested)
    shared = positions(text).get((*where, "workspace"))
    if shared is not None and _value_start(document, where) is None:
        line = f"features = [{quoted(requested)}]"
        return key_in_table(document, where, "workspace", line) or _dotted(document, where, shared, requested)
    start = _value_start(document, where)
    if start is None:
        inner = [path for path in positions(text) if path[:-1] == where]
        if not inner or any(isinstance(path[-1], int) for path in inner):
            return None
        return key_in_table(document, where, str(inner[0][-1]), f"features = [{quoted(requested)}]")
    if text[start] == "{":
        end = text.find("}", start)
        body = text[start + 1 : end].rstrip()
        return _edit(document, start + 1 + len(body), start + 1 + len(body), f", features = [{quoted(requested)}]")
    match = re.compile(r"\"[^\"\n]*\"|'[^'\n]*'").match(text, start)
    if match is None:
        return None
    return _edit(document, start, match.end(), f"{{ version = {match.group()}, features = [{quoted(requested)}] }}")


def _dotted(document: Document, where: Path, start: Position, requested: str) -> Edit | None:
    """`name.workspace = true` as a table with features."""
    begin = _offset(document.text, start.line, 1)
    line = _NEXT_LINE.match(document.text, begin)
    written = line.group() if line is not None else ""
    if not re.fullmatch(r"\s*[\w-]+\.workspace\s*=\s*true\s*", written):
        return None
    text = f"{where[-1]} = {{ workspace = true, features = [{quoted(requested)}] }}"
    return _edit(document, begin, begin + len(written.rstrip()), text)


def _key_of(document: Document, place: Position) -> Key:
    return next(path[-1] for path, known in positions(document.text).items() if known == place and len(path) == 2)


def _statement_end(document: Document, where: Path) -> int | None:
    """The offset behind the line on which the array at `where` ends."""
    start = _value_start(document, where)
    if start is None or document.text[start] != "[":
        return None
    inside = [place for path, place in positions(document.text).items() if path[:-1] == where]
    last = max((_offset(document.text, place.end_line, place.end_column) for place in inside), default=start)
    close = document.text.find("]", last)
    return None if close == -1 else _line_end(document.text, close)


def _value_start(document: Document, where: Path) -> int | None:
    """The offset of the value of a key that is written `key = value`."""
    place = positions(document.text).get(where)
    if place is None:
        return None
    end = _offset(document.text, place.end_line, place.end_column)
    found = re.compile(r"[ \t]*=[ \t]*").match(document.text, end)
    return None if found is None or found.end() >= len(document.text) else found.end()


def _line_end(text: str, offset: int) -> int:
    end = text.find("\n", offset)
    return len(text) if end == -1 else end + 1


def _offset(text: str, line: int, column: int) -> int:
    """The index of a position in the text; columns count UTF-8 bytes."""
    start = 0
    for _ in range(line - 1):
        start = text.find("\n", start) + 1
    rest = text[start : start + column].encode()[: column - 1]
    return start + len(rest.decode("utf-8", "ignore"))


def _edit(document: Document, start: int, end: int, text: str) -> Edit:
    """An edit by indices into the text, in bytes of the file (which may begin with a byte order mark)."""
    mark = 3 if _has_mark(document) else 0
    first = len(document.text[:start].encode()) + mark
    return Edit(str(document.path), first, first + len(document.text[start:end].encode()), text)


def _has_mark(document: Document) -> bool:
    try:
        with document.path.open("rb") as file:
            return file.read(3) == b"\xef\xbb\xbf"
    except OSError:
        return False

"""Expressions that can be read without their tree: names, calls, fields, literals and operators, and nothing else.

Most code is of this kind, and to look at each of its nodes takes several times as long. What can hold a pattern, a
type, a block, a macro call or a comment is left to the tree: `plain_paths` then says where it gave up. So are ranges
and a few other things for the sake of a quick search.
"""

from __future__ import annotations

import re

_REST_OF_STRING = rb'[^"\\]*(?:\\.[^"\\]*)*"'
_SUSPECT = re.compile(rb"[{}|'#$@<>\\\"/!\x80-\xff]")
"""What a plain expression has only where it is `_ALLOWED`: strings, divisions, comparisons, negations."""
_ALLOWED = re.compile(
    rb'"' + _REST_OF_STRING + rb"|/(?![/*])"
    rb'|(?<=[\w)\]?"] )(?:[<>]=?|<<|>>)(?= )'
    rb"|!=|(?<!\w)(?<!\w\s)!",
    re.ASCII | re.DOTALL,
)
_LOOSE_DOT = re.compile(rb"\.[\s.]")
_NAME = re.compile(
    rb'[A-Za-z_:"](?:'
    rb'(?<=")' + _REST_OF_STRING + rb"|(?<=[A-Za-z_])(?<![\w.].)(\w*(?:::[A-Za-z_]\w*)*)(?:(\s*\()|(\"|\s*::))?"
    rb"|(?<=:)()"
    rb")",
    re.ASCII | re.DOTALL,
)
"""A string, or a path that no dot stands before: groups 1 its rest, 2 if it is called, 3 and 4 if it is something else."""
_CALL = 2
_NO_NAMES = frozenset({b"self", b"mut", b"true", b"false", b"return"})
_WORDS = frozenset(
    b"as async await box break const continue do dyn else enum extern fn for gen if impl in let loop macro match mod move "
    b"pub raw ref static struct trait try type unsafe use where while yield".split()
)


def plain_paths(source: bytes, start: int, end: int) -> list[tuple[bytes, int, int, bool]] | int:
    """The paths of the expression between two offsets, in order: text, start, end, and whether it is called.

    Where the expression is not plain, the offset of something that is not.
    """
    if source[start - 1 : start] == b".":  # behind `..`; the patterns would take it for a field
        return start
    at = start
    while suspect := _SUSPECT.search(source, at, end):
        allowed = _ALLOWED.match(source, suspect.start(), end)
        if allowed is None:
            return suspect.start()
        at = allowed.end()
    dot = _LOOSE_DOT.search(source, start, end)
    if dot:
        return dot.start()
    paths: list[tuple[bytes, int, int, bool]] = []
    for found in _NAME.finditer(source, start, end):
        kind = found.lastindex
        if kind is None:
            continue
        begin = found.start()
        if kind > _CALL:
            return begin
        behind = found.end(1)
        text = source[begin:behind]
        if text in _WORDS:
            return begin
        if text not in _NO_NAMES:
            paths.append((text, begin, behind, kind == _CALL))
    return paths

"""`primaryLocationLineHash`: GitHub's own way to know a line again after it has moved.

Code scanning computes it when a SARIF file is uploaded with its action, and complains where the file already has another
value; its API takes what it is given. So the very same value is computed here: for each line, a polynomial over the
hundred UTF-16 units that begin at its first visible one, blanks left out and line ends made alike, as an unsigned
64-bit number in hexadecimal, and which of the lines with that number it is.
Source: github/codeql-action, src/fingerprints.ts (behaviour, including its constants).
"""

from __future__ import annotations

import re
from array import array

_WINDOW = 100
_BASE = 37
_MASK = (1 << 64) - 1
_END = 0xFFFF
_BLANKS = re.compile("[ \t]+")


def line_hashes(source: str, wanted: frozenset[int]) -> dict[int, str]:
    """The hashes of the lines with these numbers (from 1).

    All lines up to the last one wanted are looked at, for equal ones are numbered.
    """
    text = _BLANKS.sub("", source.replace("\r\n", "\n").replace("\r", "\n"))
    lines = text.split("\n")
    units = array("H", text.encode("utf-16-le", "surrogatepass"))
    units.append(_END)
    units.extend([0] * _WINDOW)
    hashes: dict[int, str] = {}
    seen: dict[int, int] = {}
    at = 0
    last = max(wanted, default=0)
    for number, line in enumerate(lines[:last], 1):
        value = 0
        for unit in units[at : at + _WINDOW]:
            value = (value * _BASE + unit) & _MASK
        seen[value] = seen.get(value, 0) + 1
        if number in wanted:
            hashes[number] = f"{value:x}:{seen[value]}"
        at += len(line.encode("utf-16-le", "surrogatepass")) // 2 + 1
    return hashes

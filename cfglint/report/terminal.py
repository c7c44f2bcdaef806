"""What may reach a terminal: text without control characters, and colours by rich.

Names, paths and source lines come from the analysed project and may hold anything. Nothing here decides what is said.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from typing import TypeAlias

Segment: TypeAlias = tuple[str, str]
"""Text and its style in rich's words (`bold red`), or the empty style."""

Line: TypeAlias = tuple[Segment, ...]

# Controls (C0, C1), line and paragraph separators, bidirectional overrides ("trojan source"), lone surrogates.
_UNPRINTABLE = re.compile("[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


def printable(text: str) -> str:
    """`text` on one line, with U+FFFD for every character that a terminal would obey or cannot encode."""
    return _UNPRINTABLE.sub(
        "\N{REPLACEMENT CHARACTER}", text.replace("\r\n", " ").replace("\n", " ").replace("\t", "    ")
    )


def width(text: str) -> int:
    """Terminal columns that `text` takes: two for wide East Asian characters, none for combining ones."""
    if text.isascii():
        return len(text)
    return sum(_cell(character) for character in text)


def _cell(character: str) -> int:
    if unicodedata.combining(character):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def plain(lines: Iterable[Line]) -> str:
    """The lines without colour."""
    return "".join("".join(text for text, _ in line).rstrip() + "\n" for line in lines)


def colored(lines: Iterable[Line]) -> str:
    """The lines with ANSI colours. Nothing in them is taken for markup or wrapped."""
    import io

    from rich.console import Console
    from rich.text import Text

    out = io.StringIO()
    console = Console(
        file=out,
        force_terminal=True,
        color_system="standard",
        no_color=False,
        markup=False,
        emoji=False,
        highlight=False,
        legacy_windows=False,
    )
    for line in lines:
        console.print(Text.assemble(*line), soft_wrap=True)
    return out.getvalue()

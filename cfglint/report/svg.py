"""The few SVG shapes that pictures here are made of: boxes of text, arrows, a page around them.

Text is escaped and freed of control characters; nothing from the project can leave its place. Sizes are in pixels.
"""

from __future__ import annotations

from collections.abc import Sequence
from xml.sax.saxutils import escape, quoteattr

from cfglint.report.terminal import printable, width

CHARACTER = 7.3
LINE = 17
PADDING = 9
MOST_CHARACTERS = 64
MOST_IN_TITLES = 120

_STYLE = (
    "text{font:12px ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;fill:#1f2328}"
    ".b{fill:#f6f8fa;stroke:#59636e}.m{fill:#ffebe9;stroke:#cf222e;stroke-dasharray:5 3}"
    ".k{fill:#dafbe1;stroke:#1a7f37}"
    ".t{font-weight:bold}.g{fill:#7d4e00}.p{fill:#0550ae}.r{fill:#cf222e;font-weight:bold}"
    ".a{fill:none;stroke:#59636e;stroke-width:1.3}.h{fill:#59636e}.contains{stroke-dasharray:1 4}.imports{stroke-dasharray:6 4}"
    ".c{fill:none;stroke:#8c959f;stroke-dasharray:2 3}.kept{stroke:#1a7f37}.cut{stroke:#8c959f;opacity:.5}"
    ".open{stroke:#9a6700}.broken{stroke:#cf222e;stroke-width:2}"
    "@media(prefers-color-scheme:dark){text{fill:#f0f6fc}.b{fill:#151b23}.m{fill:#3c1618}.k{fill:#12261e}"
    ".g{fill:#e3b341}.p{fill:#79c0ff}.r{fill:#ff7b72}}"
)


def document(body: Sequence[str], size: tuple[float, float], title: str) -> str:
    """A whole SVG file."""
    wide, high = (round(value) for value in size)
    head = f'<svg xmlns="http://www.w3.org/2000/svg" width="{wide}" height="{high}" viewBox="0 0 {wide} {high}" role="img">'
    marker = (
        '<defs><marker id="e" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" orient="auto">'
        '<path class="h" d="M0 0L8 4L0 8z"/></marker></defs>'
    )
    return "\n".join(
        [head, f"<title>{escape(printable(title))}</title>", f"<style>{_STYLE}</style>", marker, *body, "</svg>", ""]
    )


def box(at: tuple[float, float], size: tuple[float, float], kind: str, lines: Sequence[tuple[str, str]]) -> str:
    """A box with lines of text, each with its class; `kind` is the class of the box."""
    left, top = at
    parts = [
        f'<rect class="{kind}" x="{left:.0f}" y="{top:.0f}" width="{size[0]:.0f}" height="{size[1]:.0f}" rx="5"/>',
        *(
            text((left + PADDING, top + PADDING + LINE * (number + 0.7)), content, style)
            for number, (content, style) in enumerate(lines)
        ),
    ]
    return "".join(parts)


def text(at: tuple[float, float], content: str, style: str = "", *, most: int = MOST_CHARACTERS) -> str:
    """One line of text."""
    classes = f" class={quoteattr(style)}" if style else ""
    return f'<text{classes} x="{at[0]:.0f}" y="{at[1]:.0f}">{escape(shortened(content, most=most))}</text>'


def arrow(points: Sequence[tuple[float, float]], style: str = "a") -> str:
    """An arrow along straight lines."""
    way = " ".join(f"{'M' if not number else 'L'}{x:.0f} {y:.0f}" for number, (x, y) in enumerate(points))
    return f'<path class="{style}" d="{way}" marker-end="url(#e)"/>'


def shortened(content: str, *, most: int = MOST_CHARACTERS) -> str:
    """The text as it is drawn: printable, and cut in the middle where it is long."""
    shown = printable(content)
    if len(shown) <= most:
        return shown
    half = most // 2 - 2
    return f"{shown[:half]} .. {shown[-half:]}"


def size_of(lines: Sequence[tuple[str, str]]) -> tuple[float, float]:
    """The size of a box around lines of text."""
    widest = max((width(shortened(content)) for content, _ in lines), default=0)
    return widest * CHARACTER + 2 * PADDING, len(lines) * LINE + 2 * PADDING

"""Sphinx: the documentation as a site, from the pages as they are.

    sphinx-build -W -c docs . docs/_build

There is no second copy of anything: the source folder is the top of the repository, rule pages are those of rules/ with a
title in the place of their front matter, and the contents list is made here from what there is.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

from sphinx.application import Sphinx

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from cfglint import __version__  # noqa: E402  (the path has to be set first)
from cfglint.rulebook import parse  # noqa: E402

project = "cfglint"
author = "the cfglint authors"
copyright = author  # noqa: A001  (Sphinx's name for it)
release = version = __version__
extensions = ["myst_parser"]
root_doc = "docs/index"
include_patterns = ["README.md", "CHANGELOG.md", "CONTRIBUTING.md", "docs/**.md", "rules/*.md"]
exclude_patterns = ["docs/_build"]
myst_heading_anchors = 3
suppress_warnings = [
    "myst.xref_missing",  # links to folders and files of the repository; a test follows them
    "misc.highlighting_failure",  # examples of configuration that is wrong
]
html_theme = "furo"
html_title = f"cfglint {release}"

_CONTENTS = {
    "Begin": ["README", "docs/adoption"],
    "Use": [
        "docs/configuration",
        "docs/suppressing",
        "docs/formats",
        "docs/pre-commit",
        "docs/ci",
        "docs/editor",
    ],
    "Commands": sorted(f"docs/commands/{file.stem}" for file in (ROOT / "docs/commands").glob("*.md")),
    "Rules": ["docs/rules", *sorted(f"rules/{file.stem}" for file in (ROOT / "rules").glob("*.md"))],
}


def setup(app: Sphinx) -> None:
    """Register what is done to the pages."""
    app.connect("source-read", _prepare)


def _prepare(app: Sphinx, name: str, source: list[str]) -> None:
    del app
    if name.startswith("rules/"):
        rule = parse(ROOT / f"{name}.md")
        source[0] = (
            f"# {rule.code}: {rule.name}\n\n*{rule.severity}, since {rule.since}*: {rule.summary}.\n\n{rule.body}"
        )
    if name == root_doc:
        source[0] += "".join(_toctree(title, pages) for title, pages in (_CONTENTS | {"More": _others()}).items())
    # A fence may name a file behind the language; Pygments wants the language alone.
    source[0] = re.sub(r"^(```+)(\w+) [^\n`]+$", r"\1\2", source[0], flags=re.MULTILINE)


def _others() -> list[str]:
    """Pages that no list above has."""
    listed = {page for pages in _CONTENTS.values() for page in pages} | {root_doc}
    found = (
        f"docs/{file.relative_to(ROOT / 'docs').with_suffix('').as_posix()}" for file in (ROOT / "docs").rglob("*.md")
    )
    return [*sorted(page for page in found if page not in listed and "_build" not in page), "CONTRIBUTING", "CHANGELOG"]


def _toctree(title: str, pages: list[str]) -> str:
    entries = "\n".join(f"/{page}" for page in pages)
    return f"\n```{{toctree}}\n:hidden:\n:caption: {title}\n\n{entries}\n```\n"

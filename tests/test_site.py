"""The documentation can be built as a site, without a warning, with every page and every rule in it."""

from __future__ import annotations

import sys
from pathlib import Path

from cfglint.rulebook import rulebook
from tests.adoption.installing import run
from tests.test_docs import ROOT


def test_the_site(tmp_path: Path) -> None:
    done = run(
        [sys.executable, "-m", "sphinx", "-W", "-q", "-c", "docs", "-d", tmp_path / "d", ".", tmp_path / "site"], ROOT
    )
    assert done.returncode == 0, done.stderr
    pages = {file.relative_to(tmp_path / "site").as_posix() for file in (tmp_path / "site").rglob("*.html")}
    for rule in rulebook():
        page = f"rules/{rule.code}-{rule.name}.html"
        assert page in pages
        text = (tmp_path / "site" / page).read_text("utf-8")
        assert f"{rule.code}: {rule.name}" in text
        assert "+++" not in text
    for document in (ROOT / "docs").rglob("*.md"):
        assert document.relative_to(ROOT).with_suffix(".html").as_posix() in pages
    contents = (tmp_path / "site/docs/index.html").read_text("utf-8")
    assert all(f"{rule.code}: {rule.name}" in contents for rule in rulebook())

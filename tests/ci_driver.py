"""CI fixtures as data: one file a case, with the files of a repository and what `cfglint ci` must print for it.

A case begins with what it is about, may give `options:`, and goes on with files, each behind a line `--- path`. The last
section, `--- expected`, is the concise report and, after an empty line, what could not be read. Every case stands on the
workspace of `base.files`, whose files it may replace. CFGLINT_UPDATE=1 writes the expectations anew.
"""

from __future__ import annotations

import contextlib
import io
import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cfglint.cli.main import main

FIXTURES = Path(__file__).resolve().parent.parent / "fixtures_ci"
_FILE = re.compile(r"^--- (\S+)\n", re.MULTILINE)
_BINARY = {".npy": b"\x93NUMPY\x00\x01"}


@dataclass(frozen=True, slots=True)
class Case:
    """One case: files by name, options of the command, and the expected text."""

    path: Path
    options: tuple[str, ...]
    files: dict[str, str]
    expected: str


def discover() -> tuple[Path, ...]:
    """Every case, sorted."""
    return tuple(sorted(FIXTURES.glob("*.case")))


def load(path: Path) -> Case:
    """Read a case, on top of the common workspace."""
    text = path.read_text("utf-8")
    head = _FILE.split(text)[0]
    found = re.search(r"^options: (.*)$", head, re.MULTILINE)
    files = _sections((FIXTURES / "base.files").read_text("utf-8")) | _sections(text)
    expected = files.pop("expected", "")
    return Case(path, tuple(found[1].split()) if found else (), files, expected)


def write(case: Case, folder: Path) -> Path:
    """Make the repository of a case; it ends at `folder`, whatever is above."""
    (folder / ".git").mkdir(parents=True)
    for name, text in case.files.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(_BINARY.get(file.suffix, text.encode("utf-8")))
    return folder


def run_ci(folder: Path, *options: str) -> dict[str, Any]:
    """`cfglint ci FOLDER --format json`, parsed. Raises AssertionError where the tool could not do its work."""
    printed, complained = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(complained):
        status = main(["ci", str(folder), "--format", "json", *options])
    assert status in (0, 1), f"exit status {status}: {complained.getvalue().strip()[-2000:]}"
    answer = json.loads(printed.getvalue())
    assert isinstance(answer, dict)
    return answer


def shown(report: dict[str, Any]) -> str:
    """A report as the expectations are written."""
    findings = [
        f"{one['file']}:{one['line']}:{one['column']}: {one['severity']} {one['rule']} {one['message']}\n"
        for one in report["findings"]
    ]
    unread = [f"{one['file']}:{one['line']}: not read: {one['reason']}\n" for one in report["undecided"]]
    return "".join([*findings, *(["\n"] if unread else []), *unread])


def update(case: Case, text: str) -> None:
    """Write the expectation of a case."""
    before = case.path.read_text("utf-8").partition("--- expected\n")[0]
    case.path.write_text(f"{before}--- expected\n{text}", "utf-8")


def _sections(text: str) -> dict[str, str]:
    parts = _FILE.split(text)
    return dict(zip(parts[1::2], parts[2::2], strict=True))

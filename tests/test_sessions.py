"""Sessions in the documents: what stands behind `$` is run in a shell, what stands below is what it printed.

`<!-- session: FOLDER -->` begins one, in a copy of FOLDER that is a git repository with one commit; all `console` blocks up
to the next such line belong to it. CFGLINT_UPDATE=1 writes the output anew.
"""

from __future__ import annotations

import re
import shutil
import stat
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.adoption.installing import environment, repository, run
from tests.test_docs import DOCUMENTS, ROOT, UPDATE, brought_up_to_date

SESSION = re.compile(r"<!-- session: (?P<folder>\S+) -->\n(?P<body>.*?)(?=<!-- session: |\Z)", re.DOTALL)
BLOCK = re.compile(r"(?P<head>^```console\n)(?P<text>.*?)(?P<tail>^```$)", re.DOTALL | re.MULTILINE)
WITH_SESSIONS = [document for document in DOCUMENTS if SESSION.search(document.read_text("utf-8"))]


@pytest.mark.parametrize("document", WITH_SESSIONS, ids=lambda document: document.name)
def test_sessions_are_what_a_shell_prints(document: Path, tmp_path: Path) -> None:
    text = document.read_text("utf-8")
    shells = (Shell(tmp_path / str(number)) for number in range(100))
    now = SESSION.sub(lambda session: next(shells).replayed(session), text)
    text = brought_up_to_date(document, text, now)
    assert text == now, UPDATE


def test_the_documents_have_sessions() -> None:
    assert {document.name for document in WITH_SESSIONS} == {"adoption.md", "suppressing.md"}


class Shell:
    """One session: a project, and a `cfglint` on the path."""

    def __init__(self, folder: Path) -> None:
        self.project = folder / "project"
        self.tools = folder / "bin"
        self.tools.mkdir(parents=True)
        program = self.tools / "cfglint"
        program.write_text(f'#!/bin/sh\nPYTHONPATH="{ROOT}" exec "{sys.executable}" -m cfglint "$@"\n', "utf-8")
        program.chmod(program.stat().st_mode | stat.S_IXUSR)

    def replayed(self, session: re.Match[str]) -> str:
        """The session with the output that its commands have."""
        shutil.copytree(ROOT / session["folder"], self.project)
        self.variables = environment(COLUMNS="100", LC_ALL="C.UTF-8", TERM="dumb")
        self.variables["PATH"] = f"{self.tools}:{self.variables['PATH']}"
        repository(self.project)
        body = BLOCK.sub(
            lambda block: block["head"] + "".join(self._answers(block["text"])) + block["tail"], session["body"]
        )
        return f"<!-- session: {session['folder']} -->\n{body}"

    def _answers(self, text: str) -> Iterator[str]:
        for command in re.findall(r"^\$ (.*)$", text, re.MULTILINE):
            done = run(["bash", "-c", command], self.project, self.variables)
            assert done.returncode in (0, 1), f"{command}: {done.stderr}"
            yield f"$ {command}\n"
            yield from (line.rstrip() + "\n" for line in (done.stdout + done.stderr).splitlines())

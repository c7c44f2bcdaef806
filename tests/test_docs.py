"""What the documents show is what the program prints; CFGLINT_UPDATE=1 writes it anew."""

from __future__ import annotations

import importlib.util
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from cfglint.rulebook import rulebook
from tests.oracle.cargo_oracle import require_cargo

ROOT = Path(__file__).parents[1]
DOCUMENTS = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
OUTPUT = re.compile(
    r"(?P<head><!-- output: (?P<command>cfglint [^\n]*?) -->\n(?P<fence>```+)text\n)(?P<printed>.*?)(?P<tail>^(?P=fence)$)",
    re.DOTALL | re.MULTILINE,
)
RULES = re.compile(r"(?P<head><!-- rules -->\n)(?P<table>.*?)(?P<tail><!-- /rules -->)", re.DOTALL)
FENCED = re.compile(r"^(?P<fence>```+).*?^(?P=fence)$", re.DOTALL | re.MULTILINE)
LINK = re.compile(r"\]\((?!https?:|#)([^)\s#]+)")


TIME = re.compile(r"^(pass|FAIL) +\d+\.\d s", re.MULTILINE)
"""How long a build took is no two times the same."""

UPDATE = "run with CFGLINT_UPDATE=1 and read the difference"


def brought_up_to_date(document: Path, text: str, now: str) -> str:
    """What the document says, after it has been written anew if that was asked for."""
    if now != text and os.environ.get("CFGLINT_UPDATE") == "1":
        document.write_text(now, "utf-8", newline="\n")
        return now
    return text


def outputs() -> Iterator[tuple[Path, str]]:
    for document in DOCUMENTS:
        for block in OUTPUT.finditer(document.read_text("utf-8")):
            yield document, block["command"]


def printed_by(command: str) -> str:
    _, *arguments = shlex.split(command)
    environment = {name: value for name, value in os.environ.items() if name not in ("FORCE_COLOR", "CARGO_TERM_COLOR")}
    environment["COLUMNS"] = "100"
    result = subprocess.run(
        [sys.executable, "-m", "cfglint", *arguments],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=120,
        check=False,
    )
    assert result.returncode in (0, 1), result.stderr
    return TIME.sub(r"\1     0.1 s", result.stdout)


@pytest.mark.skipif(importlib.util.find_spec("cfglint.pipeline") is None, reason="there is no pipeline yet")
@pytest.mark.parametrize(
    ("document", "command"), [pytest.param(*pair, id=f"{pair[0].name}: {pair[1]}") for pair in outputs()]
)
def test_outputs_are_what_the_program_prints(document: Path, command: str) -> None:
    if command.startswith("cfglint run "):
        require_cargo()
    text = document.read_text("utf-8")
    now = OUTPUT.sub(
        lambda block: (
            block["head"] + printed_by(block["command"]) + block["tail"] if block["command"] == command else block[0]
        ),
        text,
    )
    text = brought_up_to_date(document, text, now)
    assert text == now, UPDATE


def test_the_documents_show_outputs() -> None:
    assert {document.name for document, _ in outputs()} == {
        "README.md",
        "builds.md",
        "explain.md",
        "seed.md",
        "check.md",
        "baseline.md",
        "rule.md",
        "completions.md",
    }


def test_the_table_of_rules_is_that_of_the_pages() -> None:
    document = ROOT / "docs/rules.md"
    text = document.read_text("utf-8")
    rows = [
        f"| [{rule.code}](../rules/{rule.code}-{rule.name}.md) | {rule.name} | {rule.severity} | {rule.summary} |\n"
        for rule in rulebook()
    ]
    table = "".join(["| Code | Name | Severity | Finds |\n|---|---|---|---|\n", *rows])
    now = RULES.sub(lambda block: block["head"] + table + block["tail"], text)
    assert table in now
    text = brought_up_to_date(document, text, now)
    assert text == now, UPDATE


def test_ci_runs_the_readmes_test_command_letter_by_letter() -> None:
    commands = re.findall(r"^python3 -m venv .*$", (ROOT / "README.md").read_text("utf-8"), re.MULTILINE)
    assert len(commands) == 2
    script = (ROOT / ".ci/run").read_text("utf-8")
    assert script.splitlines()[-1] == commands[1]
    assert "export CFGLINT_REQUIRE_CARGO=1" in script
    assert os.access(ROOT / ".ci/run", os.X_OK)


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda document: document.name)
def test_links_lead_somewhere(document: Path) -> None:
    for target in LINK.findall(FENCED.sub("", document.read_text("utf-8"))):
        assert (document.parent / target).exists(), target


def test_the_readme_tells_every_option_of_the_exit_status() -> None:
    from cfglint.cli import exit_codes

    table = re.findall(r"^\| (\d+) \|", (ROOT / "README.md").read_text("utf-8"), re.MULTILINE)
    assert sorted(map(int, table)) == sorted(value for name, value in vars(exit_codes).items() if name.isupper())

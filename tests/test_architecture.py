"""The floors hold: what design and CONTRIBUTING say about imports is a contract that runs."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import tomli

ROOT = Path(__file__).parents[1]
PROJECT = tomli.loads((ROOT / "pyproject.toml").read_text("utf-8"))


def test_import_contracts_are_kept() -> None:
    command = "import sys; from importlinter.cli import lint_imports_command as run; sys.exit(run())"
    result = subprocess.run(
        [sys.executable, "-c", command, "--no-cache"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert result.returncode == 0, result.stdout + result.stderr


def test_every_module_says_what_it_does() -> None:
    for file in sorted((ROOT / "cfglint").rglob("*.py")):
        assert file.read_text("utf-8").startswith('"""'), f"{file} has no docstring"


def test_no_module_has_outgrown_its_subject() -> None:
    too_long = {
        str(file.relative_to(ROOT)): lines
        for file in sorted((ROOT / "cfglint").rglob("*.py"))
        if (lines := file.read_text("utf-8").count("\n")) > 500
    }
    assert too_long == {}


def test_the_extra_and_the_group_are_one_list() -> None:
    assert PROJECT["project"]["optional-dependencies"]["dev"] == PROJECT["dependency-groups"]["dev"]


def test_every_lint_exception_has_a_reason() -> None:
    text = (ROOT / "pyproject.toml").read_text("utf-8")
    section = text[text.index("[tool.ruff.lint]") : text.index("[tool.ruff.lint.isort]")]
    for line in section.splitlines():
        if line.startswith('    "'):
            assert "# " in line, line

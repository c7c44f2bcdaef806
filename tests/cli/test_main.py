from __future__ import annotations

import io
import os
import subprocess
import sys
from pathlib import Path

import pytest

from cfglint import __version__
from cfglint.cli.main import cargo_main, main
from cfglint.cli.output import wants_color
from cfglint.config import ColorChoice
from cfglint.rulebook import rulebook
from tests.cli.conftest import FakePipeline
from tests.samples import finding, report

ROOT = Path(__file__).parents[2]


def run(*arguments: str, code: str = "", **environment: str) -> subprocess.CompletedProcess[str]:
    command = ["-c", code] if code else ["-m", "cfglint"]
    return subprocess.run(
        [sys.executable, *command, *arguments],
        cwd=ROOT,
        env=os.environ | environment,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=60,
        check=False,
    )


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(["--version"])
    assert stopped.value.code == 0
    assert capsys.readouterr().out == f"cfglint {__version__}\n"


@pytest.mark.parametrize("arguments", [[], ["chekc"], ["check", "--formt", "json"], ["check", "--format", "xml"]])
def test_a_wrong_command_line_is_status_2(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(arguments)
    assert stopped.value.code == 2
    assert "Traceback" not in capsys.readouterr().err


@pytest.mark.parametrize("arguments", [["cfglint", "check"], ["check"]])
def test_as_a_cargo_subcommand(pipeline: FakePipeline, arguments: list[str]) -> None:
    assert cargo_main(arguments) == 0
    assert pipeline.config is not None


def test_a_cargo_subcommand_calls_itself_so(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        cargo_main(["cfglint", "check", "--help"])
    assert capsys.readouterr().out.startswith("usage: cargo cfglint check ")


@pytest.mark.parametrize("command", [["--help"], ["check", "--help"], ["rule", "--help"]])
def test_help_fits_a_screen(command: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(command)
    assert capsys.readouterr().out.count("\n") <= 60


def test_help_imports_nothing_slow() -> None:
    code = "import sys; sys.argv[1:] = ['--help']\nfrom cfglint.cli.main import main\ntry: main()\nexcept SystemExit: pass\n"
    code += "print(sorted({name.partition('.')[0] for name in sys.modules} & {'rich', 'networkx', 'tree_sitter', 'msgspec', 'tomli'}))"
    assert run(code=code).stdout.endswith("\n[]\n")


def test_a_closed_pipe_is_quiet_and_keeps_the_status(tmp_path: Path) -> None:
    program = f"""
import sys, types, pathlib, cfglint
from tests.samples import finding, report
fake = types.ModuleType("cfglint.pipeline")
fake.analyze = lambda config: types.SimpleNamespace(workspace_root=pathlib.Path({str(tmp_path)!r}), config=config)
fake.run = lambda analysis: report(*[finding()] * 5000)
cfglint.pipeline = sys.modules["cfglint.pipeline"] = fake
from cfglint.cli.main import main
sys.exit(main(["check"]))
"""
    process = subprocess.Popen(
        [sys.executable, "-c", program], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.read(10)
    process.stdout.close()
    with process.stderr as stderr:
        assert stderr.read() == b""
    assert process.wait(60) == 1


def test_an_output_that_cannot_take_a_character_gets_an_escape(
    pipeline: FakePipeline, monkeypatch: pytest.MonkeyPatch
) -> None:
    raw = io.BytesIO()
    monkeypatch.setattr("sys.stdout", io.TextIOWrapper(raw, "ascii"))
    pipeline.report = report(finding(message="naïve"))
    assert main(["check", "--format", "concise"]) == 1
    assert raw.getvalue().endswith(b" CFG001 na\\xefve\n")


@pytest.mark.parametrize(
    ("choice", "to_terminal", "environment", "colored"),
    [
        ("auto", True, {}, True),
        ("auto", False, {}, False),
        ("always", False, {"NO_COLOR": "1", "CARGO_TERM_COLOR": "never"}, True),
        ("never", True, {"FORCE_COLOR": "1", "CARGO_TERM_COLOR": "always"}, False),
        ("auto", False, {"CARGO_TERM_COLOR": "always", "NO_COLOR": "1"}, True),
        ("auto", True, {"CARGO_TERM_COLOR": "never", "FORCE_COLOR": "1"}, False),
        ("auto", True, {"CARGO_TERM_COLOR": "auto", "NO_COLOR": "1"}, False),
        ("auto", True, {"CARGO_TERM_COLOR": "nonsense"}, True),
        ("auto", True, {"NO_COLOR": ""}, True),
        ("auto", False, {"FORCE_COLOR": "1"}, True),
        ("auto", False, {"FORCE_COLOR": "0"}, False),
        ("auto", True, {"TERM": "dumb"}, False),
    ],
)
def test_when_to_colour(choice: str, to_terminal: bool, environment: dict[str, str], colored: bool) -> None:
    assert wants_color(ColorChoice(choice), to_terminal=to_terminal, environment=environment) is colored


@pytest.mark.skipif(not rulebook(), reason="there are no rule pages yet")
class TestRule:
    def test_a_page_by_code_and_by_name(self, capsys: pytest.CaptureFixture[str]) -> None:
        rule = rulebook()[0]
        assert main(["rule", rule.code.lower()]) == 0
        page = capsys.readouterr().out
        assert page.startswith(f"# {rule.code}: {rule.name}\n")
        assert page.endswith(rule.body)
        assert main(["rule", rule.name]) == 0
        assert capsys.readouterr().out == page

    def test_the_list(self, capsys: pytest.CaptureFixture[str]) -> None:
        assert main(["rule", "--all"]) == 0
        lines = capsys.readouterr().out.splitlines()
        assert [line.split()[0] for line in lines] == [rule.code for rule in rulebook()]

    def test_json(self, capsys: pytest.CaptureFixture[str]) -> None:
        import json

        assert main(["rule", "--all", "--format", "json"]) == 0
        assert [entry["code"] for entry in json.loads(capsys.readouterr().out)] == [rule.code for rule in rulebook()]
        assert main(["rule", rulebook()[0].code, "--format", "json"]) == 0
        assert json.loads(capsys.readouterr().out)["documentation"] == rulebook()[0].body

    def test_in_colour(self, capsys: pytest.CaptureFixture[str]) -> None:
        assert main(["rule", rulebook()[0].code, "--color", "always"]) == 0
        assert "\x1b[" in capsys.readouterr().out

    def test_an_unknown_rule(self, capsys: pytest.CaptureFixture[str]) -> None:
        assert main(["rule", rulebook()[0].name + "x"]) == 2
        assert f"did you mean `{rulebook()[0].name}`?" in capsys.readouterr().err


def test_a_command_line_of_any_bytes_is_no_traceback() -> None:
    result = run("check", "no\udcff\nsuch")
    assert result.returncode == 2
    assert result.stderr.count("\n") == 1
    assert "Traceback" not in result.stderr

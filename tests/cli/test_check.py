from __future__ import annotations

import json
from pathlib import Path

import pytest

from cfglint.cli.main import main
from cfglint.config import ColorChoice, Config, FailOn, Format, Level, Narrowing
from cfglint.errors import ManifestError
from cfglint.finding import Confirmation, Severity
from tests.cli.conftest import FakePipeline
from tests.samples import finding, report

WARNING = finding(rule="CFG101", name="undeclared-feature", severity=Severity.WARNING)


def test_the_options_reach_the_pipeline(pipeline: FakePipeline, tmp_path: Path) -> None:
    out = tmp_path / "out.txt"
    arguments = "check --manifest-path Cargo.toml --format concise --fail-on warning --color never --select CFG0,cfg1 --ignore CFG012"
    arguments += f" -A CFG010 -W cfg001 -D configured-out-item --target t1 --target t2 -p a -p b --output-file {out} -j 3 --quiet"
    arguments += f" --exclude c --workspace -F x,y --features z --no-default-features --format sarif={out}.sarif"
    arguments += " --baseline known.json --no-baseline"
    arguments += " --lib --tests"
    pipeline.report = report()
    assert main(arguments.split()) == 0
    config = pipeline.config
    assert config is not None
    assert config == Config(
        path=Path(),
        manifest_path=Path("Cargo.toml"),
        packages=("a", "b"),
        targets=("t1", "t2"),
        kinds=frozenset({"lib", "tests"}),
        format=Format.CONCISE,
        fail_on=FailOn.WARNING,
        color=ColorChoice.NEVER,
        select=("CFG0", "CFG1"),
        ignore=("CFG012",),
        levels=(("CFG010", Level.ALLOW), ("CFG001", Level.WARN), ("CFG001", Level.DENY)),
        narrowing=Narrowing(("x", "y", "z"), without_default=True, exclude=("c",), whole_workspace=True),
        output_file=out,
        outputs=((Format.SARIF, Path(f"{out}.sarif")),),
        baseline=Path("known.json"),
        without_baseline=True,
        jobs=3,
        quiet=True,
    )
    assert out.read_text("utf-8") == ""


def test_all_targets_are_all_whatever_else_is_asked_for(pipeline: FakePipeline) -> None:
    assert main(["check", "--lib", "--all-targets"]) == 0
    assert pipeline.config == Config(Path())


def test_the_defaults(pipeline: FakePipeline) -> None:
    assert main(["check"]) == 0
    assert pipeline.config == Config(Path())


def test_json_on_stdout_and_nothing_else(pipeline: FakePipeline, capsys: pytest.CaptureFixture[str]) -> None:
    pipeline.report = report(finding())
    assert main(["check", ".", "--format", "json"]) == 1
    out, err = capsys.readouterr()
    assert [entry["rule"] for entry in json.loads(out)["findings"]] == ["CFG001"]
    assert err == ""


@pytest.mark.parametrize(
    ("severity", "fail_on", "status"),
    [
        (Severity.ERROR, "error", 1),
        (Severity.ERROR, "warning", 1),
        (Severity.ERROR, "never", 0),
        (Severity.WARNING, "error", 0),
        (Severity.WARNING, "warning", 1),
        (Severity.NOTE, "warning", 0),
    ],
)
def test_the_exit_status(pipeline: FakePipeline, severity: Severity, fail_on: str, status: int) -> None:
    pipeline.report = report(finding(severity=severity))
    assert main(["check", "--fail-on", fail_on]) == status


def test_levels_change_severity_and_status(pipeline: FakePipeline, capsys: pytest.CaptureFixture[str]) -> None:
    pipeline.report = report(finding(), WARNING)
    assert main("check -W CFG001 -D CFG101 --format json".split()) == 1
    printed = json.loads(capsys.readouterr().out)
    assert [entry["severity"] for entry in printed["findings"]] == ["warning", "error"]
    assert main("check -A CFG0 --format json".split()) == 0
    printed = json.loads(capsys.readouterr().out)
    assert [entry["rule"] for entry in printed["findings"]] == ["CFG101"]
    assert printed["summary"]["findings"] == 1


def test_settings_are_read_and_the_command_line_wins(pipeline: FakePipeline) -> None:
    Path("cfglint.toml").write_text('fail-on = "never"\nformat = "concise"\n', "utf-8")
    pipeline.report = report(finding())
    assert main(["check"]) == 0
    assert pipeline.config is not None
    assert pipeline.config.format is Format.CONCISE
    assert main(["check", "--fail-on", "error"]) == 1


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        ("check nowhere", "cfglint: no such file or directory: nowhere\n"),
        ("check -A CFG01X", "cfglint: unknown rule `CFG01X`; did you mean `CFG0"),
        (
            "check --select configured-out-itm",
            "cfglint: unknown rule `configured-out-itm`; did you mean `configured-out-item`?\n",
        ),
        ("check --format json --format sarif", "cfglint: `--format sarif` needs a file: `--format sarif=FILE`\n"),
        ("check --jobs 0", "cfglint: --jobs must be at least 1\n"),
        ("check --output-file no/such/folder/x", "cfglint: cannot write no/such/folder/x: No such file or directory\n"),
    ],
)
def test_what_cannot_be_done_is_one_line_and_status_2(
    pipeline: FakePipeline, capsys: pytest.CaptureFixture[str], arguments: str, complaint: str
) -> None:
    assert main(arguments.split()) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith(complaint)
    assert err.count("\n") == 1


def test_wrong_settings_are_status_2(pipeline: FakePipeline, capsys: pytest.CaptureFixture[str]) -> None:
    Path("cfglint.toml").write_text("fail_on = 1\n", "utf-8")
    assert main(["check"]) == 2
    assert "cfglint.toml:1: unknown key `fail_on`; did you mean `fail-on`?\n" in capsys.readouterr().err


def test_errors_of_the_pipeline_are_one_line(pipeline: FakePipeline, capsys: pytest.CaptureFixture[str]) -> None:
    pipeline.failure = ManifestError("not\nTOML \x1b[31m", Path("Cargo.toml"), 3)
    assert main(["check"]) == 2
    assert capsys.readouterr().err == "cfglint: Cargo.toml:3: not TOML \N{REPLACEMENT CHARACTER}[31m\n"


@pytest.mark.parametrize("failure", [ValueError("odd\nthing"), RecursionError(), AssertionError(), MemoryError()])
def test_a_defect_is_never_a_traceback(
    pipeline: FakePipeline, capsys: pytest.CaptureFixture[str], failure: Exception
) -> None:
    pipeline.failure = failure
    assert main(["check"]) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert err.startswith(f"cfglint: internal error: {type(failure).__name__}: ")
    assert ", please report" in err


def test_a_defect_is_a_traceback_when_asked_for(pipeline: FakePipeline, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CFGLINT_DEBUG", "1")
    pipeline.failure = ValueError("odd")
    with pytest.raises(ValueError, match="odd"):
        main(["check"])


def test_ctrl_c(pipeline: FakePipeline, capsys: pytest.CaptureFixture[str]) -> None:
    pipeline.failure = KeyboardInterrupt()
    assert main(["check"]) == 130
    assert capsys.readouterr() == ("", "")


def test_an_output_file_is_not_coloured(
    pipeline: FakePipeline, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    pipeline.report = report(finding())
    out = tmp_path / "out"
    assert main(["check", "--output-file", str(out)]) == 1
    assert "\x1b" not in out.read_text("utf-8")
    assert main(["check", "--output-file", str(out), "--color", "always"]) == 1
    assert "\x1b" in out.read_text("utf-8")


def test_confirm_is_asked_only_when_asked(
    pipeline: FakePipeline, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def refute(findings: object, root: Path, **_: object) -> object:
        assert root == pipeline.workspace_root
        return (finding(confirmation=Confirmation.REFUTED),)

    monkeypatch.setattr("cfglint.cargo.confirm.confirm", refute)
    pipeline.report = report(finding())
    assert main(["check", "--format", "json"]) == 1
    assert json.loads(capsys.readouterr().out)["findings"][0]["confirmation"] is None
    assert main(["check", "--format", "json", "--confirm"]) == 0
    assert json.loads(capsys.readouterr().out)["findings"][0]["confirmation"] == "refuted"


def test_progress_is_silent_where_nobody_watches(pipeline: FakePipeline, capsys: pytest.CaptureFixture[str]) -> None:
    pipeline.during = lambda config: config.progress("reading", 1, 2)
    assert main(["check"]) == 0
    assert capsys.readouterr().err == ""


def test_progress_is_drawn_on_a_terminal_once_the_run_is_long(
    pipeline: FakePipeline, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def work(config: Config) -> None:
        config.progress("reading", 0, 2)
        monkeypatch.setattr("cfglint.cli.progress._PATIENCE", 0)
        config.progress("reading", 1, 2)
        config.progress("resolving", 2, 2)

    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("CI", raising=False)
    pipeline.during = work
    assert main(["check"]) == 0
    out, err = capsys.readouterr()
    assert "resolving" in err
    assert out.endswith("could not be decided\n")

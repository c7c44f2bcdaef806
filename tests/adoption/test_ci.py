"""The GitHub action and the examples for CI: of the form that their readers want, and run for real.

The action's steps are run as a runner does: expressions replaced, each script in a bash of its own, variables and files of
GitHub's, the path that one step adds to in effect in the next.
"""

from __future__ import annotations

import json
import re
import shutil
import stat
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import pytest
import tomli
import yaml

from cfglint.cli.main import main
from tests.adoption.installing import ROOT, clone_of_cfglint, environment, repository, run
from tests.fixture_driver import FIXTURES

ACTION = yaml.safe_load((ROOT / "action.yml").read_text("utf-8"))
EXPRESSION = re.compile(r"\$\{\{\s*inputs\.([\w-]+)\s*\}\}")


@pytest.mark.parametrize(
    ("file", "schema"),
    [
        ("action.yml", "vendor.github-actions"),
        ("docs/examples/github-workflow.yml", "vendor.github-workflows"),
        ("docs/examples/gitlab-ci.yml", "vendor.gitlab-ci"),
    ],
)
def test_the_form_is_that_of_its_reader(file: str, schema: str) -> None:
    done = run([sys.executable, "-m", "check_jsonschema", "--builtin-schema", schema, ROOT / file], ROOT)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_hook_is_well_formed() -> None:
    done = run([sys.executable, "-m", "pre_commit", "validate-manifest", ROOT / ".pre-commit-hooks.yaml"], ROOT)
    assert done.returncode == 0, done.stdout


def test_no_script_of_the_action_holds_an_expression() -> None:
    for step in ACTION["runs"]["steps"]:
        assert "${{" not in step["run"], "inputs go by the environment, or they could be commands"
        assert step["shell"] == "bash"


@dataclass
class Runner:
    """As much of GitHub's runner as a composite action sees."""

    folder: Path
    workspace: Path
    action: Path
    path: list[str] = field(default_factory=list)

    def file(self, name: str) -> Path:
        return self.folder / name

    def run(self, inputs: Mapping[str, str]) -> tuple[int, str]:
        """Run the steps until one fails: its status, and all that was printed."""
        log = ""
        for step in ACTION["runs"]["steps"]:
            done = self._step(step, inputs)
            log += done.stdout + done.stderr
            if done.returncode:
                return done.returncode, log
        return 0, log

    def _step(self, step: Mapping[str, object], inputs: Mapping[str, str]) -> object:
        script = self.file("script.sh")
        script.write_text(str(step["run"]), "utf-8")
        names = {name: self.file(name) for name in ("GITHUB_OUTPUT", "GITHUB_PATH", "GITHUB_STEP_SUMMARY")}
        for file in names.values():
            file.touch()
        added = reversed(names["GITHUB_PATH"].read_text("utf-8").splitlines())
        values = {name: entry.get("default", "") for name, entry in ACTION["inputs"].items()} | dict(inputs)
        asked = step["env"]
        assert isinstance(asked, dict)
        variables = environment(
            CI="true",
            GITHUB_ACTIONS="true",
            GITHUB_WORKSPACE=str(self.workspace),
            GITHUB_ACTION_PATH=str(self.action),
            RUNNER_TEMP=str(self.folder),
            **{name: str(file) for name, file in names.items()},
            **{name: EXPRESSION.sub(lambda found: values[found[1]], value) for name, value in asked.items()},
        )
        variables["PATH"] = ":".join((*added, variables["PATH"]))
        return run(["bash", "--noprofile", "--norc", "-eo", "pipefail", script], self.workspace, variables)


def test_the_action(tmp_path: Path) -> None:
    clone_of_cfglint(tmp_path / "action")
    workspace = tmp_path / "work, 100%"
    shutil.copytree(FIXTURES / "seed-workspace", workspace / "rust")
    repository(workspace)
    (tmp_path / "runner").mkdir()
    runner = Runner(tmp_path / "runner", workspace, tmp_path / "action")
    inputs = {"path": "rust", "sarif-file": "out.sarif", "python": sys.executable, "args": "--ignore CFG002,CFG003"}

    status, log = runner.run(inputs)
    assert status == 1, log
    commands = [line for line in log.splitlines() if line.startswith("::")]
    assert len(commands) == 10
    assert commands[0].startswith("::error file=rust/crates/gdn2/src/autodiff.rs,line=4,endLine=4,col=27,")
    assert "1 more finding: see the job summary\n11 errors\n" in log
    assert runner.file("GITHUB_OUTPUT").read_text("utf-8") == "sarif-file=out.sarif\n"
    summary = runner.file("GITHUB_STEP_SUMMARY").read_text("utf-8")
    assert summary.count("\n| `rust/crates/") == 11
    results = json.loads((workspace / "out.sarif").read_text("utf-8"))["runs"][0]["results"]
    assert len(results) == 11

    # Installed once; what is new since the last commit is nothing.
    step = ACTION["runs"]["steps"][1]
    done = runner._step(step, inputs | {"since": "HEAD"})
    assert done.returncode == 0, done.stdout + done.stderr
    assert re.search(r"^since HEAD \([0-9a-f]{8}\): 0 new, 0 fixed, 11 unchanged$", done.stdout, re.MULTILINE)


def test_the_gitlab_job(tmp_path: Path) -> None:
    job = yaml.safe_load((ROOT / "docs/examples/gitlab-ci.yml").read_text("utf-8"))["cfglint"]
    shutil.copytree(FIXTURES / "seed-workspace", tmp_path / "project/rust")
    tools = tmp_path / "bin"
    tools.mkdir()
    asked = tmp_path / "pip.txt"
    _program(tools / "pip", f'#!/bin/sh\necho "$@" > "{asked}"\n')
    _program(tools / "cfglint", f'#!/bin/sh\nPYTHONPATH="{ROOT}" exec "{sys.executable}" -m cfglint "$@" rust\n')
    variables = environment(CI_PROJECT_DIR=str(tmp_path / "project"))
    variables["PATH"] = f"{tools}:{variables['PATH']}"
    statuses = [run(["sh", "-c", line], tmp_path / "project", variables).returncode for line in job["script"]]
    assert statuses == [0, 1]
    distribution = tomli.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert asked.read_text("utf-8").split()[-1] == f"{distribution['name']}[git]"
    assert "git" in distribution["optional-dependencies"]
    report = json.loads((tmp_path / "project" / job["artifacts"]["reports"]["codequality"]).read_text("utf-8"))
    assert len(report) == 14
    assert {issue["location"]["path"].partition("/")[0] for issue in report} == {"rust"}


@pytest.mark.parametrize(
    ("page", "example"),
    [
        ("ci.md", "github-workflow.yml"),
        ("ci.md", "gitlab-ci.yml"),
        ("pre-commit.md", "pre-commit-config.yaml"),
        ("adoption.md", "pre-commit-config.yaml"),
    ],
)
def test_the_pages_show_the_examples(page: str, example: str) -> None:
    text = (ROOT / "docs/examples" / example).read_text("utf-8")
    assert f"```yaml\n{text}```\n" in (ROOT / "docs" / page).read_text("utf-8")


def test_the_problem_matcher_reads_concise_lines(capsys: pytest.CaptureFixture[str]) -> None:
    matcher = json.loads((ROOT / "docs/examples/problem-matcher.json").read_text("utf-8"))
    (pattern,) = matcher["problemMatcher"][0]["pattern"]
    main(["check", str(FIXTURES / "configured-out-item/gated-module"), "--format", "concise"])
    (line,) = capsys.readouterr().out.splitlines()
    found = re.fullmatch(pattern["regexp"], line)
    assert found is not None
    assert (found[pattern["file"]], found[pattern["line"]], found[pattern["column"]]) == ("src/kernels.rs", "2", "12")
    assert found[pattern["code"]] == "CFG001"


def _program(file: Path, text: str) -> None:
    file.write_text(text, "utf-8")
    file.chmod(file.stat().st_mode | stat.S_IXUSR)

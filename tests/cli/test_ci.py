"""The commands about CI as they are called: formats, statuses, options."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from cfglint.cli.main import main
from tests.ci_driver import load, write
from tests.manifest.building import write as write_files

SEED = "fixtures_rust/seed-workspace"
CASES = Path(__file__).parents[2] / "fixtures_ci"


@pytest.fixture
def repository(tmp_path: Path) -> str:
    return str(write(load(CASES / "uncovered-gates.case"), tmp_path / "repository"))


def output(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str]:
    status = main(list(arguments))
    out, err = capsys.readouterr()
    assert err == ""
    return status, out


def test_status_and_severity(repository: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert output(capsys, "ci", repository, "--quiet")[0] == 1
    assert output(capsys, "ci", repository, "--fail-on", "error")[0] == 0
    assert output(capsys, "ci", repository, "--ignore", "CFG302")[0] == 0
    assert output(capsys, "ci", repository, "--select", "cfg301")[0] == 0
    assert main(["ci", "nowhere"]) == 2


def test_settings_are_respected(repository: str, capsys: pytest.CaptureFixture[str]) -> None:
    Path(repository, "cfglint.toml").write_text('[levels]\nuncovered-by-ci = "allow"\n', "utf-8")
    assert output(capsys, "ci", repository)[0] == 0
    Path(repository, "cfglint.toml").write_text('fail-on = "never"\n', "utf-8")
    assert output(capsys, "ci", repository)[0] == 0


def test_the_text_says_what_is_compiled(repository: str, capsys: pytest.CaptureFixture[str]) -> None:
    _, out = output(capsys, "ci", repository)
    assert " = reproduce: cargo check -p mesh --no-default-features --features cpu,gpu\n" in out
    assert out.splitlines()[-1].startswith("1 cargo command in 1 job; ")


def test_the_coverage_table(repository: str, capsys: pytest.CaptureFixture[str]) -> None:
    status, out = output(capsys, "ci", repository, "-p", "mesh", "--coverage")
    assert status == 0
    assert [line.split() for line in out.splitlines()[1:4]] == [
        ["where", "gate", "on", "off"],
        ["mesh/src/lib.rs:1", "cfg(feature", "=", '"cpu")', "check", "nowhere"],
        ["mesh/src/lib.rs:4", "cfg(all(feature", "=", '"cpu",', "feature", "=", '"gpu"))', "nowhere", "check"],
    ]
    value = json.loads(output(capsys, "ci", repository, "--coverage", "--format", "json")[1])
    first = value["coverage"][0]
    assert first["on"] == {
        "possible": True,
        "elsewhere": False,
        "jobs": [".github/workflows/ci.yml: check"],
        "command": "",
    }
    assert first["off"]["command"] == "cargo check -p mesh --no-default-features"
    assert value["builds"] == 1


def test_sides_that_no_build_of_ci_could_have(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files = {
        ".github/workflows/ci.yml": (
            "jobs:\n  a:\n    steps:\n      - run: cargo test --features x\n"
            "      - run: RUSTFLAGS='-C target-feature=+atomics' cargo check --target wasm32-unknown-unknown\n"
        ),
        "Cargo.toml": '[package]\nname = "p"\nversion = "0.1.0"\nedition = "2021"\n[features]\nx = []\n',
        "src/lib.rs": (
            '#[cfg(target_os = "aix")]\npub fn f() {}\n#[cfg(all(unix, windows))]\npub fn g() {}\n'
            '#[cfg(target_feature = "atomics")]\npub fn h() {}\n'
        ),
        "tests/t.rs": '#![cfg(feature = "x")]\n',
        "tests/u.rs": '#![cfg(not(feature = "x"))]\n',
        ".git/x": "",
    }
    root = str(write_files(tmp_path, files))
    text = output(capsys, "ci", root, "--coverage")[1]
    cells = [re.split(r"\s{2,}", line.strip()) for line in text.splitlines()[2:7]]
    assert [(place, on, off) for place, _, on, off in cells] == [
        ("src/lib.rs:1", "other targets", "a"),
        ("src/lib.rs:3", "cannot be", "a"),
        ("src/lib.rs:5", "a", "a"),
        ("tests/t.rs:1", "a", "nowhere"),
        ("tests/u.rs:1", "nowhere", "a"),
    ]
    report = json.loads(output(capsys, "ci", root, "--select", "CFG302", "--format", "json")[1])
    assert [one["message"] for one in report["findings"]] == ["no command of CI compiles the test `u`"]


def test_workflows_are_found_from_within(repository: str, capsys: pytest.CaptureFixture[str]) -> None:
    _, whole = output(capsys, "ci", repository, "--format", "json")
    _, inner = output(capsys, "ci", f"{repository}/mesh", "--format", "json")
    found = [one for one in json.loads(whole)["findings"] if one["package"] == "mesh"]
    assert [one["fingerprint"] for one in json.loads(inner)["findings"]] == [one["fingerprint"] for one in found]


def test_a_workspace_within_a_repository(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files = {
        ".github/workflows/ci.yml": "jobs: {a: {steps: [{run: cargo check}, {run: cd rust && cargo check --features nope}]}}",
        "rust/Cargo.toml": '[package]\nname = "p"\nversion = "0.1.0"\nedition = "2021"\n',
        "rust/src/lib.rs": "",
        ".git/x": "",
    }
    root = write_files(tmp_path, files)
    _, out = output(capsys, "ci", str(root / "rust"), "--select", "CFG301", "--format", "concise")
    assert out == ("../.github/workflows/ci.yml:1:57: CFG301 the package `p` does not contain this feature: nope\n")


def test_matrices(capsys: pytest.CaptureFixture[str]) -> None:
    status, out = output(capsys, "matrix", SEED, "-p", "mhc", "--partition", "2/2")
    assert (status, out.splitlines()[1:]) == (
        0,
        [
            "cargo check -p mhc --all-targets --no-default-features --features cuda,autodiff",
            "# 1 combination of 1 package",
        ],
    )
    assert output(capsys, "matrix", SEED, "-p", "mhc", "--strategy", "full")[1].count("cargo check") == 4
    assert main(["matrix", SEED, "-p", "nobody"]) == 2
    assert main(["matrix", SEED, "--limit", "0"]) == 2
    assert main(["matrix", "nowhere"]) == 2


def test_too_many_jobs_for_github(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    names = [f"f{number}" for number in range(9)]
    manifest = '[package]\nname = "p"\nversion = "0.1.0"\nedition = "2021"\n[features]\n' + "".join(
        f"{n} = []\n" for n in names
    )
    root = write_files(tmp_path, {"Cargo.toml": manifest, "src/lib.rs": ""})
    assert main(["matrix", str(root), "--strategy", "full", "--format", "json"]) == 0
    out, err = capsys.readouterr()
    assert len(json.loads(out)["include"]) == 512
    assert "GitHub makes no more than 256 jobs of a matrix; use --partition" in err


@pytest.mark.parametrize("command", ["ci", "matrix", "run"])
def test_help_fits_a_screen(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main([command, "--help"])
    assert capsys.readouterr().out.count("\n") <= 60

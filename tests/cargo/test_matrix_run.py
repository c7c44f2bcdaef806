"""Running a matrix: a stand-in for cargo tells what the runner does, the real one that it is right."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
import xml.etree.ElementTree as ET
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from cfglint.cargo.matrix_run import Options, run_matrix
from cfglint.cli.main import main
from cfglint.errors import UsageError
from cfglint.matrix.combination import Combination
from cfglint.matrix.results import Status
from tests.oracle.cargo_oracle import require_cargo

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the stand-in for cargo is a POSIX script")

ROOT = Path(__file__).parents[2]
SEED = ROOT / "fixtures_rust/seed-workspace"

FakeCargo = Callable[[str], Path]


@pytest.fixture
def fake_cargo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> FakeCargo:
    """Puts a `cargo` with this Python body on PATH; every call is one line of the file that is returned."""

    def install(body: str) -> Path:
        folder = tmp_path / "bin"
        folder.mkdir()
        calls = folder / "calls.jsonl"
        script = folder / "cargo"
        script.write_text(
            f"#!{sys.executable}\nimport json, os, sys, time\narguments = sys.argv[1:]\n"
            f"open({str(calls)!r}, 'a').write(json.dumps([arguments, dict(os.environ)]) + chr(10))\n{body}\n",
            "utf-8",
        )
        script.chmod(0o755)
        monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")
        monkeypatch.delenv("CARGO", raising=False)
        return calls

    return install


def combination(name: str, *features: str, flags: str = "", target: str = "") -> Combination:
    command = f"cargo check -p {name} --all-targets" + (f" --features {','.join(features)}" if features else "")
    command += f" --target {target}" if target else ""
    if flags:
        command = f'RUSTFLAGS="{flags}" {command}'
    return Combination(name, "all", features, True, target, (), flags, False, command)


def calls_in(file: Path) -> list[tuple[list[str], dict[str, str]]]:
    return [tuple(json.loads(line)) for line in file.read_text("utf-8").splitlines()]  # type: ignore[misc]


def message(code: str, text: str, line: int, package: str = "a", level: str = "error") -> str:
    return json.dumps(
        {
            "reason": "compiler-message",
            "package_id": f"path+file:///w/{package}#0.1.0",
            "target": {"kind": ["lib"], "name": package},
            "message": {
                "level": level,
                "message": text,
                "code": {"code": code},
                "rendered": f"{level}[{code}]: {text}\n",
                "spans": [
                    {
                        "is_primary": True,
                        "file_name": "src/lib.rs",
                        "line_start": line,
                        "line_end": line,
                        "column_start": 3,
                    }
                ],
            },
        }
    )


def test_no_failure_stops_the_others(fake_cargo: FakeCargo, tmp_path: Path) -> None:
    error = message("E0425", "cannot find function `f`", 7)
    calls = fake_cargo(f"if 'b' in arguments:\n    print({error!r})\n    sys.exit(101)")
    heard: list[str] = []
    run = run_matrix(
        [combination("a"), combination("b", "x"), combination("c")],
        Options(),
        tmp_path,
        told=lambda result: heard.append(result.combination.package),
    )
    assert [result.status for result in run.results] == [Status.PASSED, Status.FAILED, Status.PASSED]
    assert heard == ["a", "b", "c"]
    assert [one.message for one in run.results[1].diagnostics] == ["cannot find function `f`"]
    assert calls_in(calls)[1][0] == "check --message-format=json --keep-going -p b --all-targets --features x".split()


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (
            "clippy --no-deps -- -D warnings",
            "clippy --message-format=json --keep-going -p a --all-targets --no-deps -- -D warnings",
        ),
        ("test", "test --message-format=json --no-fail-fast -p a --all-targets"),
        ("test --no-run", "test --message-format=json -p a --all-targets --no-run"),
        ("doc", "doc --message-format=json --keep-going -p a"),
        ("nextest run", "nextest -p a --all-targets run"),
    ],
)
def test_any_subcommand(words: str, expected: str, fake_cargo: FakeCargo, tmp_path: Path) -> None:
    calls = fake_cargo("")
    run_matrix([combination("a")], Options(words=tuple(words.split())), tmp_path)
    assert calls_in(calls)[0][0] == expected.split()


@pytest.mark.parametrize("words", [(), ("--all",), ("+nightly",)])
def test_what_is_no_subcommand(words: tuple[str, ...], fake_cargo: FakeCargo, tmp_path: Path) -> None:
    fake_cargo("")
    with pytest.raises(UsageError, match="a cargo subcommand"):
        run_matrix([combination("a")], Options(words=words), tmp_path)


def test_flags_go_behind_those_of_the_caller(
    fake_cargo: FakeCargo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls = fake_cargo("")
    monkeypatch.setenv("RUSTFLAGS", "-D warnings")
    run_matrix([combination("a"), combination("a", flags="--cfg loom")], Options(), tmp_path)
    assert [environment["RUSTFLAGS"] for _, environment in calls_in(calls)] == ["-D warnings", "-D warnings --cfg loom"]
    assert {environment["CARGO_TERM_COLOR"] for _, environment in calls_in(calls)} == {"never"}


def test_one_target_directory_for_each_job(fake_cargo: FakeCargo, tmp_path: Path) -> None:
    calls = fake_cargo("time.sleep(0.2)")
    started = time.monotonic()
    run = run_matrix([combination(name) for name in "abcd"], Options(jobs=4), tmp_path)
    assert run.seconds < 4 * 0.2 + 0.6 or time.monotonic() - started < 1.4
    found = {environment["CARGO_TARGET_DIR"] for _, environment in calls_in(calls)}
    assert found == {str(tmp_path / "target/cfglint/run" / f"job-{slot}") for slot in range(4)}


def test_cargo_cleans_when_a_package_is_done(fake_cargo: FakeCargo, tmp_path: Path) -> None:
    calls = fake_cargo("os.makedirs(os.environ['CARGO_TARGET_DIR'], exist_ok=True)")
    run_matrix([combination("a"), combination("a", "x"), combination("b")], Options(clean=True), tmp_path)
    assert [arguments[0] for arguments, _ in calls_in(calls)] == ["check", "check", "clean", "check", "clean"]


def test_what_cargo_itself_refuses(fake_cargo: FakeCargo, tmp_path: Path) -> None:
    fake_cargo("print('error: the package a does not contain this feature: x', file=sys.stderr)\nsys.exit(101)")
    result = run_matrix([combination("a", "x")], Options(), tmp_path).results[0]
    assert (result.status, result.complaint) == (
        Status.FAILED,
        "error: the package a does not contain this feature: x",
    )


def test_tests_that_fail_are_named(fake_cargo: FakeCargo, tmp_path: Path) -> None:
    fake_cargo(
        "print('test a::b ... FAILED')\nprint('test c ... ok')\nprint('error: 1 target failed', file=sys.stderr)\nsys.exit(101)"
    )
    result = run_matrix([combination("a")], Options(words=("test",)), tmp_path).results[0]
    assert result.complaint == "1 test fails: a::b"


def test_what_takes_too_long_is_stopped_with_its_children(fake_cargo: FakeCargo, tmp_path: Path) -> None:
    mark = tmp_path / "alive"
    fake_cargo(f"import subprocess\nsubprocess.run(['sh', '-c', 'sleep 2; touch {mark}'])")
    result = run_matrix([combination("a")], Options(timeout=0.3), tmp_path).results[0]
    assert (result.status, result.complaint) == (Status.FAILED, "stopped after 0.3 seconds")
    time.sleep(2.2)
    assert not mark.exists()


def test_a_target_that_is_not_installed_is_skipped(fake_cargo: FakeCargo, tmp_path: Path) -> None:
    calls = fake_cargo("")
    (tmp_path / "bin/rustc").write_text(f"#!/bin/sh\necho {tmp_path}/nowhere\n", "utf-8")
    (tmp_path / "bin/rustc").chmod(0o755)
    run = run_matrix([combination("a", target="x86_64-pc-windows-msvc"), combination("a")], Options(), tmp_path)
    assert [result.status for result in run.results] == [Status.SKIPPED, Status.PASSED]
    assert run.results[0].complaint.endswith("(rustup target add x86_64-pc-windows-msvc)")
    assert len(calls_in(calls)) == 1


def test_resume_builds_only_what_is_missing(fake_cargo: FakeCargo, tmp_path: Path) -> None:
    calls = fake_cargo("sys.exit(int('b' in arguments))")
    (tmp_path / "lib.rs").write_text("", "utf-8")
    both = [combination("a"), combination("b")]
    first = run_matrix(both, Options(), tmp_path)
    again = run_matrix([*both, combination("c")], Options(resume=True), tmp_path)
    assert [result.status for result in again.results] == [Status.PASSED, Status.FAILED, Status.PASSED]
    assert [result.is_old for result in again.results] == [True, True, False]
    assert again.results[0].seconds == first.results[0].seconds
    assert len(calls_in(calls)) == 3
    store = tmp_path / "target/cfglint/run/results.jsonl"
    store.write_bytes(b"garbage\n" + store.read_bytes()[:40])
    run_matrix(both, Options(resume=True), tmp_path)
    (tmp_path / "lib.rs").write_text("fn changed() {}", "utf-8")
    run_matrix(both, Options(resume=True), tmp_path)
    run_matrix(both, Options(), tmp_path)
    assert len(calls_in(calls)) == 3 + 2 + 2 + 2


def test_the_lock_file_is_left_as_it_was(fake_cargo: FakeCargo, tmp_path: Path) -> None:
    fake_cargo("open('Cargo.lock', 'w').write('changed')")
    run_matrix([combination("a")], Options(), tmp_path)
    assert not (tmp_path / "Cargo.lock").exists()


# The command


def copied(tmp_path: Path) -> Path:
    root = tmp_path / "seed"
    shutil.copytree(SEED, root, ignore=shutil.ignore_patterns("target", ".github"))
    return root


def printed(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str]:
    status = main([*arguments])
    return status, capsys.readouterr().out


@pytest.mark.cargo
def test_one_run_shows_all_five_defects(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    require_cargo()
    root = copied(tmp_path)
    junit, markdown = tmp_path / "j.xml", tmp_path / "r.md"
    reports = ["--report", f"junit={junit}", "--report", f"markdown={markdown}"]
    status, out = printed(capsys, "run", str(root), "--format", "json", "--quiet", *reports)
    report: dict[str, Any] = json.loads(out)
    assert status == 1
    assert report["summary"] | {"seconds": 0} == {
        "combinations": 20,
        "passed": 15,
        "failed": 5,
        "skipped": 0,
        "not_run": 0,
        "problems": 15,
        "interrupted": False,
        "seconds": 0,
    }
    seen = {(one["rule"], one["file"], one["line"]): one["sighting"] for one in report["findings"]}
    hidden = {place for place, sighting in seen.items() if sighting == "hidden"}
    # The import in kda fails only where gdn2, which it imports from, does not compile either.
    assert hidden == {("CFG004", "crates/kda/src/fused.rs", 3)}
    assert set(seen.values()) == {"seen", "hidden"}
    assert len(report["findings"]) == 14
    known = [one["finding"] for one in report["problems"] if one["finding"] is not None]
    assert {report["findings"][index]["sighting"] for index in known} == {"seen"}
    assert len(set(known)) == 12
    suites = ET.parse(junit).getroot()
    assert sum(int(suite.attrib["failures"]) for suite in suites) == 5
    assert "| gdn2 | cuda | **failed** |" in markdown.read_text("utf-8")


@pytest.mark.cargo
def test_the_mended_workspace_passes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    require_cargo()
    root = tmp_path / "mended"
    shutil.copytree(ROOT / "fixtures_rust/seed-mended", root, ignore=shutil.ignore_patterns("target"))
    status, out = printed(capsys, "run", str(root), "--quiet", "-p", "gdn2", "-p", "kda")
    assert status == 0, out
    assert out.splitlines()[-1] == "4 combinations: 4 passed, 0 failed; 0 distinct errors"


def test_a_part_of_the_matrix(fake_cargo: FakeCargo, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    calls = fake_cargo("")
    root = copied(tmp_path)
    status, _ = printed(capsys, "run", str(root), "--quiet", "--partition", "2/4")
    assert status == 0
    assert [arguments[4] for arguments, _ in calls_in(calls)] == ["gdn2"] * 3 + ["kda"] * 2


def test_a_committed_matrix(fake_cargo: FakeCargo, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    calls = fake_cargo("")
    root = copied(tmp_path)
    listed = tmp_path / "matrix.toml"
    assert main(["matrix", str(root), "-p", "mhc", "--format", "toml", "--output-file", str(listed)]) == 0
    assert main(["matrix", str(root), "-p", "mhc", "--check", str(listed)]) == 0
    capsys.readouterr()
    status, _ = printed(capsys, "run", str(root), "--quiet", "--matrix", str(listed))
    assert status == 0
    assert len(calls_in(calls)) == 2


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["--jobs", "0"], "--jobs must be at least 1"),
        (["--timeout", "0"], "--timeout must be above 0"),
        (["--command", "'"], "--command: No closing quotation"),
        (["--command=--all"], "a cargo subcommand"),
        (["--report", "xml=x"], "--report takes FORMAT=FILE"),
        (["--partition", "3/2"], "is not a part such as"),
        (["--matrix", "nowhere.json"], "cannot be read"),
    ],
)
def test_what_cannot_be_done(
    arguments: list[str], complaint: str, fake_cargo: FakeCargo, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    fake_cargo("")
    assert main(["run", str(copied(tmp_path)), *arguments]) == 2
    assert complaint in capsys.readouterr().err


def test_an_interrupt_leaves_the_report(fake_cargo: FakeCargo, tmp_path: Path) -> None:
    calls = fake_cargo("time.sleep(60 if 'gdn2' in arguments else 0)")
    root = copied(tmp_path)
    command = [sys.executable, "-m", "cfglint", "run", str(root), "--format", "json", "--quiet"]
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    deadline = time.monotonic() + 60
    while not (calls.exists() and any("gdn2" in arguments for arguments, _ in calls_in(calls))):
        assert time.monotonic() < deadline
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    out, _ = process.communicate(timeout=30)
    report = json.loads(out)
    assert process.returncode == 130
    assert report["summary"]["interrupted"]
    assert report["summary"]["passed"] == 4
    assert report["summary"]["not_run"] == 16

"""Files that nobody would write: whatever CI holds, there is a report of the rest, and no file outside is looked at."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from tests.ci_driver import run_ci
from tests.manifest.building import write

HEAD = {"Cargo.toml": '[package]\nname = "h"\nversion = "0.1.0"\nedition = "2021"\n', "src/lib.rs": "", ".git/x": ""}
GOOD = "jobs:\n  a:\n    steps:\n      - run: cargo check --features nope\n"
INDENT = "          "


def step(script: str) -> str:
    return f"jobs:\n  a:\n    steps:\n      - run: |\n{INDENT}{script}\n"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("jobs: " + "[" * 200_000, "nesting"),
        ("a: " + "{a: " * 100_000, "nesting"),
        ("\tjobs:", "cannot start any token"),
        ("jobs:\n  - [", "invalid YAML"),
        ("a: &a\n  <<: *a\n  b: c\njobs: *a\n", None),
        (step("(" * 30_000), None),
        (step("$(" * 20_000), None),
        (step("if x; then " * 20_000), None),
        (step("a && " * 30_000 + "b"), "not understood"),
        (step("a | " * 3_000 + "b"), None),
        (step('"${{ ' + "(" * 5_000 + ' }}"'), None),
        ("jobs: {a: {uses: ./../../etc/passwd}}", "leads out of the repository"),
        ("jobs: {a: {steps: [{uses: ./../..}]}}", None),
        ("on: workflow_call\njobs: {a: {uses: ./.github/workflows/odd.yml}}", None),
        ("jobs: {a: {strategy: {matrix: {x: [[1], {y: [2]}, null, 1.5]}}, steps: [{run: 'cargo check'}]}}", None),
        ("jobs: 5", None),
        ("- 1", None),
        ("", None),
        ("%YAML 9.9\n---\n!!python/object:os.system {jobs: !x 1}", None),
    ],
)  # fmt: skip
def test_the_rest_is_reported(text: str, reason: str | None, tmp_path: Path) -> None:
    files = {**HEAD, ".github/workflows/odd.yml": text, ".github/workflows/0-good.yml": GOOD}
    report = run_ci(write(tmp_path, files), "--select", "CFG301")
    assert [(one["file"], one["line"]) for one in report["findings"]] == [(".github/workflows/0-good.yml", 4)]
    said = " ".join(one["reason"] for one in report["undecided"])
    assert (reason or "") in said


@pytest.mark.skipif(sys.platform == "win32", reason="symbolic links")
def test_what_is_no_file(tmp_path: Path) -> None:
    write(tmp_path, {**HEAD, ".github/workflows/0-good.yml": GOOD})
    folder = tmp_path / ".github/workflows"
    os.symlink("/dev/zero", folder / "zero.yml")
    os.symlink(".", folder / "folder.yml")
    os.symlink("missing.yml", folder / "nothing.yml")
    (folder / "nul.yml").write_bytes(b"jobs:\0")
    (folder / "latin.yml").write_bytes(b"jobs: \xff\xfe\n")
    report = run_ci(tmp_path, "--select", "CFG301")
    assert len(report["findings"]) == 1
    assert [one["file"].rpartition("/")[2] for one in report["undecided"]] == [
        "folder.yml",
        "nothing.yml",
        "nul.yml",
        "zero.yml",
    ]


def test_scripts_outside_are_not_read(tmp_path: Path) -> None:
    (tmp_path / "outside.sh").write_text("cargo check --features nope\n", "utf-8")
    files = {
        **HEAD,
        ".github/workflows/ci.yml": step(
            "../outside.sh; . ../outside.sh; bash /etc/profile; make -C .. x; cd ../..; ./outside.sh"
        ),
    }
    report = run_ci(write(tmp_path / "repository", files), "--select", "CFG301")
    assert report["findings"] == []


def test_without_ci_there_is_nothing_to_say(tmp_path: Path) -> None:
    report = run_ci(write(tmp_path, HEAD))
    assert report["findings"] == report["undecided"] == []

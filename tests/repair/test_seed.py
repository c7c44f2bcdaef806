"""The repairs proposed for the seed workspace are those that its authors made, and cargo agrees that they mend it."""

from __future__ import annotations

import itertools
import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from cfglint.cli.main import main
from tests.oracle.cargo_oracle import require_cargo

SEEDS = Path(__file__).parents[2] / "fixtures_rust"
SEED = SEEDS / "seed-workspace"
WIDENED = 'any(feature = "cuda", feature = "autodiff")'
SPLIT = f"""#[cfg({WIDENED})]
pub use dispatch::{{backend_matches, Fallback, Fused}};
#[cfg(feature = "autodiff")]
pub use dispatch::{{rebuild, strip, AdNode}};"""
FIRST = {
    ("crates/gdn2/src/kernel/chunk_cube.rs", "crates/gdn2/src/lib.rs", WIDENED),
    ("crates/gdn2/src/kernel/chunk_adjoint_cube.rs", "crates/gdn2/src/lib.rs", WIDENED),
    ("crates/gdn2/src/autodiff.rs", "crates/gdn2/src/cuda_dispatch.rs", ""),
    ("crates/kda/src/fused.rs", "crates/gdn2/src/lib.rs", SPLIT),
    ("crates/mhc/src/lib.rs", "crates/mhc/src/lib.rs", "use crate::tensor::{Device, Distribution};"),
    ("crates/rope/src/rope_cuda.rs", "crates/rope/src/rope_cuda.rs", '#[cfg(feature = "cuda")]'),
}
"""Where a reference fails, the file that its first repair edits first, and what stands there after it."""


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    shutil.copytree(SEED, tmp_path / "seed")
    return tmp_path / "seed"


def findings(capsys: pytest.CaptureFixture[str], root: Path) -> list[dict[str, Any]]:
    assert main(["check", str(root), "--diff", "--format", "json"]) in (0, 1)
    found: list[dict[str, Any]] = json.loads(capsys.readouterr().out)["findings"]
    return found


def source(file: Path) -> str:
    """The code of a file, without comments, which hold marks in one of the fixtures and not in the other."""
    return "".join(line for line in file.read_text("utf-8").splitlines(True) if not line.lstrip().startswith("//"))


def assert_is_as_the_authors_left_it(root: Path) -> None:
    for file in sorted((SEEDS / "seed-mended").rglob("*.rs")):
        name = file.relative_to(SEEDS / "seed-mended")
        assert source(root / name) == source(file), name


def assert_cargo_builds_every_combination(root: Path, target: Path) -> None:
    environment = {**os.environ, "CARGO_TARGET_DIR": str(target), "RUSTFLAGS": "-Awarnings"}
    for size in range(3):
        for chosen in itertools.combinations(("cuda", "autodiff"), size):
            for package in ("gdn2", "kda", "mhc", "rope"):
                command = ["cargo", "check", "--offline", "--quiet", "-p", package, "--all-targets"]
                command += ["--no-default-features", "--features", ",".join(chosen)]
                done = subprocess.run(command, cwd=root, env=environment, capture_output=True, text=True, check=False)
                assert done.returncode == 0, (package, chosen, done.stderr)


def test_the_first_repair_of_each_defect_is_the_authors(capsys: pytest.CaptureFixture[str]) -> None:
    found = findings(capsys, SEED)
    assert len(found) == 14
    seen = set()
    for finding in found:
        first = finding["repairs"][0]
        assert (first["leaves"], first["creates"]) == (0, []), first
        seen.add((finding["file"], first["edits"][0]["file"], first["edits"][0]["text"].strip()))
    assert seen == FIRST


def test_fix_leaves_what_the_authors_left(copy: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", str(copy), "--fix", "--allow-no-vcs", "--allow-dirty"]) == 0
    assert "mended 14 of 14 findings in 4 files" in capsys.readouterr().err
    assert_is_as_the_authors_left_it(copy)
    assert main(["check", str(copy)]) == 0
    require_cargo()
    assert_cargo_builds_every_combination(copy, tmp_path / "target")


def test_the_patch_applies_and_does_the_same(copy: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    if shutil.which("git") is None:
        pytest.skip("needs git to apply a patch")
    before = {file: file.read_bytes() for file in copy.rglob("*") if file.is_file()}
    assert main(["check", str(copy), "--diff"]) in (0, 1)
    out, err = capsys.readouterr()
    assert err == "this patch mends 14 of 14 findings in 4 files\n"
    assert {file: file.read_bytes() for file in before} == before
    patch = tmp_path / "it.patch"
    patch.write_text(out, "utf-8", newline="\n")
    environment = {**os.environ, "GIT_CEILING_DIRECTORIES": str(tmp_path)}
    subprocess.run(["git", "apply", str(patch)], cwd=copy, env=environment, check=True)
    assert_is_as_the_authors_left_it(copy)
    assert main(["check", str(copy)]) == 0


def test_fix_never_overwrites_what_could_not_be_brought_back(
    copy: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(copy.parent))
    before = {file: file.read_bytes() for file in copy.rglob("*") if file.is_file()}
    assert main(["check", str(copy), "--fix"]) == 2
    assert "--allow-no-vcs" in capsys.readouterr().err
    assert {file: file.read_bytes() for file in before} == before

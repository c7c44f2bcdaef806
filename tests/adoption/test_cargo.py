"""`cargo cfglint ...`: cargo finds `cargo-cfglint` on the path and hands the rest over (Cargo book, custom subcommands)."""

from __future__ import annotations

import json
import stat
import sys
from pathlib import Path

import pytest

from tests.adoption.installing import ROOT, environment, run
from tests.fixture_driver import FIXTURES
from tests.oracle.cargo_oracle import require_cargo

pytestmark = pytest.mark.cargo
SEED = FIXTURES / "seed-workspace"


@pytest.fixture
def variables(tmp_path: Path) -> dict[str, str]:
    require_cargo()
    program = tmp_path / "cargo-cfglint"
    call = "import sys; from cfglint.cli.main import cargo_main; sys.exit(cargo_main())"
    program.write_text(f'#!/bin/sh\nPYTHONPATH="{ROOT}" exec "{sys.executable}" -c "{call}" "$@"\n', "utf-8")
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    found = environment()
    return found | {"PATH": f"{tmp_path}:{found['PATH']}"}


def test_with_cargos_options(variables: dict[str, str]) -> None:
    command = ["cargo", "cfglint", "check", "--manifest-path", SEED / "crates/kda/Cargo.toml", "--workspace"]
    done = run([*command, "--exclude", "gdn2", "--features", "cuda", "--format", "json"], SEED, variables)
    assert done.returncode == 1, done.stderr
    assert {finding["package"] for finding in json.loads(done.stdout)["findings"]} == {"kda", "mhc"}


def test_help_is_that_of_a_subcommand(variables: dict[str, str]) -> None:
    done = run(["cargo", "cfglint", "check", "--help"], SEED, variables)
    assert done.stdout.startswith("usage: cargo cfglint check [OPTIONS] [PATH]\n")
    done = run(["cargo", "help", "cfglint"], SEED, variables)
    assert done.stdout.startswith("usage: cargo cfglint ")
    assert "cfglint" in run(["cargo", "--list"], SEED, variables).stdout


def test_the_status_comes_through(variables: dict[str, str]) -> None:
    done = run(["cargo", "cfglint", "check", FIXTURES / "seed-mended"], SEED, variables)
    assert (done.returncode, done.stderr) == (0, "")
    assert run(["cargo", "cfglint", "check", "nowhere"], SEED, variables).returncode == 2

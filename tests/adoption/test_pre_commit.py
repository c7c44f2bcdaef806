"""The hook, as pre-commit installs and runs it: a commit with a defect is refused, the mended one goes through."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

from tests.adoption.installing import ROOT, clone_of_cfglint, environment, repository, run
from tests.fixture_driver import FIXTURES


def test_a_one_line_change_is_refused_until_it_is_mended(tmp_path: Path) -> None:
    revision = clone_of_cfglint(tmp_path / "cfglint")
    project = tmp_path / "project"
    shutil.copytree(FIXTURES / "seed-mended", project)
    written = (ROOT / "docs/examples/pre-commit-config.yaml").read_text("utf-8")
    config = written.replace("https://example.com/OWNER/cfglint", str(tmp_path / "cfglint"))
    (project / ".pre-commit-config.yaml").write_text(config.replace("v0.1.0", revision), "utf-8")
    repository(project)
    variables = environment(PRE_COMMIT_HOME=str(tmp_path / "home"))
    installed = run([sys.executable, "-m", "pre_commit", "install"], project, variables)
    assert installed.returncode == 0, installed.stderr

    source = project / "crates/gdn2/src/lib.rs"
    good = source.read_text("utf-8")
    gate = '#[cfg(any(feature = "cuda", feature = "autodiff"))]\npub mod cuda_dispatch;'
    assert gate in good
    source.write_text(good.replace(gate, '#[cfg(feature = "autodiff")]\npub mod cuda_dispatch;'), "utf-8")
    refused = run(["git", "commit", "--quiet", "-am", "Narrow a gate"], project, variables)
    assert refused.returncode == 1, refused.stdout + refused.stderr
    told = refused.stdout + refused.stderr
    assert "error[CFG001]: cannot find module `cuda_dispatch` in the crate root" in told
    assert "crates/gdn2/src/kernel/chunk_cube.rs:2:12" in told

    source.write_text(good + "\n// mended\n", "utf-8")
    passed = run(["git", "commit", "--quiet", "-am", "Mend it"], project, variables)
    assert passed.returncode == 0, passed.stdout + passed.stderr
    assert "Passed" in passed.stdout + passed.stderr

    (project / "notes.txt").write_text("nothing to do with Rust\n", "utf-8")
    run(["git", "add", "notes.txt"], project)
    skipped = run(["git", "commit", "--quiet", "-m", "Take a note"], project, variables)
    assert "Skipped" in skipped.stdout + skipped.stderr

"""`check --since REV`: new, fixed and unchanged, from git's objects alone."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from cfglint.cli.main import main
from cfglint.errors import UsageError
from cfglint.history.revisions import open_revision
from cfglint.history.snapshot import snapshot
from tests.adoption.installing import repository, run
from tests.fixture_driver import FIXTURES


@pytest.fixture
def seed(tmp_path: Path) -> Path:
    """The seed workspace, a folder down in a repository."""
    shutil.copytree(FIXTURES / "seed-workspace", tmp_path / "repository/rust")
    repository(tmp_path / "repository")
    return tmp_path / "repository/rust"


def check(root: Path, *options: str) -> Any:
    out = root.parents[1] / "out.json"
    assert main(["check", str(root), "--output-file", str(out), "--format", "json", *options]) in (0, 1)
    return json.loads(out.read_text("utf-8"))


def commit(root: Path, message: str = "more") -> str:
    for command in (["add", "--all"], ["commit", "--quiet", "-m", message]):
        done = run(["git", *command], root)
        assert done.returncode == 0, done.stderr
    return run(["git", "rev-parse", "HEAD"], root).stdout.strip()


def edit(file: Path, old: str, new: str) -> None:
    text = file.read_text("utf-8")
    assert old in text
    file.write_text(text.replace(old, new), "utf-8")


def mend_first_defect(root: Path) -> None:
    gate = '#[cfg(feature = "autodiff")]\npub mod cuda_dispatch;'
    edit(
        root / "crates/gdn2/src/lib.rs",
        gate,
        gate.replace('feature = "autodiff"', 'any(feature = "cuda", feature = "autodiff")'),
    )


def paths(findings: list[Mapping[str, Any]]) -> list[tuple[str, str]]:
    return [(finding["rule"], finding["path"]) for finding in findings]


FIXED = [
    ("CFG001", "crate::cuda_dispatch::note_fused_backward"),
    ("CFG001", "crate::cuda_dispatch::note_fused_forward"),
]


def test_new_fixed_and_unchanged(seed: Path) -> None:
    mend_first_defect(seed)
    moved = seed / "crates/gdn2/src/autodiff.rs"
    moved.write_text("// moved\n\n" + moved.read_text("utf-8"), "utf-8")
    fused = seed / "crates/kda/src/fused.rs"
    fused.write_text(fused.read_text("utf-8") + "\npub fn more() {\n    gdn2::record();\n}\n", "utf-8")
    report = check(seed, "--since", "HEAD")
    assert paths(report["findings"]) == [("CFG004", "gdn2::record")]
    assert paths(report["since"]["fixed"]) == FIXED
    assert len(report["since"]["unchanged"]) == 12
    assert (report["since"]["revision"], len(report["since"]["commit"])) == ("HEAD", 40)
    assert report["summary"]["findings"] == 1


def test_the_status_is_that_of_what_is_new(seed: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", str(seed)]) == 1
    assert main(["check", str(seed), "--since", "HEAD"]) == 0
    assert "0 new, 0 fixed, 14 unchanged\nno findings\n" in capsys.readouterr().out
    mend_first_defect(seed)
    assert main(["check", str(seed), "--since", "HEAD", "--fail-on", "warning"]) == 0
    out = capsys.readouterr().out
    assert out.startswith("fixed: CFG001 cannot find module `cuda_dispatch` in the crate root")
    assert "0 new, 2 fixed, 12 unchanged\nno findings\n" in out


def test_neither_working_tree_nor_index_is_touched(seed: Path) -> None:
    mend_first_defect(seed)
    top = seed.parent
    (top / "untracked.txt").write_text("here", "utf-8")
    index = (top / ".git/index").read_bytes()
    before = run(["git", "status", "--porcelain=v2", "--branch"], top).stdout
    files = {file: file.stat().st_mtime_ns for file in top.rglob("*") if file.is_file() and ".git" not in file.parts}
    check(seed, "--since", "HEAD")
    assert files == {file: file.stat().st_mtime_ns for file in files}
    assert (top / ".git/index").read_bytes() == index
    assert run(["git", "status", "--porcelain=v2", "--branch"], top).stdout == before


def test_no_process_is_started_and_nothing_is_written_elsewhere(seed: Path) -> None:
    mend_first_defect(seed)
    program = """
import os, sys, tempfile
from cfglint.cli.main import main
allowed = (tempfile.gettempdir(), os.devnull)
def hook(event, arguments):
    if event in ("subprocess.Popen", "os.exec", "os.posix_spawn", "os.system", "os.spawn"):
        os._exit(70)
    if event == "socket.connect":
        os._exit(71)
    if event == "open" and isinstance(arguments[1], str) and set(arguments[1]) & set("wax+"):
        if not str(arguments[0]).startswith(allowed):
            os._exit(72)
sys.addaudithook(hook)
sys.exit(main(sys.argv[1:]))
"""
    done = subprocess.run(
        [sys.executable, "-c", program, "check", str(seed), "--since", "HEAD", "--jobs", "1"],
        cwd=Path(__file__).parents[2],
        env=os.environ | {"PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, (done.returncode, done.stderr)
    assert "2 fixed" in done.stdout


@pytest.mark.parametrize(
    "name", ["HEAD~1", "HEAD^", "old", "refs/tags/old", "{short}", "{short}~0", "{long}", "topic^1", "@~"]
)
def test_a_revision_is_named_as_git_names_it(seed: Path, name: str) -> None:
    first = run(["git", "rev-parse", "HEAD"], seed).stdout.strip()
    run(["git", "tag", "-a", "-m", "then", "old"], seed)
    mend_first_defect(seed)
    commit(seed)
    run(["git", "branch", "topic"], seed)
    if name == "@~":
        name = "HEAD~"
    with open_revision(seed, name.format(short=first[:8], long=first)) as revision:
        assert revision.commit == first


def test_three_dots_mean_where_the_branch_began(seed: Path) -> None:
    first = run(["git", "rev-parse", "HEAD"], seed).stdout.strip()
    run(["git", "switch", "--quiet", "-c", "topic"], seed)
    (seed / "notes.txt").write_text("x", "utf-8")
    commit(seed)
    run(["git", "switch", "--quiet", "main"], seed)
    mend_first_defect(seed)
    commit(seed)
    run(["git", "switch", "--quiet", "topic"], seed)
    with open_revision(seed, "main...") as revision:
        assert revision.commit == first
    assert check(seed, "--since", "main...")["findings"] == []
    assert paths(check(seed, "--since", "main")["findings"]) == FIXED, "what main has mended is not"


@pytest.mark.parametrize(
    "name", ["nope", "HEAD~99", "HEAD^7", "", "...", "nope...", "HEAD^{tree}", "\x00", "ü", "HEAD:rust", "-x", "@{9}"]
)
def test_a_revision_that_is_not_there(seed: Path, name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", str(seed), f"--since={name}"]) == 2
    told = capsys.readouterr().err
    assert told.startswith("cfglint: git has no commit `")
    assert told.count("\n") == 1


def test_a_shallow_clone_says_so(seed: Path, capsys: pytest.CaptureFixture[str]) -> None:
    mend_first_defect(seed)
    commit(seed)
    clone = seed.parents[1] / "clone"
    done = run(["git", "clone", "--quiet", "--depth=1", f"file://{seed.parent}", str(clone)], seed)
    assert done.returncode == 0, done.stderr
    assert main(["check", str(clone / "rust"), "--since", "HEAD~1"]) == 2
    assert "in a shallow clone, fetch it first" in capsys.readouterr().err
    assert main(["check", str(clone / "rust"), "--since", "HEAD"]) == 0


def test_in_a_linked_working_tree(seed: Path) -> None:
    tree = seed.parents[1] / "tree"
    assert run(["git", "worktree", "add", "--quiet", str(tree), "HEAD"], seed).returncode == 0
    mend_first_defect(tree / "rust")
    assert paths(check(tree / "rust", "--since", "main")["since"]["fixed"]) == FIXED


def test_outside_of_git(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shutil.copytree(FIXTURES / "configured-out-item/gated-module", tmp_path / "a")
    assert main(["check", str(tmp_path / "a"), "--since", "HEAD"]) == 2
    assert "needs a git repository" in capsys.readouterr().err


def test_a_workspace_that_was_not_there_is_all_new(seed: Path) -> None:
    (seed.parent / "other").mkdir()
    shutil.copytree(FIXTURES / "configured-out-item/gated-module", seed.parent / "other/a")
    report = check(seed.parent / "other/a", "--since", "HEAD")
    assert len(report["findings"]) == 1
    (note,) = report["notes"]
    assert note.startswith("at HEAD: ")
    assert note.endswith("all findings count as new")


def test_the_baseline_hides_what_it_lists_and_does_not_count_as_fixed(seed: Path) -> None:
    assert main(["baseline", "write", str(seed)]) == 0
    commit(seed)
    mend_first_defect(seed)
    report = check(seed, "--since", "HEAD", "-A", "CFG900")
    assert (report["findings"], paths(report["since"]["fixed"])) == ([], FIXED)
    assert report["summary"]["baselined"] == 12


def test_links_and_names_stay_inside(tmp_path: Path) -> None:
    top = tmp_path / "repository"
    (top / "src").mkdir(parents=True)
    (top / "src/a.rs").write_text("// a\n", "utf-8")
    os.symlink("a.rs", top / "src/b.rs")
    os.symlink("../../../../etc/hosts", top / "src/c.rs")
    os.symlink("/etc/hosts", top / "src/d.rs")
    os.symlink("e.rs", top / "src/e.rs")
    (top / "logo.png").write_bytes(b"\0" * 9)
    repository(top)
    shutil.rmtree(top / "src")
    with open_revision(top, "HEAD") as revision, snapshot(revision) as found:
        laid_out = {str(file.relative_to(found.folder)): file.read_text("utf-8") for file in found.folder.rglob("*.*")}
    assert laid_out == {"src/a.rs": "// a\n", "src/b.rs": "// a\n"}
    assert not found.folder.exists()


def test_a_tree_with_names_that_leave_it(tmp_path: Path) -> None:
    from dulwich.objects import Blob, Commit, Tree
    from dulwich.repo import Repo

    top = tmp_path / "repository"
    repo = Repo.init(str(top), mkdir=True)
    blob = Blob.from_string(b"fn f() {}\n")
    inner, tree = Tree(), Tree()
    inner.add(b"x.rs", 0o100644, blob.id)
    for name in (b"..", b".git", b"ok", b"a\\b"):
        tree.add(name, 0o040000, inner.id)
    tree.add(b"../y.rs", 0o100644, blob.id)
    tree.add(b"C:z.rs", 0o100644, blob.id)
    made = Commit()
    made.tree = tree.id
    made.author = made.committer = b"somebody <somebody@example.com>"
    made.author_time = made.commit_time = made.author_timezone = made.commit_timezone = 0
    made.message = b"hostile"
    for thing in (blob, inner, tree, made):
        repo.object_store.add_object(thing)
    repo.refs[b"refs/heads/main"] = made.id
    repo.close()
    with open_revision(top, "main") as revision, snapshot(revision) as found:
        laid_out = [str(file.relative_to(found.folder)) for file in found.folder.rglob("*") if file.is_file()]
    assert laid_out == ["ok/x.rs"]


def test_without_dulwich_the_extra_is_named(seed: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "dulwich.repo", None)
    with pytest.raises(UsageError, match=r"install `cargo-cfglint\[git\]`"), open_revision(seed, "HEAD"):
        pass


def test_sarif_says_what_was_there_before(seed: Path) -> None:
    fused = seed / "crates/kda/src/fused.rs"
    fused.write_text(fused.read_text("utf-8") + "\npub fn more() {\n    gdn2::record();\n}\n", "utf-8")
    out = seed.parents[1] / "out.sarif"
    main(["check", str(seed), "--since", "HEAD", "--format", f"sarif={out}", "--quiet"])
    states = [result["baselineState"] for result in json.loads(out.read_text("utf-8"))["runs"][0]["results"]]
    assert sorted(states) == ["new"] + ["unchanged"] * 14

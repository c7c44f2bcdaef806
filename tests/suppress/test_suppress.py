"""Suppressions in a run: what is counted, what is judged and when. (The fixture `unused-suppression` says what they cover.)"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from cfglint.cli.main import main
from cfglint.suppress.directives import directives
from tests.samples import MANIFEST, write_package

ALLOWED = """\
pub fn launch() {
    // cfglint: allow(CFG001) counted by others
    crate::tally::launched();
}
"""
IDLE = "// cfglint: allow(CFG001) nothing here\npub fn launch() {}\n"


def package(root: Path, kernels: str, **files: str) -> Path:
    write_package(root, kernels=kernels, **files)
    (root / "src/tally.rs").write_text("pub fn launched() {}\n", "utf-8")
    return root


def check(root: Path, *options: str) -> Any:
    out = root / "out.json"
    assert main(["check", str(root), "--output-file", str(out), "--format", "json", *options]) in (0, 1)
    return json.loads(out.read_text("utf-8"))


def rules(report: Any) -> list[str]:
    return [finding["rule"] for finding in report["findings"]]


def test_what_is_suppressed_is_counted_and_does_not_hold(tmp_path: Path) -> None:
    plain = check(package(tmp_path / "plain", ALLOWED.replace("// cfglint", "// once cfglint")))["summary"]
    quiet = check(package(tmp_path / "quiet", ALLOWED))
    assert rules(quiet) == []
    assert (quiet["summary"]["suppressed"], quiet["summary"]["failing"]) == (1, 1)
    assert (plain["suppressed"], plain["failing"]) == (0, 1)


def test_the_last_line_counts_them(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", str(package(tmp_path, ALLOWED))]) == 0
    assert capsys.readouterr().out.startswith("no findings (1 suppressed)\n0 references in 1 package hold")


def test_an_idle_one_is_a_finding_unless_the_run_is_narrowed(tmp_path: Path) -> None:
    root = package(tmp_path, IDLE)
    (finding,) = check(root)["findings"]
    assert (finding["rule"], finding["severity"], finding["line"]) == ("CFG900", "warning", 1)
    assert finding["message"] == "this comment allows `CFG001`, which is not found here"
    assert rules(check(root, "--features", "gpu")) == []
    assert rules(check(root, "--target", "x86_64-unknown-linux-gnu")) == []
    assert rules(check(root, "-A", "CFG900")) == []


def test_levels_do_not_make_one_idle(tmp_path: Path) -> None:
    root = package(tmp_path, ALLOWED)
    assert rules(check(root, "-A", "CFG001")) == []
    assert rules(check(root, "--select", "CFG9")) == []


def test_a_malformed_one_is_told_even_in_a_narrowed_run(tmp_path: Path) -> None:
    root = package(tmp_path, IDLE.replace("allow(", "alow("))
    assert rules(check(root, "--features", "gpu")) == ["CFG900"]


def test_a_reason_is_asked_for_where_the_project_wants_one(tmp_path: Path) -> None:
    root = package(tmp_path, ALLOWED.replace(" counted by others", ""))
    assert rules(check(root)) == []
    (root / "cfglint.toml").write_text("require-reason = true\n", "utf-8")
    (finding,) = check(root)["findings"]
    assert "gives no reason" in finding["message"]
    package(root, ALLOWED)
    assert rules(check(root)) == []


def test_only_packages_that_were_looked_at_are_judged(tmp_path: Path) -> None:
    (tmp_path / "Cargo.toml").write_text('[workspace]\nmembers = ["one", "two"]\n', "utf-8")
    for name in ("one", "two"):
        package(tmp_path / name, IDLE, manifest=MANIFEST.replace("seam", name).replace("\n[workspace]\n", ""))
    assert [finding["package"] for finding in check(tmp_path)["findings"]] == ["one", "two"]
    assert [finding["package"] for finding in check(tmp_path, "-p", "one")["findings"]] == ["one"]


@pytest.mark.parametrize(
    ("comment", "codes", "reason"),
    [
        ("cfglint: allow(CFG001)", ("CFG001",), ""),
        ("cfglint:allow( CFG001 , cfg-nothing )", ("CFG001",), ""),
        ("cfglint: allow(configured-out-item, CFG002): so it is", ("CFG001", "CFG002"), "so it is"),
        ("cfglint: allow(CFG001, CFG001) - a (good) reason", ("CFG001",), "a (good) reason"),
        ("cfglint: allow-file(CFG001)", ("CFG001",), ""),
        ("cfglint: deny(CFG001)", (), ""),
        ("cfglint: allow()", (), ""),
        ("cfglint: allow(CFG001", (), ""),
        ("cfglint:", (), ""),
    ],
)
def test_the_form(comment: str, codes: tuple[str, ...], reason: str) -> None:
    (found,) = directives(f"// {comment}\nfn f() {{}}\n".encode(), "a.rs")
    assert (found.codes, found.reason) == (codes, reason)
    assert bool(found.problem) is (not codes or "nothing" in comment)


@pytest.mark.parametrize(
    "source", ['fn f() { "// cfglint: allow(CFG001)" }\n', "/* cfglint: allow(CFG001) */\n", "//! cfglint: x\n"]
)
def test_what_is_no_comment_of_ours(source: str) -> None:
    assert directives(source.encode(), "a.rs") == ()

"""Fingerprints: equal where a reader sees the same finding, different where there are two."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.fixture_driver import run_cfglint
from tests.samples import write_package

KERNELS = """\
pub fn launch() {
    crate::tally::launched();
    crate::tally::launched();
}

pub struct Grid;

impl Grid {
    pub fn run(&self) {
        crate::tally::launched();
    }
}

mod inner {
    impl std::fmt::Display for super::Grid {
        fn fmt(&self, _: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            crate::tally::launched();
            Ok(())
        }
    }
}
"""


def findings(root: Path, kernels: str) -> list[dict[str, Any]]:
    write_package(root, kernels=kernels)
    (root / "src/tally.rs").write_text("pub fn launched() {}\n", "utf-8")
    found = run_cfglint(root)["findings"]
    assert isinstance(found, list)
    return found


def test_a_finding_is_named_after_what_refers(tmp_path: Path) -> None:
    assert [finding["item"] for finding in findings(tmp_path, KERNELS)] == [
        "seam::kernels::launch",
        "seam::kernels::launch",
        "seam::kernels::<impl Grid>::run",
        "seam::kernels::inner::<impl std::fmt::Display for super::Grid>::fmt",
    ]


def test_every_finding_has_a_fingerprint_of_its_own(tmp_path: Path) -> None:
    assert len({finding["fingerprint"] for finding in findings(tmp_path, KERNELS)}) == 4


@pytest.mark.parametrize(
    "moved",
    [
        "// more\n\n" + KERNELS,
        KERNELS.replace("pub fn launch() {", "#[inline]\npub fn launch() {\n    let _ = 1;"),
        KERNELS.replace("pub struct Grid;\n", "pub fn before() {}\npub struct Grid;\n"),
        KERNELS.replace("    crate::tally::launched();\n    crate", "    crate::tally::launched(); crate"),
        KERNELS.replace("\n", "\r\n"),
    ],
)
def test_moving_lines_changes_no_fingerprint(tmp_path: Path, moved: str) -> None:
    before = [finding["fingerprint"] for finding in findings(tmp_path / "before", KERNELS)]
    assert [finding["fingerprint"] for finding in findings(tmp_path / "after", moved)] == before


def test_of_equals_the_last_one_is_new(tmp_path: Path) -> None:
    before = [finding["fingerprint"] for finding in findings(tmp_path / "before", KERNELS)]
    more = KERNELS.replace("pub fn launch() {", "pub fn launch() {\n    crate::tally::launched();")
    after = [finding["fingerprint"] for finding in findings(tmp_path / "after", more)]
    assert set(before) < set(after)
    assert after.index(*(set(after) - set(before))) == 2


@pytest.mark.parametrize(
    "changed",
    [
        KERNELS.replace("fn launch", "fn started"),
        KERNELS.replace(
            "    crate::tally::launched();\n}\n\npub struct", "    crate::tally::started();\n}\n\npub struct"
        ),
    ],
)
def test_another_item_or_path_is_another_finding(tmp_path: Path, changed: str) -> None:
    before = {finding["fingerprint"] for finding in findings(tmp_path / "before", KERNELS)}
    assert {finding["fingerprint"] for finding in findings(tmp_path / "after", changed)} != before


def test_where_the_checkout_is_does_not_matter(tmp_path: Path) -> None:
    manifest = (
        '[package]\nname = "seam"\nversion = "0.1.0"\nedition = "2021"\n[features]\ngrad = []\ngpu = []\n[workspace]\n'
    )
    kernels = '#[cfg(feature = "grda")]\npub fn f() {}\n'
    prints = []
    for name in ("one", "two"):
        write_package(tmp_path / name, kernels=kernels, manifest=manifest)
        prints.append([f["fingerprint"] for f in run_cfglint(tmp_path / name)["findings"] if f["rule"] == "CFG101"])
    assert len(prints[0]) == 1
    assert prints[0] == prints[1]

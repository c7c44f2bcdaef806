"""Findings and reports to print: one defect of a small package, varied by keyword."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from cfglint.finding import CrateTarget, Finding, GatedItem, Location, Report, Severity, Summary, Undecided, Witness

LIB = """\
pub mod kernels;

#[cfg(feature = "grad")]
pub mod tally;
"""
KERNELS = """\
pub fn launch() {
    crate::tally::launched();
}
"""
MANIFEST = """\
[package]
name = "seam"
version = "0.1.0"
edition = "2021"

[features]
grad = []
gpu = []

[workspace]
"""

FINDING = Finding(
    rule="CFG001",
    name="configured-out-item",
    severity=Severity.ERROR,
    confidence="high",
    package="seam",
    target=CrateTarget("lib", "seam"),
    worlds=("standalone",),
    location=Location("src/kernels.rs", 2, 12, 2, 17),
    path="crate::tally::launched",
    message="cannot find `tally` in `crate` when `grad` is disabled",
    present_when="true",
    resolves_when='feature = "grad"',
    fails_when='not(feature = "grad")',
    failing_count=2,
    failing_of=4,
    items=(GatedItem("src/lib.rs", 4, "mod", "tally", 'feature = "grad"'),),
    witness=Witness((), False, (), None, "cargo check -p seam --lib --no-default-features"),
    scope="kernels::launch",
)


def finding(**changes: Any) -> Finding:
    """The sample, changed."""
    return replace(FINDING, **changes)


def report(
    *findings: Finding, undecided: tuple[Undecided, ...] = (), notes: tuple[str, ...] = (), **summary: Any
) -> Report:
    """A report of these findings."""
    counts = {
        "packages": 6,
        "files": 15,
        "references": 1208,
        "decided": 1205,
        "findings": len(findings),
        "seconds": 0.4214,
        "failing": sum(bool(finding.path) for finding in findings),
    }
    return Report(findings, undecided, notes, Summary(**(counts | summary)))


def write_package(root: Path, *, lib: str = LIB, kernels: str = KERNELS, manifest: str = MANIFEST) -> Path:
    """The package that the sample is about."""
    (root / "src").mkdir(parents=True, exist_ok=True)
    (root / "Cargo.toml").write_text(manifest, "utf-8")
    (root / "src/lib.rs").write_text(lib, "utf-8")
    (root / "src/kernels.rs").write_text(kernels, "utf-8")
    return root

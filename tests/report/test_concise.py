from __future__ import annotations

from pathlib import Path

from cfglint.config import Format
from cfglint.report import Presentation, render
from tests.samples import finding, report


def test_one_line_a_finding_and_nothing_else() -> None:
    hostile = finding(message="a\x1b[2Jb\nc")
    assert render(report(finding(), hostile), Format.CONCISE, Presentation(Path())) == (
        "src/kernels.rs:2:12: CFG001 cannot find `tally` in `crate` when `grad` is disabled\n"
        "src/kernels.rs:2:12: CFG001 a\N{REPLACEMENT CHARACTER}[2Jb c\n"
    )


def test_nothing_for_no_finding() -> None:
    assert render(report(), Format.CONCISE, Presentation(Path())) == ""

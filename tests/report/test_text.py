from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from cfglint.config import Format
from cfglint.finding import Confirmation, GatedItem, Location, Report, Severity, Undecided, Witness
from cfglint.report import Presentation, render
from cfglint.report.terminal import printable, width
from tests.samples import FINDING, finding, report, write_package

WHOLE = """\
error[CFG001]: cannot find `tally` in `crate` when `grad` is disabled
 --> src/kernels.rs:2:12
  |
2 |     crate::tally::launched();
  |            ^^^^^
  |
note: found an item that was configured out
 --> src/lib.rs:4:9
  |
3 | #[cfg(feature = "grad")]
  |       ---------------- the item is gated behind the `grad` feature
4 | pub mod tally;
  |         ^^^^^
  = fails when: cfg(not(feature = "grad")) (2 of 4 combinations)
  = reproduce: cargo check -p seam --lib --no-default-features

1 error
1,204 references in 6 packages hold in every feature combination; 3 could not be decided
"""


def as_text(subject: Report, root: Path, *, in_color: bool = False, quiet: bool = False) -> str:
    return render(subject, Format.TEXT, Presentation(root, in_color=in_color, quiet=quiet))


def test_a_whole_report(tmp_path: Path) -> None:
    assert as_text(report(finding()), write_package(tmp_path)) == WHOLE


def test_without_sources_there_is_no_snippet(tmp_path: Path) -> None:
    assert as_text(report(finding()), tmp_path, quiet=True) == (
        "error[CFG001]: cannot find `tally` in `crate` when `grad` is disabled\n"
        " --> src/kernels.rs:2:12\n"
        "  |\n"
        "note: found an item that was configured out\n"
        " --> src/lib.rs:4\n"
        "  = note: the item is gated behind the `grad` feature\n"
        '  = fails when: cfg(not(feature = "grad")) (2 of 4 combinations)\n'
        "  = reproduce: cargo check -p seam --lib --no-default-features\n\n"
    )


def test_a_gate_that_stands_elsewhere_is_told_beside_the_item(tmp_path: Path) -> None:
    item = GatedItem("src/lib.rs", 4, "mod", "tally", 'all(unix, feature = "grad")')
    text = as_text(report(finding(items=(item,))), write_package(tmp_path))
    assert '  |         ^^^^^ the item is gated behind `all(unix, feature = "grad")`\n' in text
    assert "3 |" not in text


@pytest.mark.parametrize(("rule", "said"), [("CFG010", "also defined"), ("CFG007", "declared")])
def test_an_item_that_is_always_there_has_no_gate(rule: str, said: str, tmp_path: Path) -> None:
    item = GatedItem("src/lib.rs", 1, "mod", "kernels", "true")
    text = as_text(report(finding(rule=rule, items=(item,), resolves_when="")), write_package(tmp_path))
    assert f"note: `kernels` is {said} here\n --> src/lib.rs:1:9\n" in text
    assert "gated" not in text


@pytest.mark.parametrize(
    ("line", "column", "end", "source", "underline"),
    [
        ("\tcrate::tally::f();", 9, 14, "    crate::tally::f();", "           ^^^^^"),
        ("/* 漢字 */ tally();", 14, 19, "/* 漢字 */ tally();", "           ^^^^^"),
        ("é tally", 4, 9, "é tally", "  ^^^^^"),
        ("e\N{COMBINING ACUTE ACCENT} tally", 5, 10, "e\N{COMBINING ACUTE ACCENT} tally", "  ^^^^^"),
        ("a \x1b[31m tally", 9, 14, "a \N{REPLACEMENT CHARACTER}[31m tally", "        ^^^^^"),
        ("/*\u202e*/ tally", 9, 14, "/*\N{REPLACEMENT CHARACTER}*/ tally", "      ^^^^^"),
        ("tally\r", 1, 6, "tally", "^^^^^"),
        ("x", 40, 45, "x", " ^"),
        ("x", 1, 1, "x", "^"),
    ],
)
def test_carets_stand_under_the_reference(
    tmp_path: Path, line: str, column: int, end: int, source: str, underline: str
) -> None:
    (tmp_path / "a.rs").write_bytes(line.encode())
    text = as_text(report(finding(location=Location("a.rs", 1, column, 1, end), items=())), tmp_path)
    assert text.splitlines()[3:5] == [f"1 | {source}", f"  | {underline}"]


def test_a_long_line_is_cut_around_the_reference(tmp_path: Path) -> None:
    (tmp_path / "a.rs").write_text("x" * 5000 + "tally" + "y" * 5000)
    text = as_text(report(finding(location=Location("a.rs", 1, 5001, 1, 5006), items=())), tmp_path)
    source, underline = text.splitlines()[3:5]
    assert len(source) < 160
    assert source.startswith("1 | ...xxx")
    assert source.endswith("yyy...")
    assert source[underline.index("^") : underline.rindex("^") + 1] == "tally"


def test_a_reference_over_several_lines_is_marked_to_the_end_of_the_first(tmp_path: Path) -> None:
    (tmp_path / "a.rs").write_text("crate::\n    tally\n")
    text = as_text(report(finding(location=Location("a.rs", 1, 1, 2, 10), items=())), tmp_path)
    assert "1 | crate::\n  | ^^^^^^^\n" in text


def test_the_command_carries_its_flags(tmp_path: Path) -> None:
    witness = Witness((), True, ("loom", 'backend="x"'), None, "cargo check -p seam --lib")
    text = as_text(report(finding(witness=witness)), tmp_path)
    assert """= reproduce: RUSTFLAGS='--cfg loom --cfg backend="x"' cargo check -p seam --lib\n""" in text


@pytest.mark.parametrize(
    ("confirmation", "said"),
    [
        (Confirmation.CONFIRMED, "  = confirmed: cargo reports an error here\n"),
        (Confirmation.REFUTED, "  = refuted: cargo builds this without an error here; please report it\n"),
        (Confirmation.NOT_RUN, "  = not confirmed: cargo could not tell\n"),
    ],
)
def test_says_what_cargo_said(tmp_path: Path, confirmation: Confirmation, said: str) -> None:
    assert said in as_text(report(finding(confirmation=confirmation)), tmp_path)


def test_the_last_line_on_a_clean_run(tmp_path: Path) -> None:
    assert as_text(report(references=1, decided=1, packages=1), tmp_path) == (
        "no findings\n1 reference in 1 package holds in every feature combination; 0 could not be decided\n"
    )


def test_counts_by_severity(tmp_path: Path) -> None:
    findings = (finding(), finding(severity=Severity.WARNING), finding(severity=Severity.WARNING))
    assert "\n1 error, 2 warnings\n" in as_text(report(*findings), tmp_path)


def test_what_is_not_decided_is_named_with_its_first_place(tmp_path: Path) -> None:
    undecided = (
        Undecided("b.rs", 2, "unknown macro `m!`"),
        Undecided("a.rs", 9, "unknown macro `m!`"),
        Undecided("c.rs", 1, "x"),
    )
    text = as_text(report(undecided=undecided, notes=("member `b` is broken",)), tmp_path)
    assert text.splitlines()[:3] == [
        "note: member `b` is broken",
        "note: not decided: unknown macro `m!` (a.rs:9 and 1 other place)",
        "note: not decided: x (c.rs:1)",
    ]


def test_many_items_and_reasons_are_cut(tmp_path: Path) -> None:
    undecided = tuple(Undecided("a.rs", line, f"reason {line}") for line in range(1, 21))
    text = as_text(report(finding(items=FINDING.items * 7), undecided=undecided), tmp_path)
    assert "= note: and 3 other items of this name" in text
    assert "note: not decided: 12 other reasons" in text


def test_nothing_of_the_project_steers_the_terminal(tmp_path: Path) -> None:
    evil = "\x1b]0;owned\x07[bold]\x9b\u2066"
    item = GatedItem(evil, 1, evil, evil, evil)
    sample = finding(message=evil, notes=(evil,), helps=(evil,), items=(item,), fails_when=evil)
    sample = replace(sample, location=Location(evil, 1, 1, 1, 2), witness=replace(sample.witness, command=evil))
    subject = report(sample, undecided=(Undecided(evil, 1, evil),), notes=(evil,))
    assert not re.search("[\x1b\x07\x9b\u2066]", as_text(subject, tmp_path))
    colored = as_text(subject, tmp_path, in_color=True)
    assert not re.search("[\x07\x9b\u2066]|\x1b(?!\\[[0-9;]*m)", colored)
    assert "[bold]" in colored


def test_colours_change_nothing_but_colour(tmp_path: Path) -> None:
    root = write_package(tmp_path)
    colored = as_text(report(finding()), root, in_color=True)
    assert "\x1b[1;31merror[CFG001]\x1b[0m" in colored
    assert re.sub("\x1b\\[[0-9;]*m", "", colored) == WHOLE


def test_printable_keeps_text_and_width_counts_cells() -> None:
    assert printable("naïve 漢 `x`") == "naïve 漢 `x`"
    assert printable("a\udcffb") == "a\N{REPLACEMENT CHARACTER}b"
    assert width("漢字a") == 5

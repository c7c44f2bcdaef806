"""Text to predicates: what rustc accepts, what it rejects, and what nobody should have written."""

from __future__ import annotations

import subprocess
from pathlib import Path

import msgspec
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from cfglint.condition.parse import DEPTH_CAP, LENGTH_CAP, parse_predicate
from cfglint.condition.predicate import All, Any, Invalid, Literal, Not, Option, Predicate, conjunction
from tests.condition.model import PREDICATES
from tests.oracle.cargo_oracle import require_cargo

A, B = Option("a"), Option("b")

ACCEPTED: list[tuple[str, Predicate]] = [
    ("a", A),
    ("a,", A),
    ("  a\t\r\n", A),
    ('feature = "gpu"', Option("feature", "gpu")),
    ('feature="gpu"', Option("feature", "gpu")),
    ('r#feature = "gpu"', Option("feature", "gpu")),
    ('k = "x\\n\\t\\r\\0\\\\\\"\\\'"', Option("k", "x\n\t\r\0\\\"'")),
    ('k = "\\x41\\u{1_F980}"', Option("k", "A\U0001f980")),
    ('k = "one \\\n   two"', Option("k", "one two")),
    ('k = "two\nlines"', Option("k", "two\nlines")),
    ('k = r"a\\b"', Option("k", "a\\b")),
    ('k = r#"a"b"#', Option("k", 'a"b')),
    ('k = r##"a"#b"##', Option("k", 'a"#b')),
    ("all()", All(())),
    ("any()", Any(())),
    ("all(a, b)", All((A, B))),
    ("any(a, b,)", Any((A, B))),
    ("not(a)", Not(A)),
    ("not(a,)", Not(A)),
    ("not(not(a))", Not(Not(A))),
    ("r#all(a)", All((A,))),
    ("r#not(a)", Not(A)),
    ("true", Literal(True)),
    ("false,", Literal(False)),
    ("all(true, false)", All((Literal(True), Literal(False)))),
    ("r#true", Option("true")),
    ("all(r#false)", All((Option("false"),))),
    ('r#true = "x"', Option("true", "x")),
    ("all", Option("all")),
    ('all = "x"', Option("all", "x")),
    ("not", Option("not")),
    ("feature", Option("feature")),
    ("union", Option("union")),
    ("default", Option("default")),
    ("r#fn", Option("fn")),
    ("\u00fcn\u00ef", Option("\u00fcn\u00ef")),
    ("u\u0308", Option("\u00fc")),
    ("any(a // one\n, /* two /* three */ */ b)", Any((A, B))),
    ("a //// four\n", A),
    ("a/**/", A),
    ("/***/a", A),
]

REJECTED: list[tuple[str, Predicate]] = [
    (text, Invalid(text))
    for text in (
        "",
        "a, b",
        "a b",
        "a)",
        "(a)",
        "all(a",
        "all(a))",
        "fn",
        "_",
        "self",
        "crate",
        "r#crate",
        "a::b",
        "a == b",
        'k == "b"',
        'k = b"x"',
        'k = c"x"',
        'k = "x"u8',
        "k = 5",
        "k = 'x'",
        "k = b",
        'k = ("x")',
        'k = concat!("x")',
        'k = "x',
        'k = r#"x"',
        'k = "\\q"',
        'k = "\\x80"',
        'k = "\\u{D800}"',
        'k = "\\u{110000}"',
        'k = "\\u{}"',
        'k = "\\u{_1}"',
        'k = "\\u{0000041}"',
        'true = "x"',
        "true()",
        "not()",
        "not(a, b)",
        "a()",
        "all[a]",
        "all{a}",
        '"a"',
        "unsafe(a)",
        'version("1.88")',
        'target(os = "linux")',
        "accessible(std::mem)",
        "a /* open",
        "/// documented\na",
        "/** documented */ a",
        "/*! documented */ a",
        "//! documented\na",
    )
] + [
    ("all(,)", All((Invalid(""),))),
    ("all(a,, b)", All((A, Invalid(""), B))),
    ('any(a, version("1.88"), b)', Any((A, Invalid('version("1.88")'), B))),
    ('not(target(os = "linux", arch = "x86"))', Not(Invalid('target(os = "linux", arch = "x86")'))),
    ('all(k = 5, not(), "s")', All((Invalid("k = 5"), Invalid("not()"), Invalid('"s"')))),
    ("any(a::b(c, d) + 1, b)", Any((Invalid("a::b(c, d) + 1"), B))),
]


@pytest.mark.parametrize(("text", "expected"), ACCEPTED + REJECTED)
def test_forms(text: str, expected: Predicate) -> None:
    assert parse_predicate(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("cfg(all(a, b))", All((A, B))),
        (" cfg ( a , ) ", A),
        ("cfg", Option("cfg")),
        ('cfg = "x"', Option("cfg", "x")),
        ("cfg()", Invalid("cfg()")),
        ("cfg(a, b)", Invalid("cfg(a, b)")),
        ("cfg(a), b", Invalid("cfg(a), b")),
        ("cfg(cfg(a))", Invalid("cfg(a)")),
        ("r#cfg(a)", Invalid("r#cfg(a)")),
        ("x86_64-unknown-linux-gnu", Invalid("x86_64-unknown-linux-gnu")),
    ],
)
def test_the_key_of_a_target_table(text: str, expected: Predicate) -> None:
    assert parse_predicate(text) == expected


@pytest.mark.cargo
def test_rustc_accepts_the_same(tmp_path: Path) -> None:
    require_cargo()
    assert _rustc(tmp_path, [text for text, _ in ACCEPTED]) == 0
    assert [text for text, _ in REJECTED if _rustc(tmp_path, [text]) == 0] == []


def _rustc(folder: Path, predicates: list[str]) -> int:
    gates = "\n".join(f"#[cfg({text}\n)] const _: () = ();" for text in predicates)
    (folder / "lib.rs").write_text(f"#![allow(unexpected_cfgs)]\n{gates}\n", newline="")
    command = ["rustc", "--edition=2021", "--crate-type=lib", "--emit=metadata", "lib.rs"]
    return subprocess.run(command, cwd=folder, capture_output=True, check=False).returncode


@given(st.text(max_size=60) | st.text(alphabet='abr#"\\/*(),=! \n', max_size=40))
@example("\ud800")
@example("r" + "#" * 50)
@example('"' * 7)
def test_no_text_raises(text: str) -> None:
    assert parse_predicate(text) == parse_predicate(text)


@pytest.mark.parametrize("text", ["all(" * 100_000, "not(" * 200 + "a" + ")" * 200, "(" * 100_000, "/*" * 100_000])
def test_nesting_is_bounded(text: str) -> None:
    assert parse_predicate(text) == Invalid(text)


def test_what_is_not_too_deep_is_read() -> None:
    predicate: Predicate = A
    for _ in range(DEPTH_CAP):
        predicate = Not(predicate)
    assert parse_predicate("not(" * DEPTH_CAP + "a" + ")" * DEPTH_CAP) == predicate


def test_length_is_bounded() -> None:
    text = f"any({'a, ' * LENGTH_CAP})"
    assert parse_predicate(text) == Invalid(text)
    many = ", ".join(f'feature = "chip-{index}"' for index in range(2_000))
    parsed = parse_predicate(f"any({many})")
    assert isinstance(parsed, Any)
    assert len(parsed.args) == 2_000


@given(PREDICATES)
def test_predicates_survive_serialization(predicate: Predicate) -> None:
    assert msgspec.msgpack.decode(msgspec.msgpack.encode(predicate), type=Predicate) == predicate


def test_conjunction_stays_flat_where_that_is_trivial() -> None:
    assert conjunction(()) == Literal(True)
    assert conjunction((A,)) == A
    assert conjunction((A, B)) == All((A, B))

"""Items and comments of a file: `^` under a comment's line says how far it reaches, in lines."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cfglint.syntax.outline import comments_in, items_in

SOURCE = """\
#![no_std]
// first
#[cfg(unix)]
// between
/// documented
pub fn f() { // behind
    // before a statement
    let x = 1;
    match x {
        // before an arm
        1 => a(),
        _ => {}
    }
    if x == 1 {
        // last in a block
    } else {
        b();
    }
    // before the value
    c()
}
use a::{
    // in a list
    b,
    c,
};
gate! {
    // among tokens
    pub fn g<A, B>(_: [u8; 4]) {
        d();
    }
    e();
}
struct S {
    // before a field
    #[cfg(x)]
    a: u8,
    b: u8,
}
impl<T> Trait<T> for S {
    // in an impl
    const C: u8 = 1;
    fn h(&self) {}
}
// nothing
"""

COVERED = {
    "first": (2, 21),
    "between": (4, 21),
    "behind": (6, 6),
    "before a statement": (7, 8),
    "before an arm": (10, 11),
    "last in a block": (15, 15),
    "before the value": (19, 20),
    "in a list": (23, 24),
    "among tokens": (28, 31),
    "before a field": (35, 37),
    "in an impl": (41, 42),
    "nothing": (45, 45),
}


def line_of(offset: int) -> int:
    return SOURCE.encode().count(b"\n", 0, offset) + 1


def test_what_comments_stand_before() -> None:
    found = comments_in(SOURCE.encode())
    assert {c.text: (line_of(c.start), line_of(c.covers_to)) for c in found} == COVERED
    assert [c.text for c in found if not c.is_alone] == ["behind"]
    assert [c.text for c in found if c.is_first] == ["first"]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("let x = 1;", ["f"]),
        ("#[cfg(unix)]", ["f"]),
        ("C: u8 = 1", ["<impl Trait<T> for S>", "C"]),
        ("fn h", ["<impl Trait<T> for S>", "h"]),
        ("a: u8", ["S"]),
        ("a::{", []),
    ],
)
def test_the_items_around_a_place(text: str, names: list[str]) -> None:
    source = SOURCE.encode()
    at = source.index(text.encode())
    assert [item.name for item in items_in(source) if item.start <= at < item.end] == names


@pytest.mark.parametrize(
    ("comment", "is_read"), [("// x", True), ("//! x", False), ("/// x", False), ("//// x", True), ("/* x */", False)]
)
def test_documentation_is_left_alone(comment: str, is_read: bool) -> None:
    assert bool(comments_in(f"{comment}\nfn f() {{}}\n".encode())) is is_read


@given(st.text(st.sampled_from("abfn(){}[]#!;,/*\n\"' "), max_size=200))
def test_any_text_is_taken(text: str) -> None:
    source = text.encode()
    for comment in comments_in(source):
        assert 0 <= comment.start < comment.end <= comment.covers_to <= len(source)
    for item in items_in(source):
        assert 0 <= item.start < item.end <= len(source)


@pytest.mark.parametrize(
    "source",
    [
        b"(" * 200_000,
        b"fn f() {" * 20_000,
        b"//\n#[a]\n" * 20_000,
        b"m!{" + b"// c\n a(b) " * 20_000 + b"}",
        b"{" * 100_000,
    ],
)
def test_time_grows_with_the_file(source: bytes) -> None:
    started = time.monotonic()
    comments_in(source)
    items_in(source)
    assert time.monotonic() - started < 20

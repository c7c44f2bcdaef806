"""The selections of crate roots mean what they mean to `cargo check`."""

from __future__ import annotations

from pathlib import Path

import pytest

from cfglint.config import Config
from cfglint.pipeline import analyze, run

FILES = {
    "Cargo.toml": '[package]\nname = "p"\nversion = "0.1.0"\nedition = "2021"\n[features]\nx = []\n',
    "build.rs": '#[cfg(feature = "x")]\nfn gone() {}\nfn main() { gone(); }\n',
    "src/lib.rs": '#[cfg(feature = "x")]\npub fn gone() {}\npub fn go() { crate::gone(); }\n'
    "#[cfg(test)]\nmod tests { fn t() { crate::gone(); } }\n",
    "src/main.rs": "fn main() { p::gone(); }\n#[cfg(test)]\nmod tests { fn t() { p::gone(); } }\n",
    "tests/t.rs": "#[test]\nfn t() { p::gone(); }\n",
    "examples/e.rs": "fn main() { p::gone(); }\n",
    "benches/b.rs": "fn main() { p::gone(); }\n",
}
SCRIPT = {"build.rs:3"}
LIB = {"src/lib.rs:3"}
ALL = SCRIPT | LIB | {"src/lib.rs:5", "src/main.rs:1", "tests/t.rs:2", "examples/e.rs:1", "benches/b.rs:1"}


@pytest.mark.parametrize(
    ("kinds", "found"),
    [
        ("", ALL),
        ("lib", SCRIPT | LIB),
        ("bins", SCRIPT | {"src/main.rs:1"}),
        ("examples", SCRIPT | {"examples/e.rs:1"}),
        ("benches", SCRIPT | {"benches/b.rs:1"}),
        ("tests", SCRIPT | LIB | {"src/lib.rs:5", "src/main.rs:1", "tests/t.rs:2"}),
        ("lib examples", SCRIPT | LIB | {"examples/e.rs:1"}),
        ("lib bins tests examples benches", ALL),
    ],
)
def test_what_is_looked_at(kinds: str, found: set[str], tmp_path: Path) -> None:
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, "utf-8")
    report = run(analyze(Config(tmp_path, kinds=frozenset(kinds.split()))))
    assert {f"{one.location.file}:{one.location.line}" for one in report.findings} == found


def test_unit_tests_are_said_to_need_no_test_flag_where_only_they_are_selected(tmp_path: Path) -> None:
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, "utf-8")
    report = run(analyze(Config(tmp_path, kinds=frozenset({"tests"}))))
    (unit,) = [one for one in report.findings if (one.location.file, one.location.line) == ("src/lib.rs", 5)]
    assert unit.fails_when == 'not(feature = "x")'
    assert unit.witness.command == "cargo check -p p --lib --profile test --no-default-features"

"""The first repair that is proposed, for small crates that differ in what the code says."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cfglint.cli.main import main

MANIFEST = '[package]\nname = "small"\nversion = "0.1.0"\nedition = "2021"\n\n[features]\na = []\nb = []\n'
GATED = '#[cfg(feature = "a")]\npub struct Handle;\n'
ENUM = 'pub enum Format {\n    Plain,\n    #[cfg(feature = "a")]\n    Json,\n}\n'
STRUCT = (
    '#[derive(Default)]\npub struct Config {\n    pub threads: u8,\n    #[cfg(feature = "a")]\n    pub device: u8,\n}\n'
)
TRAIT = 'pub trait Sink {\n    fn push(&self);\n    #[cfg(feature = "a")]\n    fn flush(&self);\n}\n'


@pytest.mark.parametrize(
    ("code", "title", "applicability"),
    [
        pytest.param(
            f"{GATED}pub trait Ext {{\n    fn handle(&self) -> Handle {{\n        loop {{}}\n    }}\n}}\n",
            'gate the function `handle` with `#[cfg(feature = "a")]`',
            "maybe-incorrect",
            id="a function of a trait with a body may be left out",
        ),
        pytest.param(
            f"{GATED}pub trait Ext {{\n    fn handle(&self) -> Handle;\n}}\n",
            'gate the trait `Ext` with `#[cfg(feature = "a")]`',
            "machine-applicable",
            id="one without a body may not",
        ),
        pytest.param(
            f"{GATED}pub trait Ext {{\n    fn handle(&self) -> Handle {{\n        loop {{}}\n    }}\n}}\n"
            "impl Ext for u8 {\n    fn handle(&self) -> Handle {\n        loop {}\n    }\n}\n",
            'gate the trait `Ext` with `#[cfg(feature = "a")]`, and the same for what then fails (1 more)',
            "machine-applicable",
            id="nor one that an impl replaces",
        ),
        pytest.param(
            f"{GATED}#[cfg(test)]\nmod tests {{\n    #[test]\n    fn works() {{\n        let _ = crate::Handle;\n    }}\n}}\n",
            'gate the function `works` with `#[cfg(feature = "a")]`',
            "machine-applicable",
            id="a test that wants a feature is gated, and its item is not widened to tests",
        ),
        pytest.param(
            f'{GATED}#[cfg(feature = "b")]\npub fn make() -> Handle {{\n    loop {{}}\n}}\n',
            'widen the gate of the struct `Handle` to `#[cfg(any(feature = "a", feature = "b"))]`',
            "machine-applicable",
            id="what a feature compiles wants its item",
        ),
        pytest.param(
            f"{ENUM}pub fn size(f: &Format) -> u8 {{\n    match f {{\n        Format::Plain => 1,\n"
            "        Format::Json => 2,\n    }\n}\n",
            'gate the arm with `#[cfg(feature = "a")]`',
            "machine-applicable",
            id="an arm takes the gate of its variant",
        ),
        pytest.param(
            f"{STRUCT}pub fn make() -> Config {{\n    Config {{\n        threads: 1,\n        device: 2,\n    }}\n}}\n",
            'gate the field with `#[cfg(feature = "a")]`',
            "machine-applicable",
            id="a field that is given takes the gate of the field",
        ),
        pytest.param(
            f"{STRUCT}pub fn make() -> Config {{\n    Config {{\n        threads: 1,\n"
            '        #[cfg(feature = "b")]\n        device: 2,\n        ..Default::default()\n    }\n}\n',
            'gate the field with `#[cfg(any(feature = "a", not(feature = "b")))]`',
            "machine-applicable",
            id="and joins it to the one that it has",
        ),
        pytest.param(
            f"{STRUCT}pub fn first(c: &Config) -> u8 {{\n    let Config {{ threads, device: _ }} = c;\n    *threads\n}}\n",
            'gate the field with `#[cfg(feature = "a")]`',
            "machine-applicable",
            id="so does one in a pattern",
        ),
        pytest.param(
            f"{TRAIT}impl Sink for u8 {{\n    fn push(&self) {{}}\n    fn flush(&self) {{}}\n}}\n",
            'gate the function `flush` with `#[cfg(feature = "a")]`',
            "machine-applicable",
            id="an item of an impl takes the gate of that of the trait",
        ),
    ],
)
def test_the_first_repair(
    code: str, title: str, applicability: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "src").mkdir()
    (tmp_path / "Cargo.toml").write_text(MANIFEST, "utf-8")
    (tmp_path / "src" / "lib.rs").write_text(code, "utf-8")
    assert main(["check", str(tmp_path), "--diff", "--format", "json"]) == 1
    first = json.loads(capsys.readouterr().out)["findings"][0]["repairs"][0]
    assert (first["title"], first["applicability"]) == (title, applicability)
    assert (first["leaves"], first["creates"]) == (0, [])

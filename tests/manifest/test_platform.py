"""The target table: facts about targets that everybody can check, and that it agrees with the installed rustc."""

from __future__ import annotations

import shutil
import subprocess

import pytest

from cfglint.condition.atom import Atom, flag, key_value
from cfglint.condition.diagram import FALSE, TRUE, literal
from cfglint.errors import UsageError
from cfglint.manifest.platform import HOST, TIER_ONE, TRIPLE, table
from cfglint.manifest.space import config_space
from cfglint.manifest.target_predicate import target_condition
from tests.manifest.building import cargo, model


def mask(atom: Atom) -> int:
    found = table().mask(atom)
    assert found is not None
    return found


def test_the_host_is_the_first_row_and_tier_one_the_first_nine() -> None:
    targets = table()
    assert targets.triples[: len(TIER_ONE)] == TIER_ONE
    assert targets.rows((HOST,)) == 1
    assert len(targets.triples) == len(set(targets.triples)) == targets.all_rows.bit_count()
    assert targets.rows(("no-such-target",)) == 0


def test_options_that_partition_the_targets() -> None:
    targets = table()
    unix, windows = mask(flag("unix")), mask(flag("windows"))
    assert unix & windows == 0
    assert targets.all_rows & ~(unix | windows)
    assert unix == mask(key_value("target_family", "unix"))
    widths = [mask(key_value("target_pointer_width", width)) for width in ("16", "32", "64")]
    assert sum(widths) == targets.all_rows
    for key, values in (("target_endian", ("little", "big")), ("panic", ("unwind", "abort"))):
        assert sum(mask(key_value(key, value)) for value in values) == targets.all_rows


def test_an_empty_value_is_a_value() -> None:
    assert mask(key_value("target_env", "")) & table().rows(("aarch64-apple-darwin",))
    assert not mask(key_value("target_env", "")) & 1


def test_what_the_table_does_not_decide() -> None:
    targets = table()
    assert targets.mask(key_value("target_os", "never-heard-of")) == 0
    for atom in (flag("test"), flag("debug_assertions"), flag("loom"), key_value("target_feature", "avx2")):
        assert targets.mask(atom) is None
    assert targets.feature_mask(key_value("target_feature", "sse2")) & 1
    assert targets.feature_mask(key_value("target_feature", "avx2")) & 1 == 0
    assert targets.feature_mask(flag("sse2")) == 0


def test_an_unknown_target_is_an_error_not_an_empty_space() -> None:
    with pytest.raises(UsageError, match="x86_65"):
        config_space(model(""), triples=("x86_65-unknown-linux-gnu",))


def test_predicates_of_dependency_tables() -> None:
    unix = literal(flag("unix"))
    assert target_condition("cfg(unix)") is unix
    assert target_condition(" cfg( not( unix ) ) ") is ~unix
    assert target_condition('cfg(any(unix, target_os = "none",))') is unix | literal(key_value("target_os", "none"))
    assert target_condition("cfg(true)") is TRUE
    assert target_condition("cfg(false)") is FALSE
    assert target_condition("x86_64-pc-windows-gnu") is literal(key_value(TRIPLE, "x86_64-pc-windows-gnu"))


@pytest.mark.parametrize("text", ["cfg(", "cfg()", "cfg(not())", "cfg(a b)", "cfg(" + "not(" * 5_000 + ")" * 5_001])
def test_what_is_no_predicate_is_unknown_or_a_name(text: str) -> None:
    assert target_condition(text).atom is not None


@pytest.mark.cargo
def test_the_table_is_what_rustc_prints() -> None:
    cargo()
    rustc = shutil.which("rustc")
    assert rustc is not None
    version = subprocess.run([rustc, "--version"], capture_output=True, text=True, check=True).stdout
    if not version.startswith("rustc 1.95."):
        pytest.skip("the table is that of rustc 1.95")
    targets = table()
    for triple in ("x86_64-unknown-linux-gnu", "wasm32-wasip1", "x86_64-pc-windows-msvc", "thumbv6m-none-eabi"):
        printed = subprocess.run(
            [rustc, "--print", "cfg", "--target", triple], capture_output=True, text=True, check=True
        )
        row = targets.rows((triple,))
        options = set()
        for line in printed.stdout.splitlines():
            key, equals, value = line.partition("=")
            atom = key_value(key, value.strip('"')) if equals else flag(key)
            options.add(atom)
            if atom != flag("debug_assertions"):
                assert (targets.mask(atom) or targets.feature_mask(atom)) & row, (triple, line)
        for key in ("target_os", "target_arch", "target_env", "target_vendor", "target_family", "target_has_atomic"):
            for value in ("", "linux", "windows", "x86_64", "wasm32", "gnu", "msvc", "pc", "unix", "8", "64", "ptr"):
                assert bool(mask(key_value(key, value)) & row) == (key_value(key, value) in options), (
                    triple,
                    key,
                    value,
                )

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from cfglint.manifest.check_cfg import expected, values_of
from tests.oracle.cargo_oracle import require_cargo, rustc

VALUED = (
    "target_os",
    "target_arch",
    "target_env",
    "target_family",
    "target_vendor",
    "target_endian",
    "target_pointer_width",
)


@pytest.mark.parametrize(
    ("texts", "yes", "no"),
    [
        (["cfg(a)"], ["a"], ['a = "x"', "b"]),
        (["cfg(a, b)"], ["a", "b"], ["c"]),
        (['cfg(a, values("x", "y"))'], ['a = "x"', 'a = "y"'], ["a", 'a = "z"']),
        (['cfg(a, values(none(), "x"))'], ["a", 'a = "x"'], ['a = "z"']),
        (["cfg(a, values(any()))"], ["a", 'a = "z"'], ["b"]),
        (["cfg(a)", 'cfg(a, values("x"))'], ["a", 'a = "x"'], ['a = "y"']),
        (["cfg(any())"], ["a", 'b = "c"'], []),
        (['cfg ( a , values ( "x" ) , )'], ['a = "x"'], ["a"]),
        (['cfg(target_os, values("toy"))'], ['target_os = "toy"', 'target_os = "linux"'], ['target_os = "linus"']),
        (["not understood: a"], ["a", 'understood = "z"'], ["b"]),
        (["?"], ["a"], []),
        ([], ["unix", 'panic = "x"', 'target_feature = "new"'], ['unix = "x"', "target_os", "loom"]),
    ],
)
def test_what_is_expected(texts: list[str], yes: list[str], no: list[str]) -> None:
    known = expected(texts)

    def admitted(option: str) -> bool:
        name, _, value = option.partition(" = ")
        return known.has(name) and known.admits(name, value.strip('"') if value else None)

    assert [option for option in (*yes, *no) if admitted(option)] == yes


@pytest.mark.cargo
def test_rustc_knows_every_value_of_the_table(tmp_path: Path) -> None:
    require_cargo()
    options = [f'{key} = "{value}"' for key in VALUED for value in sorted(values_of(key))]
    source = tmp_path / "lib.rs"
    source.write_text("".join(f"#[cfg({option})] const _: () = ();\n" for option in [*options, 'target_os = "linus"']))
    command = [
        str(rustc()),
        "--crate-type",
        "lib",
        "--emit",
        f"metadata={tmp_path}/lib.rmeta",
        "--error-format",
        "json",
    ]
    done = subprocess.run(
        [*command, "--check-cfg", "cfg(docsrs)", str(source)], capture_output=True, text=True, check=True
    )
    lines = [json.loads(line)["spans"] for line in done.stderr.splitlines() if line.startswith("{")]
    assert [spans[0]["line_start"] for spans in lines if spans] == [len(options) + 1]

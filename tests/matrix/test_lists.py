"""Lists of combinations: slices, formats that come back as they went, and what differs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import tomli
from hypothesis import given
from hypothesis import strategies as st

from cfglint.errors import ConfigError, UsageError
from cfglint.matrix.combination import Combination
from cfglint.matrix.lists import Drift, Partition, drift, parse_partition, part, read_list
from cfglint.report.matrix import difference, github, toml


def combination(package: str = "net", *features: str, target: str = "", flags: str = "") -> Combination:
    words = f"cargo check -p {package} --no-default-features" + (
        f" --features {','.join(features)}" if features else ""
    )
    return Combination(
        package, "lib", features, False, target, (), flags, False, words + (f" --target {target}" if target else "")
    )


LIST = (
    combination("net"),
    combination("net", "tls", "http2"),
    combination("seam", "gpu", target="x86_64-pc-windows-msvc", flags='--cfg backend="x"'),
)


@given(st.integers(0, 40), st.integers(1, 12))
def test_parts_make_up_the_whole(length: int, parts: int) -> None:
    whole = tuple(combination(f"p{number:02}") for number in range(length))
    slices = [part(whole, Partition(number, parts)) for number in range(1, parts + 1)]
    assert tuple(one for each in slices for one in each) == whole
    assert max(map(len, slices)) - min(map(len, slices)) <= 1
    assert part(whole, None) == whole


@pytest.mark.parametrize("text", ["", "1", "0/4", "5/4", "a/b", "1/4/2", "-1/4", "1/0", "01e3/9"])
def test_a_part_that_makes_no_sense(text: str) -> None:
    with pytest.raises(UsageError, match="is not a part such as"):
        parse_partition(text)


def test_a_part() -> None:
    assert parse_partition("2/5") == Partition(2, 5)


def test_github_takes_the_json() -> None:
    value = json.loads(github(LIST))
    assert list(value) == ["include"]
    assert value["include"][1] == {
        "package": "net",
        "targets": "lib",
        "features": "tls,http2",
        "default_features": False,
        "target": "",
        "cfgs": "",
        "rustflags": "",
        "release": False,
        "command": "cargo check -p net --no-default-features --features tls,http2",
    }


@pytest.mark.parametrize("render", [github, toml])
def test_lists_come_back_as_they_went(render: object, tmp_path: Path) -> None:
    file = tmp_path / "list"
    text = render(LIST)  # type: ignore[operator]
    file.write_text(text, "utf-8")
    assert read_list(file) == LIST
    assert drift(file, LIST).is_none


def test_toml_is_toml() -> None:
    assert [row["package"] for row in tomli.loads(toml(LIST))["combination"]] == ["net", "net", "seam"]


def test_drift_of_a_list_of_commands(tmp_path: Path) -> None:
    file = tmp_path / "list.txt"
    file.write_text(f"# a remark\n{LIST[2].command}\n\n{LIST[0].command}\ncargo check -p gone\n", "utf-8")
    found = drift(file, LIST)
    assert found == Drift((LIST[1].command,), ("cargo check -p gone",))
    assert difference(found, "list.txt") == (
        "--- list.txt\n+++ derived\n-cargo check -p gone\n"
        "+cargo check -p net --no-default-features --features tls,http2\n"
    )


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("cargo check\n", "is neither JSON nor TOML"),
        ('{"include": 5}', "has no list of combinations"),
        ('{"include": [{"package": "a"}]}', "a combination has no str `targets`"),
        ("{", "cannot be read"),
        ("[[combination]]\npackage = \n", "cannot be read"),
        ("[" * 100_000, "is neither JSON nor TOML"),
    ],
)
def test_what_is_no_list(text: str, complaint: str, tmp_path: Path) -> None:
    file = tmp_path / "list"
    file.write_text(text, "utf-8")
    with pytest.raises(ConfigError, match=complaint):
        read_list(file)


def test_a_list_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="cannot be read"):
        read_list(tmp_path / "missing")

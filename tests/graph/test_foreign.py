"""What is said of a reference into another package: whose gate it is, who hides it in which world, what to write."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.fixture_driver import run_cfglint

SEAM = {
    "seam/Cargo.toml": '[package]\nname = "seam"\nversion = "0.1.0"\nedition = "2021"\n[features]\ngpu = []\nfast = ["gpu"]\n',
    "seam/src/lib.rs": '#[cfg(feature = "gpu")]\npub fn launch() {}\n',
}


def finding(folder: Path, files: dict[str, str], file: str = "net/src/lib.rs") -> dict[str, Any]:
    """The only finding in `file` of the workspace of net, seam and the members that are given."""
    files = {**SEAM, "net/src/lib.rs": "pub fn go() { seam::launch(); }\n", **files}
    members = sorted({name.split("/")[0] for name in files})
    files["Cargo.toml"] = f"[workspace]\nresolver = '2'\nmembers = {members}\n"
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    found = [one for one in run_cfglint(folder)["findings"] if one["file"] == file]
    assert len(found) == 1, found
    return dict(found[0])


def member(name: str, rest: str) -> str:
    return f'[package]\nname = "{name}"\nversion = "0.1.0"\nedition = "2021"\n{rest}'


NET = member("net", '[dependencies]\nseam = { path = "../seam" }\n')
DELTA = member("delta", '[dependencies]\nseam = { path = "../seam", features = ["fast"] }\n')


def test_a_sibling_that_hides_it_is_named(tmp_path: Path) -> None:
    found = finding(tmp_path, {"net/Cargo.toml": NET, "delta/Cargo.toml": DELTA, "delta/src/lib.rs": ""})
    assert found["message"] == "cannot find `launch` in `seam`"
    assert found["worlds"] == ["standalone", "dev"]
    assert found["notes"] == ["compiles in the workspace because `delta` turns on `seam/fast`"]
    assert found["helps"] == ['add "gpu" to the features of `seam` in net/Cargo.toml, line 6']


def test_a_dev_dependency_that_hides_it_is_named(tmp_path: Path) -> None:
    dev = '[dev-dependencies]\nseam = { path = "../seam", features = ["gpu"] }\n'
    found = finding(tmp_path, {"net/Cargo.toml": NET + dev})
    assert found["worlds"] == ["standalone", "workspace"]
    assert found["notes"] == ["compiles with `--all-targets` because the dev-dependency `seam` turns on `seam/gpu`"]


def test_nobody_hides_it(tmp_path: Path) -> None:
    found = finding(tmp_path, {"net/Cargo.toml": NET})
    assert found["worlds"] == ["standalone", "workspace", "dev"]
    assert found["notes"] == []


def test_the_gate_is_in_the_words_of_its_own_package(tmp_path: Path) -> None:
    found = finding(tmp_path, {"net/Cargo.toml": NET})
    (item,) = found["items"]
    assert (item["package"], item["present_when"]) == ("seam", 'feature = "gpu"')


@pytest.mark.parametrize(
    ("manifest", "source", "helps"),
    [
        (
            '[features]\nfast = []\n[dependencies]\nkit = { package = "seam", path = "../seam" }\n',
            '#[cfg(feature = "fast")]\npub fn go() { kit::launch(); }\n',
            ["let the feature `fast` turn on `kit/gpu` in net/Cargo.toml"],
        ),
        (
            '[features]\nfast = ["seam/gpu"]\n[dependencies]\nseam = { path = "../seam" }\n',
            "pub fn go() { seam::launch(); }\n",
            [
                'add "gpu" to the features of `seam` in net/Cargo.toml, line 8',
                'or gate the reference with `#[cfg(feature = "fast")]`',
            ],
        ),
        (
            '[dependencies]\nmid = { path = "../mid" }\n',
            "pub fn go() { mid::launch(); }\n",
            ['add "quick" to the features of `mid` in net/Cargo.toml, line 6, which brings `seam/gpu`'],
        ),
        (
            '[dependencies]\nslow = { path = "../slow" }\n',
            "pub fn go() { slow::seam::launch(); }\n",
            ["have the feature `gpu` of `seam` turned on by the package that leads there"],
        ),
    ],
)
def test_what_to_write_into_the_manifest(tmp_path: Path, manifest: str, source: str, helps: list[str]) -> None:
    mid = '[features]\nquick = ["seam/fast"]\n[dependencies]\nseam = { path = "../seam" }\n'
    others = {
        "mid/Cargo.toml": member("mid", mid),
        "mid/src/lib.rs": '#[cfg(feature = "quick")]\nuse seam as _;\npub use seam::*;\n',
        "slow/Cargo.toml": member("slow", '[dependencies]\nseam = { path = "../seam" }\n'),
        "slow/src/lib.rs": "pub use seam;\n",
    }
    files = {"net/Cargo.toml": member("net", manifest), "net/src/lib.rs": source, **others}
    assert finding(tmp_path, files)["helps"] == helps


def test_a_path_in_the_body_of_a_macro_is_told(tmp_path: Path) -> None:
    macro = "#[macro_export]\nmacro_rules! start { () => { $crate::launch() } }\n"
    files = {
        "net/Cargo.toml": NET,
        "net/src/lib.rs": "pub fn go() { seam::start!(); }\n",
        "seam/src/lib.rs": SEAM["seam/src/lib.rs"] + macro,
    }
    found = finding(tmp_path, files)
    assert (found["path"], found["line"]) == ("seam::launch", 1)
    assert "`seam::launch` is named in the body of the macro `seam::start!`" in found["notes"]

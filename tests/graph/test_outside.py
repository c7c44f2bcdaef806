"""Dependencies whose source is on disk beside the workspace: what is certain of them is said, and nothing else."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.fixture_driver import run_cfglint

INDEX = "https://shelf.invalid/index"
CONFIG = f'[source.shelf]\nregistry = "{INDEX}"\nreplace-with = "here"\n[source.here]\ndirectory = "vendor"\n'
RIO = {
    "vendor/rio/Cargo.toml": '[package]\nname = "rio"\nversion = "1.2.0"\nedition = "2021"\n[features]\nnet = []\n',
    "vendor/rio/src/lib.rs": '#[cfg(feature = "net")]\npub mod net;\npub mod time;\n',
    "vendor/rio/src/net.rs": "pub fn listen() {}\n",
    "vendor/rio/src/time.rs": "this is no Rust, and nobody asks for it",
}
APP = {
    "Cargo.toml": '[package]\nname = "app"\nversion = "0.1.0"\nedition = "2021"\n[dependencies]\nrio = "1"\n',
    "src/lib.rs": "pub fn go() { rio::net::listen(); }\n",
    ".cargo/config.toml": CONFIG,
}


def lock(**dependencies: list[str]) -> dict[str, str]:
    """A Cargo.lock in which `app` and others have these dependencies."""
    text = "version = 4\n"
    for name, needs in sorted(dependencies.items()):
        version = {"rio": "1.2.0", "web": "2.0.0"}.get(name, "0.1.0")
        source = f'source = "registry+{INDEX}"\n' if name in ("rio", "web") else ""
        text += f'\n[[package]]\nname = "{name}"\nversion = "{version}"\n{source}dependencies = {needs}\n'
    return {"Cargo.lock": text}


def report(folder: Path, *files: dict[str, str]) -> dict[str, Any]:
    for name, text in {name: text for some in files for name, text in some.items()}.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    return run_cfglint(folder)


def test_a_module_behind_a_feature_that_nobody_asks_for(tmp_path: Path) -> None:
    found = report(tmp_path, APP, RIO, lock(app=["rio"], rio=[]))
    (finding,) = found["findings"]
    assert (finding["rule"], finding["line"], finding["fails_when"]) == ("CFG004", 1, "true")
    assert finding["message"] == "cannot find `net` in `rio`"
    assert finding["helps"] == ['add "net" to the features of `rio` in Cargo.toml, line 6']
    (item,) = finding["items"]
    assert (item["package"], item["file"]) == ("rio", "vendor/rio/src/lib.rs")
    assert item["present_when"] == 'feature = "net"'
    assert found["summary"]["files"] == 3, "time.rs is not read: nobody asks for it"


def test_who_does_not_want_them_read_says_so(tmp_path: Path) -> None:
    settings = {"cfglint.toml": 'dependencies = "skip"\n'}
    found = report(tmp_path, APP, RIO, settings, lock(app=["rio"], rio=[]))
    assert (found["findings"], found["summary"]["files"]) == ([], 1)


def test_without_a_lock_file_nothing_is_guessed(tmp_path: Path) -> None:
    assert report(tmp_path, APP, RIO)["findings"] == []


def test_without_its_source_everything_is_taken_to_be_there(tmp_path: Path) -> None:
    found = report(tmp_path, APP, lock(app=["rio"], rio=[]))
    assert (found["findings"], found["undecided"]) == ([], [])


def test_another_package_turns_the_feature_on(tmp_path: Path) -> None:
    manifest = (
        '[package]\nname = "web"\nversion = "2.0.0"\n[dependencies]\nrio = { version = "1", features = ["net"] }\n'
    )
    web = {"vendor/web/Cargo.toml": manifest, "vendor/web/src/lib.rs": ""}
    app = {"Cargo.toml": APP["Cargo.toml"] + 'web = "2"\n'}
    assert report(tmp_path, APP, app, RIO, web, lock(app=["rio", "web"], rio=[], web=["rio"]))["findings"] == []


def test_what_a_package_that_is_missing_may_turn_on_is_not_decided(tmp_path: Path) -> None:
    app = {"Cargo.toml": APP["Cargo.toml"] + 'web = "2"\n'}
    found = report(tmp_path, APP, app, RIO, lock(app=["rio", "web"], rio=[], web=["rio"]))
    assert found["findings"] == []
    (entry,) = found["undecided"]
    assert entry["line"] == 1
    assert "features of `rio`" in entry["reason"]


def test_a_missing_package_that_does_not_lead_there_is_no_matter(tmp_path: Path) -> None:
    app = {"Cargo.toml": APP["Cargo.toml"] + 'web = "2"\n'}
    found = report(tmp_path, APP, app, RIO, lock(app=["rio", "web"], rio=[], web=[]))
    assert [finding["rule"] for finding in found["findings"]] == ["CFG004"]


def test_a_member_that_hides_it_is_named(tmp_path: Path) -> None:
    delta = (
        '[package]\nname = "delta"\nversion = "0.1.0"\n[dependencies]\nrio = { version = "1", features = ["net"] }\n'
    )
    files = {
        "Cargo.toml": APP["Cargo.toml"] + '[workspace]\nmembers = ["delta"]\n',
        "delta/Cargo.toml": delta,
        "delta/src/lib.rs": "",
    }
    found = report(tmp_path, APP, files, RIO, lock(app=["rio"], delta=["rio"], rio=[]))
    (finding,) = found["findings"]
    assert finding["worlds"] == ["standalone", "dev"]
    assert finding["notes"] == ["compiles in the workspace because `delta` turns on `rio/net`"]

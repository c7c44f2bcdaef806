"""The baseline: written once, byte for byte the same, keyed by items, only ever shorter."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cfglint.baseline.listing import FILE, Entry, Key, listed, read_baseline, text_of
from cfglint.baseline.matching import matched, pruned
from cfglint.cli.main import main
from cfglint.errors import ConfigError
from tests.fixture_driver import FIXTURES
from tests.samples import finding


@pytest.fixture
def seed(tmp_path: Path) -> Path:
    root = tmp_path / "seed"
    shutil.copytree(FIXTURES / "seed-workspace", root)
    return root


def check(root: Path, *options: str) -> Any:
    out = root.parent / "out.json"
    assert main(["check", str(root), "--output-file", str(out), "--format", "json", *options]) in (0, 1)
    return json.loads(out.read_text("utf-8"))


def mend_first_defect(root: Path) -> None:
    source = root / "crates/gdn2/src/lib.rs"
    gate = '#[cfg(feature = "autodiff")]\npub mod cuda_dispatch;'
    text = source.read_text("utf-8")
    assert gate in text
    wider = '#[cfg(any(feature = "cuda", feature = "autodiff"))]\npub mod cuda_dispatch;'
    source.write_text(text.replace(gate, wider), "utf-8")


def test_what_is_listed_is_not_reported(seed: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["baseline", "write", str(seed)]) == 0
    assert capsys.readouterr().out.startswith("14 findings listed in ")
    report = check(seed)
    assert report["findings"] == []
    assert report["summary"]["baselined"] == 14
    assert main(["check", str(seed)]) == 0
    assert "no findings (14 in the baseline)\n47 references" in capsys.readouterr().out
    assert len(check(seed, "--no-baseline")["findings"]) == 14


def test_it_is_one_object_a_line_sorted_and_the_same_each_time(seed: Path) -> None:
    file = seed / FILE
    assert main(["baseline", "write", str(seed)]) == 0
    text = file.read_text("utf-8")
    lines = text.splitlines()
    assert len(lines) == 16
    assert [json.loads(line.rstrip(",")) for line in lines[1:-1]] == json.loads(text)["findings"]
    file.unlink()
    assert main(["baseline", "write", str(seed), "--jobs", "1"]) == 0
    assert file.read_text("utf-8") == text
    baseline = read_baseline(file)
    assert baseline is not None
    assert text_of(baseline.entries) == text


def test_moved_lines_stay_listed_and_new_findings_do_not(seed: Path) -> None:
    assert main(["baseline", "write", str(seed)]) == 0
    source = seed / "crates/gdn2/src/kernel/chunk_cube.rs"
    source.write_text("// moved\n\n" + source.read_text("utf-8"), "utf-8")
    assert check(seed)["findings"] == []
    text = source.read_text("utf-8")
    source.write_text(text + "\npub fn again() {\n    crate::cuda_dispatch::note_fused_forward();\n}\n", "utf-8")
    assert [found["item"] for found in check(seed)["findings"]] == ["gdn2::kernel::chunk_cube::again"]


def test_it_only_gets_shorter(seed: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["baseline", "write", str(seed)]) == 0
    assert main(["baseline", "write", str(seed)]) == 2
    assert "is there already, and only gets shorter" in capsys.readouterr().err
    mend_first_defect(seed)
    stale = check(seed)["findings"]
    assert [(found["rule"], found["file"]) for found in stale] == [("CFG900", FILE)] * 2
    lines = (seed / FILE).read_text("utf-8").splitlines()
    assert all("note_fused" in lines[found["line"] - 1] for found in stale)
    source = seed / "crates/mhc/src/lib.rs"
    source.write_text(source.read_text("utf-8").replace("fn fused_node_carries", "fn it_carries"), "utf-8")
    assert main(["baseline", "prune", str(seed)]) == 0
    assert "4 taken out, 10 findings left in " in capsys.readouterr().out
    assert len(check(seed)["findings"]) == 2, "the renamed ones were not taken up"
    assert main(["baseline", "prune", str(seed)]) == 0
    assert "0 taken out, 10 findings left" in capsys.readouterr().out


def test_packages_that_are_not_looked_at_keep_their_entries(seed: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["baseline", "write", str(seed)]) == 0
    mend_first_defect(seed)
    assert check(seed, "-p", "kda")["findings"] == []
    assert check(seed, "--features", "cuda")["findings"] == []
    assert main(["baseline", "prune", str(seed), "-p", "kda"]) == 0
    assert "0 taken out" in capsys.readouterr().out
    shutil.rmtree(seed / "crates/rope")
    manifest = seed / "Cargo.toml"
    manifest.write_text(
        manifest.read_text("utf-8").replace('"crates/rope", ', "").replace('"crates/rope"', ""), "utf-8"
    )
    gone = {found["package"] for found in check(seed)["findings"]}
    assert "rope" in gone, "a package that is no more needs no entries"


def test_it_must_be_about_everything(seed: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(["baseline", "write", str(seed), "--features", "cuda"])
    assert stopped.value.code == 2
    capsys.readouterr()
    assert main(["baseline", "prune", str(seed)]) == 2
    assert "`cfglint baseline write` makes it" in capsys.readouterr().err


def test_a_link_is_not_followed(seed: Path) -> None:
    victim = seed.parent / "victim"
    os.symlink(victim, seed / FILE)
    assert main(["baseline", "write", str(seed)]) == 2
    assert not victim.exists()
    victim.write_text(text_of([Entry(Key("gdn2", "gdn2::x", "CFG001", "y"), 1)]), "utf-8")
    before = victim.read_text("utf-8")
    assert main(["baseline", "prune", str(seed)]) == 0
    assert victim.read_text("utf-8") == before


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "1: is no JSON"),
        ('{"schema_version": 1, "findings": [\n<<<<<<< HEAD\n]}', "2: is no JSON"),
        ("[]", "1: is no baseline of schema version 1"),
        ('{"schema_version": 2, "findings": []}', "1: is no baseline of schema version 1"),
        ('{"schema_version": 1, "findings": {}}', "1: `findings` must be an array"),
        ('{"schema_version": 1, "findings": [{"rule": "CFG001"}]}', "1: must have one object a line"),
        ('{"schema_version": 1, "findings": [\n{"rule": "CFG001"}\n]}', "2: an entry must have the keys"),
        (
            '{"schema_version": 1, "findings": [\n{"rule": "CFG001", "package": 1, "item": "", "path": "", "count": 1}\n]}',
            "2: `package` must be a string",
        ),
        (
            '{"schema_version": 1, "findings": [\n{"rule": "CFG001", "package": "", "item": "", "path": "", "count": 0}\n]}',
            "2: `count` must be a positive number",
        ),
        ("[" * 100_000, "nested too deeply"),
    ],
)
def test_what_is_no_baseline_is_told(tmp_path: Path, text: str, complaint: str) -> None:
    (tmp_path / FILE).write_text(text, "utf-8")
    with pytest.raises(ConfigError) as caught:
        read_baseline(tmp_path / FILE)
    assert complaint in str(caught.value)


def test_the_same_entry_twice_is_a_merge_gone_wrong(tmp_path: Path) -> None:
    line = '  {"rule": "CFG001", "package": "a", "item": "a::b", "path": "c", "count": 1}'
    (tmp_path / FILE).write_text(f'{{"schema_version": 1, "findings": [\n{line},\n{line}\n]}}\n', "utf-8")
    with pytest.raises(ConfigError, match="3: says the same as line 2"):
        read_baseline(tmp_path / FILE)


SOME = st.lists(
    st.builds(lambda item, path: finding(scope=item, path=path), st.sampled_from("ab"), st.sampled_from("xyz")),
    max_size=12,
)


@given(SOME, SOME)
def test_matching_is_counting(then: list[Any], now: list[Any]) -> None:
    entries = listed(then)
    result = matched(now, entries)
    assert sorted(map(id, (*result.new, *result.known))) == sorted(map(id, now))
    for entry in entries:
        present = sum((found.scope, found.path) == (entry.key.item, entry.key.path) for found in now)
        known = sum((found.scope, found.path) == (entry.key.item, entry.key.path) for found in result.known)
        assert known == min(present, entry.count)
    shorter = pruned(now, entries, lambda key: True)
    assert matched(now, shorter).new == result.new, "what is taken out was not needed"
    assert matched(now, shorter).stale == ()
    assert sum(entry.count for entry in shorter) <= len(then)


@given(SOME)
def test_it_is_read_as_it_was_written(findings: list[Any]) -> None:
    entries = listed(findings)
    text = text_of(entries)
    assert text == text_of(reversed(entries))
    assert [json.loads(line.rstrip(",")) for line in text.splitlines()[1:-1]] == json.loads(text)["findings"]

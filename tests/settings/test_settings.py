"""Settings: every key, what is refused and where the caret stands, and what they do to a run."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from cfglint.cli.main import main
from cfglint.config import Level, Settings
from cfglint.errors import ConfigError
from cfglint.settings.finding import find_settings
from tests.samples import MANIFEST
from tests.samples import write_package as write_sample

SWITCHED = """\
pub fn launch() {
    #[cfg(all(feature = "gpu", loom))]
    crate::tally::launched();
}
"""


def write_package(root: Path, **files: str) -> Path:
    """The sample, with its gated module."""
    write_sample(root, **files)
    (root / "src/tally.rs").write_text("pub fn launched() {}\n", "utf-8")
    return root


def check(root: Path, *options: str) -> tuple[int, Any]:
    out = root / "out.json"
    status = main(["check", str(root), "--output-file", str(out), "--format", "json", *options])
    return status, json.loads(out.read_text("utf-8")) if status < 2 else None


def conditions(root: Path, *options: str) -> list[str]:
    return [finding["fails_when"] for finding in check(root, *options)[1]["findings"]]


def test_every_key_of_a_workspace(tmp_path: Path) -> None:
    (tmp_path / "cfglint.toml").write_text(
        """\
exclude = ["bench-*"]
exclude-paths = ["gen/", "*.pb.rs"]
exclusive-features = [["tokio", "smol"]]
require-reason = true
flags = { loom = false, backend = "libc", std = ["a", "b"] }
levels.CFG0 = "warn"
""",
        "utf-8",
    )
    assert find_settings(tmp_path) == Settings(
        levels=(("CFG0", Level.WARN),),
        flags=(("loom", False), ("backend", ("libc",)), ("std", ("a", "b"))),
        exclude=("bench-*",),
        exclude_paths=("gen/", "*.pb.rs"),
        exclusive_features=(("tokio", "smol"),),
        require_reason=True,
    )


@pytest.mark.parametrize(
    ("text", "complaint", "under"),
    [
        ('fail-on = "sometimes"\n', "`fail-on` must be one of error, warning, never", '"sometimes"'),
        ("fail-on = 3 # three\n", "`fail-on` must be one of", "3"),
        ('targets = ["x86_64-unknown-linux-gnu", "wasm32"]\n', "`wasm32` is not a target that rustc knows", '"wasm32"'),
        ('select = ["CFG0", "CFG77"]\n', "unknown rule `CFG77`", '"CFG77"'),
        ('levels = { CFG01X = "warn" }\n', "unknown rule `CFG01X`", "CFG01X"),
        ('[levels]\nCFG001 = "wran"\n', "`CFG001` must be one of allow, warn, deny; did you mean `warn`?", '"wran"'),
        ("[flags]\nunix = true\n", "`unix` follows from the target: use `targets`", "unix"),
        ('[flags]\n"target_os" = "linux"\n', "`target_os` follows from the target", '"target_os"'),
        ("[flags]\ntest = true\n", "`test` is not a flag", "test"),
        ("[flags]\nloom = 1\n", "`loom` must be true, false, a string", "1"),
        ('exclusive-features = ["a", "b"]\n', "`exclusive-features` must be an array of arrays", '"a"'),
        ('exclusive-features = [["a"]]\n', "must be an array of arrays of at least two features", "exclusive-features"),
        ('exclude-paths = ["a", "!"]\n', "`!` is no pattern as in .gitignore", '"!"'),
        ('require-reason = "yes"\n', "`require-reason` must be true or false", '"yes"'),
        ("exclude = [1]\n", "`exclude` must be an array of strings", "1"),
        ('"ü" = 1\n', "unknown key `ü`", '"ü"'),
        ('fail-on = """\nx"""\n', "`fail-on` must be one of", ""),
        ("[levels\n", "invalid TOML", ""),
    ],
)
def test_what_is_wrong_is_underlined(tmp_path: Path, text: str, complaint: str, under: str) -> None:
    (tmp_path / "cfglint.toml").write_text(text, "utf-8")
    with pytest.raises(ConfigError) as caught:
        find_settings(tmp_path)
    error = caught.value
    assert complaint in str(error)
    assert error.line is not None
    assert error.excerpt is not None
    marked = error.excerpt.line.encode()[error.excerpt.column - 1 : error.excerpt.end_column - 1].decode()
    assert not under or marked == under


def test_the_caret_is_shown(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    root = write_package(tmp_path)
    (root / "cfglint.toml").write_text('\nfail-on = "wraning"\n', "utf-8")
    assert main(["check", str(root)]) == 2
    assert capsys.readouterr().err == (
        f"cfglint: {root / 'cfglint.toml'}:2: `fail-on` must be one of error, warning, never; did you mean `warning`?\n"
        "  |\n"
        '2 | fail-on = "wraning"\n'
        "  |           ^^^^^^^^^\n"
    )


@pytest.mark.parametrize(
    ("settings", "complaint"),
    [
        ('exclude = ["saem"]', "no package `saem` in the workspace; did you mean `seam`?"),
        (
            'exclusive-features = [["gpu", "grat"]]',
            "no package of the workspace has a feature `grat`; did you mean `grad`?",
        ),
    ],
)
def test_names_must_exist(tmp_path: Path, settings: str, complaint: str, capsys: pytest.CaptureFixture[str]) -> None:
    root = write_package(tmp_path)
    (root / "cfglint.toml").write_text(settings + "\n", "utf-8")
    assert main(["check", str(root)]) == 2
    told = capsys.readouterr().err
    assert f"cfglint.toml:1: {complaint}" in told
    assert "^" in told


@pytest.mark.parametrize(
    ("table", "complaint"),
    [
        ('fail-on = "error"', "Cargo.toml:12: `fail-on` is a setting of the workspace"),
        ("levles = {}", "Cargo.toml:12: unknown key `levles`; did you mean `levels`?"),
        ('exclusive-features = [["gpu", "grat"]]', "Cargo.toml:12: package `seam` has no feature `grat`"),
        ("exclude = 1", "Cargo.toml:12: `exclude` must be true or false"),
    ],
)
def test_a_packages_own_table_is_read_as_strictly(
    tmp_path: Path, table: str, complaint: str, capsys: pytest.CaptureFixture[str]
) -> None:
    root = write_package(tmp_path, manifest=f"{MANIFEST}[package.metadata.cfglint]\n{table}\n")
    assert main(["check", str(root)]) == 2
    assert complaint in capsys.readouterr().err


def test_a_packages_table_must_be_one(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    root = write_package(tmp_path, manifest=f"{MANIFEST}[package.metadata]\ncfglint = 1\n")
    assert main(["check", str(root)]) == 2
    assert "Cargo.toml:12: `cfglint` must be a table" in capsys.readouterr().err


def test_exclusive_features_take_combinations_away(tmp_path: Path) -> None:
    kernels = (
        '#[cfg(all(feature = "gpu", feature = "grad"))]\npub use crate::missing::x;\n#[cfg(not(feature = "gpu"))]\n'
    )
    root = write_package(tmp_path, kernels=kernels + "pub fn f() {}\npub fn g() { f() }\n")
    assert conditions(root) == ['all(feature = "grad", feature = "gpu")', 'feature = "gpu"']
    (root / "Cargo.toml").write_text(
        MANIFEST + '[package.metadata.cfglint]\nexclusive-features = [["gpu", "grad"]]\n', "utf-8"
    )
    assert conditions(root) == ['feature = "gpu"']


def test_a_flag_that_is_always_set_makes_no_rarity(tmp_path: Path) -> None:
    root = write_package(tmp_path, kernels=SWITCHED)
    status, report = check(root, "--ignore", "CFG102")
    (finding,) = report["findings"]
    assert (status, finding["severity"], finding["witness"]["cfgs"]) == (0, "warning", ["loom"])
    (root / "cfglint.toml").write_text("flags.loom = true\n", "utf-8")
    status, report = check(root, "--ignore", "CFG102")
    (finding,) = report["findings"]
    assert (status, finding["severity"], finding["notes"]) == (1, "error", [])
    assert finding["fails_when"] == 'all(not(feature = "grad"), feature = "gpu")'
    assert finding["witness"]["command"].startswith('RUSTFLAGS="--cfg loom" cargo check')
    (root / "cfglint.toml").write_text("flags.loom = false\n", "utf-8")
    assert check(root, "--ignore", "CFG102")[1]["findings"] == []


def test_levels_of_a_package_stand_between_workspace_and_command_line(tmp_path: Path) -> None:
    root = write_package(tmp_path, manifest=MANIFEST + '[package.metadata.cfglint.levels]\nCFG001 = "warn"\n')
    (root / "cfglint.toml").write_text('levels.CFG001 = "allow"\n', "utf-8")
    assert [finding["severity"] for finding in check(root)[1]["findings"]] == ["warning"]
    assert [finding["severity"] for finding in check(root, "-D", "CFG001")[1]["findings"]] == ["error"]


def test_excluded_paths_are_read_but_not_reported(tmp_path: Path) -> None:
    root = write_package(tmp_path)
    assert len(check(root)[1]["findings"]) == 1
    (root / "cfglint.toml").write_text('exclude-paths = ["kernels.rs"]\n', "utf-8")
    assert check(root)[1]["findings"] == []
    (root / "cfglint.toml").write_text('exclude-paths = ["/kernels.rs"]\n', "utf-8")
    assert len(check(root)[1]["findings"]) == 1


class TestPackages:
    @pytest.fixture
    def workspace(self, tmp_path: Path) -> Path:
        (tmp_path / "Cargo.toml").write_text('[workspace]\nmembers = ["*"]\nresolver = "2"\n', "utf-8")
        for name in ("one", "two", "three"):
            manifest = MANIFEST.replace("seam", name).replace("\n[workspace]\n", "")
            write_package(tmp_path / name, manifest=manifest)
        return tmp_path

    def packages(self, root: Path, *options: str) -> list[str]:
        return sorted({finding["package"] for finding in check(root, *options)[1]["findings"]})

    def test_are_excluded(self, workspace: Path) -> None:
        assert self.packages(workspace) == ["one", "three", "two"]
        assert self.packages(workspace, "--exclude", "two", "--exclude", "thr*") == ["one"]
        (workspace / "cfglint.toml").write_text('exclude = ["t*"]\n', "utf-8")
        assert self.packages(workspace) == ["one"]
        assert self.packages(workspace, "-p", "two") == ["two"], "who names a package means it"

    def test_exclude_themselves(self, workspace: Path) -> None:
        manifest = workspace / "two/Cargo.toml"
        manifest.write_text(manifest.read_text("utf-8") + "[package.metadata.cfglint]\nexclude = true\n", "utf-8")
        assert self.packages(workspace) == ["one", "three"]

    def test_are_found_from_below(self, workspace: Path) -> None:
        below = workspace / "one"
        out = workspace / "out.json"
        assert main(["check", str(below), "--workspace", "--format", f"json={out}"]) == 1
        assert len(json.loads(out.read_text("utf-8"))["findings"]) == 3
        assert main(["check", str(below), "-p", "two", "--format", f"json={out}"]) == 1
        assert [f["package"] for f in json.loads(out.read_text("utf-8"))["findings"]] == ["two"]

    def test_must_exist(self, workspace: Path, capsys: pytest.CaptureFixture[str]) -> None:
        assert main(["check", str(workspace), "-p", "tow"]) == 2
        assert "no package `tow` in the workspace; did you mean `two`?" in capsys.readouterr().err
        assert main(["check", str(workspace), "--exclude", "tow"]) == 2


class TestFeatures:
    """cargo's options narrow what is decided."""

    def test_narrow(self, tmp_path: Path) -> None:
        root = write_package(tmp_path)
        assert conditions(root) == ['not(feature = "grad")']
        assert conditions(root, "--features", "gpu") == ['not(feature = "grad")']
        assert conditions(root, "--features", "grad") == []
        assert conditions(root, "-F", "gpu,seam/grad") == []
        assert conditions(root, "--all-features") == []

    def test_without_default(self, tmp_path: Path) -> None:
        manifest = MANIFEST.replace("[features]", '[features]\ndefault = ["grad"]')
        kernels = (
            '#[cfg(feature = "default")]\npub use crate::missing::x;\n' + "pub fn f() { crate::tally::launched() }\n"
        )
        root = write_package(tmp_path, manifest=manifest, kernels=kernels)
        assert len(conditions(root)) == 2
        assert conditions(root, "--no-default-features") == ['not(feature = "grad")']

    def test_must_exist(self, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        root = write_package(tmp_path)
        assert main(["check", str(root), "--features", "gup"]) == 2
        assert "no feature `gup` in the selected packages; did you mean `gpu`?" in capsys.readouterr().err
        assert main(["check", str(root), "--features", "maes/gpu"]) == 2
        assert "no package `maes`" in capsys.readouterr().err

    def test_that_leave_nothing_are_said_to(self, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        manifest = MANIFEST.replace("gpu = []", 'gpu = ["default"]\ndefault = []')
        root = write_package(tmp_path, manifest=manifest)
        arguments = ["check", str(root), "--no-default-features", "--features", "gpu"]
        assert main([*arguments, "--format", "concise"]) == 0
        assert "package `seam` has no configuration like the one asked for" in capsys.readouterr().err

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from cfglint.cargo.runner import Region, Unit, find_cargo, package_name, read_messages, run_build
from cfglint.errors import CfglintError

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the stand-in for cargo is a POSIX script")

FakeCargo = Callable[[str], Path]


@pytest.fixture
def fake_cargo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> FakeCargo:
    """Puts a `cargo` with this Python body on PATH; it can see `arguments` and write `seen`."""

    def install(body: str) -> Path:
        folder = tmp_path / "bin"
        folder.mkdir()
        seen = folder / "seen.json"
        script = folder / "cargo"
        script.write_text(
            f"#!{sys.executable}\nimport json, os, sys, time\narguments = sys.argv[1:]\n"
            f"json.dump([arguments, dict(os.environ), os.getcwd()], open({str(seen)!r}, 'w'))\n{body}\n",
            "utf-8",
        )
        script.chmod(0o755)
        monkeypatch.setenv("PATH", str(folder), prepend=os.pathsep)
        monkeypatch.delenv("CARGO", raising=False)
        return seen

    return install


def test_the_command_as_cargo_gets_it(fake_cargo: FakeCargo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seen = fake_cargo("pass")
    monkeypatch.setenv("RUSTFLAGS", "-D warnings")
    monkeypatch.setenv("CARGO_BUILD_TARGET", "wasm32-unknown-unknown")
    build = run_build(
        "cargo check -p 'seam' --lib --features gpu",
        cfgs=["loom", 'backend="a b"'],
        root=tmp_path,
        target_dir=tmp_path / "t",
        timeout=30,
    )
    assert build.success
    arguments, environment, folder = json.loads(seen.read_text("utf-8"))
    assert arguments == ["check", "--message-format=json", "-p", "seam", "--lib", "--features", "gpu"]
    assert environment["CARGO_TARGET_DIR"] == str(tmp_path / "t")
    assert environment["CARGO_ENCODED_RUSTFLAGS"] == '--cfg\x1floom\x1f--cfg\x1fbackend="a b"'
    assert not {"RUSTFLAGS", "CARGO_BUILD_TARGET"} & set(environment)
    assert Path(folder) == tmp_path.resolve()


def test_flags_written_in_the_command_are_kept(fake_cargo: FakeCargo, tmp_path: Path) -> None:
    seen = fake_cargo("pass")
    run_build("RUSTFLAGS='--cfg loom' cargo check", cfgs=["loom"], root=tmp_path, target_dir=tmp_path, timeout=30)
    _, environment, _ = json.loads(seen.read_text("utf-8"))
    assert environment["RUSTFLAGS"] == "--cfg loom"
    assert "CARGO_ENCODED_RUSTFLAGS" not in environment


def test_a_build_that_takes_too_long_is_stopped_with_its_children(fake_cargo: FakeCargo, tmp_path: Path) -> None:
    alive = tmp_path / "alive"
    child = f"import time; time.sleep(2); open({str(alive)!r}, 'w')"
    fake_cargo(f"import subprocess\nsubprocess.Popen([sys.executable, '-c', {child!r}])\ntime.sleep(60)")
    started = time.monotonic()
    build = run_build("cargo check", cfgs=(), root=tmp_path, target_dir=tmp_path, timeout=0.5)
    assert time.monotonic() - started < 20
    assert (build.success, build.complaint) == (False, "stopped after 0.5 seconds")
    time.sleep(2)
    assert not alive.exists()


def test_cargos_own_error_is_the_complaint(fake_cargo: FakeCargo, tmp_path: Path) -> None:
    fake_cargo("sys.exit('   Updating index\\nerror: the package `seam` does not contain this feature: gpu\\n')")
    build = run_build("cargo check", cfgs=(), root=tmp_path, target_dir=tmp_path, timeout=30)
    assert build.complaint == "error: the package `seam` does not contain this feature: gpu"


@pytest.mark.parametrize("command", ["rm -rf x", "", "cargo", "cargo 'check", "A=b"])
def test_only_cargo_is_run(command: str, tmp_path: Path) -> None:
    build = run_build(command, cfgs=(), root=tmp_path, target_dir=tmp_path, timeout=30)
    assert build.complaint.startswith("not a cargo command")


def test_no_cargo_is_told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    with pytest.raises(CfglintError, match="cargo is needed"):
        find_cargo({"PATH": str(tmp_path)})
    assert find_cargo({"CARGO": "/opt/cargo"}) == "/opt/cargo"
    monkeypatch.setenv("CARGO", str(tmp_path / "none"))
    with pytest.raises(CfglintError, match="cannot start"):
        run_build("cargo check", cfgs=(), root=tmp_path, target_dir=tmp_path, timeout=30)


def test_messages_are_read_and_noise_is_passed_over() -> None:
    unit = {"package_id": "path+file:///w#seam@0.1.0", "target": {"kind": ["lib"], "name": "seam"}}
    call = {"file_name": "src/call.rs", "line_start": 7, "line_end": 8, "expansion": None}
    spans = [
        {"file_name": "src/m.rs", "line_start": 3, "line_end": 3, "is_primary": True, "expansion": {"span": call}},
        {"file_name": "src/other.rs", "line_start": 1, "line_end": 1, "is_primary": False, "expansion": None},
    ]
    error = {"level": "error", "code": {"code": "E0433"}, "message": "cannot find `x`", "spans": spans}
    lines = [
        "warning from a build script",
        "{broken",
        "[]",
        json.dumps({"reason": "compiler-artifact"} | unit),
        json.dumps({"reason": "compiler-message", "message": error} | unit),
        json.dumps({"reason": "compiler-message", "message": error | {"level": "warning"}} | unit),
        json.dumps({"reason": "build-finished", "success": False}),
    ]
    build = read_messages("\n".join(lines), "", success=False)
    assert build.built == {Unit("seam", "lib", "seam")}
    assert [(found.code, found.regions) for found in build.errors] == [
        ("E0433", (Region("src/m.rs", 3, 3), Region("src/call.rs", 7, 8)))
    ]


@pytest.mark.parametrize(
    ("package_id", "name"),
    [
        ("path+file:///w/seam#0.1.0", "seam"),
        ("path+file:///w/dir#seam@0.1.0", "seam"),
        ("registry+https://example.org/index#serde@1.0.0", "serde"),
        ("git+https://example.org/a/net?branch=x#0.1.0", "net"),
        ("seam 0.1.0 (path+file:///w/seam)", "seam"),
    ],
)
def test_the_name_in_a_package_id(package_id: str, name: str) -> None:
    assert package_name(package_id) == name

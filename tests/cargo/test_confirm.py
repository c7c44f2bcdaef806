from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from cfglint.cargo.confirm import confirm, judge
from cfglint.cargo.runner import Build, Region, RustcError, Unit
from cfglint.finding import Confirmation, CrateTarget, Finding, Location, Witness
from tests.samples import FINDING, finding, write_package

SEAM = Unit("seam", "lib", "seam")
OTHER = Unit("dep", "lib", "dep")
HERE = Region("src/kernels.rs", 2, 2)
ELSEWHERE = Region("src/kernels.rs", 90, 90)


def error(code: str | None, *regions: Region, unit: Unit = SEAM, message: str = "an error") -> RustcError:
    return RustcError(unit, code, message, regions)


def build(*errors: RustcError, built: tuple[Unit, ...] = (), complaint: str = "") -> Build:
    return Build(success=not errors and not complaint, built=frozenset(built), errors=errors, complaint=complaint)


@pytest.mark.parametrize(
    "code", "E0405 E0412 E0422 E0425 E0432 E0433 E0531 E0573 E0599 E0428 E0252 E0255 E0583 E0603".split()
)
def test_a_rejection_at_the_line_confirms(code: str) -> None:
    assert judge(FINDING, build(error(code, HERE)), Path()).confirmation is Confirmation.CONFIRMED


@pytest.mark.parametrize(
    ("changes", "said", "expected"),
    [
        ({}, error(None, HERE, message="cannot find macro `m` in this scope"), Confirmation.CONFIRMED),
        ({}, error(None, HERE, message="cannot find derive macro `M` in this scope"), Confirmation.CONFIRMED),
        ({}, error(None, HERE, message="cannot find attribute `m` in this scope"), Confirmation.CONFIRMED),
        ({}, error(None, HERE, message="expected one of `;`"), Confirmation.NOT_RUN),
        ({"rule": "CFG014"}, error(None, HERE, message="none of the predicates ..."), Confirmation.CONFIRMED),
        ({}, error("E0433", Region("src/macros.rs", 1, 1), HERE), Confirmation.CONFIRMED),
        ({"rule": "CFG010"}, error("E0428", Region("./src/lib.rs", 4, 4)), Confirmation.CONFIRMED),
        ({}, error("E0425", Region("src/lib.rs", 4, 4)), Confirmation.REFUTED),
        ({"rule": "CFG011"}, error("E0432", ELSEWHERE), Confirmation.CONFIRMED),
        ({"rule": "CFG011"}, error("E0425", Region("src/lib.rs", 4, 4)), Confirmation.REFUTED),
        ({"location": Location("src/kernels.rs", 1, 1, 3, 1)}, error("E0433", HERE), Confirmation.CONFIRMED),
        ({}, error("E0433", Region("src/kernels.rs", 1, 3)), Confirmation.CONFIRMED),
        ({}, error("E0308", HERE), Confirmation.REFUTED),
        ({}, error("E0425", ELSEWHERE), Confirmation.REFUTED),
        ({}, error("unused_imports", ELSEWHERE), Confirmation.REFUTED),
        ({}, error("E0432", ELSEWHERE), Confirmation.NOT_RUN),
        ({}, error("E0583", ELSEWHERE), Confirmation.NOT_RUN),
        ({"rule": "CFG006"}, error("E0425", ELSEWHERE), Confirmation.NOT_RUN),
        ({"rule": "CFG006"}, error("E0308", ELSEWHERE), Confirmation.REFUTED),
        ({"rule": "CFG013"}, error("E0432", ELSEWHERE), Confirmation.REFUTED),
        ({}, error("E0463", HERE, message="can't find crate for `tally`"), Confirmation.CONFIRMED),
        ({}, error("E0463", HERE, message="can't find crate for `std`"), Confirmation.NOT_RUN),
        ({}, error("E0433", ELSEWHERE, unit=OTHER), Confirmation.NOT_RUN),
    ],
)
def test_what_an_error_says(changes: dict[str, Any], said: RustcError, expected: Confirmation) -> None:
    assert judge(finding(**changes), build(said), Path()).confirmation is expected


@pytest.mark.parametrize(
    ("message", "kind", "expected"),
    [
        ("unresolved imports `serde`, `tokio::time`", "test", Confirmation.CONFIRMED),
        ("cannot find module or crate `tokio` in this scope", "bench", Confirmation.CONFIRMED),
        ("unresolved import `tokio_util`", "test", Confirmation.NOT_RUN),
        ("unresolved import `tokio`", "lib", Confirmation.NOT_RUN),
    ],
)
def test_one_finding_for_all_uses_of_a_crate(message: str, kind: str, expected: Confirmation) -> None:
    target = CrateTarget(kind, "seam")
    subject = finding(rule="CFG003", path="tokio::spawn", target=target)
    said = error("E0432", ELSEWHERE, unit=Unit("seam", kind, "seam"), message=message)
    assert judge(subject, build(said), Path()).confirmation is expected


@pytest.mark.parametrize(
    ("subject", "expected", "reason"),
    [
        (build(built=(OTHER, SEAM)), Confirmation.REFUTED, "cargo builds the witness without an error here"),
        (build(built=(OTHER,)), Confirmation.NOT_RUN, "the witness does not build lib `seam`"),
        (build(complaint="error: no network"), Confirmation.NOT_RUN, "cargo could not build: error: no network"),
        (build(error("E0425", HERE, unit=OTHER), error(None)), Confirmation.CONFIRMED, ""),
        (build(error("E0308", ELSEWHERE, unit=OTHER)), Confirmation.NOT_RUN, "cargo stopped at dep: an error"),
        (
            build(error("E0463", ELSEWHERE, unit=OTHER, message="can't find crate for `core`")),
            Confirmation.NOT_RUN,
            "the standard library of the target is not installed",
        ),
        (build(error("E0433", ELSEWHERE)), Confirmation.NOT_RUN, "an earlier error may hide it: an error"),
    ],
)
def test_what_a_build_says(subject: Build, expected: Confirmation, reason: str) -> None:
    verdict = judge(FINDING, subject, Path())
    assert (verdict.confirmation, verdict.reason) == (expected, reason)


@pytest.mark.parametrize("kind", ["rlib", "cdylib", "proc-macro"])
def test_a_library_of_any_crate_type_is_the_lib(kind: str) -> None:
    subject = build(built=(Unit("seam", kind, "seam"),))
    assert judge(FINDING, subject, Path()).confirmation is Confirmation.REFUTED


def test_a_hyphen_in_a_target_is_an_underscore() -> None:
    subject = finding(package="se-am", target=CrateTarget("lib", "se-am"))
    assert judge(subject, build(built=(Unit("se-am", "lib", "se_am"),)), Path()).confirmation is Confirmation.REFUTED


def witness(features: str = "", *, command: str = "cargo check --offline --lib") -> Witness:
    arguments = f" --features {features}" if features else ""
    return Witness((features,) if features else (), False, (), None, command + arguments)


@pytest.fixture
def seam(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    if shutil.which("cargo") is None and os.environ.get("CFGLINT_REQUIRE_CARGO") != "1":
        pytest.skip("there is no cargo on PATH")
    monkeypatch.delenv("CARGO", raising=False)
    root = write_package(tmp_path / "seam")
    (root / "src/tally.rs").write_text("pub fn launched() {}\n", "utf-8")
    return root


@pytest.mark.cargo
class TestRealCargo:
    def verdicts(self, root: Path, *findings: Finding) -> list[Confirmation | None]:
        return [found.confirmation for found in confirm(findings, root, timeout=120)]

    def test_true_and_false_findings(self, seam: Path) -> None:
        true = finding(witness=witness())
        false = finding(witness=witness("grad"))
        elsewhere = finding(witness=witness(), location=Location("src/kernels.rs", 3, 1, 3, 2), items=())
        assert self.verdicts(seam, true, false, elsewhere) == [
            Confirmation.CONFIRMED,
            Confirmation.REFUTED,
            Confirmation.NOT_RUN,
        ]

    def test_the_tree_is_left_as_it_was(self, seam: Path) -> None:
        self.verdicts(seam, finding(witness=witness()))
        assert sorted(entry.name for entry in seam.iterdir()) == ["Cargo.toml", "src", "target"]
        assert [entry.name for entry in (seam / "target").iterdir()] == ["cfglint"]
        (seam / "Cargo.lock").write_text("# mine\nversion = 4\n", "utf-8")
        self.verdicts(seam, finding(witness=witness()))
        assert (seam / "Cargo.lock").read_text("utf-8") == "# mine\nversion = 4\n"

    def test_a_feature_that_does_not_exist_is_not_run(self, seam: Path) -> None:
        (found,) = confirm([finding(witness=witness("nope"))], seam, timeout=120)
        assert found.confirmation is Confirmation.NOT_RUN
        assert found.notes[-1].startswith("cargo could not build: error: ")

    def test_a_target_without_std_is_not_run(self, seam: Path) -> None:
        command = "cargo check --offline --lib --target avr-none"
        assert self.verdicts(seam, finding(witness=witness(command=command))) == [Confirmation.NOT_RUN]

    def test_a_dependency_with_the_name_of_the_member(self, seam: Path, tmp_path: Path) -> None:
        older = tmp_path / "older"
        write_package(older)
        manifest = older / "Cargo.toml"
        manifest.write_text(manifest.read_text("utf-8").replace('version = "0.1.0"', 'version = "0.0.1"'), "utf-8")
        (older / "src/lib.rs").write_text("", "utf-8")
        with (seam / "Cargo.toml").open("a", encoding="utf-8") as file:
            file.write('[dependencies]\nolder = { path = "../older", package = "seam" }\n')
        ambiguous = witness(command="cargo check --offline -p seam --lib")
        assert self.verdicts(seam, finding(witness=ambiguous)) == [Confirmation.CONFIRMED]

    def test_flags(self, seam: Path) -> None:
        (seam / "src/kernels.rs").write_text("#[cfg(loom)]\npub use crate::tally;\n", "utf-8")
        sample = finding(witness=replace(witness(), cfgs=("loom",)))
        assert self.verdicts(seam, sample) == [Confirmation.CONFIRMED]
        assert self.verdicts(seam, finding(witness=witness())) == [Confirmation.REFUTED]

    def test_macros_and_their_expansions(self, seam: Path) -> None:
        (seam / "src/kernels.rs").write_text(
            "macro_rules! call {\n    () => {\n        crate::tally::launched()\n    };\n}\n"
            "pub fn f() {\n    call!();\n}\npub fn g() {\n    nothing!();\n}\n",
            "utf-8",
        )
        at_call = finding(witness=witness(), location=Location("src/kernels.rs", 7, 5, 7, 12), items=())
        in_macro = finding(witness=witness(), location=Location("src/kernels.rs", 3, 9, 3, 33), items=())
        missing = finding(witness=witness(), location=Location("src/kernels.rs", 10, 5, 10, 13), items=())
        assert self.verdicts(seam, at_call, in_macro, missing) == [Confirmation.CONFIRMED] * 3

    def test_findings_of_one_witness_share_a_build(self, seam: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        from cfglint.cargo import confirm as module

        commands: list[str] = []

        def counted(command: str, **options: Any) -> Build:
            commands.append(command)
            return run(command, **options)

        run = module.run_build
        monkeypatch.setattr(module, "run_build", counted)
        steps: list[tuple[str, int, int]] = []
        findings = [finding(witness=witness("grad")), finding(witness=witness()), finding(witness=witness("grad"))]
        confirm(findings, seam, timeout=120, progress=lambda *step: steps.append(step))
        assert commands == ["cargo check --offline --lib", "cargo check --offline --lib --features grad"]
        assert steps == [("confirming", 0, 2), ("confirming", 1, 2)]

    def test_a_root_that_cannot_be_written(self, seam: Path) -> None:
        (seam / "target").write_text("a file, not a folder", "utf-8")
        assert self.verdicts(seam, finding(witness=witness())) == [Confirmation.CONFIRMED]


@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGTERM to catch")
def test_sigterm_ends_cargo_and_puts_the_lockfile_back(tmp_path: Path) -> None:
    cargo = tmp_path / "cargo"
    cargo.write_text("#!/bin/sh\ntouch Cargo.lock\necho $$ > running\nsleep 60\n", "utf-8")
    cargo.chmod(0o755)
    script = (
        "from pathlib import Path; from cfglint.cargo.confirm import confirm; from tests.samples import FINDING; "
        "confirm([FINDING], Path.cwd())"
    )
    environment = {**os.environ, "CARGO": str(cargo), "PYTHONPATH": str(Path(__file__).parents[2])}
    process = subprocess.Popen([sys.executable, "-c", script], cwd=tmp_path, env=environment)
    running = tmp_path / "running"
    deadline = time.monotonic() + 30
    while not (running.exists() and running.read_text("utf-8").endswith("\n")):
        assert time.monotonic() < deadline
        assert process.poll() is None
        time.sleep(0.05)
    process.terminate()
    assert process.wait(timeout=30) == 128 + signal.SIGTERM
    assert not (tmp_path / "Cargo.lock").exists()
    with pytest.raises(ProcessLookupError):
        os.kill(int(running.read_text("utf-8")), 0)


def test_nothing_to_confirm_starts_nothing(tmp_path: Path) -> None:
    assert confirm([], tmp_path) == ()
    assert list(tmp_path.iterdir()) == []

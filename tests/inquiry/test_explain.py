"""`cfglint explain` by place, by fingerprint and from logs of every make; what is wrong with a question is said clearly."""

from __future__ import annotations

import io
import json
import re
import sys
from pathlib import Path
from typing import Any

import pytest

from cfglint.cli.main import main
from cfglint.inquiry.build_log import LoggedError, read_log

SEED = Path(__file__).parents[2] / "fixtures_rust/seed-workspace"
PLACE = "crates/gdn2/src/kernel/chunk_cube.rs:2"
ERRORS = [
    ("E0433", "cannot find `cuda_dispatch` in the crate root", "crates/gdn2/src/kernel/chunk_cube.rs", 2, 12),
    ("E0433", "cannot find `cuda_dispatch` in the crate root", "crates/gdn2/src/kernel/chunk_adjoint_cube.rs", 2, 12),
    ("E0432", "unresolved imports `gdn2::Fallback`, `gdn2::Fused`", "crates/kda/src/fused.rs", 3, 12),
    ("E0308", "mismatched types", "crates/kda/src/fused.rs", 6, 5),
]


def plain() -> str:
    blocks = [f"error[{c}]: {m}\n --> {f}:{n}:{k}\n  |\n{n} | code\n  | ^^^^\n\n" for c, m, f, n, k in ERRORS]
    return "   Compiling gdn2 v0.1.0\n" + "".join(blocks) + "error: could not compile `gdn2` (lib) due to 4 errors\n"


def coloured() -> str:
    text = re.sub(r"(?m)^(error\[E\d+\])(: .*)$", "\x1b[1m\x1b[91m\\1\x1b[0m\x1b[1m\\2\x1b[0m", plain())
    return text.replace("-->", "\x1b[1m\x1b[94m--> \x1b[0m")


def stamped(text: str) -> str:
    lines = [f"2026-11-30T09:15:{n % 60:02}.1234567Z {line}" for n, line in enumerate(text.splitlines())]
    return "\ufeff" + "\r\n".join(lines) + "\r\n"


def json_lines() -> str:
    messages = []
    for code, message, file, line, column in ERRORS:
        span = {"file_name": file, "line_start": line, "column_start": column, "is_primary": True}
        diagnostic = {"level": "error", "code": {"code": code}, "message": message, "spans": [span]}
        messages.append({"reason": "compiler-message", "message": diagnostic})
    return "\n".join(json.dumps(m) for m in [*messages, {"reason": "build-finished", "success": False}])


LOGS = {
    "plain": plain(),
    "coloured": coloured(),
    "stamped": stamped(plain()),
    "stamped and coloured": stamped(coloured()),
    "json": json_lines(),
    "stamped json": stamped(json_lines()),
    "of another machine": plain().replace("crates/", "/home/runner/work/app/crates/"),
}


class _Pipe(io.TextIOWrapper):
    def isatty(self) -> bool:
        return False


@pytest.fixture
def ask(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Any:
    """Run `cfglint explain`: its exit status and what it printed on stdout and stderr."""

    def run(*arguments: str, log: bytes = b"") -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "stdin", _Pipe(io.BytesIO(log)))
        status = main(["explain", *arguments])
        out, err = capsys.readouterr()
        assert "Traceback" not in out + err
        return status, out, err

    return run


def test_a_place_as_text(ask: Any) -> None:
    status, out, _ = ask(str(SEED / PLACE))
    assert status == 0
    assert out.startswith("error[CFG001]: cannot find module `cuda_dispatch` in the crate root when `cuda` is enabled")
    assert "module `cuda_dispatch` is gated behind the `autodiff` feature (crates/gdn2/src/lib.rs:5)" in out
    assert "reproduce: cargo check -p gdn2 --lib --no-default-features --features cuda\n" in out
    assert "1. widen the gate of the module `cuda_dispatch` to" in out
    assert re.search(r"^ +FAILS$", out, re.MULTILINE)


def test_a_place_relative_to_the_workspace(ask: Any) -> None:
    assert ask(PLACE, str(SEED)) == ask(str(SEED / PLACE))


def test_a_place_as_json(ask: Any) -> None:
    status, out, _ = ask(PLACE, str(SEED), "--format", "json")
    assert status == 0
    (told,) = json.loads(out)["explanations"]
    assert told["verdict"] == "fails"
    assert told["fails_when"] == 'all(feature = "cuda", not(feature = "autodiff"))'
    assert told["failing"] == {"count": 1, "of": 4}
    assert told["repairs"][0]["leaves"] == 0


@pytest.mark.parametrize("form", ["svg", "html"])
def test_a_place_as_a_picture(ask: Any, form: str) -> None:
    status, out, _ = ask(PLACE, str(SEED), "--format", form)
    assert status == 0
    assert "<svg" in out
    assert "cuda_dispatch" in out


def test_a_fingerprint(ask: Any, capsys: pytest.CaptureFixture[str]) -> None:
    main(["check", str(SEED), "--format", "json"])
    findings = json.loads(capsys.readouterr().out)["findings"]
    wanted = next(f["fingerprint"] for f in findings if f["file"].endswith("/chunk_cube.rs"))
    whole = ask(wanted, str(SEED))
    assert whole == ask(wanted[:12], str(SEED))
    told, by_place = (answer[1].partition("\n2. ")[0] for answer in (whole, ask(PLACE, str(SEED))))
    assert "\n1. widen the gate" in told
    assert told == by_place


def test_a_reference_that_holds(ask: Any) -> None:
    status, out, _ = ask("crates/gdn2/src/lib.rs:12", str(SEED))
    assert status == 0
    assert out.startswith("holds: `autodiff::record` holds wherever it is compiled: when `autodiff` is enabled\n")
    assert "Repairs" not in out
    assert "reproduce" not in out


@pytest.mark.parametrize("log", LOGS.values(), ids=LOGS)
def test_every_make_of_log_has_the_same_errors(log: str) -> None:
    found = read_log(log).errors
    assert [
        (e.code, e.message, e.file.removeprefix("/home/runner/work/app/"), e.line, e.column) for e in found
    ] == ERRORS


@pytest.mark.parametrize("kind", ["plain", "stamped and coloured", "json", "of another machine"])
def test_a_log_is_explained_in_one_pass(ask: Any, kind: str) -> None:
    status, out, _ = ask("-", str(SEED), log=LOGS[kind].encode())
    assert status == 0
    heads = [line for line in out.splitlines() if re.match(r"\(\d+\) ", line)]
    assert heads[0].startswith("(1) error[CFG001]: cannot find module `cuda_dispatch`")
    assert heads[1].startswith("(2) crates/gdn2/src/kernel/chunk_adjoint_cube.rs:2:12: ")
    assert heads[1].endswith(" fails for the same reason as (1)")
    assert heads[2].startswith("(3) error[CFG004]: cannot find `Fallback` in `gdn2`")
    assert out.splitlines()[-1].startswith("4 errors in the log: 3 explained by 2 causes")
    assert out.splitlines()[-1].endswith("1 not a gate's doing and left alone")


def test_undecodable_bytes_in_a_log_are_passed_over(ask: Any) -> None:
    log = b"\xff\xfe\x00 {[\n" + b"{" * 3000 + b"\n" + plain().encode() + b"\x1b[ \xc3"
    assert ask("-", str(SEED), log=log) == ask("-", str(SEED), log=plain().encode())


@pytest.mark.parametrize(
    ("what", "said"),
    [
        ("nowhere.rs:1", "no such file: "),
        (
            "crates/gdn2/src/kernel/chunk_cube.rs:999",
            "crates/gdn2/src/kernel/chunk_cube.rs has 4 lines: there is no line 9",
        ),
        ("crates/gdn2/src/kernel/chunk_cube.rs:0", "lines are counted from 1"),
        ("crates/gdn2/src/kernel/chunk_cube.rs:1", "nearest: `crate::cuda_dispatch::note_fused_forward` at 2:5"),
        ("crates/gdn2/src/kernel/chunk_cube.rs", "which line? Give it too: "),
        (f"crates/gdn2/src/lib.rs:{'9' * 60}", "there is no line 9999"),
        (f"{PLACE}:1", "on that line: `crate::cuda_dispatch::note_fused_forward` at column 5"),
        ("crates/gdn2/Cargo.toml:1", "is not part of any crate of the workspace"),
        ("what?", "`what?` is neither FILE:LINE, nor a fingerprint, nor `-`"),
        ("", "`` is neither FILE:LINE, nor a fingerprint, nor `-`"),
        ("0123456789abcdef", "no finding has the fingerprint 0123456789abcdef"),
        ("a\0b.rs:1", "no such file: "),
    ],
)
def test_a_question_without_an_answer(ask: Any, what: str, said: str) -> None:
    status, out, err = ask(what, str(SEED))
    assert (status, out) == (2, "")
    assert said in err
    assert len(err.splitlines()) <= 2


@pytest.mark.parametrize(
    ("log", "said"),
    [
        (b"", "no error of rustc with a place in this log"),
        (b"\x00\xff\xfe\x80 garbage \x1b[999", "no error of rustc with a place in this log"),
        (b"error: linking failed\n", "(1 error without a place)"),
        (
            b"error[E0432]: unresolved import\n --> /elsewhere/src/main.rs:3:5\n",
            "no error of this log is in a file of ",
        ),
        (b"error[E0432]: unresolved import\n --> ../../../etc/passwd:1:1\n", "no error of this log is in a file of "),
    ],
)
def test_a_log_without_an_answer(ask: Any, log: bytes, said: str) -> None:
    status, out, err = ask("-", str(SEED), log=log)
    assert (status, out) == (2, "")
    assert said in err


def test_the_first_primary_span_is_the_place() -> None:
    spans: list[object] = [7, {"is_primary": False, "file_name": "a.rs", "line_start": 1, "column_start": 1}]
    spans += [{"is_primary": True, "file_name": "b.rs", "line_start": 2, "column_start": 3}]
    line = json.dumps({"$message_type": "diagnostic", "level": "error", "code": None, "message": "no", "spans": spans})
    assert read_log(line).errors == (LoggedError("", "no", "b.rs", 2, 3),)

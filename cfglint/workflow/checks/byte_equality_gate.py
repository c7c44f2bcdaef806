"""CFG305 byte-equality-gate: files made anew are compared byte by byte, though hosts do not agree on their bytes.

Floating point results depend on the order of additions, hence on the processor, the BLAS and its threads. A comparison of
bytes then fails on correct code, and people learn to pass over it. Looked at are comparisons behind a program that may have
made the files, of files that are binary or hold floating point numbers.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from cfglint.finding import Finding
from cfglint.workflow.calls import Call
from cfglint.workflow.expressions import is_known
from cfglint.workflow.findings import ci_finding
from cfglint.workflow.survey import Survey

_MAKERS = frozenset(
    "python python3 python3.11 python3.12 uv poetry pipx node deno julia Rscript octave matlab make just".split()
)
_BINARY = frozenset(
    ".bin .npy .npz .npx .safetensors .pt .pth .onnx .f32 .f64 .dat .raw .h5 .hdf5 .parquet .pkl .mat .wav .exr".split()
)
_TEXTS = frozenset(".json .csv .txt .tsv .yaml .yml .toml".split())
_FLOATS = re.compile(rb"-?\d+\.\d{6,}(?:[eE][-+]?\d+)?")
_READ = 1 << 16
_MOST_FILES = 2_000


def byte_equality_gate(survey: Survey) -> Iterator[Finding]:
    """One finding for each comparison."""
    makers: dict[tuple[str, str], Call] = {}
    seen: set[tuple[str, int, int]] = set()
    for call in survey.calls:
        job = (call.origin.workflow, call.origin.job)
        if _makes(call):
            makers.setdefault(job, call)
            continue
        compared = _compared(call)
        key = (str(call.place.source.path), call.place.line, call.place.column)
        if compared is None or job not in makers or key in seen:
            continue
        found = next(_fragile(survey.repository, call.cwd, compared), None)
        if found is None:
            continue
        seen.add(key)
        name, why = found
        maker = makers[job]
        yield ci_finding(
            survey,
            "CFG305",
            "byte-equality-gate",
            call.place,
            len(call.words[0].encode()),
            origin=call.origin,
            path=" ".join(call.words),
            message=f"`{name}` is compared byte by byte, and {why}",
            notes=(
                f"`{' '.join(maker.words[:4])}` in line {maker.place.line} may have made it anew",
                "sums of floating point numbers depend on the processor that adds them: no two hosts need agree",
            ),
            helps=(
                "compare what is exact exactly, and the rest within a tolerance, with a program that says by how much",
            ),
        )


def _makes(call: Call) -> bool:
    name = call.name
    if name in _MAKERS:
        return "pip" not in call.words[:4] and call.words[1:2] not in (("--version",), ("-V",), ("-c",))
    return name == "cargo" and len(call.words) > 1 and call.words[1] in ("run", "r", "bench", "test", "xtask")


def _compared(call: Call) -> list[str] | None:
    """The files that a command compares byte by byte; None for any other command."""
    words = list(call.words)
    match words:
        case ["git", *rest] if "diff" in rest and any(word in ("--exit-code", "--quiet") for word in rest):
            after = rest[rest.index("diff") + 1 :]
            return _arguments(after)
        case ["cmp", *rest]:
            return _arguments(rest)
        case ["diff", *rest]:
            return _arguments(rest)
        case ["sha256sum" | "sha1sum" | "md5sum" | "shasum", *rest] if any(word in ("-c", "--check") for word in rest):
            return _arguments(rest)
        case _:
            return None


def _arguments(words: Iterable[str]) -> list[str]:
    return [word for word in words if not word.startswith("-") and is_known(word)]


def _fragile(root: Path, cwd: str | None, names: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Names whose bytes no two hosts need agree on, with the reason."""
    for name in names:
        if cwd is None or name.startswith("/") or ".." in Path(name).parts:
            continue
        for path in _files(root / cwd, name):
            why = _why_fragile(path)
            if why:
                yield name, why
                break
        else:
            if Path(name).suffix in _BINARY:
                yield name, "is a binary fixture"


def _files(folder: Path, name: str) -> Iterator[Path]:
    try:
        found = sorted(folder.glob(name)) if any(char in name for char in "*?[") else [folder / name]
        for path in found:
            if path.is_dir():
                inner = sorted(p for p in path.rglob("*") if p.is_file())
                yield from inner[:_MOST_FILES]
            elif path.is_file():
                yield path
    except (OSError, ValueError, NotImplementedError):
        return


def _why_fragile(path: Path) -> str:
    try:
        with path.open("rb") as file:
            data = file.read(_READ)
    except OSError:
        return ""
    if path.suffix in _BINARY and (b"\0" in data or not data.isascii()):
        return "is a binary fixture"
    if path.suffix in _TEXTS and len(_FLOATS.findall(data)) >= 3:
        return "holds floating point numbers"
    return ""

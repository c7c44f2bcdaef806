"""cfglint says of random packages what rustc says of them, in every feature set.

Forty seeds keep the suite quick; `python -m bench.exactness --packages 300 --seed-base N` is the long run.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.oracle.cargo_oracle import cargo_check, require_cargo
from tests.oracle.cfg_eval import CfgSyntaxError, evaluate, mentioned_features
from tests.oracle.compare import compare, run_cfglint
from tests.oracle.generate import generate

SEEDS = range(40)


@pytest.mark.cargo
@pytest.mark.parametrize("seed", SEEDS)
def test_findings_are_rustc_errors(seed: int, tmp_path: Path) -> None:
    require_cargo()
    package = generate(seed, tmp_path / "package", tmp_path / "scratch")
    wrong = compare(package, run_cfglint(package.directory))
    if wrong:
        sets = " ".join(map(str, package.verdicts))
        again = f"python -m bench.exactness --seed {seed} --keep DIR"
        pytest.fail("\n".join([f"seed {seed}, sets {sets}", *map(str, wrong), f"to reproduce: {again}"]), pytrace=False)


@pytest.mark.cargo
def test_generator_is_deterministic(tmp_path: Path) -> None:
    require_cargo()
    first, second = (generate(7, tmp_path / name / "package", tmp_path / name / "scratch") for name in "ab")
    files = sorted(path.relative_to(first.directory) for path in first.directory.rglob("*") if path.is_file())
    assert files == sorted(path.relative_to(second.directory) for path in second.directory.rglob("*") if path.is_file())
    for file in files:
        assert (first.directory / file).read_bytes() == (second.directory / file).read_bytes()
    assert first.verdicts == second.verdicts


@pytest.mark.cargo
def test_rustc_alone_says_what_cargo_says(tmp_path: Path) -> None:
    require_cargo()
    package = generate(14, tmp_path / "package", tmp_path / "scratch")
    for one, verdict in package.verdicts.items():
        by_cargo = cargo_check(package.crate, one, tmp_path / "target")
        assert by_cargo.seen(by_cargo.depth) == verdict.seen(by_cargo.depth)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('feature = "a"', True),
        ('not(feature = "a")', False),
        ('all(feature = "a", not(feature="b"),)', True),
        ('any(feature = "b", all())', True),
        ("any()", False),
        ("true", True),
        ("loom", False),
    ],
)
def test_plain_evaluator(text: str, expected: bool) -> None:
    assert evaluate(text, {"a"}) is expected


@pytest.mark.parametrize(
    "text", ["", "all(", 'feature = "a" b', "not(a, b)", "some(a)", 'target_os = "linux"', "all(a b)"]
)
def test_plain_evaluator_refuses(text: str) -> None:
    with pytest.raises(CfgSyntaxError):
        evaluate(text, {"a"})


def test_mentioned_features() -> None:
    assert mentioned_features('#[cfg(any(feature = "a", feature="b-c"))]') == {"a", "b-c"}

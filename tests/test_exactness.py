"""cfglint says of random packages what rustc says of them, in every feature set.

Forty seeds keep the suite quick, forty about members and fifteen webs of imports; `python -m bench.exactness --packages 300 --seed-base N` is
the long run.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.oracle.cargo_oracle import FeatureSet, Place, cargo_check, require_cargo
from tests.oracle.cfg_eval import CfgSyntaxError, evaluate, mentioned_features
from tests.oracle.compare import compare, run_cfglint
from tests.oracle.generate import Package, generate
from tests.oracle.members import generate_members
from tests.oracle.webs import generate_web

SEEDS = range(40)
WEBS = range(15)
MEMBERS = range(40)


@pytest.mark.cargo
@pytest.mark.parametrize("seed", SEEDS)
def test_findings_are_rustc_errors(seed: int, tmp_path: Path) -> None:
    require_cargo()
    _hold_against_rustc(generate(seed, tmp_path / "package", tmp_path / "scratch"), f"--seed {seed}")


@pytest.mark.cargo
@pytest.mark.parametrize("seed", WEBS)
def test_findings_in_webs_are_rustc_errors(seed: int, tmp_path: Path) -> None:
    require_cargo()
    _hold_against_rustc(generate_web(seed, tmp_path / "package", tmp_path / "scratch"), f"--kind webs --seed {seed}")


@pytest.mark.cargo
@pytest.mark.parametrize("seed", MEMBERS)
def test_findings_about_members_are_rustc_errors(seed: int, tmp_path: Path) -> None:
    require_cargo()
    package = generate_members(seed, tmp_path / "package", tmp_path / "scratch")
    _hold_against_rustc(package, f"--kind members --seed {seed}")


def _hold_against_rustc(package: Package, options: str) -> None:
    wrong = compare(package, run_cfglint(package.directory))
    if wrong:
        sets = " ".join(map(str, package.verdicts))
        again = f"to reproduce: python -m bench.exactness {options} --keep DIR"
        pytest.fail("\n".join([f"seed {package.seed}, sets {sets}", *map(str, wrong), again]), pytrace=False)


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


def _report(package: Package, fails_in: Mapping[Place, list[FeatureSet]]) -> dict[str, Any]:
    names = sorted(package.crate.manifest["features"])
    findings = []
    for place, sets in fails_in.items():
        cubes = []
        for one in sets:
            literals = [f'feature = "{name}"' if name in one.features else f'not(feature = "{name}")' for name in names]
            cubes.append(f"all({', '.join(literals)})")
        finding = {
            "rule": "CFG006",
            "severity": "error",
            "file": place.file,
            "line": place.line,
            "path": "p",
            "items": [],
        }
        finding["fails_when"] = f"any({', '.join(cubes)})"
        finding["failing"] = {"count": len(sets), "of": len(package.verdicts)}
        finding["witness"] = {
            "features": sorted(sets[0].features),
            "default_features": False,
            "target": None,
            "command": "",
        }
        findings.append(finding)
    return {"findings": findings, "undecided": []}


@pytest.mark.cargo
def test_comparison_sees_both_kinds_of_mistake(tmp_path: Path) -> None:
    require_cargo()
    package = generate(3, tmp_path / "package", tmp_path / "scratch")
    fails_in: dict[Place, list[FeatureSet]] = {}
    for one, verdict in package.verdicts.items():
        for place in sorted({error.outermost for error in verdict.errors}):
            fails_in.setdefault(place, []).append(one)
    assert fails_in
    assert compare(package, _report(package, fails_in)) == []
    gone = min(fails_in)
    less = {place: sets for place, sets in fails_in.items() if place != gone}
    assert {(one.kind, one.place) for one in compare(package, _report(package, less))} == {("missed", gone)}
    invented = Place("src/lib.rs", 9999)
    clean = [one for one, verdict in package.verdicts.items() if verdict.depth == 3]
    more = {**fails_in, invented: clean}
    assert [(one.kind, one.place, one.sets) for one in compare(package, _report(package, more))] == [
        ("false-positive", invented, tuple(clean))
    ]

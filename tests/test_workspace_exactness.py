"""cfglint says of the members of random workspaces what `cargo check -p MEMBER` says, in every feature set of each.

Twenty seeds keep the suite quick; `python -m bench.exactness --kind workspace --packages 200 --seed-base N` is the long
run. Programs, tests and examples are judged along with the libraries, with and without `required-features`.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.oracle.cargo_oracle import Verdict, require_cargo
from tests.oracle.compare import run_cfglint
from tests.oracle.workspace.compare import compare
from tests.oracle.workspace.generate import Judged, generate
from tests.oracle.workspace.manifests import Edge, Member

SEEDS = range(20)


@pytest.mark.cargo
@pytest.mark.parametrize("seed", SEEDS)
def test_findings_are_cargos_errors(seed: int, tmp_path: Path) -> None:
    require_cargo()
    judged = generate(seed, tmp_path / "package", tmp_path / "scratch")
    wrong = compare(judged, run_cfglint(judged.directory))
    if wrong:
        again = f"python -m bench.exactness --kind workspace --seed {seed} --keep DIR"
        pytest.fail("\n".join([f"seed {seed}", *map(str, wrong), f"to reproduce: {again}"]), pytrace=False)


@pytest.mark.cargo
def test_comparison_sees_both_kinds_of_mistake(tmp_path: Path) -> None:
    require_cargo()
    judged = generate(2, tmp_path / "package", tmp_path / "scratch")
    report = run_cfglint(judged.directory)
    errors = [finding for finding in report["findings"] if finding["severity"] == "error"]
    assert errors
    assert {one.kind for one in compare(judged, {"findings": [], "undecided": []})} == {"missed"}
    clean = {root: {one: Verdict((), 3) for one in verdicts} for root, verdicts in judged.verdicts.items()}
    praised = Judged(judged.seed, judged.directory, judged.members, clean, judged.unjudged, judged.units)
    assert {one.kind for one in compare(praised, report)} == {"false-positive"}


def _member(features: dict[str, list[str]], edges: list[Edge]) -> Member:
    return Member("top", "2021", "", features, edges)


@pytest.mark.parametrize(
    ("features", "optional", "closed"),
    [
        ({"a": [], "b": ["a"]}, False, ["", "a", "a b"]),
        ({"a": ["low/x"]}, False, ["", "a"]),
        ({"a": ["low/x"]}, True, ["", "low", "a low"]),
        ({"a": ["low?/x"]}, True, ["", "a", "low", "a low"]),
        ({"a": ["dep:low"]}, True, ["", "a"]),
        ({"a": ["dep:low"], "low": []}, True, ["", "a", "low", "a low"]),
        ({"a": ["low/x"], "low": ["dep:low"]}, True, ["", "low", "a low"]),
    ],
)
def test_closed_sets_are_cargos(features: dict[str, list[str]], optional: bool, closed: list[str]) -> None:
    low = Member("low", "2021", "", {"x": []})
    member = _member(features, [Edge(low, "low", "low", optional=optional)])
    assert [" ".join(sorted(one)) for one in member.closed()] == closed

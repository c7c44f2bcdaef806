"""cfglint says of gates on the target what rustc says, for six to eight targets of each random package.

The judge needs no standard library of these targets (tests/oracle/platforms.py). The long run is
`python -m bench.exactness --kind platform --packages 200 --seed-base N`.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.oracle import platforms
from tests.oracle.cargo_oracle import require_cargo, rustc
from tests.oracle.compare import compare, run_cfglint
from tests.oracle.generate import Kind, generate

SEEDS = range(12)


@pytest.mark.cargo
@pytest.mark.parametrize("seed", SEEDS)
def test_findings_are_rustc_errors(seed: int, tmp_path: Path) -> None:
    require_cargo()
    package = generate(seed, tmp_path / "package", tmp_path / "scratch", kind=Kind.PLATFORMS)
    assert len(package.targets) >= 6
    wrong = compare(package, run_cfglint(package.directory, package.targets))
    if wrong:
        again = f"python -m bench.exactness --kind platform --seed {seed} --keep DIR"
        pytest.fail("\n".join([f"seed {seed}", *map(str, wrong), f"to reproduce: {again}"]), pytrace=False)


@pytest.mark.cargo
def test_every_predicate_tells_two_of_the_targets_apart() -> None:
    require_cargo()
    known = {target: platforms.options(str(rustc()), target) for target in platforms.TARGETS}
    for predicate in platforms.PREDICATES:
        holds = {predicate.replace(" ", "") in options for options in known.values()}
        assert holds == {True, False}, predicate

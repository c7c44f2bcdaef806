"""A pipeline that returns a prepared report, so that the command line is tested by itself."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType

import pytest

import cfglint
from cfglint.config import Config
from cfglint.finding import Report
from cfglint.rulebook import Rule
from tests.samples import report, write_package


@dataclass
class FakePipeline:
    """What the command line asked for, and what it gets."""

    workspace_root: Path
    report: Report = field(default_factory=report)
    config: Config | None = None
    failure: BaseException | None = None
    during: Callable[[Config], None] = lambda config: None

    def analyze(self, config: Config) -> FakePipeline:
        self.config = config
        if self.failure is not None:
            raise self.failure
        self.during(config)
        return self

    def run(self, analysis: FakePipeline) -> Report:
        assert analysis is self
        return self.report


RULES = tuple(
    Rule(code, name, "error", "0.1.0", "", "", {})
    for code, name in [
        ("CFG001", "configured-out-item"),
        ("CFG010", "overlapping-definitions"),
        ("CFG012", "never-resolved-name"),
        ("CFG101", "undeclared-feature"),
    ]
)


@pytest.fixture
def pipeline(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> FakePipeline:
    fake = FakePipeline(write_package(tmp_path / "seam"))
    module = ModuleType("cfglint.pipeline")
    module.__dict__.update(analyze=fake.analyze, run=fake.run)
    monkeypatch.setitem(sys.modules, "cfglint.pipeline", module)
    monkeypatch.setattr(cfglint, "pipeline", module, raising=False)
    monkeypatch.setattr("cfglint.rulebook.rulebook", lambda: RULES)
    for name in ("CARGO_TERM_COLOR", "NO_COLOR", "FORCE_COLOR", "CFGLINT_DEBUG"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(fake.workspace_root)
    return fake

"""The examples of the rule pages are real: each is written out as a package, checked, and compiled.

"Example" is found by its own rule and no other, and rustc rejects it at the reported lines in some build; "Use instead"
is silent and compiles in every build. Of the rules of CI, which are no matter for rustc, the examples are repositories with
a workflow. (`test_rulebook_pages` holds the form of the pages.)
"""

from __future__ import annotations

from pathlib import Path

import pytest

from cfglint.rulebook import Rule, code_blocks, rulebook
from tests.ci_driver import run_ci
from tests.fixture_driver import FIXTURES, load, run_cfglint
from tests.fixture_rustc import CODES, Complaint, verdicts
from tests.oracle.cargo_oracle import require_cargo

CI_RULES = [rule for rule in rulebook() if rule.code.startswith("CFG3")]
EVERY_RULE = pytest.mark.parametrize(
    "rule", [rule for rule in rulebook() if rule not in CI_RULES], ids=lambda rule: rule.code
)
EVERY_CI_RULE = pytest.mark.parametrize("rule", CI_RULES, ids=lambda rule: rule.code)
RULES_THAT_RUSTC_KNOWS = pytest.mark.parametrize(
    "rule",
    [rule for rule in rulebook() if rule.code < "CFG900" and rule not in CI_RULES],
    ids=lambda rule: rule.code,
)


@EVERY_RULE
def test_the_example_is_found(rule: Rule, tmp_path: Path) -> None:
    write(rule, "Example", tmp_path)
    assert {finding["rule"] for finding in run_cfglint(tmp_path)["findings"]} == {rule.code}


@EVERY_RULE
def test_the_alternative_is_silent(rule: Rule, tmp_path: Path) -> None:
    write(rule, "Use instead", tmp_path)
    assert run_cfglint(tmp_path)["findings"] == []


@RULES_THAT_RUSTC_KNOWS
@pytest.mark.cargo
def test_rustc_rejects_the_example(rule: Rule, tmp_path: Path) -> None:
    complaints, clean = compile_section(rule, "Example", tmp_path)
    assert complaints
    assert {complaint.code for complaint in complaints} <= CODES[rule.code]
    assert clean or rule.severity == "warning", "no build passes: that needs no cfglint"


@RULES_THAT_RUSTC_KNOWS
@pytest.mark.cargo
def test_rustc_accepts_the_alternative(rule: Rule, tmp_path: Path) -> None:
    complaints, _ = compile_section(rule, "Use instead", tmp_path)
    assert not complaints, "\n".join(map(str, complaints))


@RULES_THAT_RUSTC_KNOWS
@pytest.mark.cargo
def test_findings_are_where_rustc_points(rule: Rule, tmp_path: Path) -> None:
    complaints, _ = compile_section(rule, "Example", tmp_path)
    found = {(finding["file"], finding["line"]) for finding in run_cfglint(tmp_path / "package")["findings"]}
    assert found == {(complaint.file, complaint.line) for complaint in complaints}


@EVERY_CI_RULE
def test_the_example_of_ci_is_found(rule: Rule, tmp_path: Path) -> None:
    write(rule, "Example", tmp_path / "repository")
    assert [finding["rule"] for finding in run_ci(tmp_path / "repository")["findings"]] == [rule.code]


@EVERY_CI_RULE
def test_the_alternative_of_ci_is_silent(rule: Rule, tmp_path: Path) -> None:
    write(rule, "Use instead", tmp_path / "repository")
    report = run_ci(tmp_path / "repository")
    assert report["findings"] == report["undecided"] == []


def test_fixtures_have_a_rule() -> None:
    folders = {path.name for path in FIXTURES.iterdir() if path.is_dir() and not (path / "Cargo.toml").exists()}
    assert folders == {rule.name for rule in rulebook() if rule not in CI_RULES}


LANGUAGES = {("toml", ".toml"), ("rust", ".rs"), ("yaml", ".yml"), ("text", ".json")}


def write(rule: Rule, section: str, folder: Path) -> None:
    """Write the blocks of a section to the files that their info strings name."""
    blocks = code_blocks(rule.sections[section])
    assert blocks, f"{rule.code} has no code under {section}"
    for block in blocks:
        language, _, name = block.info.partition(" ")
        assert (language, Path(name).suffix) in LANGUAGES, block.info
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        assert not file.exists(), f"{rule.code} writes {name} twice under {section}"
        file.write_text(block.text, "utf-8")


def compile_section(rule: Rule, section: str, folder: Path) -> tuple[set[Complaint], bool]:
    """Everything that rustc says in any build of the root package, and whether some build is free of it."""
    require_cargo()
    package = folder / "package"
    scratch = folder / "scratch"
    scratch.mkdir()
    write(rule, section, package)
    fixture = load(package)
    root = next(p for p in fixture.packages if not p.folder)
    seen = list(verdicts(fixture, root, scratch))
    assert not any(verdict.masked for verdict in seen)
    return {c for verdict in seen for c in verdict.complaints}, any(not verdict.complaints for verdict in seen)

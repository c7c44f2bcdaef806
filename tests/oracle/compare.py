"""cfglint's findings against rustc's errors, feature set by feature set.

It deliberately knows only the JSON contract of `cfglint check --format json`. Findings of warnings and notes are not
looked at. An error that rustc could not get to, because errors of an earlier phase came first, decides nothing.
"""

from __future__ import annotations

import itertools
import json
import subprocess
import sys
import tempfile
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .cargo_oracle import FeatureSet, Place, Verdict, activate
from .cfg_eval import CfgSyntaxError, evaluate, mentioned_features
from .generate import Package

HOST = "x86_64-unknown-linux-gnu"
PROJECT = Path(__file__).resolve().parents[2]
_MEMBER_RULES = frozenset({"CFG006", "CFG007", "CFG008", "CFG015"})


class CfglintFailed(Exception):
    """The command did not print a report."""


@dataclass(frozen=True, slots=True)
class Disagreement:
    """One line about which the two differ. `sets` are the feature sets in which they do."""

    kind: str
    place: Place
    detail: str
    sets: tuple[FeatureSet, ...]
    source: str

    def __str__(self) -> str:
        sets = " ".join(map(str, self.sets)) or "-"
        return (
            f"{self.kind} {self.place.file}:{self.place.line} in {sets}\n    {self.source.strip()}\n    {self.detail}"
        )


def run_cfglint(directory: Path, targets: Iterable[str] = ()) -> Mapping[str, Any]:
    """The report of `cfglint check` on a package. Raises CfglintFailed on exit status 2 or a broken report."""
    command = [sys.executable, "-m", "cfglint", "check", str(directory), "--format", "json"]
    for target in targets:
        command += ["--target", target]
    done = subprocess.run(command, cwd=PROJECT, capture_output=True, text=True, check=False, timeout=120)
    if done.returncode not in (0, 1):
        raise CfglintFailed(f"exit status {done.returncode}: {done.stderr[-3000:]}")
    try:
        report: Mapping[str, Any] = json.loads(done.stdout)
    except json.JSONDecodeError as error:
        raise CfglintFailed(f"no JSON: {error}: {done.stdout[:300]} {done.stderr[-2000:]}") from error
    return report


def why_not_available() -> str:
    """The reason why `cfglint check` cannot be run, or the empty string."""
    with tempfile.TemporaryDirectory() as name:
        root = Path(name)
        (root / "src").mkdir()
        (root / "Cargo.toml").write_text('[package]\nname = "tiny"\nversion = "0.1.0"\nedition = "2021"\n', "utf-8")
        (root / "src" / "lib.rs").write_text("pub fn f() {}\n", "utf-8")
        try:
            report = run_cfglint(root)
        except (CfglintFailed, subprocess.TimeoutExpired) as error:
            return str(error)
        return "" if "findings" in report else "the report has no findings"


def compare(package: Package, report: Mapping[str, Any]) -> list[Disagreement]:
    """Every line where the findings and the errors differ in some feature set."""
    lines = _Lines(package.directory)
    findings = [one for one in report["findings"] if one["severity"] == "error"]
    found: list[Disagreement] = []
    true_in: dict[int, set[FeatureSet]] = {}
    for index, finding in enumerate(findings):
        place = Place(finding["file"], finding["line"])
        try:
            true_in[index] = {
                one for one in package.verdicts if evaluate(finding["fails_when"], one.features, one.options)
            }
        except CfgSyntaxError as broken:
            true_in[index] = set()
            found.append(Disagreement("unreadable", place, f"{words_of(finding)}: {broken}", (), lines[place]))
            continue
        found += _self_consistency(package, finding, true_in[index], lines)
    undecided = {Place(entry["file"], entry["line"]): entry["reason"] for entry in report.get("undecided", ())}
    unfounded: dict[int, dict[FeatureSet, None]] = {}
    uncovered: dict[tuple[Place, str], dict[FeatureSet, None]] = {}
    for one, verdict in package.verdicts.items():
        live = [index for index in true_in if one in true_in[index]]
        for index in live:
            if not _confirmed(findings[index], verdict):
                unfounded.setdefault(index, {})[one] = None
        covered = {place for index in live for place in places_of(findings[index])}
        for error in verdict.errors:
            if covered.isdisjoint(error.places) and not error.follows:
                words = f"rustc: [{error.code or 'macro'}] {error.message}"
                reasons = [undecided[place] for place in error.places if place in undecided]
                words += f" (cfglint: undecided, {reasons[0]})" if reasons else ""
                uncovered.setdefault((error.outermost, words), {})[one] = None
    for index, sets in unfounded.items():
        place = Place(findings[index]["file"], findings[index]["line"])
        found.append(Disagreement("false-positive", place, words_of(findings[index]), tuple(sets), lines[place]))
    for (place, words), sets in uncovered.items():
        near = [words_of(finding) for finding in findings if place in places_of(finding)]
        detail = "; ".join([words, *(f"cfglint: {text}" for text in near)])
        kind = "undecided" if "(cfglint: undecided, " in words else "missed"
        found.append(Disagreement(kind, place, detail, tuple(sets), lines[place]))
    return sorted(found, key=lambda one: (one.place, one.kind, one.detail))


def _confirmed(finding: Mapping[str, Any], verdict: Verdict) -> bool:
    """Whether rustc has an error there, or cannot have been expected to get so far."""
    places = places_of(finding)
    if any(not places.isdisjoint(error.places) for error in (*verdict.errors, *verdict.behind)):
        return True
    return phase_of(finding) > verdict.depth


def phase_of(finding: Mapping[str, Any]) -> int:
    """In which phase rustc would find the error: what is looked up in a type, in the second."""
    before = finding["path"].split("::")[-2:-1]
    if finding["rule"] == "CFG007" and "not covered" in finding["message"]:
        return 3
    return 2 if finding["rule"] in _MEMBER_RULES or (before and before[0][:1].isupper()) else 1


def places_of(finding: Mapping[str, Any]) -> frozenset[Place]:
    """The line of the finding; for overlapping definitions any of theirs."""
    places = {Place(finding["file"], finding["line"])}
    if finding["rule"] == "CFG010":
        places |= {Place(entry["file"], entry["line"]) for entry in finding["items"]}
    return frozenset(places)


def _self_consistency(
    package: Package, finding: Mapping[str, Any], sets: Iterable[FeatureSet], lines: _Lines
) -> list[Disagreement]:
    """The count and the witness of a finding must follow from its own condition."""
    place = Place(finding["file"], finding["line"])
    triple = finding["witness"]["target"] or (HOST if package.targets else "")
    failing = {one.features for one in sets if one.target == triple}
    found: list[Disagreement] = []
    count = (finding["failing"]["count"], finding["failing"]["of"])
    if not package.targets and count not in _counts(package, finding["fails_when"], failing):
        words = f"{words_of(finding)}: counts {count[0]} of {count[1]}, is {len(failing)} of {len(package.verdicts)}"
        found.append(Disagreement("count", place, words, (), lines[place]))
    asked = list(finding["witness"]["features"])
    if finding["witness"]["default_features"] and "default" in package.crate.manifest.get("features", {}):
        asked.append("default")
    if activate(package.crate, asked).features not in failing:
        words = f"{words_of(finding)}: witness {finding['witness']['command']}"
        found.append(Disagreement("witness", place, words, (), lines[place]))
    return found


def _counts(package: Package, text: str, failing: Collection[frozenset[str]]) -> set[tuple[int, int]]:
    """What may be said of how many combinations fail: over the features in `text`, and any others beside them."""
    needed = mentioned_features(text)
    everything = frozenset().union(*(one.features for one in package.verdicts))
    counts: set[tuple[int, int]] = set()
    for size in range(len(everything) + 1):
        for chosen in itertools.combinations(sorted(everything), size):
            if needed <= set(chosen):
                failed = {features.intersection(chosen) for features in failing}
                counts.add((len(failed), len({one.features.intersection(chosen) for one in package.verdicts})))
    return counts


def words_of(finding: Mapping[str, Any]) -> str:
    """A finding in one line."""
    return f"[{finding['rule']}] `{finding['path']}` fails when {finding['fails_when']}"


class _Lines:
    """Source lines by place, for messages."""

    def __init__(self, directory: Path) -> None:
        self._directory = directory

    def __getitem__(self, place: Place) -> str:
        try:
            lines = (self._directory / place.file).read_text("utf-8").splitlines()
        except OSError:
            return ""
        return lines[place.line - 1] if 0 < place.line <= len(lines) else ""

"""cfglint's findings in a workspace against cargo's verdicts, crate root by crate root and feature set by feature set.

Findings are matched with errors by line. Two kinds are one finding for several lines: CFG011 (all that fails in a file),
and in tests and examples CFG003 and CFG005 (one crate that is missing from a file). An error that cargo could not get to
decides nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from tests.oracle.cargo_oracle import Error, FeatureSet, Place, Verdict
from tests.oracle.cfg_eval import CfgSyntaxError, evaluate
from tests.oracle.compare import Disagreement, phase_of, words_of

from .cargo import UNIT, Root
from .generate import Judged
from .manifests import Member

HOST_OPTIONS = frozenset(
    {"unix", "debug_assertions", 'target="x86_64-unknown-linux-gnu"', 'target_os="linux"', 'target_family="unix"'}
)
"""What the predicates of the generated manifests may ask of the machine that cargo runs on."""
_WHOLE_FILE = "CFG011"
_WHOLE_CRATE = frozenset({"CFG003", "CFG005"})


def compare(judged: Judged, report: Mapping[str, Any]) -> list[Disagreement]:
    """Every line where the findings and the errors differ in some feature set of its package."""
    findings = [one for one in report["findings"] if one["severity"] == "error"]
    undecided = {Place(entry["file"], entry["line"]): entry["reason"] for entry in report.get("undecided", ())}
    found: list[Disagreement] = []
    members = {member.name: member for member in judged.members}
    for root, verdicts in judged.verdicts.items():
        own = [one for one in findings if _is_of(one, root)]
        found += _Root(judged, root, verdicts, own, undecided).disagreements()
        if root.kind != UNIT:
            found += _witnesses(judged, members[root.member], root, own)
    return sorted(set(found), key=lambda one: (one.place, one.kind, one.detail))


def _is_of(finding: Mapping[str, Any], root: Root) -> bool:
    kind = "lib" if root.kind == UNIT else root.kind
    target = finding["target"]
    return (finding["package"], target["kind"], target["name"]) == (root.member, kind, root.name)


class _Root:
    """One crate root: its verdicts and its findings."""

    def __init__(
        self,
        judged: Judged,
        root: Root,
        verdicts: Mapping[FeatureSet, Verdict],
        findings: Sequence[Mapping[str, Any]],
        undecided: Mapping[Place, str],
    ) -> None:
        self.root = root
        self.verdicts = verdicts
        self.findings = findings
        self.undecided = undecided
        self.lines = (judged.directory / root.file).read_text("utf-8").splitlines()
        self.directory = judged.directory

    def disagreements(self) -> Iterator[Disagreement]:
        unfounded: dict[int, dict[FeatureSet, None]] = {}
        uncovered: dict[tuple[Place, str], dict[FeatureSet, None]] = {}
        for one, verdict in self.verdicts.items():
            live = [(number, finding) for number, finding in enumerate(self.findings) if self._holds(finding, one)]
            for number, finding in live:
                if phase_of(finding) <= verdict.depth and not any(self._covers(finding, e) for e in verdict.errors):
                    unfounded.setdefault(number, {})[one] = None
            for error in verdict.errors:
                if not any(self._covers(finding, error) for _, finding in live):
                    reasons = [self.undecided[place] for place in error.places if place in self.undecided]
                    words = f"rustc: [{error.code or 'macro'}] {error.message}"
                    words += f" (cfglint: undecided, {reasons[0]})" if reasons else ""
                    uncovered.setdefault((self._place(error), words), {})[one] = None
        for number, sets in unfounded.items():
            finding = self.findings[number]
            place = Place(finding["file"], finding["line"])
            yield Disagreement("false-positive", place, self._say(finding), tuple(sets), self._line(place))
        for (place, words), sets in uncovered.items():
            near = [self._say(finding) for finding in self.findings if finding["line"] == place.line]
            kind = "undecided" if "(cfglint: undecided, " in words else "missed"
            yield Disagreement(kind, place, "; ".join([words, *near]), tuple(sets), self._line(place))

    def _say(self, finding: Mapping[str, Any]) -> str:
        return f"({self.root.member} {self.root.kind}) {words_of(finding)}"

    def _place(self, error: Error) -> Place:
        """The line of this root at which an error shows."""
        return next((place for place in reversed(error.places) if place.file == self.root.file), error.outermost)

    def _holds(self, finding: Mapping[str, Any], one: FeatureSet) -> bool:
        try:
            return evaluate(finding["fails_when"], one.features, HOST_OPTIONS | one.options)
        except CfgSyntaxError as broken:
            raise ValueError(f"{self._say(finding)}: {broken}") from broken

    def _covers(self, finding: Mapping[str, Any], error: Error) -> bool:
        """Whether the finding speaks of this error."""
        if Place(finding["file"], finding["line"]) in error.places:
            return True
        inner = [place for place in error.places if place.file == finding["file"]]
        if finding["rule"] == _WHOLE_FILE:
            return bool(inner)
        if finding["rule"] in _WHOLE_CRATE and self.root.kind in ("test", "example"):
            crate = finding["path"].removeprefix("::").split("::")[0]
            return any(crate in self._line(place) for place in inner)
        return False

    def _line(self, place: Place) -> str:
        if place.file == self.root.file:
            return self.lines[place.line - 1]
        return (self.directory / place.file).read_text("utf-8").splitlines()[place.line - 1]


def _witnesses(
    judged: Judged, member: Member, root: Root, findings: Sequence[Mapping[str, Any]]
) -> Iterator[Disagreement]:
    """A witness must be a configuration in which its own finding fails."""
    closed = member.closed()
    for finding in findings:
        witness = finding["witness"]
        asked = {*witness["features"], *(["default"] if witness["default_features"] else [])}
        table = member.table()
        asked &= table.keys()
        least = min((features for features in closed if asked <= features), key=len)
        test = "test" in finding["fails_when"] and (
            "--test" in witness["command"] or "--profile test" in witness["command"]
        )
        options = HOST_OPTIONS | (frozenset({"test"}) if test or root.kind == "test" else frozenset())
        if witness["target"] is not None:
            continue
        if not evaluate(finding["fails_when"], least, options):
            place = Place(finding["file"], finding["line"])
            words = f"{words_of(finding)}: witness {witness['command']}"
            yield Disagreement("witness", place, words, (), "")

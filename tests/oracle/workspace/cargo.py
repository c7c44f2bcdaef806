"""What `cargo check -p MEMBER` says of each crate root of a workspace, in every closed feature set of its package.

A root is only judged where everything below it compiles. What fails further down is blanked in a copy once it has been
judged itself, as far as nothing else needs it; where a name that others need is at fault, cargo does not get to them, and
there is no verdict. The copy has a target directory of its own.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.oracle.cargo_oracle import FeatureSet, Place, Verdict, errors_of, rustc

from .manifests import Member, Workspace

LIB, UNIT = "lib", "unit"


@dataclass(frozen=True, slots=True)
class Root:
    """A crate root: of which member, cargo's kind (or `unit`, the library built as its unit tests), and its name."""

    member: str
    kind: str
    name: str
    file: str


@dataclass(slots=True)
class Judge:
    """One workspace on disk being judged. `owners` says which unit each line belongs to, `inert` which may be blanked."""

    workspace: Workspace
    copy: Path
    owners: Mapping[Place, int | None]
    inert: frozenset[int]
    runs: int = 0
    blanked: set[Place] = field(default_factory=set)
    whole: dict[str, bytes] = field(default_factory=dict)

    def root(self, member: Member, root: Root) -> dict[FeatureSet, Verdict]:
        """The verdicts on one root, by closed feature set; sets in which cargo does not get to it are left out."""
        found: dict[FeatureSet, Verdict] = {}
        required = next((extra.required for extra in member.targets if extra.name == root.name), ())
        for features in member.closed():
            if not features.issuperset(required):
                continue
            verdict = self._check(member, root, features)
            if verdict is not None:
                found[_set(features, root)] = verdict
        return self._deeper(member, root, found)

    def blank(self, verdicts: Iterable[Verdict]) -> None:
        """Take out of the copy what fails in any of these and is needed by nothing else."""
        units = {self.owners.get(place) for v in verdicts for error in v.errors for place in error.places}
        places = {place for place, unit in self.owners.items() if unit in units and unit in self.inert}
        for file in sorted({place.file for place in places - self.blanked}):
            path = self.copy / file
            lines = path.read_text("utf-8").splitlines()
            kept = ["" if Place(file, number) in places else line for number, line in enumerate(lines, 1)]
            path.write_text("\n".join(kept) + "\n", "utf-8")
        self.blanked |= places

    def _deeper(self, member: Member, root: Root, found: dict[FeatureSet, Verdict]) -> dict[FeatureSet, Verdict]:
        """Look behind errors of name resolution: those of types are only seen without them."""
        shallow = [one for one, verdict in found.items() if verdict.depth <= 1]
        if not shallow:
            return found
        self.whole = {file: (self.copy / file).read_bytes() for file in sorted({place.file for place in self.owners})}
        before = set(self.blanked)
        self.blank(found[one] for one in shallow)
        deeper = dict(found)
        for one in shallow:
            below = self._check(member, root, one.features)
            if self._has_failed_glob(found[one]):
                # rustc keeps silent about every name of the crate: nothing can be said against a finding.
                deeper[one] = Verdict(found[one].errors, 0)
            elif below is not None:
                errors = tuple(sorted({*found[one].errors, *below.errors}))
                deeper[one] = Verdict(errors, max(1, below.depth))
        for file, text in self.whole.items():
            (self.copy / file).write_bytes(text)
        self.blanked = before
        return deeper

    def _has_failed_glob(self, verdict: Verdict) -> bool:
        texts: dict[str, list[str]] = {}
        for error in verdict.errors:
            file = error.outermost.file
            lines = texts.setdefault(file, self.whole[file].decode().splitlines())
            if error.code in ("E0432", "E0433") and "::*" in lines[error.outermost.line - 1]:
                return True
        return False

    def _check(self, member: Member, root: Root, features: frozenset[str]) -> Verdict | None:
        command = ["cargo", "check", "--offline", "--quiet", "--keep-going", "--message-format=json"]
        command += ["--manifest-path", f"{member.root}/Cargo.toml", *_target_words(root)]
        command += ["--no-default-features", "--features", ",".join(sorted(features))]
        said = self._run(command)
        messages = [(m["target"], m["message"]) for m in said if m["reason"] == "compiler-message"]
        if any(m["level"] == "error" and not _is_of(target, root, self.copy) for target, m in messages):
            return None
        errors = errors_of(m for target, m in messages if _is_of(target, root, self.copy))
        return Verdict(errors, min((error.phase for error in errors), default=3))

    def _run(self, command: list[str]) -> list[Mapping[str, Any]]:
        compiler = rustc()
        assert compiler is not None, "rustc is missing"
        environment = {k: v for k, v in os.environ.items() if not k.startswith(("CARGO_", "RUSTFLAGS", "RUSTC_"))}
        environment |= {
            "PATH": f"{compiler.parent}{os.pathsep}{environment.get('PATH', '')}",
            "CARGO_TARGET_DIR": str(self.copy.with_name("target")),
            "CARGO_INCREMENTAL": "0",
            "CARGO_BUILD_JOBS": "1",
            "RUSTFLAGS": "-Awarnings",
        }
        if "CARGO_HOME" in os.environ:
            environment["CARGO_HOME"] = os.environ["CARGO_HOME"]
        program = shutil.which(command[0], path=environment["PATH"]) or command[0]
        done = subprocess.run(
            [program, *command[1:]],
            cwd=self.copy,
            stdin=subprocess.DEVNULL,
            env=environment,
            capture_output=True,
            text=True,
            encoding="utf-8",
            check=False,
            timeout=300,
        )
        self.runs += 1
        said = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
        if done.returncode and not any(
            m["reason"] == "compiler-message" and m["message"]["level"] == "error" for m in said
        ):
            raise RuntimeError(f"{' '.join(command)}: {done.stderr[:3000]}")
        return said


def _set(features: frozenset[str], root: Root) -> FeatureSet:
    return FeatureSet(features, options=frozenset({"test"}) if root.kind in (UNIT, "test") else frozenset())


def _target_words(root: Root) -> list[str]:
    match root.kind:
        case "lib":
            return ["--lib"]
        case "unit":
            return ["--lib", "--profile", "test"]
        case kind:
            return [f"--{kind}", root.name]


def _is_of(target: Mapping[str, Any], root: Root, copy: Path) -> bool:
    """Whether a message's target is the root: its file tells."""
    return Path(target["src_path"]) == (copy / root.file).resolve()

"""What makes a finding the same finding after lines have moved: the item that refers, and a number among equals.

A check gives the module that a reference is in; here the items around the place are added, and findings that agree in
all but their place are numbered in the order of the file. Nothing is compared with another run here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from cfglint.finding import Finding
from cfglint.syntax.outline import Extent, items_in


def placed(findings: Iterable[Finding], source_of: Callable[[str], bytes]) -> Iterator[Finding]:
    """The findings with `scope` as the path of the referring item.

    `source_of` gives the bytes of a file that a location names; empty where it is gone.
    """
    files: dict[str, _File] = {}
    for finding in findings:
        file = finding.location.file
        if file not in files:
            files[file] = _File.read(source_of(file)) if file.endswith(".rs") else _File((), ())
        yield replace(finding, scope=_referrer(finding, files[file]))


def numbered(findings: Iterable[Finding]) -> Iterator[Finding]:
    """The findings, in the given order, with `ordinal`."""
    seen: dict[tuple[str, ...], int] = {}
    for finding in findings:
        key = (finding.rule, finding.package, finding.scope, finding.path)
        yield replace(finding, ordinal=seen.setdefault(key, 0))
        seen[key] += 1


@dataclass(frozen=True, slots=True)
class _File:
    """Offsets of the lines, and the items by start."""

    starts: Sequence[int]
    items: Sequence[Extent]

    @classmethod
    def read(cls, source: bytes) -> _File:
        starts = [0]
        while (at := source.find(b"\n", starts[-1])) != -1:
            starts.append(at + 1)
        return cls(starts, items_in(source))

    def offset(self, line: int, column: int) -> int:
        return self.starts[line - 1] + column - 1 if 0 < line <= len(self.starts) else -1


def _referrer(finding: Finding, file: _File) -> str:
    """`crate::a` with the crate's own name, and with the items inside the module."""
    target = finding.target
    crate = target.name.replace("-", "_") if target.kind == "lib" else f"{target.kind}:{target.name}"
    modules = [crate if part == "crate" else part for part in finding.scope.split("::") if part]
    offset = file.offset(finding.location.line, finding.location.column)
    around = [extent for extent in file.items if extent.start <= offset < extent.end]
    inline = [extent.name for extent in around if extent.is_module]
    if modules[-len(inline) :] == inline:
        around = [extent for extent in around if not extent.is_module]
    return "::".join((*modules, *(extent.name for extent in around)))

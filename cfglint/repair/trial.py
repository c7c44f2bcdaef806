"""A trial of edits: what they mend, leave and make, found by analysing the edited workspace in memory.

Only the references are decided again that the edits can matter to. Findings of both sides are compared by place.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from cfglint.condition.diagram import TRUE
from cfglint.finding import Finding
from cfglint.items import model as m
from cfglint.manifest.package import Package
from cfglint.manifest.targets import Target, TargetKind
from cfglint.nameres.absence import absences_where
from cfglint.nameres.analysis import Analysis, Root, with_verdicts
from cfglint.nameres.crate import Crate
from cfglint.nameres.def_map import DefMap
from cfglint.nameres.model import CrateConfig
from cfglint.repair.comparison import Outcome, Remaining, compared, findings_of
from cfglint.repair.edits import Edit, applied
from cfglint.repair.overlay import Edited, edited, linked_of, same_target, share_libraries
from cfglint.repair.relevance import Part, Scope, Words, module_key, scope_of

RootMaker = Callable[[Analysis, Package, Target], "Root | None"]
"""How a crate root is made in its space of configurations; the pipeline knows."""

_EMPTY = CrateConfig("", "", "2021", TRUE, {})


class Laboratory:
    """Trials on one analysis. Findings as they are before any edit are kept."""

    def __init__(self, analysis: Analysis, make_root: RootMaker) -> None:
        self.analysis = analysis
        self.make_root = make_root
        self._words = Words()
        self._before: dict[tuple[str, str, str, object], list[Remaining]] = {}
        self._made: list[int] = []

    def read(self, file: str) -> bytes:
        """The bytes of a file as it is."""
        return self.analysis.files.source(file)

    def run(self, edits: Iterable[Edit], about: Sequence[Finding]) -> Outcome:
        """Try edits that are to mend the findings `about`. What the outcome refers to is good until the next trial.

        Raises UntriableError and OverlappingEditsError.
        """
        listed = tuple(edits)
        self._release()
        crates = linked_of(self.analysis).program.crates
        after = edited(self.analysis, applied(listed, self.read))
        scope = scope_of(self.analysis, after, self._words)
        before = self._findings_before(after, scope)
        # What the side before has made stays: its linker knows these crates by their numbers.
        share_libraries(self.analysis, after)
        first = len(crates)
        roots = [root for part in scope.parts if (root := self._root(after.analysis, part, scope)) is not None]
        found, doubts = findings_of(after.analysis, roots)
        again = {*after.packages, *after.dependents}
        owners = linked_of(after.analysis).owners
        self._made = [number for number in range(first, len(crates)) if owners.get(number) in again]
        return compared(self.analysis, after.analysis, listed, before, found, doubts, about)

    def _release(self) -> None:
        """Forget the crates of the last trial; their numbers stay taken."""
        program = linked_of(self.analysis).program
        for number in self._made:
            program.crates[number] = Crate(program, DefMap(number, _EMPTY))
        self._made = []

    def _root(self, analysis: Analysis, part: Part, scope: Scope) -> Root | None:
        """A crate root with verdicts on what has to be decided again."""
        root = self.make_root(analysis, part.package, part.target)
        if root is None:
            return None
        _take_over(root.crate, self._known_crate(part), scope.files)
        wanted = _wanted(root.crate, part, scope, self._failing(part))
        return with_verdicts(root, absences_where(root.crate, root.space, wanted))

    def _findings_before(self, after: Edited, scope: Scope) -> list[Remaining]:
        """The findings of the same roots without the edits."""
        old = {new: package for package, new in after.replaced.items()}
        found: list[Remaining] = []
        for part in scope.parts:
            package = old.get(part.package, part.package)
            target = same_target(package, part.target)
            known = self._known_root(part)
            key = (
                package.name,
                target.kind.value,
                target.name,
                None if known is not None else (part.names, scope.files),
            )
            if key not in self._before:
                root = known or self._root(self.analysis, Part(package, target, part.names), scope)
                self._before[key] = [] if root is None else findings_of(self.analysis, [root])[0]
            found += self._before[key]
        return found

    def _known_root(self, part: Part) -> Root | None:
        wanted = (part.package.root, part.target.kind, part.target.name)
        known = (r for r in self.analysis.roots if (r.package.root, r.target.kind, r.target.name) == wanted)
        return next(known, None)

    def _known_crate(self, part: Part) -> Crate | None:
        root = self._known_root(part)
        return None if root is None else root.crate

    def _failing(self, part: Part) -> frozenset[m.Path]:
        """The paths that fail in the root as it is: an edit is to change that."""
        root = self._known_root(part)
        return frozenset() if root is None else frozenset(absence.path for absence in root.absences)


def _wanted(crate: Crate, part: Part, scope: Scope, failing: frozenset[m.Path]) -> Callable[[int, m.Path], bool]:
    """Picks what failed before, mentions a name, or stands in a file or module that is not what it was."""
    names = part.names
    if names is None:
        return _everything
    edited_mounts = {
        number
        for number, mount in enumerate(crate.d.mounts)
        if mount.file in scope.files or (scope.files and module_key(crate, number) not in scope.modules)
    }
    if not any(mount.file in scope.files for mount in crate.d.mounts):
        edited_mounts = set()

    def wanted(mount: int, path: m.Path) -> bool:
        return mount in edited_mounts or not names.isdisjoint(path) or path in failing

    if part.target.kind is TargetKind.LIB:
        return wanted
    # Of programs, tests and the like, one finding may stand for a whole file: then all of the file has to be seen.
    whole = {
        number
        for number, mount in enumerate(crate.d.mounts)
        if number in edited_mounts or any(wanted(number, path) for path in _paths(mount.tree))
    }
    return lambda mount, _: mount in whole


def _paths(tree: m.ItemTree) -> Iterator[m.Path]:
    yield from (reference.path for reference in tree.references)
    yield from (imported.path for imported in tree.imports)


def _everything(mount: int, path: m.Path) -> bool:
    del mount, path
    return True


def _take_over(crate: Crate, known: Crate | None, files: frozenset[str]) -> None:
    """Keep the expansions of macro calls that the edits leave alone: they cost most of a crate's resolution."""
    if known is None or known is crate or len(known.d.mounts) != len(crate.d.mounts):
        return
    if any(one.file != other.file for one, other in zip(known.d.mounts, crate.d.mounts, strict=True)):
        return
    if any(mount.file in files and mount.tree.macros for mount in crate.d.mounts):
        return
    for key, expansion in known.expansions.items():
        if crate.d.mounts[key[0]].file not in files:
            crate.expansions.setdefault(key, expansion)

"""What a repair is before it has been tried: a kind, a title, edits; and what a trial found of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from cfglint.graph.derivation import Derived
from cfglint.nameres.analysis import Analysis
from cfglint.repair.edits import Edit

Spread = Callable[[Derived], "list[Edit] | None"]
"""How to extend a repair to a reference that it breaks; None where that cannot be done in the same way."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """Edits that may mend a reference.

    `rank` orders candidates, the least first. `silences` tells that code is left out where it fails rather than made to
    work. `is_guess` that a person should look: something is chosen that the code does not say. `is_of_use` that it is the
    use of a member which takes the gate of the member.
    """

    kind: str
    title: str
    edits: tuple[Edit, ...]
    rank: float
    silences: bool = False
    is_guess: bool = False
    is_of_use: bool = False
    follows: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True)
class Case:
    """The reference to mend, in the analysis that knows it."""

    analysis: Analysis
    derived: Derived

    @property
    def file(self) -> str:
        """The file of the reference."""
        return self.derived.found.root.crate.d.mounts[self.derived.found.question.mount].file

    @property
    def offset(self) -> int:
        """Where the reference begins."""
        return self.derived.found.start

    @property
    def source(self) -> bytes:
        """The text of that file."""
        return self.analysis.files.source(self.file)

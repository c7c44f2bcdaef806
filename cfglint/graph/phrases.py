"""The phrases of explanations: what a step is called, and a gate in rustc's words."""

from __future__ import annotations

import re
from collections.abc import Sequence

from cfglint.condition.atom import Atom, AtomKind, feature
from cfglint.condition.diagram import literal
from cfglint.condition.display import shortest
from cfglint.graph.evidence import show
from cfglint.graph.manifest_edges import feature_label
from cfglint.graph.trail import Form, Gate, Step
from cfglint.nameres.analysis import Analysis, Root


def step_label(step: Step) -> str:
    """What a step is called: "module `kernel`"."""
    if not step.kind:
        return f"the code `{step.name}`" if not step.name.startswith(("`", "a ")) else f"the code in {step.name}"
    if step.kind == "code":
        return f"the code {step.name}"
    return f"{step.kind} `{step.name}`".replace("``", "`") if step.name else step.kind


def gate_text(analysis: Analysis, root: Root, gate: Gate) -> str:
    """A gate in rustc's words, as the end of a sentence about what it stands on."""
    if gate.form is Form.MANIFEST:
        if gate.written == "required-features":
            return f"requires {show(gate.condition, root)}"
        return f"is a dependency that is enabled by {_behind(show(gate.condition, root))}"
    if gate.form is Form.TEST:
        return "is a test, compiled under `cfg(test)`"
    own = own_text(analysis, root, gate)
    if gate.form is Form.MACRO:
        return f"stands in {gate.written}, which gates it behind {_behind(own)}"
    if gate.written == "#![no_std]":
        return f"is there unless the crate is `no_std`: {_behind(own)}"
    return f"is gated behind {_behind(own)}"


def own_text(analysis: Analysis, root: Root, gate: Gate) -> str:
    """The condition of a gate in the words of the crate that it stands in; features of others carry their package."""
    if gate.crate in (-1, root.crate.d.crate):
        return show(gate.condition, root)
    words = {
        atom: literal(feature(feature_label(analysis, atom, gate.crate, root)))
        for atom in gate.own.atoms()
        if atom.kind is AtomKind.FEATURE
    }
    return shortest(gate.own.substitute(words))


def joined(words: Sequence[str]) -> str:
    """`a, b and c`."""
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"


def sentence_of(reasons: Sequence[str], consequence: str) -> str:
    """`Because a and b, c.`; without reasons the consequence alone."""
    if not reasons:
        return f"{consequence[0].upper()}{consequence[1:]}."
    return f"Because {joined(list(reasons))}, {consequence}."


def _behind(text: str) -> str:
    named = re.fullmatch(r'feature = "([^"]*)"', text)
    if named is None:
        return f"`{text}`"
    package, mark, name = named[1].rpartition("/")
    return f"the `{name}` feature of `{package}`" if mark else f"the `{named[1]}` feature"


def order_key(atom: Atom) -> tuple[int, str]:
    """Features first, by name."""
    return (atom.kind, atom.key)

"""CFG014 uncovered-cfg-select: a `cfg_select!` of which no arm is true in some configuration.

Source: the documentation of `core::cfg_select`: without a true arm it is a compile error.
"""

from __future__ import annotations

from collections.abc import Iterator

from cfglint.condition.diagram import FALSE
from cfglint.finding import Finding
from cfglint.graph.evidence import Words, build, location, words
from cfglint.nameres.analysis import Analysis
from cfglint.nameres.crate import certainly


def uncovered_cfg_select(analysis: Analysis) -> Iterator[Finding]:
    """One finding an invocation."""
    for root in analysis.roots:
        for mount, data in enumerate(root.crate.d.mounts):
            for select in data.tree.selects:
                context = root.crate.context(mount, select.gate)
                covered = root.crate.lower(mount, select.covered)
                failing = certainly(context & ~covered)
                if failing is FALSE:
                    continue
                finding = build(
                    root,
                    "CFG014",
                    "uncovered-cfg-select",
                    location(analysis, data.file, select.start, select.start + len("cfg_select!")),
                    path="cfg_select!",
                    scope=root.crate.d.path_of(data.module),
                    context=context,
                    resolved=covered,
                    failing=failing,
                    say=Words(
                        f"none of the predicates in this `cfg_select!` is true when {words(failing, root)}",
                        (),
                        (),
                        ("add an arm `_ => {}` for the rest",),
                    ),
                )
                if finding is not None:
                    yield finding

"""CFG013 missing-module-file: `mod x;` whose file is absent in some configuration.

A `mod` inside an unknown macro may be anything and is left alone.
"""

from __future__ import annotations

from collections.abc import Iterator

from cfglint.condition.diagram import TRUE
from cfglint.finding import Finding
from cfglint.graph.evidence import Words, build, location, scope_name, words
from cfglint.nameres.analysis import Analysis, Root
from cfglint.nameres.crate import certainly


def missing_module_file(analysis: Analysis) -> Iterator[Finding]:
    """One finding a declaration."""
    for root in analysis.roots:
        for mount, index, position in root.crate.d.missing:
            finding = _finding(analysis, root, mount, index, position)
            if finding is not None:
                yield finding


def _finding(analysis: Analysis, root: Root, mount: int, index: int, position: int) -> Finding | None:
    data = root.crate.d.mounts[mount]
    declaration = data.tree.modules[index]
    context = root.crate.context(mount, declaration.gate)
    wanted = context & root.crate.alternative_condition(mount, index, position)
    failing = certainly(wanted)
    when = "" if failing is TRUE else f" when {words(failing, root)}"
    paths = declaration.paths
    looked = (
        f"`{paths[position][1]}`"
        if position < len(paths)
        else f"`{declaration.name}.rs` or `{declaration.name}/mod.rs`"
    )
    scope = data.first_scope + declaration.scope
    return build(
        root,
        "CFG013",
        "missing-module-file",
        location(analysis, data.file, declaration.start, declaration.end),
        path=declaration.name,
        scope=scope_name(root, scope),
        context=context,
        resolved=context & ~wanted,
        failing=failing,
        say=Words(f"file not found for module `{declaration.name}`{when}", (), (f"there is no {looked}",)),
    )

"""CFG101 undeclared-feature: `feature = "x"` in a cfg where the package has no feature `x`.

What `[lints.rust] unexpected_cfgs` lists as expected is respected (rustc book, check-cfg).
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator

from cfglint.condition.atom import feature
from cfglint.condition.diagram import TRUE, literal
from cfglint.finding import Finding, Severity
from cfglint.graph.evidence import Words, build, location
from cfglint.nameres.analysis import Analysis, Root
from cfglint.nameres.model import Mount


def undeclared_feature(analysis: Analysis) -> Iterator[Finding]:
    """One finding a place."""
    for root in analysis.roots:
        expected = _expected(root)
        if expected is None:
            continue
        for mount in root.crate.d.mounts:
            for key, value, start, end in mount.tree.cfg_options:
                if key == "feature" and value is not None and value not in expected:
                    finding = _finding(analysis, root, mount, value, start, end)
                    if finding is not None:
                        yield finding


def _expected(root: Root) -> frozenset[str] | None:
    """Feature names that may stand in a cfg; None for any."""
    names = set(root.model.names)
    for entry in root.package.check_cfg:
        found = re.search(r"\bfeature\s*,?\s*(?:values\((.*)\))?", entry)
        if found is None:
            continue
        if found.group(1) is None or "any()" in found.group(1):
            return None
        names.update(re.findall(r'"([^"]*)"', found.group(1)))
    return frozenset(names)


def _finding(analysis: Analysis, root: Root, mount: Mount, value: str, start: int, end: int) -> Finding | None:
    near = difflib.get_close_matches(value, root.model.names, 1)
    keys = {dependency.key for dependency in root.package.dependencies if dependency.optional}
    notes = (
        (f"`{value}` is an optional dependency, but `dep:{value}` hides its implicit feature",) if value in keys else ()
    )
    helps = (f"did you mean `{near[0]}`?",) if near else (f"declare `{value} = []` in `[features]` of Cargo.toml",)
    return build(
        root,
        "CFG101",
        "undeclared-feature",
        location(analysis, mount.file, start, end),
        path=f"feature = {value!r}".replace("'", '"'),
        scope=root.crate.d.path_of(mount.module),
        context=TRUE,
        resolved=literal(feature(value)),
        failing=TRUE,
        say=Words(
            f"package `{root.package.name}` has no feature `{value}`: this condition never holds", (), notes, helps
        ),
        severity=Severity.WARNING,
    )

"""CFG102 undeclared-cfg: a cfg asks for an option that rustc does not know and nothing declares, or for a wrong value.

Features are CFG101's matter. Names that a build script makes up are not judged, nor crates that allow the lint.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Iterator

from cfglint.condition.atom import flag, key_value
from cfglint.condition.diagram import TRUE, literal
from cfglint.finding import Finding, Severity
from cfglint.graph.evidence import Words, build, location
from cfglint.manifest.check_cfg import WELL_KNOWN, Expected, expected, values_of
from cfglint.nameres.analysis import Analysis, Root
from cfglint.nameres.linking import build_script

_ALLOWED = re.compile(rb"#!\s*\[\s*(?:allow|expect)\s*\([^)]*\b(?:unexpected_cfgs|warnings)\b")
_KEYS = ("target_os", "target_arch", "target_family", "target_env", "target_vendor")
"""Where somebody may have meant a value by what they wrote as a name, the likeliest first."""


def undeclared_cfg(analysis: Analysis) -> Iterator[Finding]:
    """One finding a place."""
    for root in analysis.roots:
        if root.package.cfg_level == "allow":
            continue
        known = _expected(analysis, root)
        if known.any_name or _ALLOWED.search(analysis.source(root.crate.config.root_file)):
            continue
        for mount in root.crate.d.mounts:
            for key, value, start, end in mount.tree.cfg_options:
                if key != "feature" and not (known.has(key) and known.admits(key, value)):
                    finding = _finding(analysis, root, known, mount.file, key, value, start, end)
                    if finding is not None:
                        yield finding


def _expected(analysis: Analysis, root: Root) -> Expected:
    """What the manifest, the build script and our own settings declare."""
    texts = list(root.package.check_cfg)
    settings = (analysis.config.settings, analysis.config.member(root.package.name))
    texts += [f"cfg({name}, values(none(), any()))" for each in settings for name, _ in each.flags or ()]
    if analysis.linked is not None:
        script = build_script(analysis.linked, root.package)
        texts += script.check_cfg
        texts += [f"cfg({name}, values(any()))" for name in script.open_names]
        texts += [f"cfg({name})" for name, _ in script.aliases]
        if script.makes_up:
            texts.append("cfg(any())")
    return expected(texts)


def _finding(
    analysis: Analysis, root: Root, known: Expected, file: str, key: str, value: str | None, start: int, end: int
) -> Finding | None:
    shown = f"`{key}`" if value is None else f'`{key} = "{value}"`'
    declared = key if value is None else f'{key}, values("{value}")'
    help_ = f"declare it in Cargo.toml: `[lints.rust] unexpected_cfgs = {{ level = \"warn\", check-cfg = ['cfg({declared})'] }}`"
    if not known.has(key):
        message = f"unexpected cfg {shown}: rustc does not know it, and nothing declares it"
        meant = _meant_by_name(root, known, key, value)
    elif value is None:
        message = f"unexpected cfg {shown}: it always has a value"
        some = sorted(value for value in (known.names.get(key) or values_of(key)) if value is not None)
        help_ = f'ask for a value, as in `{key} = "{some[0]}"`' if some else "ask for a value"
        meant = ""
    else:
        message = f"unexpected cfg {shown}: `{key}` never has this value"
        meant = _meant_by_value(known, key, value)
    atom = flag(key) if value is None else key_value(key, value)
    return build(
        root,
        "CFG102",
        "undeclared-cfg",
        location(analysis, file, start, end),
        path=shown.strip("`"),
        scope=f"{file}:{key}",
        context=TRUE,
        resolved=literal(atom),
        failing=TRUE,
        say=Words(message, (), (), (f"did you mean `{meant}`?" if meant else help_,)),
        severity=Severity.WARNING,
    )


def _meant_by_name(root: Root, known: Expected, key: str, value: str | None) -> str:
    """What somebody may have meant who wrote a name that nobody knows."""
    if value is None:
        if key in root.model.names:
            return f'feature = "{key}"'
        for option in _KEYS:
            if key in values_of(option):
                return f'{option} = "{key}"'
    elif value in root.model.names and _near(key, ("feature",)):
        return f'feature = "{value}"'
    name = _near(key, (*WELL_KNOWN, *known.names))
    return name if value is None or not name else f'{name} = "{value}"'


def _meant_by_value(known: Expected, key: str, value: str) -> str:
    for option in _KEYS:
        if value in values_of(option):
            return f'{option} = "{value}"'
    own = known.names.get(key) or frozenset()
    near = _near(value, (*values_of(key), *(known for known in own if known is not None)))
    return f'{key} = "{near}"' if near else ""


def _near(word: str, choices: Iterable[str]) -> str:
    ordered = sorted(set(choices))
    longer = next((choice for choice in ordered if choice.startswith(f"{word}_")), "")
    return longer or next(iter(difflib.get_close_matches(word, ordered, 1, 0.7)), "")

"""Which configuration options a package may ask for: those that rustc knows, and those that it is told to expect.

What is told stands in `check-cfg` texts: `cfg(name)`, `cfg(a, b, values("x", none()))`, `cfg(name, values(any()))`. They
come from `[lints.rust] unexpected_cfgs` and from build scripts. A text that is not understood makes its names, or all
names where there are none, expected with any value.

Source: rustc book, Checking conditional configurations; the well-known names are those of rustc 1.95.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from cfglint.manifest.platform import table

WELL_KNOWN = frozenset(
    "clippy contract_checks debug_assertions doc docsrs doctest feature fmt_debug miri overflow_checks panic proc_macro "
    "relocation_model rustfmt sanitize sanitizer_cfi_generalize_pointers sanitizer_cfi_normalize_integers target_abi "
    "target_arch target_endian target_env target_family target_feature target_has_atomic "
    "target_has_atomic_equal_alignment target_has_atomic_load_store target_os target_pointer_width target_thread_local "
    "target_vendor test ub_checks unix windows true false".split()
)
"""Names that are never unexpected, whatever the compiler of the day makes of their values."""
_LISTED = frozenset(
    "target_arch target_env target_family target_os target_pointer_width target_vendor target_endian".split()
)
"""Keys all of whose values are in the table of targets."""
_FLAGS = frozenset("clippy debug_assertions doc docsrs doctest miri proc_macro rustfmt test unix windows".split())
"""Names that never have a value."""
_TEXT = re.compile(r"\s*cfg\s*\((.*)\)\s*", re.DOTALL)
_VALUES = re.compile(r",?\s*values\s*\((.*)\)\s*,?\s*", re.DOTALL)
_NAME = re.compile(r"(?:r#)?[A-Za-z_]\w*")
_STRING = re.compile(r'"((?:[^"\\]|\\.)*)"')


@dataclass(frozen=True, slots=True)
class Expected:
    """Names with their values: None among them for a bare name, and None for all of them where any value will do.

    `any_name`: everything is expected.
    """

    names: Mapping[str, frozenset[str | None] | None]
    any_name: bool

    def has(self, name: str) -> bool:
        """Whether the name is expected, with whatever value."""
        return self.any_name or name in WELL_KNOWN or name in self.names

    def admits(self, name: str, value: str | None) -> bool:
        """Whether `name`, or `name = "value"`, is expected. Names that are not expected at all are admitted."""
        if not self.has(name) or self.any_name:
            return True
        own = self.names.get(name, frozenset())
        if own is None or value in own:
            return True
        if name in _LISTED:
            return value is not None and value in values_of(name)
        return name in WELL_KNOWN and (value is None or name not in _FLAGS)


def values_of(name: str) -> frozenset[str]:
    """The values that a target option has on some target."""
    return frozenset(value for value in table().values(name) if value is not None)


def expected(texts: Iterable[str]) -> Expected:
    """What `check-cfg` texts add up to."""
    names: dict[str, set[str | None] | None] = {}
    any_name = False
    for text in texts:
        found = _read(text)
        if found is None:
            any_name = True
            continue
        for name in found[0]:
            before = names.get(name, set())
            names[name] = None if before is None or found[1] is None else before | found[1]
    return Expected({n: None if v is None else frozenset(v) for n, v in names.items()}, any_name)


def _read(text: str) -> tuple[list[str], frozenset[str | None] | None] | None:
    """The names of one text and their values, None for any value; None where any name is expected."""
    whole = _TEXT.fullmatch(text)
    if whole is None:
        named = _NAME.findall(text)
        return (named, None) if named else None
    inside = whole[1]
    values: frozenset[str | None] | None = frozenset({None})
    listed = _VALUES.search(inside)
    if listed is not None:
        values = None if re.search(r"\bany\s*\(", listed[1]) else frozenset(_STRING.findall(listed[1]))
        if values is not None and re.search(r"\bnone\s*\(", listed[1]):
            values |= {None}
        inside = inside[: listed.start()]
    if re.search(r"\bany\s*\(", inside):
        return None
    return [name.removeprefix("r#") for name in _NAME.findall(inside)], values

"""`std::` paths where the crate is `no_std`: most of what they name stands in `core` as well, some of it in `alloc`.

Only modules that `core` has whole are replaced; what is split between the libraries is left to a person.
Source: the documentation of `core` and `alloc`, Rust 1.95.
"""

from __future__ import annotations

from collections.abc import Iterator

from cfglint.nameres.model import Namespace
from cfglint.nameres.scope import own
from cfglint.nameres.verdicts import Kind
from cfglint.repair.candidate import Candidate, Case
from cfglint.repair.edits import Edit

_CORE = frozenset(
    "any array ascii cell char clone cmp convert default fmt future hint iter marker mem num ops option pin ptr "
    "result slice str task u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize f32 f64 bool primitive".split()
)
_NOT_IN_CORE = frozenset({"Rc", "Arc", "format", "RandomState", "DefaultHasher"})
_ALLOC = frozenset("borrow boxed rc string vec".split())


def in_core(case: Case) -> Iterator[Candidate]:
    """The candidate that names `core` (or `alloc`, where the crate has it) instead of `std`."""
    absence = case.derived.found.absence
    if absence is None or absence.kind is not Kind.STD:
        return
    path = absence.path[1:] if absence.path[0] == "" else absence.path
    if len(path) < 2 or path[0] != "std":
        return
    at = case.source.find(b"std", absence.start, absence.end)
    if at < 0:  # the first segment stands before the braces of a `use`
        return
    crate = case.derived.found.root.crate
    has_alloc = bool(own(crate, crate.d.root_scope, "alloc", Namespace.TYPE).hits)
    if path[1] in _CORE and not _NOT_IN_CORE & set(path):
        name = "core"
    elif path[1] in _ALLOC and has_alloc:
        name = "alloc"
    else:
        return
    yield Candidate("name-core", f"name `{name}` instead of `std`", (Edit(case.file, at, at + 3, name),), 0.0)

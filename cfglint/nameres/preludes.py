"""Names that are there without being declared: preludes, primitive types, and the contents of some std globs.

Source: the standard library's documentation of `std::prelude` and of `core::prelude`; Reference, preludes. Data only.
"""

from __future__ import annotations

PRIMITIVES = frozenset("bool char str i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize f16 f32 f64 f128".split())

CORE_TYPES = frozenset(
    "Send Sized Sync Unpin Copy Drop Fn FnMut FnOnce AsyncFn AsyncFnMut AsyncFnOnce AsMut AsRef From Into "
    "DoubleEndedIterator ExactSizeIterator Extend IntoIterator Iterator Option Result Clone Default Eq PartialEq Ord "
    "PartialOrd".split()
)
CORE_TYPES_2021 = frozenset("FromIterator TryFrom TryInto".split())
CORE_TYPES_2024 = frozenset("Future IntoFuture".split())
STD_TYPES = frozenset("Box String ToString ToOwned Vec".split())

CORE_VALUES = frozenset("drop Some None Ok Err size_of size_of_val align_of align_of_val".split())

CORE_MACROS = frozenset(
    "assert assert_eq assert_ne cfg column compile_error concat concat_bytes concat_idents debug_assert debug_assert_eq "
    "debug_assert_ne env file format_args include include_bytes include_str line matches module_path option_env panic "
    "stringify todo unimplemented unreachable write writeln assert_matches debug_assert_matches try const_format_args "
    "global_asm cfg_select asm naked_asm trace_macros log_syntax addr_of addr_of_mut".split()
)
STD_MACROS = frozenset("dbg eprint eprintln print println format vec thread_local is_x86_feature_detected".split())
ALLOC_MACROS = frozenset({"format", "vec"})
MACRO_2015_ONLY = frozenset({"try"})

BUILTIN_DERIVES = frozenset(
    "Clone Copy Debug Default Eq Hash Ord PartialEq PartialOrd CoercePointee ConstParamTy From".split()
)
CORE_ATTRIBUTES = frozenset(
    "test bench global_allocator test_case derive cfg cfg_accessible cfg_eval alloc_error_handler".split()
)

SYSROOT = frozenset("std core alloc proc_macro test".split())
"""Crates that come with the compiler."""

_IO_PRELUDE = frozenset("BufRead Read Seek Write".split())
STD_GLOBS: dict[tuple[str, ...], frozenset[str]] = {
    ("std", "io", "prelude"): _IO_PRELUDE,
    **{
        (root, "prelude", edition): CORE_TYPES
        | CORE_VALUES
        | CORE_MACROS
        | BUILTIN_DERIVES
        | (STD_TYPES | STD_MACROS if root == "std" else frozenset())
        | (CORE_TYPES_2021 if edition in ("rust_2021", "rust_2024") else frozenset())
        | (CORE_TYPES_2024 if edition == "rust_2024" else frozenset())
        for root in ("std", "core")
        for edition in ("v1", "rust_2015", "rust_2018", "rust_2021", "rust_2024")
    },
}
"""Globs of std whose names are known; a glob of anything else outside the project may bring any name."""

DERIVED_METHODS = frozenset(
    "clone clone_from default eq ne cmp partial_cmp lt le gt ge max min clamp hash fmt into from try_from try_into "
    "borrow borrow_mut to_owned to_string type_id as_ref as_mut drop next".split()
)
"""Associated functions that a derive or a blanket impl of std may bring to any type."""


def prelude_types(edition: str) -> frozenset[str]:
    """Types and traits of core's prelude in an edition."""
    names = CORE_TYPES
    if edition >= "2021":
        names |= CORE_TYPES_2021
    if edition >= "2024":
        names |= CORE_TYPES_2024
    return names


EXPRESSION_MACROS = frozenset(
    "format print println eprint eprintln write writeln panic assert assert_eq assert_ne debug_assert debug_assert_eq "
    "debug_assert_ne todo unimplemented unreachable format_args vec dbg try matches".split()
)
"""std macros that compile all they are given, in every configuration."""

SILENT_MACROS = frozenset(
    "stringify concat line column file module_path include_str include_bytes env option_env cfg concat_idents quote "
    "parse_quote quote_spanned macro_rules".split()
)
"""Macros whose argument is not compiled as code here."""

PASSING_MACROS = frozenset({"pin_project", "thread_local"})
"""Item macros of the ecosystem that keep the items they are given."""

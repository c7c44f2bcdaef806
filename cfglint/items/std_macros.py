"""Macros of the standard library by what they do with what they are given. Data only.

Source: documentation of std, "Macros"; Reference, macros.
"""

from __future__ import annotations

FORMATTING = frozenset(
    "format print println eprint eprintln write writeln panic assert assert_eq assert_ne debug_assert debug_assert_eq "
    "debug_assert_ne todo unimplemented unreachable format_args".split()
)
"""Those that take a format string."""

EXPRESSION_MACROS = FORMATTING | {"vec", "dbg", "try", "matches"}
"""Those that compile all they are given as expressions, in every configuration."""

SILENT = frozenset(
    "stringify concat concat_idents compile_error include include_str include_bytes env option_env line column file "
    "module_path cfg".split()
)
"""Those that compile nothing of what they are given as code of the caller."""

FORMAT_POSITION = {
    **dict.fromkeys(("write", "writeln", "assert", "debug_assert"), 1),
    **dict.fromkeys(("assert_eq", "assert_ne", "debug_assert_eq", "debug_assert_ne"), 2),
}
"""Which argument is the format string, where it is not the first."""

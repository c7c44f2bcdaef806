"""Attributes that name no macro. Data only.

Source: Reference, built-in attributes index and tool attributes.
"""

from __future__ import annotations

TOOLS = frozenset({"rustfmt", "clippy", "diagnostic", "miri", "rust_analyzer", "rustc"})
"""Tool prefixes: their attributes name no macro."""

INERT = frozenset(
    """
    allow automatically_derived bench cfg cfg_attr cold crate_name crate_type deny deprecated derive doc expect export_name
    feature forbid global_allocator ignore inline instruction_set link link_args link_name link_ordinal link_section
    macro_export macro_use must_use naked no_builtins no_core no_implicit_prelude no_link no_main no_mangle no_start no_std
    non_exhaustive panic_handler path proc_macro proc_macro_attribute proc_macro_derive recursion_limit repr should_panic
    target_feature test track_caller type_length_limit used warn windows_subsystem default collapse_debuginfo coverage
    optimize debugger_visualizer unsafe rustc_dummy lang fundamental may_dangle test_case global_asm derive_const
    """.split()
)
"""Built-in attributes and the inert helpers of the built-in derives."""

EXPANDING = frozenset({"derive", "derive_const", "test", "bench", "test_case", "global_allocator"})
"""Those that are macros all the same: what stands below them is declared when they are expanded."""

KEEPING_MEMBERS = EXPANDING | frozenset(
    {"async_trait", "instrument", "wasm_bindgen", "doc_cfg", "rustversion", "stable"}
)
"""Macros on an item that leave its members as they are written, for all that code can tell."""

NOT_GENERATING = frozenset(
    "doc inline allow deny warn expect forbid must_use repr test cold track_caller deprecated non_exhaustive no_mangle "
    "ignore should_panic macro_export macro_use path default export_name link_section used target_feature automatically_derived".split()
)
"""Attributes on an item that bring no other item."""

STD_DERIVES = frozenset({"Clone", "Copy", "Debug", "Default", "Eq", "Hash", "Ord", "PartialEq", "PartialOrd"})
"""Derives that bring impls only."""

"""Where the file of `mod name;` is: paths only, no files are opened.

Source: Reference, modules, "Module source filenames" and "The path attribute".
"""

from __future__ import annotations

import os
from typing import NamedTuple


class Directory(NamedTuple):
    """Where the modules of a file, or of an inline module in it, are looked for.

    `base` is where `mod x;` finds `x.rs`; `path_base` is what a `#[path]` is relative to.
    """

    base: str
    path_base: str


def directory_of_file(file: str, *, is_mod_rs: bool) -> Directory:
    """The directory of a file's own modules. Crate roots, `mod.rs` and files named by `#[path]` are mod-rs files."""
    folder = os.path.dirname(file)
    if is_mod_rs:
        return Directory(folder, folder)
    stem = os.path.splitext(os.path.basename(file))[0]
    return Directory(os.path.join(folder, stem), folder)


def inside_inline(directory: Directory, name: str, path_attribute: str) -> Directory:
    """The directory of an inline module; its `#[path]` names a directory."""
    if path_attribute:
        base = os.path.normpath(os.path.join(directory.path_base, path_attribute))
    else:
        base = os.path.join(directory.base, name)
    return Directory(base, base)


def candidates(directory: Directory, name: str) -> tuple[tuple[str, bool], ...]:
    """The files that `mod name;` may be, with whether each is a mod-rs file."""
    return (os.path.join(directory.base, f"{name}.rs"), False), (os.path.join(directory.base, name, "mod.rs"), True)


def explicit(directory: Directory, path: str) -> str:
    """The file that `#[path = "path"]` names."""
    return os.path.normpath(os.path.join(directory.path_base, path))

"""A sysroot for targets whose standard library is not installed, so that cargo can check packages for them.

Name resolution needs no more of the standard library than the few lang items below and an empty `std`. What this does
not have: macros, derives, strings, anything to test with. Libraries that keep away from them can be checked with it;
build scripts and procedural macros are compiled for the host and have everything.
"""

from __future__ import annotations

import functools
import os
import subprocess
import tempfile
from pathlib import Path

from tests.oracle.cargo_oracle import rustc

LANG_ITEMS = """
#[lang = "pointee_sized"] pub trait PointeeSized {}
#[lang = "meta_sized"] pub trait MetaSized: PointeeSized {}
#[lang = "sized"] pub trait Sized: MetaSized {}
#[lang = "copy"] pub trait Copy {}
"""
_PRELUDES = "\n".join(f"pub use self::v1 as rust_{edition};" for edition in (2015, 2018, 2021, 2024))
_CRATES = {
    "core": f"""#![feature(no_core, lang_items)] #![no_core] #![allow(internal_features)]
{LANG_ITEMS}
#[lang = "legacy_receiver"] pub trait LegacyReceiver {{}}
impl<T: PointeeSized> LegacyReceiver for &T {{}}
#[lang = "drop_in_place"] unsafe fn drop_in_place<T: PointeeSized>(_: *mut T) {{}}
pub mod prelude {{ pub mod v1 {{ pub use crate::{{Copy, Sized}}; }} {_PRELUDES} }}
""",
    "compiler_builtins": """#![feature(no_core, compiler_builtins)] #![compiler_builtins] #![no_core]
#![allow(internal_features)] extern crate core;
""",
    "std": """#![feature(no_core)] #![no_core] pub extern crate core; pub use core::prelude;
""",
}


@functools.cache
def _folder() -> tempfile.TemporaryDirectory[str]:
    return tempfile.TemporaryDirectory(prefix="sysroot")


@functools.cache
def sysroot(target: str) -> Path:
    """The root folder, with the libraries of `target` in it; made once in a process, gone when it ends."""
    root = Path(_folder().name) / target
    libraries = root / "lib/rustlib" / target / "lib"
    libraries.mkdir(parents=True)
    compiler = rustc() or "rustc"
    for name, text in _CRATES.items():
        source = root / f"{name}.rs"
        source.write_text(text, "utf-8")
        command = [str(compiler), str(source), "--crate-name", name, "--crate-type", "rlib", "--emit=metadata"]
        command += ["--edition", "2021", "--target", target, "--sysroot", str(root)]
        command += ["-o", str(libraries / f"lib{name}.rmeta")]
        done = subprocess.run(
            command, env={**os.environ, "RUSTC_BOOTSTRAP": "1"}, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr
    return root

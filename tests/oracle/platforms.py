"""Targets to compile random packages for, without their standard libraries: what rustc says each of them is, and a sysroot.

Only names are resolved (`-Z no-analysis`), which asks nothing of a target. The crates `core` and `std` of the sysroot hold
the names that the generated code uses and nothing behind them; bodies of functions are never looked at.
"""

from __future__ import annotations

import functools
import os
import random
import subprocess
import tempfile
import threading
from pathlib import Path

TARGETS = (
    "x86_64-unknown-linux-gnu",
    "x86_64-pc-windows-msvc",
    "aarch64-apple-darwin",
    "wasm32-unknown-unknown",
    "thumbv7m-none-eabi",
    "aarch64-linux-android",
    "wasm32-wasip1",
    "s390x-unknown-linux-gnu",
    "i686-pc-windows-gnu",
    "wasm32-unknown-emscripten",
    "x86_64-unknown-none",
    "x86_64-unknown-linux-musl",
)
PREDICATES = (
    "unix",
    "unix",
    "windows",
    "windows",
    'target_os = "linux"',
    'target_os = "linux"',
    'target_os = "macos"',
    'target_os = "none"',
    'target_os = "android"',
    'target_family = "wasm"',
    'target_family = "unix"',
    'target_arch = "wasm32"',
    'target_arch = "x86_64"',
    'target_pointer_width = "32"',
    'target_pointer_width = "64"',
    'target_env = "msvc"',
    'target_env = "gnu"',
    'target_env = ""',
    'target_vendor = "apple"',
    'target_endian = "big"',
    'target_has_atomic = "64"',
    'panic = "abort"',
)
"""What gates may ask, the usual questions twice."""
KEYS = frozenset(text.split(" ")[0] for text in PREDICATES)

_CORE = """#![feature(no_core, lang_items, rustc_attrs)] #![no_core] #![allow(internal_features)]
#[lang = "pointee_sized"] pub trait PointeeSized {}
#[lang = "meta_sized"] pub trait MetaSized: PointeeSized {}
#[lang = "sized"] pub trait Sized: MetaSized {}
#[lang = "copy"] pub trait Copy {}
#[lang = "legacy_receiver"] pub trait LegacyReceiver {}
impl<T: PointeeSized> LegacyReceiver for &T {}
#[lang = "drop_in_place"] unsafe fn drop_in_place<T: PointeeSized>(_: *mut T) {}
pub trait FnOnce {}
pub trait FnMut {}
pub trait Fn {}
pub enum Option<T> { Some(T), None }
pub trait Default {}
pub trait From<T> {}
#[rustc_builtin_macro] #[macro_export] macro_rules! cfg { ($($t:tt)*) => {} }
#[rustc_builtin_macro] #[macro_export] macro_rules! cfg_select { ($($t:tt)*) => {} }
pub mod prelude { pub mod v1 {
    pub use crate::{Copy, Default, Fn, FnMut, FnOnce, From, Option, Sized, cfg, cfg_select};
    pub use crate::Option::{None, Some};
} PRELUDES }
"""
_STD = """#![feature(no_core)] #![no_core]
pub extern crate core;
use core::{Sized, Option};
pub struct Vec<T>(T);
pub struct Box<T>(T);
pub mod ops { pub struct Range<T> { pub start: T, pub end: T } }
pub mod mem { pub fn size_of<T>() {} }
pub mod cell { use core::Sized; pub struct Cell<T>(T); }
pub mod prelude { pub mod v1 {
    pub use core::prelude::v1::*;
    pub use crate::{assert, assert_eq, debug_assert, format, matches, println, vec, Box, Vec};
} PRELUDES }
#[macro_export] macro_rules! println { ($f:literal $(, $e:expr)* $(,)?) => { { $( let _ = $e; )* } } }
#[macro_export] macro_rules! format { ($f:literal $(, $e:expr)* $(,)?) => { { $( let _ = $e; )* } } }
#[macro_export] macro_rules! vec { ($e:expr; $n:expr) => { [$e; $n] }; ($($e:expr),* $(,)?) => { [$($e),*] } }
#[macro_export] macro_rules! assert { ($e:expr $(, $o:expr)* $(,)?) => { { let _ = $e; $( let _ = $o; )* } } }
#[macro_export] macro_rules! debug_assert { ($e:expr $(, $o:expr)* $(,)?) => { { let _ = $e; $( let _ = $o; )* } } }
#[macro_export] macro_rules! assert_eq { ($e:expr $(, $o:expr)* $(,)?) => { { let _ = $e; $( let _ = $o; )* } } }
#[macro_export] macro_rules! matches { ($e:expr, $p:pat $(if $g:expr)? $(,)?) => { match $e { $p $(if $g)? => 1, _ => 2 } } }
"""
_EDITIONS = "\n".join(f"pub use self::v1 as rust_{edition};" for edition in (2015, 2018, 2021, 2024))
_CRATES = {
    "core": _CORE.replace("PRELUDES", _EDITIONS),
    "compiler_builtins": "#![feature(no_core, compiler_builtins)] #![compiler_builtins] #![no_core] extern crate core;",
    "std": _STD.replace("PRELUDES", _EDITIONS),
}
BOOTSTRAP = {"RUSTC_BOOTSTRAP": "1"}


def draw(rng: random.Random) -> tuple[str, ...]:
    """Six to eight targets."""
    return tuple(sorted(rng.sample(TARGETS, rng.choice((6, 7, 8)))))


@functools.cache
def options(compiler: str, target: str) -> frozenset[str]:
    """The options of a target that gates may ask for, as rustc prints them; a key that it leaves out is empty."""
    printed = subprocess.run(
        [compiler, "--print", "cfg", "--target", target], capture_output=True, text=True, check=True
    ).stdout.split("\n")
    found = frozenset(line for line in printed if line.partition("=")[0] in KEYS)
    valued = {text.split(" ")[0] for text in PREDICATES if " = " in text}
    return found | {f'{key}=""' for key in valued if not any(option.startswith(f"{key}=") for option in found)}


@functools.cache
def _folder() -> tempfile.TemporaryDirectory[str]:
    return tempfile.TemporaryDirectory(prefix="platforms")


def sysroot(compiler: str, target: str) -> Path:
    """A sysroot for one target, made once in a process and gone when it ends."""
    with _making:
        return _sysroot(compiler, target)


_making = threading.Lock()


@functools.cache
def _sysroot(compiler: str, target: str) -> Path:
    root = Path(_folder().name) / target
    libraries = root / "lib/rustlib" / target / "lib"
    libraries.mkdir(parents=True)
    for name, text in _CRATES.items():
        source = root / f"{name}.rs"
        source.write_text(text, "utf-8")
        command = [compiler, str(source), "--crate-name", name, "--crate-type", "rlib", "--emit=metadata"]
        command += ["--edition", "2021", "--cap-lints", "allow", "--target", target, "--sysroot", str(root)]
        command += ["-o", str(libraries / f"lib{name}.rmeta")]
        done = subprocess.run(command, env={**os.environ, **BOOTSTRAP}, capture_output=True, text=True, check=False)
        if done.returncode:
            raise RuntimeError(done.stderr)
    return root

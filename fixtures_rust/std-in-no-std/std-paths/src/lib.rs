//! `std::` in a crate that is `no_std` without its feature; `core::` is always there.
#![cfg_attr(not(feature = "std"), no_std)]

use core::fmt;
use std::collections::HashMap;
//~^ CFG009 cfg(not(feature = "std"))

#[cfg(feature = "std")]
use std::io;

pub fn by_path() {
    std::mem::drop(1);
    //~^ CFG009 cfg(not(feature = "std"))
    core::mem::drop(1);
}

#[cfg(feature = "x")]
pub fn gated() -> ::std::time::Duration {
    //~^ CFG009 cfg(all(feature = "x", not(feature = "std")))
    loop {}
}

#[cfg(feature = "std")]
pub fn covered(_: HashMap<u8, u8>) -> io::Result<()> {
    std::fs::remove_file("x")
}

impl fmt::Display for Own {
    fn fmt(&self, _: &mut fmt::Formatter<'_>) -> fmt::Result {
        Ok(())
    }
}
pub struct Own;

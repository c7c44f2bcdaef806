//! Always `no_std`, with `std` linked by a gated `extern crate`.
#![no_std]

#[cfg(feature = "std")]
extern crate std;

#[cfg(feature = "x")]
use std::io::Read;
//~^ CFG009 cfg(all(feature = "x", not(feature = "std")))

pub fn path() {
    std::process::abort();
    //~^ CFG009 cfg(not(feature = "std"))
}

#[cfg(feature = "std")]
pub mod covered {
    use std::prelude::v1::*;
    use std::{format, vec};

    pub fn go() -> Vec<String> {
        vec![format!("x")]
    }
}

//! `#[macro_use] extern crate std` brings the macros, not the prelude.
#![no_std]

#[cfg(feature = "std")]
#[macro_use]
extern crate std;

pub fn go() {
    println!("x");
    //~^ CFG009 cfg(not(feature = "std"))
}

#[cfg(feature = "std")]
pub fn covered() -> std::vec::Vec<u8> {
    vec![1]
}

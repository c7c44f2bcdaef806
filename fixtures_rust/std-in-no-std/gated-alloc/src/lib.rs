//! `extern crate alloc` under a gate, `alloc::` without.
#![no_std]

#[cfg(feature = "std")]
extern crate std;
#[cfg(feature = "alloc")]
extern crate alloc;

#[cfg(feature = "alloc")]
use alloc::vec::Vec;

pub fn list() -> alloc::vec::Vec<u8> {
    //~^ CFG009 cfg(not(feature = "alloc"))
    loop {}
}

pub fn short(_: Option<Vec<u8>>) {}
//~^ CFG001 cfg(not(feature = "alloc"))

pub mod child {
    pub fn text(_: &alloc::string::String) {}
    //~^ CFG009 cfg(not(feature = "alloc"))

    #[cfg(feature = "alloc")]
    pub fn covered(_: alloc::string::String) {}
}

//! `no_std` without conditions, and without std: nothing fails.
#![no_std]

extern crate alloc;

#[cfg(feature = "x")]
use alloc::vec::Vec;

#[cfg(feature = "x")]
pub fn list() -> Vec<u8> {
    core::iter::empty().collect()
}

pub fn text() -> alloc::string::String {
    alloc::format!("x")
}

pub mod std {
    pub fn own() {}
}

pub fn own_std() {
    self::std::own();
}

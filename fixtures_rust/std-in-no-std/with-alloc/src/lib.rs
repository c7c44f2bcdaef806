//! `alloc` takes the place of the std prelude: nothing fails.
#![cfg_attr(not(feature = "std"), no_std)]

extern crate alloc;

use alloc::{boxed::Box, format, string::String, vec, vec::Vec};

pub fn go() -> String {
    let list: Vec<u8> = vec![1];
    let _ = Box::new(list);
    format!("x")
}

pub mod child {
    #[cfg(not(feature = "std"))]
    use alloc::string::String;

    pub fn text() -> String {
        String::new()
    }

    pub fn by_path() -> alloc::vec::Vec<u8> {
        alloc::vec![1]
    }
}

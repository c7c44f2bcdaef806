//! A crate that does not want to hear of it.
#![allow(dead_code, unexpected_cfgs)]

#[cfg(whatever)]
pub fn whatever() {}

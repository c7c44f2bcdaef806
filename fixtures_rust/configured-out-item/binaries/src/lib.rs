//! A library and binaries: each is a crate root of its own.

pub fn run() {}

//! A whole crate behind `#![cfg]`: attributes before it stay, everything else goes together.
#![allow(dead_code)]
#![cfg(feature = "all")]

pub fn a() {
    b();
}

fn b() {}

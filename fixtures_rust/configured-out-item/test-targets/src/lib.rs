//! Integration tests, examples and benches are roots with `mod` trees of their own.
#![cfg_attr(test, allow(unused))]

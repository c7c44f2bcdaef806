//! A library at a path of its own; `src/` is of no importance then.

pub mod part;

#[cfg(feature = "x")]
pub fn gated() {}

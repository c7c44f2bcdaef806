//! The gated unit. Its gradient is written by hand, so there is no feature for it.

pub fn plain() {}

#[cfg(feature = "cuda")]
pub fn fused() {}

//! Kimi-style delta attention on top of gdn2.

#[cfg(feature = "cuda")]
pub mod fused;

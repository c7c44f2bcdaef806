//! Rotary position embeddings.

pub mod rotate;
#[cfg(any(feature = "cuda", feature = "autodiff"))]
pub mod rope_cuda;

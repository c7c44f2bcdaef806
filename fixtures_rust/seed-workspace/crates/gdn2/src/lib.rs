//! The gated delta rule.

#[cfg(feature = "autodiff")]
mod autodiff;
#[cfg(feature = "autodiff")]
pub mod cuda_dispatch;
mod dispatch;
#[cfg(feature = "cuda")]
pub mod kernel;

#[cfg(feature = "autodiff")]
pub use autodiff::record;
#[cfg(feature = "autodiff")]
pub use dispatch::{backend_matches, rebuild, strip, AdNode, Fallback, Fused};

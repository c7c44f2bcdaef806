//! The gated delta rule.

#[cfg(feature = "autodiff")]
mod autodiff;
#[cfg(any(feature = "cuda", feature = "autodiff"))]
pub mod cuda_dispatch;
mod dispatch;
#[cfg(feature = "cuda")]
pub mod kernel;

#[cfg(feature = "autodiff")]
pub use autodiff::record;
#[cfg(any(feature = "cuda", feature = "autodiff"))]
pub use dispatch::{backend_matches, Fallback, Fused};
#[cfg(feature = "autodiff")]
pub use dispatch::{rebuild, strip, AdNode};

//! The root re-exports what other crates need under one feature too few.
mod fused {
    pub struct Fused;
}

#[cfg(feature = "autodiff")]
pub use fused::Fused;

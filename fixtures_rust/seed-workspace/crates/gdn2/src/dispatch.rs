//! How a call is routed: the fused kernel or the plain tensor code.

pub enum Fallback {
    Tensor,
}

pub struct Fused;

pub fn backend_matches() -> bool {
    true
}

#[cfg(feature = "autodiff")]
pub struct AdNode;

#[cfg(feature = "autodiff")]
pub fn strip(_: &AdNode) {}

#[cfg(feature = "autodiff")]
pub fn rebuild() -> AdNode {
    AdNode
}

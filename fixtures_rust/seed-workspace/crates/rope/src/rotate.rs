//! Calls each half under its own gate.

pub fn rotate() {
    #[cfg(feature = "cuda")]
    crate::rope_cuda::rotate_fused();
    #[cfg(feature = "autodiff")]
    crate::rope_cuda::ad::backward();
}

//! Manifold-constrained hyper-connections.

pub mod tensor {
    pub struct Device;
    pub enum Distribution {
        Default,
    }
}

#[cfg(all(feature = "cuda", feature = "autodiff"))]
pub fn fused_node() {}

#[cfg(test)]
mod tests {
    #[test]
    #[cfg(all(feature = "cuda", feature = "autodiff"))]
    #[ignore = "needs a GPU"]
    fn fused_node_carries_a_gradient() {
        use crate::tensor::{Device, Distribution};
        let _ = Device;
        let _ = Distribution::Default;
        super::fused_node();
    }
}

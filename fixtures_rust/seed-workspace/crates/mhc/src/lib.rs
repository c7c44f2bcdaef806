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
        let _ = Device;
        //~^ CFG012 cfg(all(test, feature = "cuda", feature = "autodiff"))
        let _ = Distribution::Default;
        //~^ CFG012 cfg(all(test, feature = "cuda", feature = "autodiff"))
        super::fused_node();
    }
}

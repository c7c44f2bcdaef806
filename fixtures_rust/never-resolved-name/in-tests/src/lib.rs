//! A gated, ignored test that no one ever compiled.

pub mod device {
    pub struct Device;
}

#[cfg(test)]
mod tests {
    #[test]
    #[cfg(feature = "cuda")]
    #[ignore = "needs a GPU"]
    fn on_a_gpu() {
        let _ = Device;
        //~^ CFG012 cfg(all(test, feature = "cuda"))
        use crate::device as d;
        let _ = d::Device;
    }
}

//! A call into a module whose gate does not cover its caller.

#[cfg(feature = "grad")]
pub mod tally {
    pub fn launched() {}
}

#[cfg(feature = "gpu")]
pub mod kernels {
    pub fn chunk() {
        crate::tally::launched();
        //~^ CFG001 cfg(all(feature = "gpu", not(feature = "grad")))
    }
}

#[cfg(all(feature = "gpu", feature = "grad"))]
pub fn both() {
    crate::tally::launched();
    kernels::chunk();
}

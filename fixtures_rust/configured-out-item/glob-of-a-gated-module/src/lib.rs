//! `use gated::*` names the module; what it would have brought is not reported a second time.

#[cfg(feature = "gpu")]
mod gpu {
    pub fn launch() {}
}

pub mod public {
    pub use crate::gpu::*;
    //~^ CFG001 cfg(not(feature = "gpu"))
}

#[cfg(feature = "gpu")]
pub fn all() {
    public::launch();
}

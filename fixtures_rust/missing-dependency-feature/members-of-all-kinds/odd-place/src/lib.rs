pub use base;

pub fn go() {}
#[cfg(feature = "gpu")]
pub fn gpu() {}

//! What a test gets from other packages, by itself or through the library: it is theirs that a feature is missing of.

pub use seam;
pub use seam::*;
#[cfg(feature = "net")]
pub use net;
#[cfg(feature = "mock")]
pub use seam::plain as mock;

//! What a test gets from other packages is another matter, unless the library hands it on.

pub use seam;
pub use seam::*;
#[cfg(feature = "net")]
pub use net;
#[cfg(feature = "mock")]
pub use seam::plain as mock;

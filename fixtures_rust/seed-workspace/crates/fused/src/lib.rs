//! The facade: every member under one name.

pub use gdn2;
pub use kda;
pub use mhc;
pub use rope;

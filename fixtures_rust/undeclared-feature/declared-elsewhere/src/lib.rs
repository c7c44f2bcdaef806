//! An implicit feature, odd names, and values that `[lints]` allows: nothing is reported.

#[cfg(feature = "codec")]
pub fn implicit() {}
#[cfg(feature = "a.b+c")]
pub fn odd() {}
#[cfg(feature = "from-outside")]
pub fn allowed() {}

#[cfg(feature = "lines")]
pub fn lines() {}
#[cfg(feature = "bytes")]
pub fn bytes() {}

#[cfg(feature = "std")]
pub fn std() {}

#[cfg(feature = "base")]
pub fn base() {}

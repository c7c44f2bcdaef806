#[cfg(feature = "a")]
pub fn leaf() {}

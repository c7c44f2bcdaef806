#[cfg(feature = "default")]
pub fn by_default() {}

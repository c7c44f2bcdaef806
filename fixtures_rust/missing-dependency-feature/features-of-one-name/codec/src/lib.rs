#[cfg(feature = "turbo")]
pub fn turbo() {}

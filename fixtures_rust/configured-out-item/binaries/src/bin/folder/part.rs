#[cfg(feature = "cli")]
pub fn go() {}

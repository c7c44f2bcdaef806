pub fn plain() {}
#[cfg(feature = "gpu")]
pub fn launch() {}

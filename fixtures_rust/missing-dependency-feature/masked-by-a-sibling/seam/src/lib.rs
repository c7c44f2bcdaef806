pub fn plain() {}
#[cfg(feature = "gpu")]
pub fn launch() {}
#[cfg(feature = "gpu")]
pub struct Launcher;

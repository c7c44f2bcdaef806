pub fn plain() {}
#[cfg(feature = "gpu")]
pub fn launch() {}
#[cfg(all(feature = "gpu", feature = "tuning"))]
pub fn full_launch() {}
#[cfg(feature = "tuning")]
pub fn tune() {}

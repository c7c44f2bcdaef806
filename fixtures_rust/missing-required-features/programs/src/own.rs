pub fn run() {}
#[cfg(feature = "server")]
pub fn gated() {}

pub use deep;

pub fn go() {}
#[cfg(feature = "zip")]
pub fn zip() {}

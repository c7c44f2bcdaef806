pub fn now() {}
#[cfg(feature = "time")]
pub fn sleep() {}

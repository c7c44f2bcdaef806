#[cfg(feature = "testing")]
pub fn testing() {}
#[cfg(feature = "mock")]
pub fn mock() {}

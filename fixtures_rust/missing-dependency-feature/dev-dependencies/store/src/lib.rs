pub fn open() {}
#[cfg(feature = "testing")]
pub fn testing() {}
#[cfg(feature = "seeded")]
pub fn seeded() {}
#[cfg(feature = "mock")]
pub fn mock() {}

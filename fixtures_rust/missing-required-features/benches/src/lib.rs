pub fn steady() {}
#[cfg(feature = "fast")]
pub fn fast() {}
#[cfg(feature = "slow")]
pub fn slow() {}
#[cfg(all(feature = "slow", feature = "fast"))]
pub struct Both;

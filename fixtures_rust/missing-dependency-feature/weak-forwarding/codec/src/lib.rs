pub fn encode() {}
#[cfg(feature = "fast")]
pub fn fast() {}
#[cfg(feature = "slow")]
pub fn slow() {}
#[cfg(feature = "json")]
pub fn json() {}

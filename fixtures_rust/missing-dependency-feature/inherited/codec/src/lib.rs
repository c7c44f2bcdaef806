#[cfg(feature = "fast")]
pub fn fast() {}
#[cfg(feature = "text")]
pub fn text() {}
#[cfg(feature = "json")]
pub fn json() {}
#[cfg(feature = "slow")]
pub fn slow() {}

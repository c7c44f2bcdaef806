pub fn encode() {}
#[cfg(feature = "stream")]
pub fn stream() {}
#[cfg(feature = "zip")]
pub fn zip() {}
#[cfg(feature = "defaulted")]
pub fn defaulted() {}
#[cfg(feature = "one")]
pub fn level_one() {}
#[cfg(feature = "two")]
pub fn level_two() {}

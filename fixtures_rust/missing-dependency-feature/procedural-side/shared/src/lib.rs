pub fn plain() {}
#[cfg(feature = "full")]
pub fn full() {}
#[cfg(feature = "parse")]
pub fn parse() {}

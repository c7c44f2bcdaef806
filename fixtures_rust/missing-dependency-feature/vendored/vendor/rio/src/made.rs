pub fn made() {}
#[cfg(not(feature = "net"))]
pub fn made_or_not() {}

pub fn included() {}
#[cfg(not(feature = "fast"))]
pub fn included_or_not() {}

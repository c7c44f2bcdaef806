pub fn included() {}
#[cfg(not(feature = "no-such-thing-is-read"))]
pub fn included_or_not() {}

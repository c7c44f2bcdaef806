pub fn encode() {}
#[cfg(feature = "fast")]
pub fn fast() {}

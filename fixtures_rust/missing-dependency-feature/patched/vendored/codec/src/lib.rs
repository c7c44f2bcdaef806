#[cfg(feature = "text")]
pub fn text() {}
#[cfg(feature = "fast")]
pub fn fast() {}

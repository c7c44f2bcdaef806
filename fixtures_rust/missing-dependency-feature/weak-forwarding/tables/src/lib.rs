#[cfg(feature = "text")]
pub fn text() {}
#[cfg(feature = "brief")]
pub fn brief() {}

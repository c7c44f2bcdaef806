pub fn always() {}
#[cfg(feature = "gated")]
pub fn gated() {}

pub fn always() {}
#[cfg(feature = "std")]
pub fn std() {}
#[cfg(feature = "more")]
pub fn more() {}

pub fn here() {}
#[cfg(feature = "fast")]
pub fn gated_inside() {}

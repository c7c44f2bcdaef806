pub const SLOW: u32 = 1;
#[cfg(feature = "fast")]
pub const FAST: u32 = 2;

pub struct Plain;
pub trait Encode {}
#[cfg(feature = "fast")]
pub struct Fast;
#[cfg(feature = "fast")]
pub const FAST: u8 = 1;
#[cfg(feature = "fast")]
pub trait FastEncode {}
#[cfg(feature = "fast")]
pub mod fast;

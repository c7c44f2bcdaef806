pub struct Stream;
#[cfg(feature = "low")]
pub struct LowStream;

pub fn always() {}
#[cfg(feature = "on")]
pub fn near_turns_on() {}
#[cfg(feature = "tls")]
pub fn tls() {}

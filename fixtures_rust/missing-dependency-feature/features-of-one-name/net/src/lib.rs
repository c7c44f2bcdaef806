#[cfg(feature = "tls")]
pub fn tls() {}
#[cfg(feature = "quiet")]
pub fn quiet() {}

pub fn connect() {}
#[cfg(feature = "server")]
pub fn server() {}

#[cfg(any(unix, windows))]
pub fn open() {}
#[cfg(all(unix, feature = "net"))]
pub fn poll() {}

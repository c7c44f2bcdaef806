//! Alternatives by platform that meet on one of them.

#[cfg(unix)]
pub fn open() {}
#[cfg(windows)]
pub fn open() {}
#[cfg(not(any(unix, windows)))]
pub fn open() {}

#[cfg(target_os = "windows")]
pub fn read() {}
#[cfg(any(unix, feature = "portable"))]
pub fn read() {}
//~^ CFG010 cfg(all(windows, feature = "portable"))

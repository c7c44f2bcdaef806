#[cfg(feature = "net")]
pub fn open() {}
#[cfg(not(feature = "net"))]
pub fn open() {}

#[cfg(feature = "net")]
#[path = "net.rs"]
pub mod imp;
#[cfg(not(feature = "net"))]
#[path = "plain.rs"]
pub mod imp;

#[derive(Default)]
pub struct Fallback;

#[cfg(not(feature = "tiny"))]
pub fn large() {}

#[cfg(feature = "net")]
pub fn listen() {}
#[cfg(not(feature = "net"))]
#[allow(dead_code)]
fn listen() {}

#[cfg(any(feature = "net", feature = "sync"))]
pub fn either() {}
#[cfg(all(feature = "net", feature = "sync"))]
pub fn both() {}

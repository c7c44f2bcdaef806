//! `mod x;` without a file, in some builds.

#[cfg(feature = "net")]
pub mod net;
//~^ CFG013 cfg(feature = "net")

#[cfg(feature = "tls")]
pub mod outer;

#[cfg_attr(feature = "on", path = "nowhere.rs")]
pub mod here;
//~^ CFG013 cfg(feature = "on")

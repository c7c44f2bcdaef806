#![cfg_attr(not(feature = "std"), no_std)]

#[cfg(feature = "std")]
pub fn std() {}
#[cfg(feature = "gpu")]
pub fn launch() {}
#[cfg(feature = "extra")]
pub fn extra() {}

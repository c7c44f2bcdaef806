#![cfg(feature = "on")]
pub fn all() {}

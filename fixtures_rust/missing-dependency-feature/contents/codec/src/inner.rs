#![cfg(feature = "fast")]
pub fn gone() {}

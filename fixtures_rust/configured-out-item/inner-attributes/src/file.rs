#![cfg(feature = "a")]
//! The gate is the file's own.

pub fn go() {
    super::inline::go();
    crate::function();
    //~^ CFG001 cfg(all(feature = "a", not(feature = "b")))
}

//! Definitions of one name that never meet, or may meet: nothing fails.

#[cfg(feature = "a")]
pub fn open() {}
#[cfg(not(feature = "a"))]
pub fn open() {}

#[cfg(all(feature = "b", not(feature = "a")))]
pub fn never() {}
#[cfg(feature = "b")]
pub fn never() {}

pub mod globbed {
    pub fn shared() {}
    pub struct Item;
}
use globbed::*;
#[cfg(feature = "c")]
pub fn shared() {}
#[cfg(feature = "c")]
pub use globbed::Item;

pub struct Name {}
#[cfg(feature = "c")]
#[allow(non_snake_case)]
pub fn Name() {}
#[cfg(feature = "c")]
macro_rules! Name {
    () => {};
}

macro_rules! again {
    () => {};
}
#[cfg(feature = "c")]
macro_rules! again {
    () => {};
}

#[cfg(feature = "a")]
impl Name {
    pub fn one() {}
}
#[cfg(feature = "c")]
impl Name {
    pub fn two() {}
}

#[cfg(feature = "a")]
const _: () = ();
#[cfg(feature = "c")]
const _: () = ();

#[cfg(feature = "a")]
use std::fmt::Write as _;
#[cfg(feature = "c")]
use std::io::Write as _;

#[cfg(feature = "a")]
impl Name {
    pub fn shadowed(n: u8) -> u8 {
        let n = n + 1;
        #[cfg(feature = "c")]
        let n = n + 1;
        n
    }
}

pub fn go(_: Item) {
    open();
    shared();
}

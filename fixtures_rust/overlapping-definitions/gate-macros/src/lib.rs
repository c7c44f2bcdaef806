//! Definitions inside gate macros overlap like any other.

macro_rules! cfg_a {
    ($($item:item)*) => { $( #[cfg(feature = "a")] $item )* };
}
macro_rules! cfg_not_a {
    ($($item:item)*) => { $( #[cfg(not(feature = "a"))] $item )* };
}

cfg_a! {
    pub fn open() {}
    pub fn close() {}
}
cfg_not_a! {
    pub fn open() {}
}
#[cfg(feature = "b")]
pub fn close() {}
//~^ CFG010 cfg(all(feature = "a", feature = "b"))

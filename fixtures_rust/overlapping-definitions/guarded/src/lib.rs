//! A guard that excludes part of the overlap leaves the rest.

#[cfg(all(feature = "a", feature = "b", not(feature = "c")))]
compile_error!("`a` with `b` needs `c`");
//~^ INVALID cfg(all(feature = "a", feature = "b", not(feature = "c")))

#[cfg(feature = "a")]
pub fn open() {}
#[cfg(feature = "b")]
pub fn open() {}
//~^ CFG010 cfg(all(feature = "a", feature = "b"))

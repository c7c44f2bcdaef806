//! A module of one name from two files.

#[cfg(feature = "std")]
#[path = "a.rs"]
mod imp;
#[cfg(feature = "alloc")]
#[path = "b.rs"]
mod imp;
//~^ CFG010 cfg(all(feature = "std", feature = "alloc"))

#[cfg(feature = "std")]
#[path = "twice.rs"]
mod once;
#[path = "twice.rs"]
mod again;

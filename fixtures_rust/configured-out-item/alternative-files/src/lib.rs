//! The usual pair: one module name, two files by `#[path]`, one of them without the function.

#[cfg(feature = "std")]
#[path = "imp_std.rs"]
mod imp;
#[cfg(not(feature = "std"))]
#[path = "imp_core.rs"]
mod imp;

pub fn go() {
    imp::both();
    imp::only_std();
    //~^ CFG001 cfg(not(feature = "std"))
}

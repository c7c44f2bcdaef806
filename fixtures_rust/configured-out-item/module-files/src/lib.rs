//! Modules in files: next to `lib.rs`, below a file that is no `mod.rs`, in a `mod.rs`, and one nobody loads.

pub mod plain;
#[cfg(feature = "a")]
pub mod gated;
pub mod folder;

pub fn go() {
    plain::child::leaf();
    //~^ CFG001 cfg(not(feature = "b"))
    gated::go();
    //~^ CFG001 cfg(not(feature = "a"))
    folder::deep::leaf();
}

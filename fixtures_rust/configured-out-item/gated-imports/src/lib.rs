//! The import carries the gate: its users need the same one.

pub mod store {
    pub fn open() {}
    pub struct Handle;
    pub mod disk {
        pub fn sync() {}
    }
}

#[cfg(feature = "gpu")]
use store::{disk, open, Handle};

pub fn ungated() {
    open();
    //~^ CFG001 cfg(not(feature = "gpu"))
    disk::sync();
    //~^ CFG001 cfg(not(feature = "gpu"))
}

#[cfg(feature = "x")]
pub fn differently_gated(_: Handle) {}
//~^ CFG001 cfg(all(feature = "x", not(feature = "gpu")))

#[cfg(feature = "gpu")]
pub fn gated(_: Handle) {
    open();
    disk::sync();
}

pub mod child {
    pub fn through_super() {
        super::open();
        //~^ CFG001 cfg(not(feature = "gpu"))
    }
}

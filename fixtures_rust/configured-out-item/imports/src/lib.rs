//! Imports of gated names: single, nested over lines, renamed, unnamed, of a module itself. Reported once, not per use.

#[cfg(feature = "gpu")]
pub mod gpu {
    pub mod launch {
        pub fn go() {}
    }
    pub fn sync() {}
}

pub mod mixed {
    #[cfg(feature = "x")]
    pub fn gated() {}
    #[cfg(feature = "x")]
    pub trait Extra {}
    #[cfg(feature = "x")]
    pub mod deep {}
    pub fn always() {}
    pub mod sub {
        #[cfg(feature = "x")]
        pub fn leaf() {}
        pub fn other() {}
    }
}

use gpu::sync;
//~^ CFG001 cfg(not(feature = "gpu"))
use crate::gpu::launch::{self, go as start};
//~^ CFG001 cfg(not(feature = "gpu"))
use self::mixed::{
    always,
    gated,
    //~^ CFG001 cfg(not(feature = "x"))
    Extra as _,
    //~^ CFG001 cfg(not(feature = "x"))
    deep::{self},
    //~^ CFG001 cfg(not(feature = "x"))
    sub::{
        leaf as tip,
        //~^ CFG001 cfg(not(feature = "x"))
        other,
    },
};

pub fn uses_are_not_reported_again() {
    sync();
    start();
    launch::go();
    always();
    gated();
    tip();
    other();
}

pub mod deeper {
    use super::gated as twice;
}

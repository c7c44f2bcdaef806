//! Modules under other names: `use m as n`, re-exported modules, `self` in a group.

mod real {
    pub mod part {
        #[cfg(feature = "a")]
        pub fn gated() {}
        pub fn plain() {}
    }
}

use real as alias;
pub use real::part::{self as piece, plain};
#[cfg(feature = "b")]
pub use self::real::part as maybe;

pub fn go() {
    alias::part::gated();
    //~^ CFG001 cfg(not(feature = "a"))
    piece::gated();
    //~^ CFG001 cfg(not(feature = "a"))
    plain();
    maybe::gated();
    //~^ CFG001 cfg(not(all(feature = "a", feature = "b")))
}

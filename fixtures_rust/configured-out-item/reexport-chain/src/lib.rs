//! A name is there when every hop of its way is: definition, re-export, renamed re-export.

mod origin {
    #[cfg(feature = "a")]
    pub fn run() {}
    pub fn walk() {}
}

mod middle {
    #[cfg(feature = "a")]
    pub use crate::origin::run;
    #[cfg(feature = "b")]
    pub use crate::origin::walk;
}

pub mod api {
    #[cfg(all(feature = "a", feature = "c"))]
    pub use crate::middle::run as start;
    #[cfg(feature = "b")]
    pub use crate::middle::walk as stroll;
}

pub fn all_three() {
    api::start();
    //~^ CFG001 cfg(not(all(feature = "a", feature = "c")))
}

#[cfg(feature = "c")]
pub fn one_hop_short() {
    crate::api::stroll();
    //~^ CFG001 cfg(all(feature = "c", not(feature = "b")))
    crate::middle::run();
    //~^ CFG001 cfg(all(feature = "c", not(feature = "a")))
}

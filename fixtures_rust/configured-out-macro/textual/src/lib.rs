//! A gated `macro_rules!` in textual scope, called under other gates.

#[cfg(feature = "log")]
macro_rules! trace {
    () => {
        0
    };
}

pub fn ungated() -> u8 {
    trace!()
    //~^ CFG002 cfg(not(feature = "log"))
}

#[cfg(feature = "x")]
pub fn gated() -> u8 {
    #[cfg(feature = "log")]
    trace!();
    trace!()
    //~^ CFG002 cfg(all(feature = "x", not(feature = "log")))
}

pub mod child {
    pub fn inherits_the_scope() -> u8 {
        trace!()
        //~^ CFG002 cfg(not(feature = "log"))
    }
}

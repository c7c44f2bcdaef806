//! Macros that `#[macro_use] extern crate` brings into textual scope.

#[macro_use]
extern crate tools;

pub fn go() {
    quiet!();
    log!();
    //~^ CFG004 cfg(not(feature = "log"))
}

#[cfg(feature = "log")]
pub fn gated() {
    log!();
}

pub mod own {
    #[cfg(not(feature = "log"))]
    macro_rules! log {
        () => {};
    }

    pub fn go() {
        log!();
    }
}

pub mod renamed {
    #[cfg(feature = "x")]
    use tools::log as trace;
    //~^ CFG004 cfg(all(feature = "x", not(feature = "log")))

    #[cfg(feature = "x")]
    pub fn go() {
        trace!();
    }
}

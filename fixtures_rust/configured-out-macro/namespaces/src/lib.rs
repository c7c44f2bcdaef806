//! A macro, a module and a function of one name: each is looked up among its own kind.

#[cfg(feature = "x")]
macro_rules! check {
    () => {};
}
#[cfg(not(feature = "x"))]
pub fn check() {}

pub mod trace {
    pub fn go() {}
}
#[cfg(feature = "x")]
macro_rules! trace {
    () => {};
}

pub fn go() {
    trace::go();
    check!();
    //~^ CFG002 cfg(not(feature = "x"))
    trace!();
    //~^ CFG002 cfg(not(feature = "x"))
}

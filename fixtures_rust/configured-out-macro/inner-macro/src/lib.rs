//! A macro that calls a gated one: resolved where the outer one is expanded.

#[cfg(feature = "log")]
macro_rules! inner {
    () => {
        0
    };
}

macro_rules! outer {
    () => {
        inner!()
        //~^ CFG002 cfg(all(feature = "x", not(feature = "log")))
    };
}

#[cfg(feature = "x")]
pub fn go() -> u8 {
    outer!()
}

#[cfg(feature = "log")]
pub fn same_gate() -> u8 {
    outer!()
}

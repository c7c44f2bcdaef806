//! Another module takes the place of the gated one, and lacks some of its names.

mod defaults {
    pub mod style {
        pub fn plain() {}
    }
}
use defaults::*;

#[cfg(feature = "x")]
mod style {
    pub fn plain() {}
    pub fn fancy() {}
}

pub fn go() {
    style::plain();
    style::fancy();
    //~^ CFG001 cfg(not(feature = "x"))
}

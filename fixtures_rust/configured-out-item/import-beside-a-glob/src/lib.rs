//! A named import of a gated item fails although a glob would supply the name.

mod one {
    #[cfg(feature = "x")]
    pub fn cut() {}
    pub fn glue() {}
}
mod other {
    pub fn cut() {}
}

use one::cut;
//~^ CFG001 cfg(not(feature = "x"))
use other::*;

pub fn go() {
    cut();
    one::glue();
}

//! A child module sees its ancestors' private items and imports, by path and by glob.

mod tools {
    pub fn cut() {}
}

use tools::cut;

#[cfg(feature = "x")]
fn private() {}

pub mod child {
    use super::*;

    pub fn go() {
        cut();
        super::cut();
        private();
        //~^ CFG001 cfg(not(feature = "x"))
    }
}

//! The item shadows the glob where it is live; elsewhere the glob supplies the name. Nothing fails.

mod defaults {
    pub fn size() -> usize {
        1
    }
    pub struct Mode;
    pub fn named() -> usize {
        1
    }
}

mod other {
    pub fn named() -> usize {
        2
    }
}

use defaults::*;

#[cfg(feature = "own")]
pub fn size() -> usize {
    2
}
#[cfg(feature = "own")]
pub struct Mode;
#[cfg(feature = "own")]
use other::named;

pub fn total(_: &Mode) -> usize {
    named() + size()
}

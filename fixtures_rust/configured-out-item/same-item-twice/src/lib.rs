//! One item by two globs, and two items by two globs whose name nobody uses: no error anywhere.

mod left {
    pub use super::shared::*;
    pub fn only_ambiguous() {}
}
mod right {
    pub use super::shared::*;
    pub fn only_ambiguous() {}
}
mod shared {
    pub fn common() {}
}

#[cfg(feature = "a")]
use left::*;
#[cfg(feature = "b")]
use right::*;

#[cfg(any(feature = "a", feature = "b"))]
pub fn go() {
    common();
}

//! Duplicates between the names of groups, at the line of the second name.

mod left {
    pub fn one() {}
    pub fn two() {}
}
mod right {
    pub fn two() {}
    pub fn three() {}
}

#[cfg(feature = "a")]
pub use left::{one, two};
#[cfg(feature = "b")]
pub use right::{
    three,
    two,
    //~^ CFG010 cfg(all(feature = "a", feature = "b"))
    three as four,
};

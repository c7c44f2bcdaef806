//! The macros of a procedural crate have gates, too.

#[kinds::marked]
pub fn always() {}

#[cfg_attr(feature = "serde", derive(kinds::Named))]
pub struct Covered;

#[cfg(feature = "serde")]
use kinds::Named;

#[cfg(feature = "serde")]
#[derive(Named)]
pub struct Imported;

#[cfg(feature = "x")]
#[derive(kinds::Named)]
//~^ CFG004 cfg(all(feature = "x", not(feature = "serde")))
pub struct Bare;

#[cfg(feature = "x")]
pub mod user {
    use kinds::named_twice;
    //~^ CFG004 cfg(all(feature = "x", not(feature = "serde")))

    named_twice!();
}

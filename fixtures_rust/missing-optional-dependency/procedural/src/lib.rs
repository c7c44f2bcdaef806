//! Attribute and derive macros by a path into the missing crate.

#[derive(Clone, kinds::Named)]
//~^ CFG003 cfg(not(feature = "kinds"))
pub struct Plain;

#[kinds::marked]
//~^ CFG003 cfg(not(feature = "kinds"))
pub fn attributed() {}

#[cfg_attr(feature = "kinds", derive(kinds::Named), kinds::marked)]
pub struct Covered;

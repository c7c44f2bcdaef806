//! Attribute and derive macros whose import is gated.

#[cfg(feature = "derive")]
use kinds::{marked, Named};

#[derive(Clone, Named)]
//~^ CFG002 cfg(not(feature = "derive"))
pub struct Plain;

#[marked]
//~^ CFG002 cfg(not(feature = "derive"))
pub fn attributed() {}

#[cfg_attr(feature = "x", derive(Named))]
//~^ CFG002 cfg(all(feature = "x", not(feature = "derive")))
pub struct Conditional;

#[cfg_attr(feature = "derive", derive(Named), marked)]
pub struct Covered;

#[derive(kinds::Named)]
pub struct ByPath;

//! Types against types, values against values; a tuple struct is both, and so clashes with a function.

#[cfg(feature = "a")]
pub struct Size(pub u8);
#[cfg(feature = "b")]
#[allow(non_snake_case)]
pub fn Size() {}
//~^ CFG010 cfg(all(feature = "a", feature = "b"))

#[cfg(feature = "a")]
pub enum Kind {}
#[cfg(feature = "b")]
pub type Kind = u8;
//~^ CFG010 cfg(all(feature = "a", feature = "b"))

#[cfg(feature = "a")]
pub trait Open {}
#[cfg(feature = "b")]
pub mod Open {}
//~^ CFG010 cfg(all(feature = "a", feature = "b"))

pub fn local() {
    #[cfg(feature = "a")]
    fn inner() {}
    #[cfg(feature = "b")]
    fn inner() {}
    //~^ CFG010 cfg(all(feature = "a", feature = "b"))
}

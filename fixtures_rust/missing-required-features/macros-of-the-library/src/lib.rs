#[macro_use]
mod macros;

#[doc(hidden)]
pub fn always() {}
#[cfg(feature = "deep")]
#[doc(hidden)]
pub fn deep() {}

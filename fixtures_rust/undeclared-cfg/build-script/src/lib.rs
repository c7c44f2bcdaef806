//! What the build script declares; that it sets an option is not enough.

#[cfg(fast)]
pub fn fast() {}
#[cfg(kind = "a")]
pub fn a() {}
#[cfg(kind = "c")]
//~^ CFG102
pub fn c() {}
#[cfg(silent)]
//~^ CFG102
pub fn silent() {}

//! `extern crate` of an optional dependency, and the name that a gated `extern crate` declares.

#[cfg(feature = "x")]
extern crate codec as wire;
//~^ CFG003 cfg(all(feature = "x", not(feature = "codec")))

#[cfg(all(feature = "x", feature = "codec"))]
pub fn go() {
    wire::encode();
}

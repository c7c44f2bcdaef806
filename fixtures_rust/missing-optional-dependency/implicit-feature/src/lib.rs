//! An optional dependency makes a feature of its name; without it the crate is not there.

#[cfg(feature = "x")]
use codec::Encoder;
//~^ CFG003 cfg(all(feature = "x", not(feature = "codec")))

pub fn by_path() {
    codec::encode();
    //~^ CFG003 cfg(not(feature = "codec"))
    ::codec::encode();
    //~^ CFG003 cfg(not(feature = "codec"))
}

#[cfg(feature = "codec")]
pub fn gated(_: codec::Encoder) {
    codec::encode();
}

pub fn in_a_type(_: Option<codec::Encoder>) {}
//~^ CFG003 cfg(not(feature = "codec"))

//! A dependency inherited from the workspace, made optional here.

#[cfg(feature = "wire")]
pub fn gated() {
    codec::encode();
}

#[cfg(feature = "x")]
pub fn with_x() {
    codec::encode();
    //~^ CFG003 cfg(all(feature = "x", not(feature = "codec")))
}

//! A written feature with the dependency's name does not turn the dependency on; `codec/fast` turns on both.

#[cfg(feature = "codec")]
pub fn by_feature() {
    codec::encode();
    //~^ CFG003 cfg(all(feature = "codec", not(feature = "fast"), not(feature = "full")))
}

#[cfg(feature = "fast")]
pub fn fast() {
    codec::encode();
    by_feature();
}

#[cfg(feature = "full")]
pub fn full() {
    codec::encode();
    by_feature();
}

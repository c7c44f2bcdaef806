//! `dep:` takes the implicit feature away, so that its name is no feature.

#[cfg(feature = "codec")]
//~^ CFG101
pub fn never() {}

#[cfg(feature = "encode")]
pub fn gated() {
    codec::encode();
}

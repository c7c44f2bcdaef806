//! What a re-export or a glob of the optional crate brings is gated like the crate; unknown names behind it are no finding.

#[cfg(feature = "codec")]
pub use codec::*;
#[cfg(feature = "codec")]
pub use codec::Encoder as Writer;
#[cfg(feature = "codec")]
pub use codec as wire;

#[cfg(feature = "codec")]
pub fn gated(_: Encoder, _: wire::Encoder) {
    encode();
}

#[cfg(feature = "x")]
pub fn by_name(_: Writer) {}
//~^ CFG001 cfg(all(feature = "x", not(feature = "codec")))

#[cfg(feature = "x")]
pub fn by_alias() {
    wire::encode();
    //~^ CFG001 cfg(all(feature = "x", not(feature = "codec")))
}

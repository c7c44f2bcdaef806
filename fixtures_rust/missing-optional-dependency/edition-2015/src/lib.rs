//! In 2015 an import needs the `extern crate` item, under whose gate the name stands.

#[cfg(feature = "codec")]
extern crate codec;

pub mod user {
    #[cfg(feature = "codec")]
    use codec::encode;

    #[cfg(feature = "codec")]
    pub fn go() {
        encode();
        ::codec::encode();
    }
}

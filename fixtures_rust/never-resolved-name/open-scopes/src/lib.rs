//! Scopes that something unknown may fill: a glob of another crate, a macro of another crate. Nothing is reported.

pub mod by_glob {
    use codec::*;

    #[cfg(feature = "x")]
    pub fn go() {
        encode();
        let _ = Encoder;
    }
}

pub mod by_macro {
    codec::items! {}

    #[cfg(feature = "x")]
    pub fn go() {
        made();
    }
}

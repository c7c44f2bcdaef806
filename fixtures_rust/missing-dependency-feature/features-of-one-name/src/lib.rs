//! Features that are called like a dependency, and what turns them on along the way.

#[cfg(feature = "codec")]
pub fn named_like_the_dependency() {}

pub fn go() {
    codec::turbo();
    //~^ CFG004 cfg(not(feature = "turbo"))
}

#[cfg(feature = "turbo")]
pub fn turbo() {
    codec::turbo();
    named_like_the_dependency();
    //~^ CFG001 cfg(all(feature = "turbo", not(feature = "codec")))
}

#[cfg(feature = "tls")]
pub fn tls() {
    net::tls();
}

#[cfg(feature = "quiet")]
pub fn quiet() {
    #[cfg(feature = "net")]
    net::quiet();
}

#[cfg(feature = "net")]
pub fn net() {
    net::tls();
    //~^ CFG004 cfg(all(feature = "net", not(feature = "tls")))
    net::quiet();
    //~^ CFG004 cfg(all(feature = "net", not(feature = "quiet")))
}

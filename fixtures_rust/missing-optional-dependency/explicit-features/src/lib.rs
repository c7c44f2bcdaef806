//! `dep:` hides the implicit feature; `d?/f` turns nothing on; `d/f` turns on the dependency and a feature of its name.

pub fn ungated() {
    codec::encode();
    //~^ CFG003 cfg(not(feature = "encode"))
}

#[cfg(feature = "encode")]
pub fn gated() {
    codec::encode();
}

#[cfg(feature = "fast")]
pub fn weak() {
    codec::encode();
    //~^ CFG003 cfg(all(feature = "fast", not(feature = "encode")))
}

#[cfg(feature = "wire")]
pub fn strong() {
    net::connect();
    by_net();
}

#[cfg(feature = "net")]
fn by_net() {
    net::connect();
}

#[cfg(feature = "extra")]
pub fn extra() {
    net::connect();
    //~^ CFG003 cfg(all(feature = "extra", not(feature = "net")))
}

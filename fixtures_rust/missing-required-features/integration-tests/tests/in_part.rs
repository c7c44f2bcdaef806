//! Each test has the gate that it needs.

#[cfg(feature = "zip")]
use integration_tests::pack;

#[test]
fn plain() {
    integration_tests::plain();
}

#[cfg(feature = "zip")]
#[test]
fn packs() {
    pack();
}

#[test]
#[cfg(feature = "zip")]
fn needs_more() {
    integration_tests::net::connect();
    //~^ CFG011 cfg(all(feature = "zip", not(feature = "net")))
}

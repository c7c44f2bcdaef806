//! Gated as a whole.
#![cfg(feature = "net")]

use integration_tests::net;

#[test]
fn connects() {
    net::connect();
}

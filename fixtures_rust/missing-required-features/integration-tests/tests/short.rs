//! Nothing is required, several lines need something.

use integration_tests::plain;

#[test]
fn connects() {
    plain();
    integration_tests::net::connect();
    //~^ CFG011 cfg(not(feature = "tls"))
    integration_tests::net::secure();
    //~^ FOLLOWS cfg(not(feature = "tls"))
}

//! One target needs two features; it is found once.

#[test]
fn packs() {
    integration_tests::pack();
    //~^ CFG011 cfg(not(all(feature = "zip", feature = "net")))
}

#[test]
fn connects() {
    integration_tests::net::connect();
    //~^ FOLLOWS cfg(not(feature = "net"))
    let again = integration_tests::pack;
    //~^ FOLLOWS cfg(not(feature = "zip"))
    again();
}

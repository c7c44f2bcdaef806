//! A crate that is missing all over a file is found once.

use net::connect;
//~^ CFG003 cfg(not(feature = "net"))

#[test]
fn connects() {
    connect();
    net::connect();
    //~^ FOLLOWS cfg(not(feature = "net"))
}

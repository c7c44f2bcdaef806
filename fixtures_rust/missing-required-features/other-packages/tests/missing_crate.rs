#[test]
fn connects() {
    net::connect();
    //~^ CFG003 cfg(not(feature = "net"))
}

#[test]
fn connects() {
    facade::net::connect();
    //~^ CFG011 cfg(not(feature = "net"))
}

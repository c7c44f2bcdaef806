#[test]
fn whole() {
    store::testing();
    store::seeded();
    store::mock();
    //~^ CFG004 cfg(not(feature = "mock"))
}

fn main() {
    store::testing();
    store::seeded();
    store::mock();
    //~^ CFG004 cfg(not(feature = "mock"))
}

#[test]
fn launches() {
    seam::launch();
    //~^ CFG004 cfg(not(feature = "gpu"))
    harness::set_up();
    harness::tear_down();
    //~^ CFG004 cfg(all())
    facade::mock();
    //~^ CFG011 cfg(not(feature = "mock"))
}

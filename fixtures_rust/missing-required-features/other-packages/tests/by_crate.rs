#[test]
fn launches() {
    facade::seam::launch();
    //~^ CFG004 cfg(not(feature = "gpu"))
}

#[test]
fn launches() {
    facade::seam::launch();
    //~^ CFG011 cfg(not(feature = "gpu"))
}

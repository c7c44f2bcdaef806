use facade::launch;
//~^ CFG004 cfg(not(feature = "gpu"))

#[test]
fn launches() {
    facade::plain();
    launch();
}

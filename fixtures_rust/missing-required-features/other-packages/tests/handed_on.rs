use facade::launch;
//~^ CFG011 cfg(not(feature = "gpu"))

#[test]
fn launches() {
    facade::plain();
    launch();
}

#[test]
fn more() {
    selfish::seed();
    selfish::extra();
    //~^ CFG011 cfg(not(feature = "extra"))
}

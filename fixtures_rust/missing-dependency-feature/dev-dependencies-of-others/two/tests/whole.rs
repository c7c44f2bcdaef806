#[test]
fn whole() {
    shared::testing();
    shared::mock();
    //~^ CFG004 cfg(all())
}

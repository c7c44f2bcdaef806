use selfish::testing;

#[test]
fn whole() {
    testing::set_up();
    selfish::seed();
}

mod common;

#[test]
fn connects() {
    common::connect();
}

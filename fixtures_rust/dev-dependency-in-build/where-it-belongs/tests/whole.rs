use harness::set_up;

#[test]
fn go() {
    set_up();
}

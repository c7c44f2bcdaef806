#[cfg(feature = "x")]
mod common;

#[cfg(test)]
fn helper() {}

#[test]
fn go() {
    helper();
    common::set_up();
    //~^ CFG001 cfg(not(feature = "x"))
}

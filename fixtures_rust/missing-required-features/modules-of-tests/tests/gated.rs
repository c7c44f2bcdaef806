#[cfg(feature = "client")]
mod common;

#[test]
#[cfg(feature = "client")]
fn connects() {
    common::connect();
}

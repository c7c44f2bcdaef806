//! Discovered; the harness is the usual one.

#[test]
fn measure() {
    timed::steady();
    timed::fast();
    //~^ CFG011 cfg(not(feature = "fast"))
}

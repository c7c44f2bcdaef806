//! `#[ignore]` keeps a test from running, not from being compiled.

#[test]
#[ignore = "needs a GPU"]
fn probes() {
    assert_eq!(tensors::probe::checksum(), 0);
    //~^ CFG011 cfg(not(feature = "cuda"))
}

pub fn leaf() {
    crate::gated::go();
    //~^ CFG001 cfg(all(feature = "b", not(feature = "a")))
}

pub fn run() {
    super::tune();
    //~^ CFG001 cfg(all(feature = "safe", not(feature = "check")))
    crate::go();
    //~^ CFG001 cfg(any(all(feature = "fast", not(feature = "safe")), all(feature = "safe", not(feature = "fast"))))
}

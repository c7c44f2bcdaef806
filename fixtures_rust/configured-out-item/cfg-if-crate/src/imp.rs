pub fn run() {
    crate::idle();
    //~^ CFG001 cfg(feature = "a")
}

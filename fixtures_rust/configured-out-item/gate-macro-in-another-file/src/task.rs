pub fn spawn() {
    crate::runtime::current();
    //~^ CFG001 cfg(feature = "rt")
}
